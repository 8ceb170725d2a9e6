"""The Lessons panel: the list, and below it the open lesson."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from qkviz.document.session import Snapshot
from qkviz.presenters.lesson import LessonContent, LessonListContent
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.panels.lesson_button import LessonButton
from qkviz.ui.panels.lesson_view import LessonView
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import LIGHT, Theme


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
        self._theme = LIGHT
        self._list_content: LessonListContent | None = None
        self._content: LessonContent | None = None
        self._entries: list[LessonButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self.lesson_chosen)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(10, 4, 8, 12)
        self._column.setSpacing(2)
        self._summary = RunsView(body)
        self._lesson = LessonView(body)
        self._lesson.chosen.connect(self._guess)
        self._lesson.restore_asked.connect(self.restore_asked)
        self._lesson.neighbour_asked.connect(self.lesson_chosen)
        self._lesson.document_asked.connect(self._ask_document)
        self._summary.setContentsMargins(9, 2, 0, 0)
        self._column.addWidget(self._summary)
        self._column.addSpacing(10)
        self._column.addWidget(self._lesson)
        self._column.addStretch(1)
        self._scroll = QuietScrollArea(self)
        self._scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.addWidget(self._scroll)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Do nothing: what is shown depends on the progress as well, so `show_lessons` brings it."""

    def show_lessons(self, lessons: LessonListContent, lesson: LessonContent | None) -> None:
        """Draw the list and the open lesson, if there is one. Emits nothing; no change costs nothing."""
        if lessons != self._list_content:
            self._list_content = lessons
            self._show_list(lessons)
        if lesson != self._content:
            if self._content is None or lesson is None or lesson.number != self._content.number:
                self._scroll.verticalScrollBar().setValue(0)  # another lesson begins at its beginning
            self._content = lesson
            self._lesson.setVisible(lesson is not None)
            if lesson is not None:
                self._lesson.show_lesson(lesson)

    def retranslate(self) -> None:
        """Set the fixed texts anew; the contents come with the next `show_lessons`."""
        self.setAccessibleName(_("Lessons"))
        self._lesson.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._summary.restyle(theme)
        self._lesson.restyle(theme)
        for entry in self._entries:
            entry.restyle(theme)

    def _show_list(self, lessons: LessonListContent) -> None:
        while len(self._entries) > len(lessons.entries):
            entry = self._entries.pop()
            self._group.removeButton(entry)
            self._column.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        while len(self._entries) < len(lessons.entries):
            entry = LessonButton()
            entry.restyle(self._theme)
            self._group.addButton(entry)
            self._column.insertWidget(len(self._entries), entry)
            self._entries.append(entry)
        for button, content in zip(self._entries, lessons.entries, strict=True):
            self._group.setId(button, content.number)
            button.show_entry(content)
        empty = _("There is no lesson here.")
        text = lessons.summary if lessons.entries else empty
        self._summary.show_paragraphs([Paragraph((Run(text, "muted"),), 0.9)])

    def _ask_document(self, name: str) -> None:
        if self._content is not None:
            self.document_asked.emit(self._content.number, name)

    def _guess(self, choice: int) -> None:
        if self._content is not None:
            self.guessed.emit(self._content.number, choice)
