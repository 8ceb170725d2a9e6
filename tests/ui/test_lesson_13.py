"""Lesson 13 by hand, and its panel: lengths that change alone, and what they change where."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from qkviz.attention.score_functions import Cosine
from qkviz.document.document import Role
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.cells import CellKind
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.cosine_panel import CosinePanel
from qkviz.ui.panels.value_slider import ValueSlider
from tests.ui import mouse, parts
from tests.ui.lesson_hand import done_tries as done

OpenWindow = Callable[..., MainWindow]

LONGER, SHOUT, ZERO, USE = "longer", "shout", "zero", "use"


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(13)


def panel(window: MainWindow) -> CosinePanel:
    found = window.panels["cosine"]
    assert isinstance(found, CosinePanel)
    return found


def slider(window: MainWindow, role: Role) -> ValueSlider:
    return panel(window).lengths[0 if role is Role.QUERY else 1].slider


def stretch(window: MainWindow, role: Role, length: float) -> None:
    one = slider(window, role)
    mouse.drag(one, one.handle(), one.place_of(length))


def click(window: MainWindow, name: str) -> None:
    buttons = panel(window).findChildren(QAbstractButton)
    found = next(one for one in buttons if name in (one.accessibleName(), one.text()))
    mouse.click(found, QPointF(found.rect().center()))


def vector(window: MainWindow, role: Role, index: int) -> list[float]:
    trace = parts.snapshot(window).trace
    vectors = trace.Q if role is Role.QUERY else trace.K
    assert vectors is not None
    found: list[float] = vectors[index].tolist()
    return found


def changed(window: MainWindow) -> list[int]:
    """Return how many cells of each function are not as at the start, read off the pictures."""
    contents = [canvas.content for canvas in panel(window).change]
    return [0 if one is None else int((one.values != 0).sum()) for one in contents]


def test_twice_as_long_changes_a_row_of_both_dot_products_only(window: MainWindow) -> None:
    assert done(window) == []
    stretch(window, Role.QUERY, 1.5)
    assert done(window) == []
    stretch(window, Role.QUERY, 2 * math.hypot(1.0, 0.3))
    assert done(window) == [LONGER]
    q = vector(window, Role.QUERY, 0)
    assert math.hypot(*q) == pytest.approx(2.1, abs=0.06)
    assert q[1] / q[0] == pytest.approx(0.3, rel=1e-12)
    assert changed(window) == [3, 3, 0]
    assert "dot product 3, scaled 3, cosine 0" in panel(window).shown_text()


def test_one_drag_of_the_slider_is_one_undo_step_and_undo_takes_the_changes_back(window: MainWindow) -> None:
    stretch(window, Role.QUERY, 3.0)
    parts.commands(window).undo()
    QApplication.processEvents()
    assert vector(window, Role.QUERY, 0) == [1.0, 0.3]
    assert changed(window) == [0, 0, 0]


def test_a_long_key_beats_a_well_directed_one(window: MainWindow) -> None:
    canvas = panel(window).now[0]
    mouse.click(canvas, parts.cell_point(canvas, 0, 1))
    assert parts.snapshot(window).focus.pair == (0, 1)
    stretch(window, Role.KEY, 1.35)
    assert done(window) == []
    stretch(window, Role.KEY, 2.5)
    assert done(window) == [SHOUT]
    scores = [one.content.values[0].tolist() for one in panel(window).now if one.content is not None]
    assert [row.index(max(row)) for row in scores] == [1, 1, 0]


def test_length_0_and_back_keeps_the_direction(window: MainWindow) -> None:
    one = slider(window, Role.QUERY)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(one, Qt.Key.Key_Home)
    QApplication.processEvents()
    assert vector(window, Role.QUERY, 0) == [0.0, 0.0]
    assert done(window) == [ZERO]
    cosine = panel(window).now[2].content
    assert cosine is not None
    assert (cosine.kinds[0] == CellKind.UNDEFINED).all()
    assert "cosines are undefined" in panel(window).shown_text()
    stretch(window, Role.QUERY, 1.0)
    q = vector(window, Role.QUERY, 0)
    assert q[1] / q[0] == pytest.approx(0.3, rel=1e-12)


def test_the_document_can_use_the_cosine_by_a_click(window: MainWindow) -> None:
    click(window, "The document uses: cosine")
    assert isinstance(parts.snapshot(window).document.options.score, Cosine)
    assert done(window) == [USE]
    before = parts.snapshot(window).trace.weights
    stretch(window, Role.QUERY, 3.0)
    assert parts.snapshot(window).trace.weights.numpy() == pytest.approx(before.numpy(), abs=1e-12)


def test_a_click_on_the_function_in_use_leaves_its_button_down(window: MainWindow) -> None:
    click(window, "The document uses: scaled dot product")
    buttons = panel(window).findChildren(QAbstractButton)
    used = next(one for one in buttons if one.accessibleName() == "The document uses: scaled dot product")
    assert used.isChecked()


def test_changes_can_be_counted_from_here_and_weights_shown_instead(window: MainWindow) -> None:
    stretch(window, Role.QUERY, 3.0)
    click(window, "Count changes from here")
    assert changed(window) == [0, 0, 0]
    click(window, "Compare: Weights")
    stretch(window, Role.QUERY, 1.0)
    assert changed(window) == [3, 3, 0]
    now = panel(window).now[1].content
    assert now is not None
    assert now.values.sum(axis=1).tolist() == pytest.approx([1.0, 1.0])


def test_a_turn_changes_the_cosine_too(window: MainWindow) -> None:
    canvas = parts.plane_canvas(window)
    tip = parts.tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, tip, tip + QPointF(-20, -60), Qt.KeyboardModifier.ControlModifier)
    assert changed(window) == [3, 3, 3]


def test_another_lesson_begins_to_count_anew_and_restoring_shows_no_change(window: MainWindow) -> None:
    stretch(window, Role.QUERY, 3.0)
    parts.commands(window).restore_lesson()
    QApplication.processEvents()
    assert changed(window) == [0, 0, 0]
    parts.show_document(window, lesson_by_number(7).document())
    assert changed(window) == [0, 0, 0]
    assert panel(window).now[0].content is not None
    parts.show_document(window, lesson_by_number(12).document())
    assert "no q and k to compare" in panel(window).shown_text()
    parts.show_document(window, lesson_by_number(13).document())
    assert changed(window) == [0, 0, 0]
    assert "Nothing has changed yet" in panel(window).shown_text()


def test_in_the_middle_of_it_the_language_changes_whole(window: MainWindow) -> None:
    stretch(window, Role.QUERY, 3.0)
    window.appearance.toggle_language()
    QApplication.processEvents()
    assert panel(window).shown_text() == "变了的分数（共 6 个）：点积 3，缩放点积 3，余弦 0。"
    assert changed(window) == [3, 3, 0]
    assert slider(window, Role.QUERY).accessibleName() == "q·猫 的长度"


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_numbers_can_be_read_in_both_sizes_of_the_window(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    QApplication.processEvents()
    for canvas in (*panel(window).now, *panel(window).change):
        layout = canvas.layout_now
        assert layout is not None
        assert layout.cell_rect(0, 0).width() >= 27
