"""The Lessons panel: a click opens, a guess is answered, and all of it fits into a narrow dock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from qkviz.presenters.lesson import (
    ChoiceContent,
    LessonContent,
    LessonEntry,
    LessonListContent,
    LessonState,
    TryContent,
)
from qkviz.ui.panels.lesson_button import LessonButton
from qkviz.ui.panels.lessons_panel import LessonsPanel
from qkviz.ui.panels.runs_view import RunsView
from qkviz.ui.panels.try_row import TryRow
from qkviz.ui.panels.wrapping_button import WrappingButton
from qkviz.ui.theme import LIGHT, apply_theme

LEFT = Qt.MouseButton.LeftButton

LESSONS = LessonListContent(
    (
        LessonEntry(1, "01-dot", "Dot product", LessonState.DONE, True),
        LessonEntry(7, "07-steps", "From embedding to relation in five steps", LessonState.CURRENT, False),
        LessonEntry(8, "08-cross", "m queries × n keys", LessonState.OPEN, False),
    ),
    "1 of 3 lessons done",
)

LESSON = LessonContent(
    number=7,
    id="07-steps",
    title="From embedding to relation in five steps",
    paragraphs=("A word becomes <b>numbers</b>.", "Numbers become a question and a label."),
    question_title="Guess first",
    question="Will the weight become 0?",
    choices=(ChoiceContent("yes", "Yes", False, None), ChoiceContent("no", "No", False, None)),
    hint="Guess, then check it by hand.",
    chosen=None,
    verdict=None,
    feedback=None,
    tries_title="Try it by hand",
    tries=(TryContent("a", "Turn q", False, None), TryContent("b", "Stretch k", True, "It doubled.")),
    is_away=False,
    away_note="Another document is open.",
    previous_number=1,
    next_number=8,
)

GUESSED = replace(
    LESSON,
    choices=(ChoiceContent("yes", "Yes", True, False), ChoiceContent("no", "No", False, True)),
    chosen="yes",
    verdict="Not quite.",
    feedback="Softmax never gives 0.",
)


@pytest.fixture
def panel(qtbot: QtBot) -> LessonsPanel:
    shown = LessonsPanel()
    qtbot.addWidget(shown)
    shown.resize(260, 900)
    shown.show()
    shown.show_lessons(LESSONS, LESSON)
    QApplication.processEvents()
    return shown


def _button(panel: QWidget, name: str) -> QAbstractButton:
    found = [
        one for one in panel.findChildren(QAbstractButton) if one.accessibleName() == name and one.isVisible()
    ]
    assert len(found) == 1, [one.accessibleName() for one in panel.findChildren(QAbstractButton)]
    return found[0]


def _unfold(panel: QWidget) -> None:
    QTest.mouseClick(_button(panel, "Show all lessons"), LEFT)
    QApplication.processEvents()


def _titles(panel: QWidget) -> list[str]:
    """Return the lines of the list that are in sight."""
    return [one.text() for one in panel.findChildren(LessonButton) if one.isVisible()]


def _text(panel: QWidget) -> str:
    return "\n".join(view.text() for view in panel.findChildren(RunsView) if view.isVisible())


def test_a_click_on_an_entry_asks_for_that_lesson(panel, qtbot):
    _unfold(panel)
    with qtbot.waitSignal(panel.lesson_chosen) as signal:
        QTest.mouseClick(_button(panel, "Lesson 8: m queries × n keys"), LEFT)
    assert signal.args == [8]


def test_the_list_is_folded_to_the_open_lesson_and_unfolds_and_folds_by_its_switch(panel):
    assert _titles(panel) == ["From embedding to relation in five steps"]
    assert "1 of 3 lessons done" not in _text(panel)
    _unfold(panel)
    assert _titles(panel) == ["Dot product", "From embedding to relation in five steps", "m queries × n keys"]
    assert "1 of 3 lessons done" in _text(panel)
    QTest.mouseClick(_button(panel, "Show only the open lesson"), LEFT)
    assert _titles(panel) == ["From embedding to relation in five steps"]


def test_the_line_of_the_open_lesson_unfolds_the_list_and_begins_nothing_anew(panel, qtbot):
    with qtbot.assertNotEmitted(panel.lesson_chosen):
        QTest.mouseClick(_button(panel, "Lesson 7: From embedding to relation in five steps"), LEFT)
    assert len(_titles(panel)) == 3


def test_the_title_of_the_open_lesson_is_shown_once(panel):
    title = "From embedding to relation in five steps"
    assert title not in _text(panel)
    _unfold(panel)
    assert _text(panel).count(title) == 1


def test_an_opened_lesson_folds_the_list_and_its_title_is_in_sight(panel):
    panel.resize(230, 300)
    _unfold(panel)
    bar = panel.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(bar.maximum())
    entries = tuple(
        replace(one, state=LessonState.CURRENT if one.number == 8 else LessonState.OPEN)
        for one in LESSONS.entries
    )
    title = "m queries × n keys"
    panel.show_lessons(replace(LESSONS, entries=entries), replace(LESSON, number=8, title=title))
    assert _titles(panel) == [title]
    line = _button(panel, "Lesson 8: m queries × n keys")
    assert 0 <= line.mapTo(panel, line.rect().topLeft()).y() < 100


def test_tab_goes_from_the_switch_through_every_lesson(panel):
    _unfold(panel)
    switch = _button(panel, "Show only the open lesson")
    switch.setFocus(Qt.FocusReason.TabFocusReason)
    reached = []
    for _press in range(3):
        QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        reached.append(panel.focusWidget().text())
    assert reached == _titles(panel)


def test_the_answer_to_a_guess_has_its_room_before_the_event_loop_turns(panel):
    panel.resize(230, 700)
    QApplication.processEvents()
    long = "Softmax never gives 0. " * 12
    panel.show_lessons(LESSONS, replace(GUESSED, feedback=long))
    body = panel.findChild(QScrollArea).widget()
    heights = {one: one.height() for one in body.findChildren(RunsView) if one.isVisible()}
    assert [one.text() for one, height in heights.items() if height < one.heightForWidth(one.width())] == []
    QApplication.processEvents()
    assert {one: one.height() for one in heights} == heights


def test_the_buttons_at_the_end_have_words(panel):
    assert _button(panel, "Previous lesson").text() == "← Previous"
    assert _button(panel, "Next lesson").text() == "Next →"


def test_a_finished_lesson_says_so_by_name_too(panel):
    _unfold(panel)
    assert _button(panel, "Lesson 1, done: Dot product").isVisible()


def test_a_guess_names_the_lesson_and_the_choice(panel, qtbot):
    with qtbot.waitSignal(panel.guessed) as signal:
        QTest.mouseClick(_button(panel, "No"), LEFT)
    assert signal.args == [7, 1]


def test_before_the_guess_there_is_a_hint_and_no_answer(panel):
    assert "Guess, then check it by hand." in _text(panel)
    assert "Softmax never gives 0." not in _text(panel)


def test_after_the_guess_the_answer_is_there_and_no_second_guess_is_possible(panel, qtbot):
    panel.show_lessons(LESSONS, GUESSED)
    assert "Not quite.\nSoftmax never gives 0." in _text(panel)
    right, wrong = _button(panel, "No (right)"), _button(panel, "Yes (your guess)")
    assert (right.text(), wrong.text()) == ("✓ No", "✗ Yes")
    with qtbot.assertNotEmitted(panel.guessed):
        QTest.mouseClick(right, LEFT)
        QTest.mouseClick(wrong, LEFT)


def test_tries_show_their_check_marks_and_remarks(panel):
    rows = [row for row in panel.findChildren(TryRow) if row.isVisible()]
    assert [(row.is_done(), row.text()) for row in rows] == [
        (False, "Turn q"),
        (True, "Stretch k\nIt doubled."),
    ]


def test_markup_in_a_story_is_shown_as_it_is(panel):
    assert "A word becomes <b>numbers</b>." in _text(panel)


def test_the_neighbours_are_a_click_away(panel, qtbot):
    with qtbot.waitSignal(panel.lesson_chosen) as signal:
        QTest.mouseClick(_button(panel, "Previous lesson"), LEFT)
    assert signal.args == [1]
    panel.show_lessons(LESSONS, replace(LESSON, next_number=None))
    assert not any(
        one.isVisible()
        for one in panel.findChildren(QAbstractButton)
        if one.accessibleName() == "Next lesson"
    )


def test_a_wide_dock_needs_no_scrolling_for_a_story_that_fits(panel):
    panel.resize(230, 900)
    QApplication.processEvents()
    panel.resize(700, 900)
    QApplication.processEvents()
    assert panel.findChild(QScrollArea).verticalScrollBar().maximum() == 0


def test_another_lesson_begins_at_its_beginning(panel):
    panel.resize(230, 300)
    QApplication.processEvents()
    bar = panel.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(bar.maximum())
    panel.show_lessons(LESSONS, GUESSED)
    assert bar.value() > 0
    panel.show_lessons(LESSONS, replace(LESSON, number=8))
    assert bar.value() == 0


def test_restoring_is_asked_for(panel, qtbot):
    with qtbot.waitSignal(panel.restore_asked):
        QTest.mouseClick(_button(panel, "Restore lesson"), LEFT)


def test_away_from_the_lesson_the_way_back_is_told(panel):
    assert "Another document is open." not in _text(panel)
    panel.show_lessons(LESSONS, replace(LESSON, is_away=True))
    assert "Another document is open." in _text(panel)


def test_showing_lessons_emits_nothing(panel, qtbot):
    with (
        qtbot.assertNotEmitted(panel.lesson_chosen),
        qtbot.assertNotEmitted(panel.guessed),
        qtbot.assertNotEmitted(panel.restore_asked),
    ):
        panel.show_lessons(LESSONS, GUESSED)
        panel.show_lessons(LessonListContent(LESSONS.entries[:1], "1 of 1 lessons done"), None)
        panel.show_lessons(LESSONS, LESSON)


def test_other_lessons_with_more_and_fewer_parts_replace_the_shown_ones(panel):
    three = tuple(ChoiceContent(name, name, False, None) for name in ("grows", "shrinks", "stays"))
    panel.show_lessons(LESSONS, replace(LESSON, choices=three, tries=()))
    assert [one.text() for one in panel.findChildren(WrappingButton) if one.isVisible()] == [
        "grows",
        "shrinks",
        "stays",
    ]
    assert "Try it by hand" not in _text(panel)
    panel.show_lessons(LESSONS, LESSON)
    QApplication.processEvents()
    assert [one.text() for one in panel.findChildren(WrappingButton) if one.isVisible()] == ["Yes", "No"]
    assert sum(row.isVisible() for row in panel.findChildren(TryRow)) == 2


def test_without_an_open_lesson_the_list_stays(panel):
    panel.show_lessons(LESSONS, None)
    assert sum(one.isVisible() for one in panel.findChildren(LessonButton)) == 3
    assert "Guess first" not in _text(panel)


def test_no_lessons_at_all_is_said(panel):
    panel.show_lessons(LessonListContent((), ""), None)
    assert "There is no lesson here." in _text(panel)


@pytest.mark.parametrize("width", [185, 230, 320])
def test_in_a_narrow_low_dock_everything_can_be_scrolled_to_and_nothing_sticks_out(panel, width):
    apply_theme(QApplication.instance(), LIGHT)  # the program's own font and margins
    _unfold(panel)
    long = tuple(
        ChoiceContent(str(n), "It becomes smaller, but never exactly zero, whatever happens", False, None)
        for n in (1, 2)
    )
    panel.show_lessons(LESSONS, replace(LESSON, choices=long))
    panel.resize(width, 300)
    QApplication.processEvents()
    scroll = panel.findChild(QScrollArea)
    body = scroll.widget()
    assert body.width() <= scroll.viewport().width()
    assert scroll.verticalScrollBar().maximum() == body.height() - scroll.viewport().height() > 0
    for part in [
        *body.findChildren(RunsView),
        *body.findChildren(WrappingButton),
        *body.findChildren(LessonButton),
    ]:
        if part.isVisible():
            right = part.mapTo(body, part.rect().topRight()).x()
            assert right < body.width()
            assert part.height() >= part.heightForWidth(part.width())


def test_a_focused_entry_leaves_the_arrow_keys_and_opens_by_space(panel, qtbot):
    _unfold(panel)
    entry = _button(panel, "Lesson 8: m queries × n keys")
    entry.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(entry, Qt.Key.Key_Down)
    assert entry.hasFocus()
    with qtbot.waitSignal(panel.lesson_chosen) as signal:
        QTest.keyClick(entry, Qt.Key.Key_Space)
    assert signal.args == [8]


def test_every_widget_that_takes_focus_has_a_name(panel):
    nameless = [
        one
        for one in panel.findChildren(QWidget)
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus and one.isVisible() and not one.accessibleName()
    ]
    assert nameless == []
