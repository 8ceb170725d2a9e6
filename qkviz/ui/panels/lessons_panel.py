"""The Lessons panel: the list, folded to the line of the open lesson, and below it that lesson."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.document.session import Snapshot
from qkviz.presenters.lesson import LessonContent, LessonListContent
from qkviz.translate import _
from qkviz.ui.panels.lesson_list import LessonList
from qkviz.ui.panels.lesson_view import LessonView
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.theme import Theme


class LessonsPanel(Panel):
    """Shows the lessons. Who owns the progress calls `show_lessons`; nothing is remembered here.

    Signals
    -------
    lesson_chosen
        The user opened the lesson of this number.
    guessed
        The user answered: number of the lesson, index of the choice.
    restore_asked
        The user wants the open lesson's document as it was at the start.
    document_asked
        The user wants another document of a lesson: its number, the name of the document.
    """

    lesson_chosen = Signal(int)
    guessed = Signal(int, int)
    restore_asked = Signal()
    document_asked = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: LessonContent | None = None
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(10, 4, 8, 12)
        column.setSpacing(10)
        self._list = LessonList(body)
        self._list.lesson_chosen.connect(self._choose)
        self._list.folded.connect(self._follow_the_list)
        self._lesson = LessonView(body)
        self._lesson.chosen.connect(self._guess)
        self._lesson.restore_asked.connect(self.restore_asked)
        self._lesson.neighbour_asked.connect(self.lesson_chosen)
        self._lesson.document_asked.connect(self._ask_document)
        column.addWidget(self._list)
        column.addWidget(self._lesson)
        column.addStretch(1)
        self._scroll = QuietScrollArea(self)
        self._scroll.setWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 4)
        whole.addWidget(self._scroll)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Do nothing: what is shown depends on the progress as well, so `show_lessons` brings it."""

    def show_lessons(self, lessons: LessonListContent, lesson: LessonContent | None) -> None:
        """Draw the list and the open lesson, if there is one. Emits nothing; no change costs nothing."""
        self._list.show_list(lessons)
        before = self._content
        if lesson == before:
            return
        self._content = lesson
        self._lesson.setVisible(lesson is not None)
        is_another = before is None or lesson is None or lesson.number != before.number
        if is_another:
            self._list.fold(lesson is not None)
        if lesson is not None:
            self._lesson.show_lesson(lesson)
        if is_another or _shape(lesson) != _shape(before):
            self._scroll.lay_out_now()  # or the answer to a guess is cut off until the event loop has turned
        if is_another:
            self._scroll.verticalScrollBar().setValue(0)  # another lesson begins at its beginning

    def retranslate(self) -> None:
        """Set the fixed texts anew; the contents come with the next `show_lessons`."""
        self.setAccessibleName(_("Lessons"))
        self._list.retranslate()
        self._lesson.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._list.restyle(theme)
        self._lesson.restyle(theme)

    def _follow_the_list(self, is_folded: bool) -> None:
        """Show the title once: the folded list is the line with the title of the open lesson."""
        self._lesson.show_title(not is_folded)
        self._scroll.lay_out_now()

    def _choose(self, number: int) -> None:
        self._list.fold(True)
        self._scroll.verticalScrollBar().setValue(0)
        self.lesson_chosen.emit(number)

    def _ask_document(self, name: str) -> None:
        if self._content is not None:
            self.document_asked.emit(self._content.number, name)

    def _guess(self, choice: int) -> None:
        if self._content is not None:
            self.guessed.emit(self._content.number, choice)


def _shape(lesson: LessonContent | None) -> tuple[object, ...]:
    """Return what decides how much of a lesson is shown; numbers that follow the hand are not in it."""
    if lesson is None:
        return ()
    return lesson.chosen, lesson.is_away, tuple(one.is_done for one in lesson.tries)
