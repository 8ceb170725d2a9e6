"""What holds in every lesson: it opens over a running worker, speaks both languages, and can be restored."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from qkviz.lessons.library import load_lessons
from qkviz.presenters.lesson import present_lesson
from qkviz.translate import use_language
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.diagonal_panel import DiagonalPanel
from qkviz.ui.panels.scaling_panel import ScalingPanel
from qkviz.ui.panels.score_functions_panel import ScoreFunctionsPanel
from tests.ui.conftest import OpenWindow
from tests.ui.lesson_hand import button
from tests.ui.parts import commands, snapshot

NUMBERS = tuple(lesson.number for lesson in load_lessons())


def start_worker(window: MainWindow) -> None:
    """Start what the open lesson computes in the background, if it computes something."""
    for panel in window.panels.values():
        if isinstance(panel, DiagonalPanel):
            panel.draw_button.click()
        elif isinstance(panel, ScoreFunctionsPanel):
            button(panel, "Measure times").click()
        elif isinstance(panel, ScalingPanel):
            button(panel, "+1").click()


@pytest.mark.parametrize("worker", [5, 6, 9])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_opens_while_a_worker_of_another_runs(
    open_window: OpenWindow, number: int, worker: int
) -> None:
    window = open_window(worker)
    start_worker(window)
    commands(window).open_lesson(number)
    QApplication.processEvents()
    shown = snapshot(window)
    assert commands(window).course.current.number == number
    assert shown.document.lesson is not None
    assert shown.document.lesson.startswith(f"{number:02}-")
    for name in commands(window).course.current.panels:
        assert window.docks[name].isVisible(), name


@pytest.mark.parametrize("number", NUMBERS)
def test_the_language_changes_in_the_middle_of_a_lesson(open_window: OpenWindow, number: int) -> None:
    window = open_window(number)
    start_worker(window)
    commands(window).course.guess(number, 0)
    commands(window).show_lessons()
    window.appearance.toggle_language()
    QApplication.processEvents()
    course = commands(window).course
    content = present_lesson(course.current, snapshot(window), course.progress, course.lessons)
    assert content.feedback is not None
    assert any("一" <= character <= "鿿" for character in content.feedback)
    window.appearance.toggle_language()
    QApplication.processEvents()
    use_language("en")
    content = present_lesson(course.current, snapshot(window), course.progress, course.lessons)
    assert content.feedback is not None
    assert not any("一" <= character <= "鿿" for character in content.feedback + content.title)


@pytest.mark.parametrize("number", NUMBERS)
def test_restore_brings_a_lesson_back_after_free_exploration(open_window: OpenWindow, number: int) -> None:
    window = open_window(number)
    first = snapshot(window)
    commands(window).open_lesson(NUMBERS[0] if number != NUMBERS[0] else NUMBERS[1])
    commands(window).open_lesson(number)
    commands(window).restore_lesson()
    again = snapshot(window)
    assert (again.document.queries, again.document.keys) == (first.document.queries, first.document.keys)
    assert again.trace.scores.tolist() == first.trace.scores.tolist()
    assert again.focus == first.focus
