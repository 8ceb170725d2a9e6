"""Lesson 9 by hand: the guess, two samples, the toolbar; and drags while a sample is drawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.document.document import Role
from qkviz.document.edits import MoveVector
from qkviz.presenters.plane import plane_of
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.scaling_panel import ScalingPanel
from tests.ui import lesson_hand, parts

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

OpenWindow = Callable[..., MainWindow]
SECONDS = 20_000


def _opened(open_window: OpenWindow, qtbot: QtBot, **how: str) -> tuple[MainWindow, ScalingPanel]:
    window = open_window(9, **how)
    panel = window.panels["scaling"]
    assert isinstance(panel, ScalingPanel)
    qtbot.waitUntil(lambda: panel.sample is not None, timeout=SECONDS)
    QApplication.processEvents()
    return window, panel


def test_it_opens_with_its_panels_and_a_sample_that_does_nothing_for_the_tries(open_window, qtbot) -> None:
    window, panel = _opened(open_window, qtbot)
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "scaling", "steps", "row"}
    assert panel.sample.pairs == 1000
    assert lesson_hand.done_tries(window) == []


@pytest.mark.parametrize(("pairs", "ticks"), [("100", ["few"]), ("10\u202f000", ["many"])])
@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_sample_of_the_right_size_is_noticed(open_window, qtbot, pairs, ticks, by) -> None:
    window, panel = _opened(open_window, qtbot)
    button = lesson_hand.button(panel, f"Sample {pairs} pairs")
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        if by == "mouse":
            lesson_hand.click(button)
        else:
            button.setFocus(Qt.FocusReason.TabFocusReason)
            QTest.keyClick(button, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert lesson_hand.done_tries(window) == ticks


def test_another_seed_of_a_thousand_pairs_is_neither(open_window, qtbot) -> None:
    window, panel = _opened(open_window, qtbot)
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        lesson_hand.click(panel.seed_row.next_button)
    QApplication.processEvents()
    assert lesson_hand.done_tries(window) == []


def test_choosing_the_dot_product_in_the_toolbar_is_noticed(open_window, qtbot) -> None:
    window, _panel = _opened(open_window, qtbot)
    before = parts.snapshot(window).trace.weights[0, 1].item()
    lesson_hand.choose_score(window, "dot product")
    after = parts.snapshot(window).trace.weights[0, 1].item()
    assert lesson_hand.done_tries(window) == ["undivided"]
    numbers = parts.commands(window).course.current.fixed_numbers
    assert (numbers["weight"], numbers["undivided"]) == pytest.approx((before, after))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_agrees_with_what_the_charts_show_at_64(open_window, qtbot, language) -> None:
    """Other vectors than those of the charts, so close and not the same."""
    window, panel = _opened(open_window, qtbot, language=language)
    lesson_hand.guess(window, 2)
    numbers = parts.commands(window).course.current.fixed_numbers
    text = lesson_hand.lesson_text(window)
    for name in ("undivided_largest", "largest", "undivided_deviation", "deviation", "gradient"):
        assert f"{numbers[name]:.2f}" in text
    assert "625" in text
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        lesson_hand.click(lesson_hand.button(panel, "10\u202f000"))
    assert panel.sample.pairs == 10_000
    at = 6  # d_k = 64
    assert numbers["undivided_largest"] == pytest.approx(panel.sample.unscaled.largest[at].item(), abs=0.03)
    assert numbers["largest"] == pytest.approx(panel.sample.scaled.largest[at].item(), abs=0.02)
    assert numbers["undivided_deviation"] ** 2 == pytest.approx(panel.sample.variance[at].item(), rel=0.1)
    assert numbers["undivided_gradient"] == pytest.approx(panel.sample.unscaled.gradient[at].item(), abs=0.02)


def test_closing_the_window_in_the_middle_of_a_sampling_is_clean(open_window, qtbot) -> None:
    window, panel = _opened(open_window, qtbot)
    lesson_hand.click(lesson_hand.button(panel, "Sample 100\u202f000 pairs"))
    window.close()
    assert not panel.is_sampling


def test_a_lesson_opened_while_the_worker_of_this_one_runs(open_window, qtbot) -> None:
    window, panel = _opened(open_window, qtbot)
    lesson_hand.click(lesson_hand.button(panel, "Sample 100\u202f000 pairs"))
    parts.commands(window).open_lesson(5)
    QApplication.processEvents()
    assert not panel.is_sampling
    parts.commands(window).open_lesson(9)
    QApplication.processEvents()
    assert panel.isVisible()
    assert panel.sample.pairs == 1000


def test_the_hand_goes_on_while_a_sample_is_drawn(open_window, qtbot) -> None:
    window, panel = _opened(open_window, qtbot)
    lesson_hand.click(lesson_hand.button(panel, "Sample 100\u202f000 pairs"))
    plane = plane_of(parts.snapshot(window))
    seen = []
    for move in range(40):
        parts.apply(window, MoveVector(Role.QUERY, 0, plane, 0.1 * move, -0.05 * move, gesture=1))
        seen.append(parts.snapshot(window).trace.scores[0, 0].item())
        if not panel.is_sampling:
            break
    assert len(set(seen)) >= 5  # dozens on a free machine
    panel.stop()
