"""Figures: several matrices or the plane, with a title; nothing is cut, nothing depends on the screen."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from qkviz.figures.export import figure_image, transparent
from qkviz.figures.figure import Figure, MatrixFigure, PlaneFigure, figure_size, missing_glyphs, paint_figure
from qkviz.figures.picture_size import PictureSize
from qkviz.figures.style import DARK, LIGHT, FigureStyle
from qkviz.presenters.matrix import Outline, OutlineKind
from tests.figures.canvas import painted, pixels_of
from tests.figures.examples import matrix_content, plane_content

LONG = "m" * 60
FIGURES: dict[str, Figure] = {
    "long labels": MatrixFigure((matrix_content(np.eye(4), rows=[LONG] * 4, columns=[LONG] * 4),)),
    "long title": MatrixFigure(
        (matrix_content(np.eye(2), title=LONG, subtitle=LONG, note=LONG),), title=LONG
    ),
    "one cell": MatrixFigure((matrix_content([[0.5]]),), title="t"),
    "flat": MatrixFigure((matrix_content(np.ones((3, 64)), columns=[LONG] * 64),)),
    "high": MatrixFigure((matrix_content(np.ones((64, 2)), rows=[LONG] * 64),)),
    "many cells": MatrixFigure((matrix_content(np.arange(16900).reshape(130, 130)),)),
    "five matrices": MatrixFigure(tuple(matrix_content(np.eye(n)) for n in (1, 2, 3, 4, 5)), columns=2),
    "all kinds": MatrixFigure((matrix_content(np.zeros((2, 3)), kinds=[[1, 2, 3], [4, 5, 0]]),)),
    "chosen and pinned": MatrixFigure(
        (matrix_content(np.eye(3), chosen_row=0, outlines=[Outline(0, 2, OutlineKind.PINNED)], lit=True),)
    ),
    "wide limits": MatrixFigure((matrix_content([[-98765.4321, 98765.4321]]),)),
    "plane": PlaneFigure(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]), "plane"),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_no_ink_touches_the_edge(figure: Figure, style: FigureStyle) -> None:
    image = figure_image(figure, PictureSize.natural(figure), style)
    pixels = pixels_of(image)
    ground = QColor(style.surface).getRgb()[:3]
    for strip in (pixels[:2], pixels[-2:], pixels[:, :2], pixels[:, -2:]):
        assert (strip == ground).all()
    assert (pixels != ground).any()


@pytest.mark.parametrize("size", [(300, 900), (1111, 333), (517, 517)])
def test_a_figure_fits_a_page_of_another_shape(size: tuple[int, int]) -> None:
    figure = FIGURES["five matrices"]
    image = figure_image(figure, PictureSize(*size))
    assert (image.width(), image.height()) == size
    pixels = pixels_of(image)
    for strip in (pixels[:2], pixels[-2:], pixels[:, :2], pixels[:, -2:]):
        assert (strip == 255).all()


def test_twice_the_size_is_the_same_picture_twice_as_large() -> None:
    figure = MatrixFigure((matrix_content(np.arange(9).reshape(3, 3)),), with_values=False)
    size = PictureSize.natural(figure)
    small = pixels_of(figure_image(figure, size)).astype(int)
    large = pixels_of(figure_image(figure, PictureSize(2 * size.width, 2 * size.height))).astype(int)
    halved = large.reshape(size.height, 2, size.width, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved - small).mean() < 2.0


def test_light_and_hover_stay_on_the_screen() -> None:
    still = matrix_content(np.eye(3), outlines=[Outline(0, 2, OutlineKind.PINNED)])
    lively = matrix_content(
        np.eye(3),
        lit=True,
        outlines=[
            Outline(1, 1, OutlineKind.HOVER),
            Outline(2, 1, OutlineKind.HOVER_MIRROR),
            Outline(0, 2, OutlineKind.PINNED),
        ],
    )
    size = PictureSize(400, 400)
    assert figure_image(MatrixFigure((lively,)), size) == figure_image(MatrixFigure((still,)), size)


def test_values_can_be_left_out() -> None:
    content = matrix_content(np.eye(3))
    size = PictureSize(400, 400)
    with_values = pixels_of(figure_image(MatrixFigure((content,)), size))
    without = pixels_of(figure_image(MatrixFigure((content,), with_values=False), size))
    assert (with_values != without).any()


def test_a_title_takes_its_own_room() -> None:
    content = matrix_content(np.eye(3))
    plain, titled = MatrixFigure((content,)), MatrixFigure((content,), title="Three words")
    assert figure_size(titled).height() > figure_size(plain).height()
    assert figure_size(titled).width() == figure_size(plain).width()


def test_cells_of_matrices_in_one_figure_have_one_size() -> None:
    contents = tuple(
        matrix_content(np.full((3, 3), value), subtitle=text)
        for value, text in ((1.0, ""), (-2.0, "a much longer subtitle that needs its room"))
    )
    figure = MatrixFigure(contents, with_values=False)
    size = PictureSize.natural(figure)
    pixels = pixels_of(figure_image(figure, size))
    widths = []
    for content in contents:
        color = content.scale.rgb_at(content.values[0, 0])
        rows = (pixels == color).all(axis=2)
        widths.append(int(rows[:, : size.width].sum(axis=1).max()))
    assert abs(widths[0] - widths[1]) <= 12  # the colour bar has the same colour


def test_a_transparent_picture_has_no_ground() -> None:
    figure = FIGURES["one cell"]
    size = PictureSize.natural(figure)
    assert figure_image(figure, size, transparent(LIGHT)).pixelColor(1, 1).alpha() == 0
    assert figure_image(figure, size).pixelColor(1, 1) == QColor("#ffffff")


def test_the_preview_is_the_exported_picture() -> None:
    figure = FIGURES["five matrices"]
    size = PictureSize(640, 480)
    preview = painted(640, 480, lambda painter: paint_figure(painter, QRectF(0, 0, 640, 480), figure, LIGHT))
    assert (preview == pixels_of(figure_image(figure, size))).all()


def test_missing_glyphs_are_named_once_and_in_order() -> None:
    figure = MatrixFigure(
        (matrix_content(np.eye(2), rows=["猫", "坐"], columns=["猫", "mat"]),), title="猫 q"
    )

    def without_chinese(character: str) -> bool:
        return character.isascii() or character == "ᵀ"

    assert missing_glyphs(figure, without_chinese) == "猫坐"
    assert missing_glyphs(figure, lambda _character: True) == ""


def test_missing_glyphs_of_the_plane_are_named_too() -> None:
    figure = PlaneFigure(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]))
    assert missing_glyphs(figure, lambda character: character not in "‖·") == "·‖"


def test_a_character_that_no_font_can_have_is_missing() -> None:
    noncharacter = "\U0005fff0"  # in a plane without characters
    figure = MatrixFigure((matrix_content(np.eye(1), rows=[f"a{noncharacter}"]),))
    assert noncharacter in missing_glyphs(figure)


def test_our_own_titles_need_no_font_but_ours() -> None:
    content = matrix_content(np.eye(1), title="QKᵀ / √dₖ", subtitle="max |S − Sᵀ| = 0.70 · ‖S‖² × ½")
    assert missing_glyphs(MatrixFigure((content,))) == ""


@pytest.mark.parametrize(
    ("width", "height", "dpi"),
    [(0, 10, 96), (10, -1, 96), (10, 10, 0), (40_000, 10, 96), (29_999, 29_999, 96)],
)
def test_sizes_that_cannot_be_are_refused(width: int, height: int, dpi: float) -> None:
    with pytest.raises(ValueError, match="picture"):
        PictureSize(width, height, dpi)


def test_millimetres_and_dots_per_inch_give_pixels() -> None:
    size = PictureSize.millimetres(84.0, 42.0, 300.0)
    assert (size.width, size.height) == (992, 496)
    assert size.width_mm == pytest.approx(84.0, abs=0.05)
