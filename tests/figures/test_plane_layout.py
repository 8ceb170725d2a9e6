"""Where things lie on the plane, and which tip is under a point."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from qkviz.document.document import Role
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, plane_rect
from qkviz.figures.plane_view import tick_decimals
from qkviz.figures.style import LIGHT
from qkviz.presenters.plane import PlaneContent
from tests.figures.examples import plane_content

ROOM = QRectF(0, 0, 420, 520)
CAT_SIT_MAT_Q = [(1.22, 0.43), (0.84, 0.98), (1.60, 0.02)]
CAT_SIT_MAT_K = [(0.83, 0.92), (1.13, -1.12), (0.32, 1.02)]


def layout_of(content: PlaneContent, view: PlaneView | None = None, room: QRectF = ROOM) -> PlaneLayout:
    return PlaneLayout(content, room, view or PlaneView.fitted(content.reach, plane_rect(room, LIGHT)), LIGHT)


finite = st.floats(-1e6, 1e6)


@given(finite, finite)
def test_pixels_and_coordinates_are_each_others_inverse(x: float, y: float) -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)]), PlaneView(3.0, -2.0, 0.01))
    pixel = layout.to_pixels(x, y)
    back = layout.to_plane(pixel.x(), pixel.y())
    assert back == pytest.approx((x, y), rel=1e-9, abs=1e-9)


def test_both_axes_have_one_scale_and_up_is_up() -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)]), room=QRectF(0, 0, 800, 400))
    origin, right, up = layout.to_pixels(0, 0), layout.to_pixels(1, 0), layout.to_pixels(0, 1)
    assert right.x() - origin.x() == pytest.approx(origin.y() - up.y())
    assert origin.y() > up.y()


@pytest.mark.parametrize("reach", [1e-6, 0.7, 3.0, 1e6])
def test_a_fitted_view_shows_every_tip(reach: float) -> None:
    content = plane_content([(reach, reach), (-reach, 0.1 * reach)], [(0.0, -reach)])
    layout = layout_of(content)
    assert all(layout.plane.contains(tip) for tip in layout.tips)


def test_zooming_keeps_the_point_under_the_pointer() -> None:
    content = plane_content([(1, 0)], [(0, 1)])
    view = PlaneView(0.3, -0.2, 0.01)
    before = layout_of(content, view).to_pixels(0.8, 0.5)
    after = layout_of(content, view.zoomed(1.7, 0.8, 0.5)).to_pixels(0.8, 0.5)
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()))


def test_panning_moves_the_picture_with_the_hand() -> None:
    content = plane_content([(1, 0)], [(0, 1)])
    view = PlaneView(0.3, -0.2, 0.01)
    before, after = layout_of(content, view), layout_of(content, view.panned(30, -12))
    assert after.origin.x() - before.origin.x() == pytest.approx(30)
    assert after.origin.y() - before.origin.y() == pytest.approx(-12)


def test_zooming_without_end_stays_a_view() -> None:
    view = PlaneView(0.0, 0.0, 0.01)
    for _ in range(400):
        view = view.zoomed(1.5, 0.1, 0.1)
    assert view.units_per_pixel > 0
    assert math.isfinite(view.grid_step)
    for _ in range(800):
        view = view.zoomed(1 / 1.5, 0.1, 0.1)
    assert math.isfinite(view.center_x)
    assert len(layout_of(plane_content([(1, 0)], [(0, 1)]), view).ticks) < 60


@pytest.mark.parametrize("units", [1e-6, 0.0031, 0.01, 0.7, 123.0])
def test_grid_steps_are_round_and_far_enough_apart(units: float) -> None:
    step = PlaneView(0, 0, units).grid_step
    lead = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(lead - nice) for nice in (1, 2, 5, 10)) < 1e-6
    assert 46 * (1 - 1e-9) <= step / units <= 2.5 * 46 * (1 + 1e-9)


def test_ticks_have_as_many_decimals_as_tell_them_apart() -> None:
    assert [tick_decimals(step) for step in (0.05, 0.1, 0.5, 1.0, 2.0, 50.0)] == [2, 1, 1, 0, 0, 0]
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K))
    texts = [tick.text for tick in layout.ticks]
    assert "0.5" in texts
    assert "−1.0" in texts
    assert "0.0" not in texts


def test_every_handle_is_found_within_twelve_pixels_and_more() -> None:
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 2)))
    tip = layout.to_pixels(*CAT_SIT_MAT_K[1])
    for angle in range(0, 360, 30):
        x, y = tip.x() + 12 * math.cos(angle), tip.y() + 12 * math.sin(angle)
        assert layout.tip_at(x, y) == (Role.KEY, 1)
    assert layout.tip_at(tip.x() + 40, tip.y() + 40) is None


def test_the_nearer_of_two_handles_is_taken() -> None:
    content = plane_content([(1.0, 0.0), (1.08, 0.0)], [(0.0, 1.0)], pair=None)
    layout = layout_of(content)
    first, second = layout.to_pixels(1.0, 0.0), layout.to_pixels(1.08, 0.0)
    assert layout.tip_at(first.x() - 2, first.y()) == (Role.QUERY, 0)
    assert layout.tip_at(second.x() + 2, second.y()) == (Role.QUERY, 1)


def test_of_handles_on_one_point_the_topmost_is_taken_which_is_the_active_one() -> None:
    content = plane_content([(1.0, 1.0), (1.0, 1.0)], [(1.0, 1.0)], pair=(1, 0))
    layout = layout_of(content)
    tip = layout.to_pixels(1.0, 1.0)
    top = content.arrows[-1]
    assert layout.tip_at(tip.x(), tip.y()) == (top.role, top.index)
    assert top.active


def test_a_zero_vector_can_be_taken_at_the_origin() -> None:
    layout = layout_of(plane_content([(0.0, 0.0)], [(1.0, 1.0)]))
    assert layout.tip_at(layout.origin.x() + 3, layout.origin.y()) == (Role.QUERY, 0)


def test_embeddings_cannot_be_taken() -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)], embeddings=[(-1.0, -1.0)]))
    tip = layout.to_pixels(-1.0, -1.0)
    assert layout.tip_at(tip.x(), tip.y()) is None


def test_no_label_lies_on_a_tip_or_on_another_label() -> None:
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 2)))
    boxes = [QRectF(b[0], b[1], b[2] - b[0], b[3] - b[1]) for b in (p.box for p in layout.labels.values())]
    assert len(boxes) == 6
    for at, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[at + 1 :])
        assert not any(box.contains(tip) for tip in layout.tips)
        assert layout.plane.contains(box)


def test_a_long_label_is_shortened_and_stays_inside() -> None:
    content = plane_content([(1.0, 1.0)], [(-1.0, 1.0)])
    arrows = tuple(
        type(arrow)(arrow.role, arrow.index, "q·" + "m" * 60, arrow.x, arrow.y, arrow.active, arrow.moved)
        for arrow in content.arrows
    )
    layout = layout_of(PlaneContent(arrows, content.pair, "", (), ("", ""), "", False, content.reach))
    assert all(layout.label_text(arrow).endswith("…") for arrow in arrows)
    for placed in layout.labels.values():
        assert layout.plane.left() <= placed.box[0]
        assert placed.box[2] <= layout.plane.right()


def test_a_moved_vector_keeps_the_grid_and_another_view_does_not() -> None:
    view = PlaneView(0, 0, 0.01)
    one = layout_of(plane_content([(1, 0)], [(0, 1)]), view)
    moved = layout_of(plane_content([(0.7, 0.3)], [(0, 1)]), view)
    assert moved.shows_same_grid(one)
    assert not layout_of(plane_content([(1, 0)], [(0, 1)]), view.panned(1, 0)).shows_same_grid(one)


def test_there_is_no_arc_for_a_zero_vector() -> None:
    layout = layout_of(plane_content([(0.0, 0.0)], [(1.0, 1.0)]))
    assert layout.arc_radius == 0.0
    assert layout.angle_box is None


def test_the_plane_does_not_move_when_a_pair_is_chosen() -> None:
    with_pair = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 0)))
    without = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=None))
    assert with_pair.plane == without.plane
    assert with_pair.origin == without.origin
