"""Lesson 14 by hand: both heads, one of them off, words of one's own, and the measurement."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.capture.copy_accuracy import measure_heads
from qkviz.presenters.copy_machine import FIRST, SECOND
from qkviz.presenters.number_format import format_number
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.copy_accuracy import SEQUENCES
from qkviz.ui.panels.copy_machine_panel import CopyMachinePanel
from tests.ui import lesson_hand, parts

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

OpenWindow = Callable[..., MainWindow]
SECONDS = 20_000

FAR = "red fox jumps moon star sun apple lake river bird song snow rain red"
"""“red” comes again after 13 words."""


def _opened(open_window: OpenWindow, **how: str) -> tuple[MainWindow, CopyMachinePanel]:
    window = open_window(14, **how)
    panel = window.panels["copy_machine"]
    assert isinstance(panel, CopyMachinePanel)
    return window, panel


def _text(window: MainWindow):
    captured = parts.snapshot(window).document.captured
    assert captured is not None
    return captured.captured_text


def _type(panel: CopyMachinePanel, text: str) -> None:
    lesson_hand.click(panel.row.field)
    panel.row.field.selectAll()
    QTest.keyClicks(panel.row.field, text)
    QTest.keyClick(panel.row.field, Qt.Key.Key_Return)


def _settle(window: MainWindow, qtbot: QtBot, done: Callable[[], bool]) -> None:
    qtbot.waitUntil(done, timeout=SECONDS)
    QApplication.processEvents()


def test_it_opens_with_its_panels_at_the_second_head(open_window) -> None:
    window, panel = _opened(open_window)
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "copy_machine", "matrices"}
    captured = parts.snapshot(window).document.captured
    assert (captured.layer, captured.head) == SECOND
    assert panel.guesses.bars[0].name == "fox"
    assert lesson_hand.done_tries(window) == []


def test_switching_the_first_head_off_is_noticed_and_undone(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    switch = panel.row.switches[FIRST]
    assert switch.isChecked()
    lesson_hand.click(switch)
    _settle(window, qtbot, lambda: _text(window).switched_off == {FIRST})
    assert not switch.isChecked()
    assert lesson_hand.done_tries(window) == ["off"]
    assert panel.guesses.bars[0].name != "fox"
    assert "L1 H1 is off" in panel.shown_text()
    # what the remark says
    weights = parts.snapshot(window).trace.weights[-1].tolist()
    assert weights.index(max(weights)) != 2
    parts.commands(window).undo()
    QApplication.processEvents()
    assert switch.isChecked()
    assert panel.guesses.bars[0].name == "fox"


def test_words_of_ones_own_that_come_again_from_afar_are_noticed(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    _type(panel, FAR)
    _settle(window, qtbot, lambda: _text(window).text == FAR)
    assert lesson_hand.done_tries(window) == ["far"]
    assert panel.guesses.bars[0].name == "fox"
    assert len(parts.snapshot(window).document.queries) == 15


@pytest.mark.parametrize(
    "text", ["red fox moon star red", "red fox jumps moon star sun apple lake river bird song"]
)
def test_near_copies_and_none_are_not(open_window, qtbot, text) -> None:
    window, panel = _opened(open_window)
    _type(panel, text)
    _settle(window, qtbot, lambda: _text(window).text == text)
    assert lesson_hand.done_tries(window) == []


def test_from_afar_with_the_first_head_off_is_not(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    lesson_hand.click(panel.row.switches[FIRST])
    _settle(window, qtbot, lambda: _text(window).switched_off == {FIRST})
    _type(panel, FAR)
    _settle(window, qtbot, lambda: _text(window).text == FAR)
    assert lesson_hand.done_tries(window) == ["off"]


def test_an_unknown_word_is_refused_and_the_document_stays(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    before = parts.snapshot(window).document
    _type(panel, "red elephant")
    _settle(window, qtbot, lambda: panel.row.field.is_refused)
    assert "“elephant”" in panel.row.status.text()
    assert parts.snapshot(window).document is before
    QTest.keyClick(panel.row.field, Qt.Key.Key_Escape)
    assert panel.row.field.text() == before.captured.captured_text.text
    assert not panel.row.field.is_refused


def test_the_measurement_is_noticed_and_gives_the_lessons_numbers(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    with qtbot.waitSignal(panel.happened, timeout=SECONDS):
        lesson_hand.click(panel.accuracy.button)
    QApplication.processEvents()
    assert lesson_hand.done_tries(window) == ["measure"]
    shown = [bar.text for bar in panel.accuracy.bars.bars]
    measured = measure_heads(SEQUENCES, 0)
    assert shown == [
        format_number(part) for part in (measured.both_on, measured.first_off, measured.second_off)
    ]
    lesson_hand.guess(window, 2)
    text = lesson_hand.lesson_text(window)
    for number in shown:
        assert number in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_its_sentences_quote_the_models_numbers(open_window, language) -> None:
    window, panel = _opened(open_window, language=language)
    text = lesson_hand.lesson_text(window)
    assert format_number(_text(window).next_tokens[0].probability) in text
    assert format_number(panel.looks[0].look.words[2].weight) in text
    assert format_number(panel.looks[1].look.words[1].weight) in text


def test_a_click_on_a_card_makes_its_head_the_document(open_window) -> None:
    window, panel = _opened(open_window)
    lesson_hand.click(panel.looks[1])
    captured = parts.snapshot(window).document.captured
    assert (captured.layer, captured.head) == FIRST
    assert [look.isChecked() for look in panel.looks] == [False, True, True]


def test_another_lesson_leaves_words_and_a_way_back(open_window, qtbot) -> None:
    window, panel = _opened(open_window)
    parts.commands(window).open_lesson(7)
    window.docks["copy_machine"].show()
    QApplication.processEvents()
    assert "Lesson 14" in panel.shown_text()
    lesson_hand.click(panel.open_button)
    _settle(window, qtbot, lambda: parts.snapshot(window).document.captured is not None)
    assert _text(window).next_tokens[0].label == "fox"


def test_closing_the_window_in_the_middle_of_a_measurement_is_clean(open_window) -> None:
    window, panel = _opened(open_window)
    lesson_hand.click(panel.accuracy.button)
    window.close()
    assert not panel.accuracy.is_measuring
