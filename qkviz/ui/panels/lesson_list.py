"""The list of lessons, folded to the line of the open one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from qkviz.presenters.lesson import LessonListContent, LessonState
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.lesson_button import LessonButton
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import LIGHT, Theme


class LessonList(QWidget):
    """A switch ``All lessons ▾`` and the lessons below it: all of them, or the open one alone.

    Without an open lesson all are shown: there is no line to fold to.

    Signals
    -------
    lesson_chosen
        The user opened the lesson of this number.
    folded
        The list was folded (True) or unfolded, by hand or by the program.
    """

    lesson_chosen = Signal(int)
    folded = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._content: LessonListContent | None = None
        self._is_folded = False
        self._entries: list[LessonButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self._choose)
        self.switch = QuietButton(self)
        self.switch.clicked.connect(self._toggle)
        self._summary = RunsView(self)
        self._summary.setContentsMargins(9, 2, 0, 0)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self._summary)
        self.retranslate()

    def show_list(self, lessons: LessonListContent) -> None:
        """Draw the list. Emits nothing; no change costs nothing."""
        if lessons == self._content:
            return
        self._content = lessons
        while len(self._entries) > len(lessons.entries):
            entry = self._entries.pop()
            self._group.removeButton(entry)
            self._column.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        while len(self._entries) < len(lessons.entries):
            entry = LessonButton(self)
            entry.restyle(self._theme)
            self._group.addButton(entry)
            self._column.insertWidget(self._column.count() - 1, entry)
            QWidget.setTabOrder(self._entries[-1] if self._entries else self.switch, entry)
            self._entries.append(entry)
        for button, content in zip(self._entries, lessons.entries, strict=True):
            self._group.setId(button, content.number)
            button.show_entry(content)
        empty = _("There is no lesson here.")
        text = lessons.summary if lessons.entries else empty
        self._summary.show_paragraphs([Paragraph((Run(text, "muted"),), 0.9)])
        self._show_entries()

    def fold(self, folded: bool) -> None:
        """Show the open lesson alone, or all lessons."""
        if folded is not self._is_folded:
            self._is_folded = folded
            self._show_entries()
            self.retranslate()
            self.folded.emit(folded)

    def retranslate(self) -> None:
        """Set the fixed texts anew; the contents come with the next `show_list`."""
        self.switch.setText(_("All lessons") + (" ▾" if self._is_folded else " ▴"))
        says = _("Show all lessons") if self._is_folded else _("Show only the open lesson")
        self.switch.setToolTip(says)
        self.switch.setAccessibleName(says)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._summary.restyle(theme)
        for entry in self._entries:
            entry.restyle(theme)

    def _show_entries(self) -> None:
        entries = self._content.entries if self._content is not None else ()
        has_open = any(one.state is LessonState.CURRENT for one in entries)
        self.switch.setVisible(has_open)
        self._summary.setVisible(not (self._is_folded and has_open))
        for button, content in zip(self._entries, entries, strict=True):
            shown = not (self._is_folded and has_open) or content.state is LessonState.CURRENT
            if not shown and button.hasFocus():
                self.switch.setFocus(Qt.FocusReason.OtherFocusReason)  # else Qt takes whatever comes next
            button.setVisible(shown)

    def _toggle(self) -> None:
        self.fold(not self._is_folded)

    def _choose(self, number: int) -> None:
        if self._is_folded:
            self.fold(False)  # the line stands for the list, and the lesson is open already
        else:
            self.lesson_chosen.emit(number)
