"""What is seen in the picture of a matrix; colours are read at the middle of cells."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from qkviz.figures.matrix_layout import CellView, MatrixLayout
from qkviz.figures.paint_matrix import paint_matrix, pooling_note
from qkviz.figures.paint_numbers import number_face
from qkviz.figures.style import DARK, LIGHT, FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_scales import diverging_scale, sequential_scale
from qkviz.presenters.matrix import MatrixContent, Outline, OutlineKind
from tests.figures.canvas import Pixels, cell_pixels, painted_matrix
from tests.figures.examples import matrix_content

RANDOM = np.random.default_rng(7)


def color_of(content: MatrixContent, row: int, column: int) -> tuple[int, int, int]:
    return content.scale.rgb_at(float(content.values[row, column]))


@pytest.mark.parametrize("style", [LIGHT, DARK])
@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (16, 16), (20, 20), (3, 64), (64, 64)])
def test_every_cell_has_the_color_of_its_value(shape: tuple[int, int], style: FigureStyle) -> None:
    content = matrix_content(RANDOM.normal(size=shape))
    pixels, layout = painted_matrix(content, (500, 500), style=style)
    for row in range(shape[0]):
        for column in range(shape[1]):
            inside = cell_pixels(pixels, layout, row, column, 0.5)
            assert (inside == color_of(content, row, column)).all(), (row, column)


def test_a_zoomed_view_shows_its_cells_and_only_those() -> None:
    content = matrix_content(RANDOM.normal(size=(12, 12)))
    pixels, layout = painted_matrix(content, view=CellView(4.0, 6.0, 3.0, 3.0))
    row, column = 5, 7
    assert (cell_pixels(pixels, layout, row, column) == color_of(content, row, column)).all()
    above = pixels[: int(layout.body.top()) - 25, :]
    assert not (above == color_of(content, 3, 7)).all(axis=2).any(), "a cell outside the view is painted"


def test_the_bar_has_the_colors_of_the_scale() -> None:
    values = np.linspace(-1, 3, 9).reshape(3, 3)
    content = matrix_content(values)
    pixels, layout = painted_matrix(content)
    x = int(layout.bar.center().x())
    column = pixels[int(layout.bar.top()) + 1 : int(layout.bar.bottom()) - 1, x]
    assert len(np.unique(column, axis=0)) >= 32
    for at, value in ((0, 3.0), (len(column) // 2, 0.0), (-1, -3.0)):
        assert np.abs(column[at].astype(int) - content.scale.rgb_at(value)).max() <= 6


def test_the_bar_names_its_limits_and_zero() -> None:
    signed = MatrixLayout(matrix_content([[-1, 0.5], [3, 1]]), QRectF(0, 0, 300, 300), LIGHT)
    assert [text for _place, text in signed.limits] == ["3.00", "0", "−3.00"]
    weights = matrix_content([[0.25, 0.75]], scale=sequential_scale(np.array([[0.25, 0.75]])))
    assert [text for _place, text in MatrixLayout(weights, QRectF(0, 0, 300, 300), LIGHT).limits] == [
        "0.75",
        "0",
    ]


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0])
def test_a_constant_matrix_names_its_one_value(value: float) -> None:
    content = matrix_content(np.full((2, 2), value))
    _pixels, layout = painted_matrix(content)
    assert [text for _place, text in layout.limits] == [{0.0: "0.00", 1.0: "1.00", -3.0: "−3.00"}[value]]


@pytest.mark.parametrize("side", [3, 20])
@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_cells_that_are_no_numbers_look_like_no_other(side: int, style: FigureStyle) -> None:
    values, kinds = np.zeros((side, side)), np.zeros((side, side), np.uint8)
    values[0, 0], values[1, 1] = -1.0, 1.0
    special = [CellKind.MASKED, CellKind.NAN, CellKind.UNDEFINED, CellKind.NO_KEY, CellKind.INFINITE]
    for column, kind in enumerate(special[:side]):
        kinds[2, column] = kind
    if side == 3:
        kinds[0, 1], kinds[0, 2] = special[3], special[4]
    pixels, layout = painted_matrix(matrix_content(values, kinds=kinds), (400, 420), style=style)
    seen = {0: cell_pixels(pixels, layout, 1, 0)}
    for row, column in np.argwhere(kinds).tolist():
        seen[int(kinds[row, column])] = cell_pixels(pixels, layout, row, column)
    assert len(seen) == 6
    sets = {kind: {tuple(color) for color in part.reshape(-1, 3).tolist()} for kind, part in seen.items()}
    for kind, colors in sets.items():
        assert (len(colors) > 1) == (kind != 0), "a hatch has two colours, a value one"
    patterns = [frozenset(colors) for colors in sets.values()]
    assert len(set(patterns)) == 6


def test_the_legend_names_only_what_is_there() -> None:
    plain = MatrixLayout(matrix_content(np.eye(2)), QRectF(0, 0, 300, 300), LIGHT)
    assert plain.legend == ()
    masked = matrix_content(np.eye(2), kinds=[[0, CellKind.MASKED], [0, CellKind.NAN]])
    layout = MatrixLayout(masked, QRectF(0, 0, 300, 300), LIGHT)
    assert [entry.text for entry in layout.legend] == ["masked", "not a number"]


def has_pixel(pixels: Pixels, color: tuple[int, int, int]) -> bool:
    return bool((np.abs(pixels.astype(int) - color).max(axis=2) <= 40).any())


def test_numbers_are_white_on_dark_and_black_on_light_cells() -> None:
    content = matrix_content([[2.0, 0.1], [-2.0, 0.0]])
    pixels, layout = painted_matrix(content, numbers=True)
    for row, column, light in ((0, 0, True), (1, 0, True), (0, 1, False), (1, 1, False)):
        inside = cell_pixels(pixels, layout, row, column)
        assert has_pixel(inside, (255, 255, 255) if light else (0, 0, 0))
        if light:
            assert not has_pixel(inside, (0, 0, 0))


def test_numbers_are_left_out_when_cells_are_too_small_for_them() -> None:
    content = matrix_content(RANDOM.normal(size=(40, 40)))
    with_numbers, layout = painted_matrix(content, numbers=True)
    without, _layout = painted_matrix(content)
    assert layout.pitch < 28
    assert (with_numbers == without).all()


def test_small_cells_have_smaller_numbers_of_as_many_decimals() -> None:
    content = matrix_content(np.full((4, 4), -1.93))
    sizes = []
    for side in (400, 240):
        layout = MatrixLayout(content, QRectF(0, 0, side, side), LIGHT)
        face, decimals = number_face(layout, content, LIGHT, layout.window())
        assert face is not None
        assert decimals == 2
        sizes.append(face.size)
    assert sizes[0] > sizes[1] >= 8


def test_numbers_are_in_no_larger_type_than_asked_for() -> None:
    content = matrix_content(np.eye(3))
    for largest, size in ((9, 9), (0, None)):
        layout = MatrixLayout(content, QRectF(0, 0, 400, 400), LIGHT, largest_number=largest)
        face, _decimals = number_face(layout, content, LIGHT, layout.window())
        assert (face and face.size) == size


def test_wide_numbers_stay_inside_their_cells() -> None:
    content = matrix_content(np.full((4, 4), -98765.43), scale=diverging_scale(np.array([[-1e6, 1e6]])))
    pixels, layout = painted_matrix(content, (320, 320), numbers=True)
    plain, _layout = painted_matrix(content, (320, 320))
    changed = (pixels != plain).any(axis=2)
    gaps = [layout.cell_rect(0, column).right() for column in range(3)]
    for gap in gaps:
        assert not changed[:, int(gap) - 1 : int(gap) + 2].any()


def edge(pixels: Pixels, layout: MatrixLayout, row: int, column: int) -> Pixels:
    """Return the line of pixels along which the upper side of an outline runs."""
    rect = layout.cell_rect(row, column)
    y = round(rect.top() - max(0.5, layout.gap / 2) - 0.5)
    return pixels[y, round(rect.left() + 6) : round(rect.right() - 6)]


def test_the_pinned_cell_is_outlined_and_its_mirror_dashed() -> None:
    outlines = [Outline(2, 0, OutlineKind.MIRROR), Outline(0, 2, OutlineKind.PINNED)]
    pixels, layout = painted_matrix(matrix_content(np.eye(3), outlines=outlines))
    dark = edge(pixels, layout, 0, 2).max(axis=1) < 90
    assert dark.all()
    dashes = edge(pixels, layout, 2, 0).max(axis=1) < 90
    assert int(np.abs(np.diff(dashes.astype(int))).sum()) >= 3
    assert not (edge(pixels, layout, 1, 1).max(axis=1) < 90).any()


def test_hover_frames_row_and_column_without_changing_a_color() -> None:
    content = matrix_content(RANDOM.normal(size=(4, 4)), outlines=[Outline(1, 2, OutlineKind.HOVER)])
    plain = matrix_content(content.values)
    pixels, layout = painted_matrix(content)
    before, _layout = painted_matrix(plain)
    for row in range(4):
        for column in range(4):
            inside = cell_pixels(pixels, layout, row, column, 0.8)
            assert (inside == cell_pixels(before, layout, row, column, 0.8)).all()
    row, column = layout.cell_rect(1, 0), layout.cell_rect(0, 2)
    top, left = round(row.top()), round(column.left())
    x, y = round(row.center().x()), round(column.center().y())
    assert pixels[top - 4 : top + 1, x].max(axis=1).min() < 120, "a dark line above the row"
    assert pixels[y, left - 4 : left + 1].max(axis=1).min() < 120, "a dark line beside the column"


def test_the_chosen_row_is_marked() -> None:
    pixels, layout = painted_matrix(matrix_content(np.zeros((3, 3)), chosen_row=1))
    rect = layout.cell_rect(1, 1)
    on_edge = pixels[round(rect.top()) - 1, round(rect.center().x())]
    red, _green, blue = on_edge.tolist()
    assert red < 100 < blue, "the frame has the blue of queries"


def test_a_lit_matrix_is_framed() -> None:
    lit, layout = painted_matrix(matrix_content(np.eye(3), lit=True))
    plain, _layout = painted_matrix(matrix_content(np.eye(3)))
    assert (lit[200, 2] != plain[200, 2]).any()
    assert (cell_pixels(lit, layout, 0, 0) == cell_pixels(plain, layout, 0, 0)).all()


def test_no_peak_is_lost_where_cells_are_smaller_than_pixels() -> None:
    side = 2048
    values = np.zeros((side, side))
    values[np.arange(side), np.arange(side)] = 1.0
    content = matrix_content(values)
    pixels, layout = painted_matrix(content)
    hot = (pixels == content.scale.rgb_at(1.0)).all(axis=2)
    body = layout.body.toRect()
    for tenth in range(10):
        start = body.left() + tenth * body.width() // 10
        rows = body.top() + tenth * body.height() // 10
        assert hot[rows : rows + body.height() // 10, start : start + body.width() // 10].any()
    assert pooling_note(layout) == (
        f"each pixel shows the largest of {layout.cells_per_pixel} × {layout.cells_per_pixel} cells"
    )


def test_one_nan_among_many_cells_stays_visible() -> None:
    values, kinds = np.zeros((1000, 1000)), np.zeros((1000, 1000), np.uint8)
    values[0, 0], values[701, 333], kinds[701, 333] = 1.0, np.nan, CellKind.NAN
    pixels, layout = painted_matrix(matrix_content(values, kinds=kinds))
    wanted = QColor(LIGHT.nan).getRgb()[:3]
    body = layout.body.toRect()
    inside = pixels[body.top() : body.bottom(), body.left() : body.right()]
    assert (inside == wanted).all(axis=2).any()


def test_painting_leaves_the_painter_as_it_was() -> None:
    content = matrix_content(np.eye(3), lit=True, outlines=[Outline(0, 1, OutlineKind.HOVER)])
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    pen, font = QPen(QColor("#123456"), 3.0), QFont("Inter Tabular", 7)
    painter.setPen(pen)
    painter.setFont(font)
    painter.setBrush(QColor("#654321"))
    painter.translate(QPointF(4, 5))
    layout = MatrixLayout(content, QRectF(0, 0, 290, 290), LIGHT)
    paint_matrix(painter, layout, content, LIGHT)
    state = painter.pen(), painter.font().family(), painter.brush().color(), painter.transform().dx()
    antialiased = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.end()
    assert state == (pen, font.family(), QColor("#654321"), 4.0)
    assert not antialiased


def test_the_content_is_not_changed() -> None:
    content = matrix_content(RANDOM.normal(size=(5, 5)))
    before = content.values.copy()
    painted_matrix(content, numbers=True)
    assert (content.values == before).all()
