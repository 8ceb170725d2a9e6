"""Lesson 12 by hand: every try by mouse or keys, noticed when it is done and not before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qkviz.attention.normalizers import Softmax
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.normalizers_panel import NormalizersPanel
from tests.ui import lesson_hand, mouse, parts
from tests.ui.lesson_hand import done_tries as done
from tests.ui.lesson_hand import remark

OpenWindow = Callable[..., MainWindow]

NEGATIVE, ALONE, TIE, COLD = "negative", "alone", "tie", "cold"


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(12)


def panel(window: MainWindow) -> NormalizersPanel:
    found = window.panels["normalizers"]
    assert isinstance(found, NormalizersPanel)
    return found


def drag(window: MainWindow, key: int, score: float, keys: Qt.KeyboardModifier = mouse.NO_KEYS) -> None:
    bars = panel(window).bars
    mouse.drag(bars, bars.end_of(key), QPointF(bars.end_of(key).x(), bars.axis().y(score)), keys)


def test_nothing_is_done_at_first_and_the_row_is_that_of_the_check_value(window: MainWindow) -> None:
    assert done(window) == []
    content = panel(window).cards[3].content
    assert content is not None
    assert content.weights.tolist() == pytest.approx([0.6, 0.4, 0.0, 0.0], abs=1e-12)


def test_a_negative_score_keeps_weight_under_softmax(window: MainWindow) -> None:
    drag(window, 3, -1.8)
    assert done(window) == []
    drag(window, 3, -2.0, Qt.KeyboardModifier.ShiftModifier)
    assert done(window) == [NEGATIVE]
    assert "softmax gives it 0.022, and sparsemax 0.000" in remark(window, NEGATIVE)


def test_a_lead_of_one_leaves_sparsemax_one_word(window: MainWindow) -> None:
    drag(window, 0, 1.6)
    assert done(window) == []
    drag(window, 0, 1.9)
    assert done(window) == [ALONE]


def test_a_tie_is_shared_and_can_be_made_by_keys(window: MainWindow) -> None:
    bars = panel(window).bars
    mouse.click(bars, bars.end_of(1))
    QTest.keyClick(bars, Qt.Key.Key_Up)
    assert done(window) == []
    QTest.keyClick(bars, Qt.Key.Key_Up)
    QApplication.processEvents()
    assert done(window) == [TIE]
    content = panel(window).cards[4].content
    assert content is not None
    assert content.weights.tolist() == [0.5, 0.5, 0.0, 0.0]


def test_a_low_temperature_sharpens(window: MainWindow) -> None:
    slider = panel(window).slider
    mouse.drag(slider, slider.handle(), slider.place_of(0.2))
    assert done(window) == []
    mouse.drag(slider, slider.handle(), slider.place_of(0.05))
    assert done(window) == [COLD]
    normalizer = parts.snapshot(window).document.options.normalizer
    assert isinstance(normalizer, Softmax)
    assert normalizer.temperature == pytest.approx(0.05, rel=0.2)


def test_a_large_score_alone_is_no_low_temperature(window: MainWindow) -> None:
    for _time in range(4):
        drag(window, 0, panel(window).bars.axis().limit)
        drag(window, 0, 1.15 * panel(window).bars.axis().limit)
    assert parts.snapshot(window).trace.weights.max() > 0.9
    assert COLD not in done(window)


def test_after_the_guess_the_answer_is_that_of_softmax(window: MainWindow) -> None:
    lesson_hand.guess(window, 2)
    assert "0.022. A negative score means" in lesson_hand.lesson_text(window)


def test_in_the_middle_of_a_drag_the_language_changes_whole(window: MainWindow) -> None:
    bars = panel(window).bars
    mouse.press(bars, bars.end_of(3))
    mouse.move(bars, bars.end_of(3), bars.end_of(3) + QPointF(0, 40))
    window.appearance.toggle_language()
    mouse.release(bars, bars.end_of(3))
    assert panel(window).shown_text().startswith("查询 1“它”的分数")
    assert panel(window).cards[4].content is not None
    assert parts.snapshot(window).document.keys == ("猫", "狗", "垫子", "的")


def test_the_bars_can_be_used_in_a_small_window(window: MainWindow) -> None:
    window.resize(1280, 720)
    QApplication.processEvents()
    axis = panel(window).bars.axis()
    assert abs(axis.y(1.0) - axis.y(0.0)) > 30
    assert all(card.width() >= 100 and card.plot().height() > 40 for card in panel(window).cards)
