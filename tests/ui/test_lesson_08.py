"""Lesson 8 by hand: its two documents, the guess, and every try by mouse and keys."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget

from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.lesson_documents import LessonDocuments
from qkviz.ui.panels.token_list import TokenList
from tests.ui import mouse, parts
from tests.ui.lesson_hand import done_tries, drag_tip, guess, lesson_text, nudge_tip, press_key, remark

OpenWindow = Callable[..., MainWindow]

# the offscreen platform has no windows to order and no keyboard
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

COLOUR, SIZE = range(2)
KITTEN, PUPPY, CAR = range(3)
S = np.array([[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]])
"""The scores of the worked example."""


def _button(window: MainWindow, name: str) -> QAbstractButton:
    buttons = window.panels["lessons"].findChildren(QAbstractButton)
    found = [one for one in buttons if one.accessibleName() == name]
    assert len(found) == 1, [one.accessibleName() for one in buttons]
    window.panels["lessons"].findChild(QScrollArea).ensureWidgetVisible(found[0])
    QApplication.processEvents()
    return found[0]


def _click(widget: QWidget) -> None:
    mouse.click(widget, QPointF(widget.rect().center()))


def _tokens(window: MainWindow, name: str) -> TokenList:
    lists = window.panels["inspector"].findChildren(TokenList)
    return next(one for one in lists if one.view.accessibleName().startswith(name))


def _scores(window: MainWindow) -> np.ndarray:
    """Return the scores on the screen."""
    content = parts.matrix_canvas(window, MatrixName.SCORES).content
    assert content is not None
    return np.array(content.values)


def _weights(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores / math.sqrt(2))
    return powers / powers.sum(axis=1, keepdims=True)


def _open_the_translation(window: MainWindow) -> None:
    _click(_button(window, "Translation: two texts"))


def test_the_translation_is_opened_by_a_click_and_taken_back_by_undo(open_window: OpenWindow) -> None:
    window = open_window(8)
    _open_the_translation(window)
    document = parts.snapshot(window).document
    assert isinstance(document.inputs, ProjectedInputs)
    assert (document.queries, document.keys) == (("chat", "assis"), ("the", "cat", "sat", "down"))
    assert _button(window, "Translation: two texts (open)").isVisible()
    parts.commands(window).undo()
    QApplication.processEvents()
    assert isinstance(parts.snapshot(window).document.inputs, DirectInputs)
    assert _button(window, "Questions and answers (open)").isVisible()


def test_the_first_document_comes_back_by_a_click_and_by_a_key(open_window: OpenWindow) -> None:
    window = open_window(8)
    _open_the_translation(window)
    _click(_button(window, "Questions and answers"))
    assert parts.snapshot(window).document.lesson == "08-queries-times-keys"
    button = _button(window, "Translation: two texts")
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert parts.snapshot(window).document.lesson == "08-queries-times-keys--cross"


def test_the_shapes_of_both_embeddings_are_written_too(open_window: OpenWindow) -> None:
    window = open_window(8)
    _open_the_translation(window)
    parts.show_matrices(window, MatrixName.X, MatrixName.X_K)
    subtitles = [content.subtitle for content in parts.matrices_panel(window).contents]
    assert subtitles == ["m × d = 2 × 3", "n × d = 4 × 3"]


def test_the_shapes_are_written_on_the_pictures(open_window: OpenWindow) -> None:
    window = open_window(8)
    _open_the_translation(window)
    subtitles = {content.name: content.subtitle for content in parts.matrices_panel(window).contents}
    assert subtitles[MatrixName.Q] == "m × dₖ = 2 × 2"
    assert subtitles[MatrixName.K] == "n × dₖ = 4 × 2"
    assert subtitles[MatrixName.SCORES] == "(2×2)(2×4) = 2×4"


def test_one_more_word_of_the_translation_is_one_more_row(open_window: OpenWindow) -> None:
    window = open_window(8)
    before = done_tries(window)
    _open_the_translation(window)
    assert done_tries(window) == before == []
    _click(_tokens(window, "Queries").add_button)
    assert parts.snapshot(window).trace.scores.shape == (3, 4)
    assert done_tries(window) == ["crossing"]
    X_q = np.array([[1.0, 0.1, 0.2], [0.1, 1.0, 0.6]])
    X_k = np.array([[0.2, 0.1, 0.3], [1.2, 0.2, 0.1], [0.1, 1.1, 0.2], [-0.3, 0.6, 1.0]])
    W_Q = np.array([[1.5, -0.4], [-0.3, 1.2], [0.1, 0.8]])
    W_K = np.array([[1.4, -0.3], [-0.2, 1.3], [-0.3, 0.5]])
    scores = parts.snapshot(window).trace.scores.numpy()
    assert scores[:2] == pytest.approx(X_q @ W_Q @ W_K.T @ X_k.T, abs=1e-12)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_the_middle_of_the_translation_the_language_changes_whole(
    open_window: OpenWindow, theme: str
) -> None:
    window = open_window(8, theme=theme)
    _open_the_translation(window)
    window.appearance.toggle_language()
    QApplication.processEvents()
    assert parts.snapshot(window).document.queries == ("猫", "坐下")
    documents = window.panels["lessons"].findChild(LessonDocuments)
    texts = [one.text() for one in documents.findChildren(QAbstractButton)]
    assert texts == ["问与答", "● 翻译：两段文字"]


def test_a_lesson_with_one_document_offers_none(open_window: OpenWindow) -> None:
    window = open_window(7)
    assert not window.panels["lessons"].findChild(LessonDocuments).isVisible()


@pytest.mark.parametrize("way", [drag_tip, nudge_tip])
def test_the_query_is_moved_until_the_puppy_is_its_favourite(open_window: OpenWindow, way) -> None:
    window = open_window(8)
    assert _scores(window) == pytest.approx(S, abs=1e-12)
    way(window, Role.QUERY, COLOUR, 0.8, 0.75)
    assert done_tries(window) == []
    way(window, Role.QUERY, COLOUR, 0.1, 0.9)
    assert done_tries(window) == ["row"]
    after = _scores(window)
    assert _weights(after)[COLOUR].argmax() == PUPPY
    assert after[COLOUR] == pytest.approx([0.34, 0.74, -0.41], abs=0.03)  # now as the other query
    assert (after[SIZE] == parts.session(window).snapshot.trace.scores[SIZE].numpy()).all()
    assert after[SIZE] == pytest.approx(S[SIZE], abs=1e-12)


@pytest.mark.parametrize("way", [drag_tip, nudge_tip])
def test_the_key_is_moved_until_its_score_is_positive(open_window: OpenWindow, way) -> None:
    window = open_window(8)
    way(window, Role.KEY, CAR, 0.8, -0.2)  # 0.08 − 0.18
    assert done_tries(window) == []
    way(window, Role.KEY, CAR, 0.4, 0.2)
    assert done_tries(window) == ["column"]
    after = _scores(window)
    assert after[:, CAR] == pytest.approx([0.8 * 0.4 + 0.2 * 0.2, 0.1 * 0.4 + 0.9 * 0.2], abs=0.03)
    assert after[:, :CAR] == pytest.approx(S[:, :CAR], abs=1e-12)


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_negative_score_is_walked_to_its_weight(open_window: OpenWindow, by: str) -> None:
    window = open_window(8)
    canvas = parts.matrix_canvas(window, MatrixName.SCORES)
    if by == "mouse":
        mouse.click(canvas, parts.cell_point(canvas, SIZE, CAR))
    else:  # from the first cell, which is pinned
        canvas.setFocus(Qt.FocusReason.TabFocusReason)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right):
            press_key(window, key)
    assert parts.snapshot(window).focus.pair == (SIZE, CAR)
    press_key(window, Qt.Key.Key_4)
    assert done_tries(window) == []
    press_key(window, Qt.Key.Key_5)
    assert done_tries(window) == ["negative"]
    weight = f"{_weights(S)[SIZE, CAR]:.2f}"
    assert f"score −0.41, weight {weight}" in remark(window, "negative")
    assert weight in window.panels["steps"].shown_text()


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_fourth_key_is_one_more_column(open_window: OpenWindow, by: str) -> None:
    window = open_window(8)
    button = _tokens(window, "Keys").add_button
    if by == "mouse":
        _click(button)
    else:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
        QApplication.processEvents()
    assert done_tries(window) == ["fourth"]
    after = _scores(window)
    assert after.shape == (2, 4)
    assert after[:, :3] == pytest.approx(S, abs=1e-12)


def test_a_third_query_is_not_a_fourth_key(open_window: OpenWindow) -> None:
    window = open_window(8)
    _click(_tokens(window, "Queries").add_button)
    assert _scores(window).shape == (3, 3)
    assert done_tries(window) == []


@pytest.mark.parametrize(("language", "verdict"), [("en", "You guessed right."), ("zh", "猜对了。")])
def test_the_answer_after_a_right_guess_quotes_a_fourth_key(
    open_window: OpenWindow, language: str, verdict: str
) -> None:
    window = open_window(8, language=language)
    assert verdict not in lesson_text(window)
    guess(window, 0)
    text = lesson_text(window)
    answer = text[text.index(verdict) :]
    more = np.column_stack([S, np.array([[0.8, 0.2], [0.1, 0.9]]) @ [0.6, 0.6]])
    before, after = _weights(S)[COLOUR, KITTEN], _weights(more)[COLOUR, KITTEN]
    assert after < before
    for part in ("2×4", "0.62", "(0.60, 0.60)", f"{before:.2f}", f"{after:.2f}"):
        assert part in answer


def test_a_wrong_guess_gets_the_same_answer(open_window: OpenWindow) -> None:
    window = open_window(8)
    guess(window, 2)
    assert "Not quite.\nQKᵀ only gains a column and becomes 2×4" in lesson_text(window)
