"""The Matrices panel under the hand: what is painted, pointed at, pinned and read is the same cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QToolTip, QWidget

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Cosine, Dot
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.main_window import MainWindow
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import (
    apply,
    cell_point,
    color_at,
    commands,
    matrices_panel,
    matrix_canvas,
    picture,
    plane_canvas,
    show_document,
    show_matrices,
    snapshot,
    tip,
)

# the offscreen platform has no windows to order and no keyboard
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

SCORES, SCALED, WEIGHTS = MatrixName.SCORES, MatrixName.SCALED, MatrixName.WEIGHTS

QUERIES, KEYS = ("cat’s colour", "dog’s size"), ("black kitten", "brown puppy", "red car")
NUMBERS = {  # of the worked example, by hand: q·k, divided by √2, softmax
    (0, 0): ("0.62", "0.44", "0.39"),
    (0, 1): ("0.32", "0.23", "0.32"),
    (0, 2): ("0.22", "0.16", "0.29"),
    (1, 0): ("0.34", "0.24", "0.34"),
    (1, 1): ("0.74", "0.52", "0.46"),
    (1, 2): ("−0.41", "−0.29", "0.20"),
}


def sentence(row: int, column: int) -> str:
    raw, scaled, weight = NUMBERS[row, column]
    return (
        f"query {row + 1} {quoted(QUERIES, row)} → key {column + 1} {quoted(KEYS, column)}"
        f" · q·k {raw} · scaled {scaled} · weight {weight}"
    )


def quoted(labels: tuple[str, ...], index: int) -> str:
    return f"“{labels[index]}”"


@pytest.fixture
def example(open_window: OpenWindow) -> MainWindow:
    """Return the program at lesson 8, two queries by three keys, with nothing pinned."""
    window = open_window(8)
    commands(window).unpin()
    return window


# what is under the pointer


@pytest.mark.parametrize("name", [SCORES, SCALED, WEIGHTS])
def test_every_corner_of_a_cell_speaks_of_that_cell(example: MainWindow, name: MatrixName) -> None:
    canvas = matrix_canvas(example, name)
    layout = canvas.layout_now
    assert layout is not None
    for cell in NUMBERS:
        rect = layout.cell_rect(*cell)
        for x in (rect.left() + 1, rect.right() - 1):
            for y in (rect.top() + 1, rect.bottom() - 1):
                mouse.leave(canvas)
                mouse.hover(canvas, QPointF(x, y))
                assert example.status.text == sentence(*cell)
                assert QToolTip.text() == sentence(*cell)


def test_one_pixel_outside_a_corner_speaks_of_the_neighbour_or_of_nothing(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    layout = canvas.layout_now
    assert layout is not None
    out = layout.gap + 1
    for row, column in NUMBERS:
        rect = layout.cell_rect(row, column)
        for down, y in ((-1, rect.top() - out), (1, rect.bottom() + out)):
            mouse.hover(canvas, QPointF(rect.center().x(), y))
            beside = (row + down, column)
            assert example.status.text == (sentence(*beside) if beside in NUMBERS else "")
        for right, x in ((-1, rect.left() - out), (1, rect.right() + out)):
            mouse.hover(canvas, QPointF(x, rect.center().y()))
            beside = (row, column + right)
            assert example.status.text == (sentence(*beside) if beside in NUMBERS else "")


def test_the_colour_under_the_pointer_is_that_of_the_number_read_there(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    image = picture(canvas)
    red = {}
    for cell, (raw, _scaled, _weight) in NUMBERS.items():
        color = color_at(image, cell_point(canvas, *cell, 0.14, 0.14))
        if raw.startswith("−"):
            assert color.blue() > color.red() + 30
        else:
            red[float(raw)] = color.red() - color.blue()
    assert [red[value] for value in sorted(red)] == sorted(red.values())
    assert len(set(red.values())) == 5  # 0.22 … 0.74 are five reds


def test_leaving_the_matrix_ends_the_sentence_and_the_tip(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.hover(canvas, cell_point(canvas, 1, 2))
    assert example.status.text == sentence(1, 2)
    mouse.leave(canvas)
    assert example.status.text == ""
    assert snapshot(example).focus.hover is None


def test_the_tip_does_not_cover_the_cell_it_speaks_of(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.hover(canvas, cell_point(canvas, 1, 1))
    tips = [one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QTipLabel"]
    assert len(tips) == 1
    layout = canvas.layout_now
    assert layout is not None
    top = canvas.mapToGlobal(layout.cell_rect(1, 1).topLeft().toPoint()).y()
    assert tips[0].geometry().bottom() <= top


def test_the_tip_cuts_a_long_label_and_the_status_does_not(example: MainWindow) -> None:
    show_document(
        example, replace(snapshot(example).document, keys=("m" * 60, "b", "c"), queries=("w" * 60, "v"))
    )
    canvas = matrix_canvas(example, SCORES)
    mouse.hover(canvas, cell_point(canvas, 0, 0))
    tips = [one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QTipLabel"]
    layout = canvas.layout_now
    assert layout is not None
    top = canvas.mapToGlobal(layout.cell_rect(0, 0).topLeft().toPoint()).y()
    assert tips[-1].geometry().bottom() <= top
    assert f"“{'m' * 60}”" in example.status.text
    assert f"“{'m' * 19}…”" in QToolTip.text()


def test_matrices_of_one_shape_have_cells_of_one_size(example: MainWindow) -> None:
    names = (MatrixName.SCORES, MatrixName.SCALED, MatrixName.WEIGHTS)
    show_matrices(example, *names)
    layouts = [matrix_canvas(example, name).layout_now for name in names]
    assert len({layout.pitch for layout in layouts if layout is not None}) == 1
    assert len({layout.column_plan.turned for layout in layouts if layout is not None}) == 1


def test_away_from_the_pointer_the_status_tells_of_the_pinned_cell(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 1, 0))
    mouse.hover(canvas, cell_point(canvas, 0, 2))
    assert example.status.text == sentence(0, 2)
    mouse.leave(canvas)
    assert example.status.text == sentence(1, 0)


def test_a_matrix_of_keys_names_key_and_dimension(example: MainWindow) -> None:
    show_matrices(example, MatrixName.K)
    canvas = matrix_canvas(example, MatrixName.K)
    mouse.hover(canvas, cell_point(canvas, 2, 1))
    assert example.status.text == "key 3 “red car” · dimension 2 · K −0.50"


def test_a_label_that_looks_like_markup_is_read_letter_by_letter(example: MainWindow) -> None:
    document = replace(snapshot(example).document, keys=("<b>bold</b>", "a & b", "<i>"))
    show_document(example, document)
    canvas = matrix_canvas(example, SCORES)
    mouse.hover(canvas, cell_point(canvas, 0, 0))
    assert "key 1 “<b>bold</b>”" in example.status.text
    assert "&lt;b&gt;bold&lt;/b&gt;" in QToolTip.text()  # escaped, for what is taken for markup
    mouse.hover(canvas, cell_point(canvas, 0, 1))
    assert "key 2 “a & b”" in QToolTip.text()


def test_after_a_move_the_cell_under_the_pointer_says_the_new_number(
    example: MainWindow,
) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.hover(canvas, cell_point(canvas, 0, 0))
    apply(example, MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 1.0, 1.0, "test"))
    assert "q·k 1.00" in example.status.text  # (1, 1)·(0.7, 0.3)


# pinning


def test_a_click_pins_the_cell_and_a_second_one_lets_it_go(example: MainWindow) -> None:
    canvas = matrix_canvas(example, WEIGHTS)
    mouse.click(canvas, cell_point(canvas, 1, 2))
    assert snapshot(example).focus.pair == (1, 2)
    mouse.click(canvas, cell_point(canvas, 1, 2))
    assert snapshot(example).focus.pair is None


def test_escape_unpins_while_the_matrix_has_the_keys(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 2))
    assert canvas.hasFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert snapshot(example).focus.pair is None


def test_pinning_changes_no_document_and_no_undo(example: MainWindow) -> None:
    before = snapshot(example)
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 1))
    assert snapshot(example).document is before.document
    assert snapshot(example).trace is before.trace
    assert not example.menus.actions["undo"].isEnabled()


def test_a_double_click_leaves_the_pinned_cell_alone(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 1))
    mouse.double_click(canvas, cell_point(canvas, 1, 2))
    assert snapshot(example).focus.pair == (0, 1)


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        (Qt.Key.Key_Down, (1, 1)),
        (Qt.Key.Key_Right, (0, 2)),
        (Qt.Key.Key_Left, (0, 0)),
        (Qt.Key.Key_Up, (0, 1)),  # the first row is the top one: there is nothing above
    ],
)
def test_an_arrow_key_moves_the_pinned_cell(example: MainWindow, key: Qt.Key, cell: tuple[int, int]) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 1))
    step = snapshot(example).focus.step
    QTest.keyClick(canvas, key)
    assert snapshot(example).focus.pair == cell
    assert snapshot(example).focus.step == step


def test_arrow_keys_stop_at_the_last_row_and_column(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 0))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right) * 4:
        QTest.keyClick(canvas, key)
    assert snapshot(example).focus.pair == (1, 2)


def test_a_number_key_over_a_focused_matrix_still_chooses_the_step(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    mouse.click(canvas, cell_point(canvas, 0, 0))
    QTest.keyClick(canvas, Qt.Key.Key_5)
    assert snapshot(example).focus.step == 5


def is_framed_anew(before: QImage, after: QImage, canvas: MatrixCanvas, cell: tuple[int, int]) -> bool:
    """Tell whether the line round a cell is painted differently on all four sides; neighbours share one."""
    layout = canvas.layout_now
    assert layout is not None
    rect = layout.cell_rect(*cell).adjusted(-1.5, -1.5, 1.5, 1.5)
    along = [0.2 + 0.05 * step for step in range(13)]  # the mirrored cell's line is dashed
    sides = (
        [QPointF(rect.left() + part * rect.width(), rect.top()) for part in along],
        [QPointF(rect.left() + part * rect.width(), rect.bottom()) for part in along],
        [QPointF(rect.left(), rect.top() + part * rect.height()) for part in along],
        [QPointF(rect.right(), rect.top() + part * rect.height()) for part in along],
    )
    return all(any(color_at(before, at) != color_at(after, at) for at in side) for side in sides)


def test_pinning_outlines_the_cell_and_its_mirror_and_no_other(window: MainWindow) -> None:
    commands(window).unpin()
    canvas = matrix_canvas(window, SCORES)
    before = picture(canvas)
    commands(window).look_at(replace(snapshot(window).focus, query=0, key=2))
    after = picture(canvas)
    # the chosen row is framed too, so that only the other rows tell
    assert is_framed_anew(before, after, canvas, (0, 2))
    assert is_framed_anew(before, after, canvas, (2, 0))
    assert not is_framed_anew(before, after, canvas, (2, 2))
    assert not is_framed_anew(before, after, canvas, (1, 0))


def test_hovering_outlines_the_mirrored_cell(window: MainWindow) -> None:
    commands(window).unpin()
    canvas = matrix_canvas(window, SCORES)
    before = picture(canvas)
    mouse.hover(canvas, cell_point(canvas, 0, 1))
    assert is_framed_anew(before, picture(canvas), canvas, (1, 0))


def test_queries_against_other_keys_have_no_mirrored_cell(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    before = picture(canvas)
    commands(example).look_at(replace(snapshot(example).focus, query=0, key=1))
    assert not is_framed_anew(before, picture(canvas), canvas, (1, 0))


def test_a_cell_of_a_token_matrix_chooses_its_row(window: MainWindow) -> None:
    show_matrices(window, MatrixName.Q)
    canvas = matrix_canvas(window, MatrixName.Q)
    mouse.click(canvas, cell_point(canvas, 1, 0))
    assert snapshot(window).focus.query == 1


# rows


def test_the_label_of_a_row_opens_the_row_dock_at_that_row(example: MainWindow) -> None:
    assert example.docks["row"].isHidden()
    canvas = matrix_canvas(example, WEIGHTS)
    layout = canvas.layout_now
    assert layout is not None
    mouse.click(canvas, QPointF(layout.body.left() - 20, layout.cell_rect(1, 0).center().y()))
    assert example.docks["row"].isVisible()
    assert (snapshot(example).focus.query, snapshot(example).focus.key) == (1, None)
    assert "dog’s size" in example.panels["row"].shown_text()
    assert "brown puppy" in example.panels["row"].shown_text()  # its largest key


# zoom and pan


def twelve() -> Document:
    """Return twelve tokens of four numbers, self-attention, drawn with a seed."""
    generator = torch.Generator().manual_seed(3)
    X, W_Q, W_K = (
        matrix(torch.randn(rows, 4, generator=generator, dtype=torch.float64), name)
        for rows, name in ((12, "X"), (4, "W_Q"), (4, "W_K"))
    )
    labels = tuple(f"t{number}" for number in range(12))
    return Document(labels, labels, ProjectedInputs(X, X, W_Q, W_K, None), AttentionOptions())


@pytest.fixture
def large(window: MainWindow) -> MainWindow:
    """Return the program with twelve tokens."""
    show_document(window, twelve())
    show_matrices(window, MatrixName.Q, SCORES, WEIGHTS)
    return window


@pytest.mark.parametrize("place", [(2, 3, 0.3, 0.6), (9, 9, 0.9, 0.1), (5, 6, 0.5, 0.5)])
def test_the_wheel_zooms_at_the_pointer(large: MainWindow, place: tuple[int, int, float, float]) -> None:
    canvas = matrix_canvas(large, SCORES)
    at = cell_point(canvas, *place)
    at = QPointF(at.toPoint())
    before = canvas.layout_now
    assert before is not None
    mouse.wheel(canvas, at, 3)
    after = canvas.layout_now
    assert after is not None
    assert after.pitch > 1.5 * before.pitch
    assert after.point_in_cells(at.x(), at.y()) == pytest.approx(
        before.point_in_cells(at.x(), at.y()), abs=2 / after.pitch
    )


def test_the_wheel_back_shows_the_whole_matrix_again(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    before = picture(canvas)
    at = cell_point(canvas, 4, 4)
    mouse.wheel(canvas, at, 2)
    assert picture(canvas) != before
    mouse.wheel(canvas, at, -4)
    mouse.leave(canvas)
    assert picture(canvas) == before


def test_a_drag_takes_the_cells_along_with_the_pointer(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    mouse.wheel(canvas, cell_point(canvas, 6, 6), 4)
    start = cell_point(canvas, 6, 6)
    mouse.drag(canvas, start, start + QPointF(-40, -25))
    end = cell_point(canvas, 6, 6)
    assert abs(end.x() - start.x() + 40) <= 1.5
    assert abs(end.y() - start.y() + 25) <= 1.5


def test_a_drag_pins_nothing(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    commands(large).unpin()
    mouse.wheel(canvas, cell_point(canvas, 6, 6), 4)
    start = cell_point(canvas, 6, 6)
    mouse.drag(canvas, start, start + QPointF(30, 30))
    assert snapshot(large).focus.pair is None


def test_a_drag_never_shows_what_is_beyond_the_matrix(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    mouse.wheel(canvas, cell_point(canvas, 6, 6), 4)
    start = cell_point(canvas, 6, 6)
    for _time in range(4):
        mouse.drag(canvas, start, start + QPointF(300, 300))
    layout = canvas.layout_now
    assert layout is not None
    assert (layout.view.first_row, layout.view.first_column) == (0.0, 0.0)


def test_a_double_click_shows_every_cell(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    commands(large).unpin()
    mouse.wheel(canvas, cell_point(canvas, 2, 2), 5)
    mouse.double_click(canvas, cell_point(canvas, 2, 2))
    layout = canvas.layout_now
    assert layout is not None
    assert (layout.view.rows, layout.view.columns) == (12, 12)
    last = layout.cell_rect(11, 11)
    assert layout.body.contains(last)
    assert layout.cell_at(last.center().x(), last.center().y()) == (11, 11)


def test_matrices_of_one_shape_are_looked_at_through_one_window(large: MainWindow) -> None:
    scores, weights = matrix_canvas(large, SCORES), matrix_canvas(large, WEIGHTS)
    vectors = matrix_canvas(large, MatrixName.Q).layout_now
    assert vectors is not None
    mouse.wheel(scores, cell_point(scores, 4, 5), 3)
    one, other = scores.layout_now, weights.layout_now
    assert one is not None
    assert other is not None
    assert (one.view.first_row, one.view.first_column) == (other.view.first_row, other.view.first_column)
    assert max(one.view.rows, other.view.rows) < 9
    after = matrix_canvas(large, MatrixName.Q).layout_now
    assert after is not None
    assert after.view == vectors.view


def test_fit_of_the_menu_shows_every_matrix_whole(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    mouse.wheel(canvas, cell_point(canvas, 3, 8), 4)
    large.menus.actions["fit"].trigger()
    layout = canvas.layout_now
    assert layout is not None
    assert layout.view.rows == 12


def test_hovering_a_zoomed_matrix_reads_the_cell_that_is_painted_there(large: MainWindow) -> None:
    canvas = matrix_canvas(large, SCORES)
    mouse.wheel(canvas, cell_point(canvas, 9, 4), 5)
    mouse.hover(canvas, cell_point(canvas, 9, 4))
    score = f"{snapshot(large).trace.scores[9, 4].item():.2f}".replace("-", "−")
    assert large.status.text.startswith(f"query 10 “t9” → key 5 “t4” · q·k {score} ·")


# choosing matrices, one range


def chooser(window: MainWindow) -> QToolButton:
    buttons = window.docks["matrices"].findChildren(QToolButton)
    return next(button for button in buttons if button.menu() is not None)


def open_chooser(window: MainWindow) -> QMenu:
    """Return the menu of matrices, filled as when the button is clicked."""
    menu = chooser(window).menu()
    assert isinstance(menu, QMenu)
    menu.popup(window.mapToGlobal(window.rect().center()))
    return menu


def shown(window: MainWindow) -> list[str]:
    return [content.name.value for content in matrices_panel(window).contents]


def test_the_menu_of_matrices_marks_those_in_sight(window: MainWindow) -> None:
    menu = open_chooser(window)
    marked = [action.text() for action in menu.actions() if action.isChecked()]
    menu.close()
    assert marked == ["XXᵀ", "QKᵀ", "QKᵀ / √dₖ", "softmax weights"]


def test_choosing_in_the_menu_adds_a_matrix_and_takes_it_away(window: MainWindow) -> None:
    menu = open_chooser(window)
    assert [action.text() for action in menu.actions()][:3] == ["X", "Q", "K"]
    menu.actions()[1].trigger()
    menu.close()
    assert shown(window) == ["q", "xxt", "scores", "scaled", "weights"]
    menu = open_chooser(window)
    menu.actions()[1].trigger()
    menu.close()
    assert shown(window) == ["xxt", "scores", "scaled", "weights"]


def test_without_any_matrix_the_panel_says_how_to_choose_one(window: MainWindow) -> None:
    show_matrices(window)
    texts = [one.text() for one in window.docks["matrices"].findChildren(QWidget)
             if hasattr(one, "text") and one.isVisible()]  # fmt: skip
    assert "No matrix is chosen. Choose some above." in texts
    assert shown(window) == []


def test_a_matrix_that_the_document_has_not_got_is_missed_with_a_reason(window: MainWindow) -> None:
    show_document(window, Document(("a", "b"), ("a", "b"), *given([[5.0, 1.0], [2.0, 3.0]])))
    show_matrices(window, MatrixName.Q)
    texts = [one.text() for one in window.docks["matrices"].findChildren(QLabel) if one.isVisible()]
    assert "The scores of this document were given, so it has no queries." in texts


def test_a_document_without_x_offers_no_x(example: MainWindow) -> None:
    menu = open_chooser(example)
    texts = [action.text() for action in menu.actions()]
    menu.close()
    assert "QKᵀ" in texts
    assert "X" not in texts
    assert "XXᵀ" not in texts


def ranges(window: MainWindow) -> dict[str, float]:
    return {content.name.value: content.scale.high for content in matrices_panel(window).contents}


def test_one_range_makes_equal_colours_mean_equal_numbers(window: MainWindow) -> None:
    commands(window).unpin()
    own = ranges(window)
    assert len({own["xxt"], own["scores"], own["scaled"]}) == 3
    window.menus.actions["lock_range"].trigger()
    locked = ranges(window)
    assert locked["xxt"] == locked["scores"] == locked["scaled"] == max(own["xxt"], own["scores"])
    assert locked["weights"] == own["weights"]
    # QKᵀ / √dₖ is paler than QKᵀ now, cell by cell
    strong, pale = (
        color_at(picture(canvas), cell_point(canvas, 2, 1, 0.14, 0.14))
        for canvas in (matrix_canvas(window, SCORES), matrix_canvas(window, SCALED))
    )
    assert pale.blue() > strong.blue()


def test_the_switch_in_the_panel_and_the_one_in_the_menu_are_one(window: MainWindow) -> None:
    action = window.menus.actions["lock_range"]
    switch = next(
        one for one in window.docks["matrices"].findChildren(QToolButton) if one.text() == "One range"
    )
    action.trigger()
    assert action.isChecked()
    assert switch.isChecked()
    mouse.click(switch, QPointF(switch.rect().center()))
    assert not matrices_panel(window).range_is_locked
    assert not switch.isChecked()
    assert not action.isChecked()


# the menu of a cell


def test_forbidding_a_cell_by_its_menu_masks_it_and_one_undo_allows_it_again(example: MainWindow) -> None:
    before, canvas = snapshot(example).document, matrix_canvas(example, WEIGHTS)
    mouse.choose(mouse.right_click(canvas, cell_point(canvas, 0, 1)), "Forbid this cell")
    assert snapshot(example).document.options.mask == CellMask(frozenset({(0, 1)}))
    weights = snapshot(example).trace.weights.tolist()
    assert weights[0][1] == 0.0
    assert sum(weights[0]) == pytest.approx(1.0, abs=1e-12)
    mouse.hover(canvas, cell_point(canvas, 0, 1))
    assert example.status.text.endswith("· q·k 0.32 · scaled 0.23 · weight masked")
    assert canvas.content is not None
    assert "1 × masked" in canvas.content.note
    mouse.choose(mouse.right_click(canvas, cell_point(canvas, 0, 1)), "Allow this cell")
    assert snapshot(example).trace.weights[0, 1] > 0
    example.menus.actions["undo"].trigger()
    example.menus.actions["undo"].trigger()
    assert snapshot(example).document is before


def test_padding_a_key_by_its_menu_hides_its_column(example: MainWindow) -> None:
    canvas = matrix_canvas(example, WEIGHTS)
    mouse.choose(mouse.right_click(canvas, cell_point(canvas, 0, 2)), "Key 3 is padding")
    assert snapshot(example).document.options.mask == PaddingMask(frozenset({2}))
    assert snapshot(example).trace.weights[:, 2].tolist() == [0.0, 0.0]
    mouse.hover(canvas, cell_point(canvas, 1, 2))
    assert example.status.text.endswith("weight masked")
    mouse.choose(mouse.right_click(canvas, cell_point(canvas, 0, 2)), "Key 3 is no padding")
    assert (snapshot(example).trace.weights > 0).all()


def test_the_label_of_a_column_has_the_menu_of_its_key(example: MainWindow) -> None:
    canvas = matrix_canvas(example, SCORES)
    layout = canvas.layout_now
    assert layout is not None
    at = QPointF(layout.cell_rect(0, 1).center().x(), layout.column_labels_bottom - 3)
    menu = mouse.right_click(canvas, at)
    texts = [action.text() for action in menu.actions()]
    mouse.choose(menu, "Key 2 is padding")
    assert not any(text.startswith("Forbid") for text in texts)
    assert snapshot(example).document.options.mask == PaddingMask(frozenset({1}))


def test_the_menu_of_a_vector_matrix_offers_no_mask(example: MainWindow) -> None:
    show_matrices(example, MatrixName.Q)
    canvas = matrix_canvas(example, MatrixName.Q)
    menu = mouse.right_click(canvas, cell_point(canvas, 0, 0))
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    menu.close()
    assert texts == ["Copy picture", "Copy values", "Export…"]


# cells that are no numbers


def given(rows: list[list[float]], mask: Mask | None = None) -> tuple[AttentionInputs, AttentionOptions]:
    scores = GivenScores(torch.tensor(rows, dtype=torch.float64), None)
    return scores, AttentionOptions(mask=NoMask() if mask is None else mask)


def with_zero_vector() -> tuple[AttentionInputs, AttentionOptions]:
    Q, K = matrix([[0.0, 0.0], [1.0, 1.0]], "Q"), matrix([[1.0, 0.0], [1.0, -1.0]], "K")
    return DirectInputs(Q, K, None), AttentionOptions(score=Cosine())


def row_forbidden() -> tuple[AttentionInputs, AttentionOptions]:
    Q, K = matrix([[1.0, 0.0], [0.0, 1.0]], "Q"), matrix([[1.0, 0.0], [1.0, 2.0]], "K")
    return DirectInputs(Q, K, None), AttentionOptions(score=Dot(), mask=CellMask(frozenset({(0, 0), (0, 1)})))


def first_forbidden() -> tuple[AttentionInputs, AttentionOptions]:
    return given([[5.0, 1.0], [2.0, 3.0]], CellMask(frozenset({(0, 0)})))


def zero() -> tuple[AttentionInputs, AttentionOptions]:
    return given([[0.0, 1.0], [2.0, 3.0]])


KINDS: dict[str, tuple[Callable[[], tuple[AttentionInputs, AttentionOptions]], MatrixName, str]] = {
    "zero": (zero, SCORES, "0.00"),
    "masked": (
        lambda: given([[5.0, 1.0], [2.0, 3.0]], CellMask(frozenset({(0, 0)}))),
        MatrixName.MASKED,
        "masked",
    ),
    "not a number": (lambda: given([[math.nan, 1.0], [2.0, 3.0]]), SCORES, "not a number"),
    "undefined": (with_zero_vector, SCORES, "undefined"),
    "no key allowed": (row_forbidden, WEIGHTS, "no key allowed"),
    "infinite": (lambda: given([[-math.inf, 1.0], [2.0, 3.0]]), SCORES, "infinite"),
}


def show_kind(window: MainWindow, kind: str) -> MatrixCanvas:
    """Show a two by two matrix whose first cell is of a kind."""
    make, name, _word = KINDS[kind]
    inputs, options = make()
    show_document(window, Document(("a", "b"), ("c", "d"), inputs, options))
    show_matrices(window, name)
    commands(window).unpin()
    return matrix_canvas(window, name)


def first_cell(window: MainWindow, kind: str) -> QImage:
    """Return the picture of the first cell, without its rounded corners."""
    canvas = show_kind(window, kind)
    layout = canvas.layout_now
    assert layout is not None
    return picture(canvas).copy(layout.cell_rect(0, 0).adjusted(6, 6, -6, -6).toRect())


def mean_color(image: QImage) -> tuple[float, float, float]:
    """Return the mean colour of the ring round the middle, where a number or a word may stand."""
    side = image.width()
    points = [(x, y) for x in range(side) for y in range(side) if min(x, y) < 8 or max(x, y) >= side - 8]
    colors = [image.pixelColor(x, y) for x, y in points]
    return tuple(  # type: ignore[return-value]
        sum(channel(color) for color in colors) / len(colors)
        for channel in (QColor.red, QColor.green, QColor.blue)
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cells_without_a_number_look_like_no_number_and_like_no_other(
    open_window: OpenWindow, theme: str
) -> None:
    window = open_window(8, theme=theme)
    window.docks["steps"].hide()
    means = {kind: mean_color(first_cell(window, kind)) for kind in KINDS}
    for kind, mean in means.items():
        for other, its in means.items():
            if kind < other:
                difference = max(abs(one - two) for one, two in zip(mean, its, strict=True))
                assert difference > 4, f"{kind} and {other} look alike: {mean} and {its}"


@pytest.mark.parametrize("kind", list(KINDS))
def test_pointing_at_such_a_cell_says_what_it_is(window: MainWindow, kind: str) -> None:
    canvas = show_kind(window, kind)
    mouse.hover(canvas, cell_point(canvas, 0, 0))
    assert KINDS[kind][2] in window.status.text
    assert KINDS[kind][2] in QToolTip.text()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "zero"])
def test_the_picture_of_such_a_cell_names_it_in_its_legend_and_for_a_screen_reader(
    window: MainWindow, kind: str
) -> None:
    canvas = show_kind(window, kind)
    layout = canvas.layout_now
    assert layout is not None
    assert kind in canvas.accessibleDescription()
    assert any(kind in str(entry) for entry in layout.legend)


def test_a_causal_mask_hides_what_comes_after_the_query(window: MainWindow) -> None:
    document = snapshot(window).document
    show_document(window, replace(document, options=replace(document.options, mask=CausalMask())))
    canvas = matrix_canvas(window, WEIGHTS)
    mouse.hover(canvas, cell_point(canvas, 0, 1))
    assert window.status.text.startswith("query 1 “cat” → key 2 “sit”")
    assert window.status.text.endswith("weight masked")
    mouse.hover(canvas, cell_point(canvas, 1, 0))
    assert "masked" not in window.status.text


# more than the story


def test_a_drag_in_the_plane_repaints_the_matrices(window: MainWindow) -> None:
    canvas = matrix_canvas(window, SCORES)
    before = picture(canvas)
    start = tip(plane_canvas(window), Role.QUERY, 1)
    mouse.drag(plane_canvas(window), start, start + QPointF(-80, 60))
    after = picture(canvas)
    row = [color_at(image, cell_point(canvas, 1, 0, 0.14, 0.14)) for image in (before, after)]
    assert row[0] != row[1]
