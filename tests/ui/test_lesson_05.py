"""Lesson 5 by hand: the guess, the slider, the times, the toolbar."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.score_functions_panel import ScoreFunctionsPanel
from tests.ui import lesson_hand, mouse, parts

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

OpenWindow = Callable[..., MainWindow]


def _panel(window: MainWindow) -> ScoreFunctionsPanel:
    panel = window.panels["score_functions"]
    assert isinstance(panel, ScoreFunctionsPanel)
    return panel


def test_it_opens_with_its_panels_and_nothing_done(open_window: OpenWindow) -> None:
    window = open_window(5)
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "score_functions", "steps", "row"}
    assert lesson_hand.done_tries(window) == []


def test_dragging_the_slider_to_the_right_is_noticed(open_window: OpenWindow) -> None:
    window = open_window(5)
    slider = _panel(window).slider.slider
    y = slider.height() / 2
    mouse.drag(slider, QPointF(slider.width() / 3, y), QPointF(slider.width() * 0.7, y))  # 128 at most
    assert lesson_hand.done_tries(window) == []
    mouse.drag(slider, QPointF(slider.width() * 0.7, y), QPointF(slider.width() + 9, y))
    assert lesson_hand.done_tries(window) == ["wide"]
    assert _panel(window).contents[1].largest > 0.9


def test_the_slider_by_keys_is_noticed_too(open_window: OpenWindow) -> None:
    window = open_window(5)
    slider = _panel(window).slider.slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_End)
    QApplication.processEvents()
    assert lesson_hand.done_tries(window) == ["wide"]


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_measured_times_are_noticed(open_window: OpenWindow, qtbot: QtBot, by: str) -> None:
    window = open_window(5)
    times = _panel(window).times
    with qtbot.waitSignal(times.measured, timeout=40_000):
        if by == "mouse":
            lesson_hand.click(times.measure_button)
        else:
            times.measure_button.setFocus(Qt.FocusReason.TabFocusReason)
            QTest.keyClick(times.measure_button, Qt.Key.Key_Space)
    assert lesson_hand.done_tries(window) == ["times"]


def test_choosing_the_dot_product_in_the_toolbar_is_noticed(open_window: OpenWindow) -> None:
    window = open_window(5)
    before = parts.snapshot(window).trace.weights[0, 2].item()
    lesson_hand.choose_score(window, "dot product")
    after = parts.snapshot(window).trace.weights[0, 2].item()
    assert lesson_hand.done_tries(window) == ["undivided"]
    numbers = parts.commands(window).course.current.fixed_numbers
    assert (numbers["weight"], numbers["undivided"]) == pytest.approx((before, after))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_quotes_what_the_panel_shows(open_window: OpenWindow, language: str) -> None:
    window = open_window(5, language=language)
    panel = _panel(window)
    lesson_hand.guess(window, 1)
    text = lesson_hand.lesson_text(window)
    before = panel.contents
    slider = panel.slider.slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_End)
    after = panel.contents
    for number in (
        before[1].largest, after[1].largest, before[1].deviation, after[1].deviation,
        after[2].largest, after[0].largest,
    ):  # fmt: skip
        assert f"{number:.2f}" in text


def test_closing_the_window_in_the_middle_of_a_measurement_is_clean(open_window: OpenWindow) -> None:
    window = open_window(5)
    lesson_hand.click(_panel(window).times.measure_button)
    window.close()
    assert not _panel(window).times.is_measuring


def test_going_to_another_lesson_ends_the_measurement(open_window: OpenWindow) -> None:
    window = open_window(5)
    panel = _panel(window)
    lesson_hand.click(panel.times.measure_button)
    parts.commands(window).open_lesson(9)
    QApplication.processEvents()
    assert not panel.times.is_measuring
    assert window.docks["scaling"].isVisible()
