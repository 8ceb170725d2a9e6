"""Lesson 8 by hand: its two documents, opened by mouse and keys, and what is to be tried on the second."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget

from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.lesson_documents import LessonDocuments
from qkviz.ui.panels.token_list import TokenList
from qkviz.ui.panels.try_row import TryRow
from tests.ui import mouse, parts

OpenWindow = Callable[..., MainWindow]


def _button(window: MainWindow, name: str) -> QAbstractButton:
    buttons = window.panels["lessons"].findChildren(QAbstractButton)
    found = [one for one in buttons if one.accessibleName() == name]
    assert len(found) == 1, [one.accessibleName() for one in buttons]
    window.panels["lessons"].findChild(QScrollArea).ensureWidgetVisible(found[0])
    QApplication.processEvents()
    return found[0]


def _click(widget: QWidget) -> None:
    mouse.click(widget, QPointF(widget.rect().center()))


def _done(window: MainWindow) -> list[bool]:
    return [row.is_done() for row in window.panels["lessons"].findChildren(TryRow)]


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
    before = _done(window)
    _open_the_translation(window)
    assert _done(window) == before
    lists = window.panels["inspector"].findChildren(TokenList)
    queries = next(one for one in lists if one.view.accessibleName().startswith("Queries"))
    _click(queries.add_button)
    assert parts.snapshot(window).trace.scores.shape == (3, 4)
    assert _done(window) == [*before[:4], True]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_the_middle_of_the_translation_the_language_changes_whole(
    open_window: OpenWindow, theme: str
) -> None:
    window = open_window(8, theme=theme)
    _open_the_translation(window)
    window.toggle_language()
    QApplication.processEvents()
    assert parts.snapshot(window).document.queries == ("猫", "坐下")
    documents = window.panels["lessons"].findChild(LessonDocuments)
    texts = [one.text() for one in documents.findChildren(QAbstractButton)]
    assert texts == ["问与答", "● 翻译：两段文字"]


def test_a_lesson_with_one_document_offers_none(open_window: OpenWindow) -> None:
    window = open_window(7)
    assert not window.panels["lessons"].findChild(LessonDocuments).isVisible()
