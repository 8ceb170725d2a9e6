"""What is seen on the plane."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from qkviz.figures.paint_plane import (
    FAINT_LINE,
    paint_plane,
    paint_plane_ground,
    paint_plane_readouts,
    paint_plane_vectors,
)
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, plane_rect
from qkviz.figures.plane_parts import ACTIVE_HANDLE, CROWD, FAINT_HANDLE
from qkviz.figures.style import DARK, LIGHT, FigureStyle, mixed
from qkviz.presenters.plane import PlaneContent
from tests.figures.canvas import Pixels, painted
from tests.figures.examples import plane_content

SIZE = (420, 520)


def picture(
    content: PlaneContent,
    style: FigureStyle = LIGHT,
    paint: Callable[..., None] = paint_plane,
    view: PlaneView | None = None,
) -> tuple[Pixels, PlaneLayout]:
    room = QRectF(0, 0, *SIZE)
    layout = PlaneLayout(
        content, room, view or PlaneView.fitted(content.reach, plane_rect(room, style)), style
    )
    return painted(*SIZE, lambda painter: paint(painter, layout, content, style), style), layout


def at(pixels: Pixels, point: QPointF) -> tuple[int, ...]:
    return tuple(pixels[math.floor(point.y()), math.floor(point.x())].tolist())


def rgb(color: str) -> tuple[int, ...]:
    return QColor(color).getRgb()[:3]  # type: ignore[return-value]


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_active_handles_are_rings_in_the_colors_of_their_roles(style: FigureStyle) -> None:
    content = plane_content([(1.0, 0.3)], [(-0.4, 1.0)])
    pixels, layout = picture(content, style)
    for arrow, tip in zip(content.arrows, layout.tips, strict=True):
        color = style.query if arrow.role == "query" else style.key
        for angle in (0.4, 2.0, 3.6, 5.2):
            rim = tip + QPointF(math.cos(angle), math.sin(angle)) * (ACTIVE_HANDLE - 1.4)
            assert np.abs(np.array(at(pixels, rim)) - rgb(color)).max() < 70
        assert at(pixels, tip) == rgb(style.surface)


def test_vectors_outside_the_pair_are_fainter() -> None:
    content = plane_content([(1.0, 0.3), (0.2, -1.0)], [(-0.4, 1.0)], pair=(0, 0))
    pixels, layout = picture(content)
    faint = next(tip for arrow, tip in zip(content.arrows, layout.tips, strict=True) if not arrow.active)
    rim = at(pixels, faint + QPointF(0, 1) * (FAINT_HANDLE - 1.0))
    assert min(rim) > 90, "lighter than the full blue"


def test_a_vector_moved_by_hand_is_marked() -> None:
    plain, layout = picture(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]))
    moved, _layout = picture(plane_content([(1.0, 0.3)], [(-0.4, 1.0)], moved=[0]))
    tip = layout.to_pixels(1.0, 0.3)
    assert at(plain, tip) == rgb(LIGHT.surface)
    assert at(moved, tip) == rgb(LIGHT.query)


def test_a_zero_vector_is_a_dot_at_the_origin() -> None:
    pixels, layout = picture(plane_content([(0.0, 0.0)], [(1.0, 1.0)]))
    assert at(pixels, layout.origin) == rgb(LIGHT.query)


def test_the_projection_is_drawn_along_the_key() -> None:
    content = plane_content([(1.0, 1.0)], [(2.0, 0.0)])
    pixels, layout = picture(content, paint=paint_plane_vectors)
    # beside the shaft, between origin and foot (1, 0), but not beyond the foot
    inside, beyond = layout.to_pixels(0.6, 0.0), layout.to_pixels(1.5, 0.0)
    assert at(pixels, inside + QPointF(0, 3)) != rgb(LIGHT.surface)
    assert at(pixels, beyond + QPointF(0, 3)) == rgb(LIGHT.surface)


def test_the_angle_is_an_arc_from_key_to_query() -> None:
    content = plane_content([(0.0, 1.0)], [(1.0, 0.0)])
    pixels, layout = picture(content, paint=paint_plane_vectors)
    radius = layout.arc_radius
    assert radius > 20

    def darkest(angle: float) -> int:
        point = layout.origin + QPointF(math.cos(angle), -math.sin(angle)) * radius
        y, x = math.floor(point.y()), math.floor(point.x())
        return int(pixels[y - 1 : y + 2, x - 1 : x + 2].max(axis=2).min())

    assert darkest(math.pi / 4) < 110
    assert darkest(-math.pi / 4) > 200


def test_without_a_pair_there_is_no_geometry_of_one() -> None:
    content = plane_content([(0.0, 1.0)], [(1.0, 0.0)], pair=None)
    pixels, layout = picture(content, paint=paint_plane_vectors)
    assert layout.equal_line is None
    middle = layout.to_pixels(0.25, 0.25)
    assert at(pixels, middle) == rgb(LIGHT.surface)


def test_ground_vectors_and_readouts_together_are_the_plane() -> None:
    content = plane_content([(1.0, 0.3)], [(-0.4, 1.0)])

    def in_parts(painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle) -> None:
        paint_plane_ground(painter, layout, content, style)
        paint_plane_vectors(painter, layout, content, style)
        paint_plane_readouts(painter, layout, content, style)

    whole, _layout = picture(content)
    parts, _layout = picture(content, paint=in_parts)
    assert (whole == parts).all()


def test_the_ground_does_not_depend_on_the_active_pair() -> None:
    view = PlaneView(0, 0, 0.01)
    one, _layout = picture(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]), paint=paint_plane_ground, view=view)
    other, _layout = picture(plane_content([(0.1, 0.9)], [(-0.4, 1.0)]), paint=paint_plane_ground, view=view)
    assert (one == other).all()


def test_nothing_of_the_plane_is_painted_over_the_readouts() -> None:
    content = plane_content([(1.0, -1.0)], [(0.3, -1.0)])
    view = PlaneView(0.0, 0.0, 0.001)  # both tips far below the plane
    pixels, layout = picture(content, paint=paint_plane_vectors, view=view)
    below = pixels[math.ceil(layout.plane.bottom()) + 1 :]
    assert (below == rgb(LIGHT.surface)).all()


@pytest.mark.parametrize("far", [1e6, -1e6])
@pytest.mark.parametrize("units", [1e-6, 1e-2])
def test_vectors_of_a_million_on_a_near_view_are_painted_without_error(far: float, units: float) -> None:
    content = plane_content([(far, 0.5 * far)], [(0.3, far)])
    pixels, _layout = picture(content, view=PlaneView(0.0, 0.0, units))
    assert (pixels != rgb(LIGHT.surface)).any()


def test_a_lit_plane_is_framed() -> None:
    content = plane_content([(1.0, 0.3)], [(-0.4, 1.0)])
    plain, _layout = picture(content)
    lit, _layout = picture(replace(content, lit=True))
    assert (plain[260, 2] != lit[260, 2]).any()


def test_no_line_of_the_grid_cuts_the_frame_of_the_light() -> None:
    content = replace(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]), lit=True)
    pixels, layout = picture(content)
    frame = pixels[20 : math.floor(layout.plane.bottom()) - 20, 2]
    beside = pixels[20 : math.floor(layout.plane.bottom()) - 20, 6]
    for color in (LIGHT.grid, LIGHT.line):
        assert (beside == rgb(color)).all(axis=1).any(), "lines reach the frame"
        assert not (frame == rgb(color)).all(axis=1).any()


def test_in_a_crowd_all_but_the_pair_are_dots_without_a_shaft() -> None:
    many = [(1.0, 0.1 + at / 300) for at in range(CROWD)]
    crowd, layout = picture(plane_content([*many, (-0.8, -0.9)], [(-1.0, 0.5)], pair=(0, 0)))
    few, _layout = picture(plane_content([many[0], (-0.8, -0.9)], [(-1.0, 0.5)], pair=(0, 0)))
    faint = rgb(mixed(LIGHT.query, LIGHT.surface, FAINT_LINE))
    tip = layout.to_pixels(-0.8, -0.9)
    halfway = layout.to_pixels(-0.4, -0.45)
    assert at(crowd, tip) == faint
    assert at(few, tip) == rgb(LIGHT.surface)  # the hole of a ring
    shaft, nothing = (np.array(at(pixels, halfway)) for pixels in (few, crowd))
    assert np.abs(shaft - faint).max() < 40
    assert np.abs(nothing - rgb(LIGHT.surface)).max() < 40
    key = layout.to_pixels(-0.5, 0.25)  # the shaft of the pair's key stays
    assert at(crowd, key) == at(few, key) == rgb(LIGHT.key)
