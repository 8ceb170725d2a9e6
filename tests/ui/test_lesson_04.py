"""Lesson 4 by hand: every try by mouse and keys, noticed when it is done and not before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qkviz.attention.matrices import MatrixName
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.contexts_panel import ContextsPanel
from tests.lessons import recorded
from tests.lessons.recorded import BANK, RIVER
from tests.ui import mouse, parts
from tests.ui.lesson_hand import done_tries as done
from tests.ui.lesson_hand import guess, lesson_text, remark

OpenWindow = Callable[..., MainWindow]

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

BACK, COMPARE, DEEPER, FAILS = "back", "compare", "deeper", "fails"


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(4)


def contexts(window: MainWindow) -> ContextsPanel:
    panel = window.panels["contexts"]
    assert isinstance(panel, ContextsPanel)
    return panel


def click_line(window: MainWindow, text: int) -> None:
    """Click in Contexts on the line of a text, on the word in question."""
    panel = contexts(window)
    line = next(at for at, one in enumerate(panel.list.lines) if one.text == text)
    mouse.click(panel.list, panel.list.chip_rect(line, BANK).center())
    QApplication.processEvents()


def choose_layer(window: MainWindow, layer: int) -> None:
    """Choose a layer in Contexts with the keys."""
    choice = contexts(window).choices.layer
    choice.setFocus()
    for _press in range(layer):
        QTest.keyClick(choice, Qt.Key.Key_Down)
    QApplication.processEvents()


def test_it_opens_on_bank_and_river_with_the_two_matrices_and_nothing_done(window: MainWindow) -> None:
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "contexts", "matrices"}
    shown = parts.snapshot(window)
    assert shown.focus.pair == (BANK, RIVER)
    assert (shown.document.queries[BANK], shown.document.keys[RIVER]) == ("bank", "river")
    assert contexts(window).choices.word.currentText().startswith("bank")
    for name, value in ((MatrixName.XXT, "31.06"), (MatrixName.SCORES, "28.16")):
        canvas = parts.matrix_canvas(window, name)
        assert canvas.content is not None
        assert canvas.content.values.shape == (14, 14)
        assert f"{canvas.content.values[BANK, RIVER]:.2f}" == value
    assert done(window) == []


def test_the_cell_back_is_clicked(window: MainWindow) -> None:
    canvas = parts.matrix_canvas(window, MatrixName.SCORES)
    mouse.click(canvas, parts.cell_point(canvas, BANK, BANK))
    assert done(window) == []
    mouse.click(canvas, parts.cell_point(canvas, RIVER, BANK))
    assert done(window) == [BACK]
    S = recorded.scores(0, 0)[4]
    assert f"{S[RIVER, BANK]:.2f} here, {S[BANK, RIVER]:.2f} there" in remark(window, BACK)


def test_the_cell_back_of_another_sentence_does_not_count(window: MainWindow) -> None:
    click_line(window, 1)
    canvas = parts.matrix_canvas(window, MatrixName.SCORES)
    mouse.click(canvas, parts.cell_point(canvas, RIVER, BANK))
    assert BACK not in done(window)


def test_the_sentence_with_cash_is_held_against_the_first(window: MainWindow) -> None:
    click_line(window, 2)
    assert done(window) == []
    click_line(window, 1)
    assert done(window) == [COMPARE]
    assert f"weight of {recorded.weights(1, 0)[4, BANK, RIVER]:.2f}" in remark(window, COMPARE)
    marks = {line.text: line.mark for line in contexts(window).list.lines}
    assert marks[1] == "A"


def test_the_query_turns_in_the_fourth_layer(window: MainWindow) -> None:
    choose_layer(window, 2)
    assert done(window) == []
    choose_layer(window, 1)
    assert done(window) == [DEEPER]
    assert "L4 0.79" in remark(window, DEEPER)


def test_the_sentence_that_fails_is_seen_in_the_first_head_only(window: MainWindow) -> None:
    choose_layer(window, 3)
    click_line(window, 5)
    assert FAILS not in done(window)
    choice = contexts(window).choices.layer
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Home)
    QApplication.processEvents()
    assert FAILS in done(window)
    row = recorded.weights(5, 0)[4, BANK]
    assert f"“plane” gets {row[7]:.2f}, and [CLS] most of all, {row[0]:.2f}" in remark(window, FAILS)


def test_the_answer_says_that_the_queries_are_the_same(window: MainWindow) -> None:
    guess(window, 1)
    assert "the same to the last bit" in lesson_text(window)
    assert "You guessed right." in lesson_text(window)
