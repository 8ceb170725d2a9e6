"""Lesson 6 by mouse and keys: rows, draws, tied projections; every number of its texts worked out apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.diagonal import draw_diagonals
from qkviz.attention.inputs import matrix
from qkviz.attention.matrices import MatrixName
from qkviz.lessons.library import lesson_by_number
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.diagonal_panel import DiagonalPanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from qkviz.ui.panels.row_panel import RowPanel
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.lesson_hand import button, click
from tests.ui.parts import commands, matrix_canvas, snapshot

LEFT = Qt.MouseButton.LeftButton

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

IT, CAT, ON, MAT = 4, 0, 2, 3


def diagonal_panel(window: MainWindow) -> DiagonalPanel:
    panel = window.panels["diagonal"]
    assert isinstance(panel, DiagonalPanel)
    return panel


def done(window: MainWindow) -> frozenset[str]:
    course = commands(window).course
    return course.progress.done(course.current)


def lesson_matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = lesson_by_number(6).source.matrices
    return np.array(rows["X"]), np.array(rows["W_Q"]), np.array(rows["W_K"])


def wins(S: np.ndarray) -> int:
    return int((S.argmax(axis=1) == np.arange(len(S))).sum())


def test_nothing_is_done_when_it_opens_and_the_row_of_cat_is_shown(open_window: OpenWindow) -> None:
    window = open_window(6)
    assert done(window) == frozenset()
    row = window.panels["row"]
    assert isinstance(row, RowPanel)
    assert "“cat” looks most at itself" in row.shown_text()
    assert "2 of 6 rows" in diagonal_panel(window).headline.text()


def test_a_click_on_the_row_of_it_tells_whom_it_looks_at_and_its_rank(open_window: OpenWindow) -> None:
    window = open_window(6)
    panel = diagonal_panel(window)
    mouse.click(panel.list, panel.list.row_rect(0).center())
    assert "row" not in done(window)
    mouse.click(panel.list, panel.list.row_rect(IT).center())
    assert "row" in done(window)
    assert panel.sentences.text() == "“it” looks most at “cat” (0.77). Its own score is 0.35, rank 3 of 6."
    row = window.panels["row"]
    assert isinstance(row, RowPanel)
    assert "“it” looks most at “cat”" in row.shown_text()


def test_the_same_row_is_reached_with_the_arrow_keys(open_window: OpenWindow) -> None:
    window = open_window(6)
    panel = diagonal_panel(window)
    panel.list.setFocus(Qt.FocusReason.TabFocusReason)
    for _press in range(IT):
        QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert "row" in done(window)


def test_the_label_in_the_matrix_chooses_the_row_too(open_window: OpenWindow) -> None:
    window = open_window(6)
    canvas = matrix_canvas(window, MatrixName.SCORES)
    layout = canvas.layout_now
    assert layout is not None
    point = layout.cell_rect(IT, 0).center()
    point.setX(layout.body.left() - 16)
    mouse.click(canvas, point)
    assert "row" in done(window)


def test_a_thousand_draws_are_noticed_and_agree_with_the_answer(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    window = open_window(6)
    panel = diagonal_panel(window)
    with qtbot.waitSignal(panel.happened, timeout=10_000):
        QTest.mouseClick(panel.draw_button, LEFT)
    QApplication.processEvents()
    assert "draw" in done(window)
    numbers = lesson_by_number(6).fixed_numbers
    description = panel.bars.accessibleDescription()
    assert f"independent: {numbers['drawn']:.2f} / 6" in description
    assert f"W_K = W_Q: {numbers['drawn_tied']:.2f} / 6" in description
    assert f"XXᵀ: {numbers['plain']:.0f} / 6" in description


def test_tying_in_the_inspector_is_noticed(open_window: OpenWindow) -> None:
    window = open_window(6)
    button = next(
        one
        for one in window.panels["inspector"].findChildren(QAbstractButton)
        if one.text() == "Tie W_K = W_Q"
    )
    QTest.mouseClick(button, LEFT)
    QApplication.processEvents()
    assert "tie" in done(window)
    X, W_Q, _W_K = lesson_matrices()
    assert f"{wins(X @ W_Q @ W_Q.T @ X.T)} of 6 rows" in diagonal_panel(window).headline.text()


def test_the_numbers_of_the_texts() -> None:
    numbers = lesson_by_number(6).fixed_numbers
    X, W_Q, W_K = lesson_matrices()
    S = X @ W_Q @ W_K.T @ X.T
    p = np.exp(S / math.sqrt(3))
    p /= p.sum(axis=1, keepdims=True)
    assert numbers["rows"] == 6
    assert numbers["wins"] == wins(S) == 2
    assert numbers["wins_tied"] == wins(X @ W_Q @ W_Q.T @ X.T) == 4
    assert numbers["plain"] == wins(X @ X.T) == 4
    assert (numbers["it_cat"], numbers["on_mat"]) == pytest.approx((S[IT, CAT], S[ON, MAT]), abs=1e-12)
    assert (numbers["it_weight"], numbers["it_own"]) == pytest.approx((p[IT, CAT], p[IT, IT]), abs=1e-12)
    assert numbers["it_rank"] == 1 + (S[IT] > S[IT, IT]).sum() == 3
    assert S[IT].argmax() == CAT
    assert S[ON].argmax() == MAT
    drawn = draw_diagonals(matrix(X, "X"), 3, 1000, seed=1)
    assert numbers["drawn"] == pytest.approx(drawn.independent.double().mean().item(), abs=1e-12)
    assert numbers["drawn"] == pytest.approx(
        1, abs=4 * drawn.independent.double().std().item() / math.sqrt(1000)
    )
    assert numbers["drawn_tied"] > 2 * numbers["drawn"]


def test_the_words_said_to_be_short_are_the_ones_that_lose_when_tied() -> None:
    X, W_Q, _W_K = lesson_matrices()
    q = X @ W_Q
    losers = [row for row, best in enumerate((q @ q.T).argmax(axis=1)) if best != row]
    lengths = np.linalg.norm(q, axis=1)
    assert losers == [ON, IT]
    assert sorted(losers) == sorted(np.argsort(lengths)[:2].tolist())


def test_another_lesson_opened_during_a_draw_ends_it(open_window: OpenWindow) -> None:
    window = open_window(6)
    panel = diagonal_panel(window)
    QTest.mouseClick(panel.draw_button, LEFT)
    commands(window).open_lesson(2)
    QApplication.processEvents()
    assert not panel.line.stop_button.isVisible()
    commands(window).open_lesson(6)
    QApplication.processEvents()
    assert panel.draw_button.isEnabled()


def test_the_window_closes_during_a_draw(open_window: OpenWindow) -> None:
    window = open_window(6)
    QTest.mouseClick(diagonal_panel(window).draw_button, LEFT)
    assert window.close()
    assert not diagonal_panel(window).line.stop_button.isVisible()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_language_may_change_in_the_middle(open_window: OpenWindow, qtbot: QtBot, language: str) -> None:
    window = open_window(6, language=language)
    panel = diagonal_panel(window)
    with qtbot.waitSignal(panel.happened, timeout=10_000):
        QTest.mouseClick(panel.draw_button, LEFT)
    window.appearance.toggle_language()
    QApplication.processEvents()
    assert ("mean of 1000 draws" in panel.verdict.text()) == (language == "zh")
    assert "draw" in done(window)


# the real heads


@pytest.fixture
def real(open_window: OpenWindow) -> MainWindow:
    window = open_window(6)
    click(button(window.panels["lessons"], "Real heads"))
    QApplication.processEvents()
    return window


def heads(window: MainWindow) -> HeadsPanel:
    panel = window.panels["heads"]
    assert isinstance(panel, HeadsPanel)
    return panel


def test_the_real_heads_open_on_it_and_the_animal_with_nothing_done(real: MainWindow) -> None:
    shown = snapshot(real)
    assert shown.focus.pair is not None
    query, key = shown.focus.pair
    assert (shown.document.queries[query], shown.document.keys[key]) == ("it", "animal")
    assert done(real) == frozenset()
    assert shown.trace.weights[query, key].item() == pytest.approx(
        lesson_by_number(6).fixed_numbers["tired_animal"], abs=1e-12
    )


def test_a_head_of_the_last_layer_is_chosen_in_the_grid(real: MainWindow) -> None:
    grid = heads(real).page.grid
    for layer, noticed in ((4, frozenset()), (5, frozenset({"deepest"}))):
        assert grid.layout_now is not None
        mouse.click(grid, grid.layout_now.cell_rect(layer, 0).center())
        mouse.settle()
        assert done(real) == noticed


def test_the_other_sentence_is_chosen_by_keys_and_it_still_looks_at_the_animal(real: MainWindow) -> None:
    choice = heads(real).page.sentence.choice
    assert choice.currentIndex() == 9
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    QApplication.processEvents()
    assert done(real) == {"pronoun"}
    row = snapshot(real).trace.weights[9]
    assert snapshot(real).document.queries[9] == "it"
    assert snapshot(real).document.keys[12] == "wide"
    assert row[2].item() > row[7].item()
