"""The status line: refusals in red, notices not, and neither outlives what it speaks of."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton

from qkviz.attention.normalizers import Sparsemax
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import MoveVector, SetNormalizer
from qkviz.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow

NOWHERE = MoveVector(Role.QUERY, 0, Plane.of_dimensions(2), float("nan"), 0.0, None)


def test_a_refusal_goes_with_the_next_thing_that_is_done(window: MainWindow) -> None:
    assert window.commands is not None
    numbers = window.status.text
    window.commands.apply(NOWHERE)
    assert window.status.text != numbers
    window.commands.apply(SetNormalizer(Sparsemax()))
    assert "q·k" in window.status.text


def test_undo_into_another_lesson_brings_its_panels_and_says_so(window: MainWindow) -> None:
    assert window.commands is not None
    window.commands.open_lesson(2)
    assert window.docks["compare"].isVisible()
    window.commands.open_lesson(12)
    assert not window.docks["compare"].isVisible()
    window.commands.undo()
    assert window.docks["compare"].isVisible()
    assert "2" in window.status.text
    window.commands.redo()
    assert window.docks["normalizers"].isVisible()


def test_the_score_menu_is_off_exactly_where_scores_are_given(open_window: OpenWindow) -> None:
    window = open_window(1)
    assert window.commands is not None
    for lesson, is_on in ((12, False), (7, True), (12, False), (1, True)):
        window.commands.open_lesson(lesson)
        buttons = window.menus.toolbar.findChildren(QToolButton)
        button = next(one for one in buttons if one.text().startswith("Score"))
        assert button.isEnabled() is is_on, lesson
