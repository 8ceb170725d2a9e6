"""The open lesson: its story, the question to guess first, and what to try by hand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.lesson import LessonContent
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.choice_buttons import ChoiceButtons
from qkviz.ui.panels.lesson_documents import LessonDocuments
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.try_row import TryRow
from qkviz.ui.theme import LIGHT, Theme


class LessonView(QWidget):
    """Shows one lesson: story, question, tries.

    Signals
    -------
    chosen
        The user answered, by the index of the choice.
    restore_asked
        The user wants the lesson's document as it was at the start.
    neighbour_asked
        The user wants the lesson of this number.
    document_asked
        The user wants the document of this name, of those that the lesson has.
    """

    chosen = Signal(int)
    restore_asked = Signal()
    neighbour_asked = Signal(int)
    document_asked = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._content: LessonContent | None = None
        self._tries: list[TryRow] = []
        self._away = RunsView(self)
        self._title = RunsView(self)
        self._story = RunsView(self)
        self._documents = LessonDocuments(self)
        self._documents.asked.connect(self.document_asked)
        self._question = RunsView(self)
        self._choices = ChoiceButtons(self)
        self._choices.chosen.connect(self.chosen)
        self._answer = RunsView(self)
        self._tries_title = RunsView(self)
        self._restore = QuietButton(self)
        self._restore.clicked.connect(self.restore_asked)
        self._previous, self._next = QuietButton(self), QuietButton(self)
        for button in (self._previous, self._next):
            button.setMinimumWidth(60)  # in a narrow dock the words give way, not the dock
        self._previous.clicked.connect(self._ask_previous)
        self._next.clicked.connect(self._ask_next)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 0, 4, 0)
        self._column.setSpacing(12)
        self._column.addWidget(self._away)
        self._column.addWidget(self._title)
        self._column.addWidget(self._story)
        self._column.addWidget(self._question_card())
        self._column.addWidget(self._documents)
        self._column.addWidget(self._tries_title)
        self._column.addLayout(self._foot())
        self.hide()

    def show_lesson(self, content: LessonContent) -> None:
        """Draw ``content``."""
        self._content = content
        self._away.setVisible(content.is_away)
        self._away.show_paragraphs(
            [Paragraph((Run(content.away_note, "strong"),))] if content.is_away else []
        )
        story = [Paragraph(runs_of(paragraph), gap=7) for paragraph in content.paragraphs]
        self._title.show_paragraphs([Paragraph((Run(content.title, "strong"),), 1.1)])
        self._story.show_paragraphs(story)
        self._question.show_paragraphs(
            [Paragraph((Run(content.question_title, "strong"),)), Paragraph(runs_of(content.question), gap=5)]
        )
        self._choices.show_choices(content.choices)
        self._documents.show_documents(content.documents_title, content.documents)
        self._answer.show_paragraphs(_answer_paragraphs(content))
        self._show_tries(content)
        self._previous.setVisible(content.previous_number is not None)
        self._next.setVisible(content.next_number is not None)

    def show_title(self, shown: bool) -> None:
        """Show the title above the story, or leave it to what stands above this lesson."""
        self._title.setVisible(shown)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._restore.setText(_("Restore lesson"))
        self._restore.setToolTip(_("Set this lesson back to its start"))
        self._restore.setAccessibleName(_("Restore lesson"))
        self._previous.setText(_("← Previous"))
        self._previous.setToolTip(_("Previous lesson"))
        self._previous.setAccessibleName(_("Previous lesson"))
        self._next.setText(_("Next →"))
        self._next.setToolTip(_("Next lesson"))
        self._next.setAccessibleName(_("Next lesson"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for text in (self._away, self._title, self._story, self._question, self._answer, self._tries_title):
            text.restyle(theme)
        self._choices.restyle(theme)
        self._documents.restyle(theme)
        for row in self._tries:
            row.restyle(theme)

    def _question_card(self) -> QFrame:
        card = QFrame(self)
        card.setProperty("kind", "note")
        column = QVBoxLayout(card)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(10)
        column.addWidget(self._question)
        column.addWidget(self._choices)
        column.addWidget(self._answer)
        return card

    def _foot(self) -> QVBoxLayout:
        """Return the buttons at the end, in two rows: side by side they are wider than a narrow dock."""
        arrows = QHBoxLayout()
        arrows.addWidget(self._previous)
        arrows.addStretch(1)
        arrows.addWidget(self._next)
        foot = QVBoxLayout()
        foot.setSpacing(2)
        foot.addWidget(self._restore, 0, Qt.AlignmentFlag.AlignLeft)
        foot.addLayout(arrows)
        return foot

    def _show_tries(self, content: LessonContent) -> None:
        while len(self._tries) > len(content.tries):
            row = self._tries.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self._tries) < len(content.tries):
            row = TryRow(self)
            row.restyle(self._theme)
            self._column.insertWidget(self._column.indexOf(self._tries_title) + 1 + len(self._tries), row)
            self._tries.append(row)
        for row, one in zip(self._tries, content.tries, strict=True):
            row.show_try(one)
        self._tries_title.setVisible(bool(content.tries))
        self._tries_title.show_paragraphs([Paragraph((Run(content.tries_title, "strong"),))])

    def _ask_previous(self) -> None:
        if self._content is not None and self._content.previous_number is not None:
            self.neighbour_asked.emit(self._content.previous_number)

    def _ask_next(self) -> None:
        if self._content is not None and self._content.next_number is not None:
            self.neighbour_asked.emit(self._content.next_number)


def _answer_paragraphs(content: LessonContent) -> list[Paragraph]:
    """Return the hint before the guess, verdict and answer after it."""
    if content.verdict is None:
        return [Paragraph((Run(content.hint, "muted"),), 0.9)]
    answer = [Paragraph((Run(content.verdict, "strong"),))]
    if content.feedback:
        answer.append(Paragraph(runs_of(content.feedback), gap=4))
    return answer
