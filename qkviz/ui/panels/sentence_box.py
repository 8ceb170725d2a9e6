"""The box with the sentence: typed into it is what a live model is asked next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.runs import Run
from qkviz.presenters.sentence_box import SentenceContent, SentenceMark
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.quiet_fields import LONGEST_TEXT, MarkedField, QuietChoice
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

PAUSE = 350
"""Milliseconds without a key after which the text is handed on."""

NUMBER_WIDTH = 78
"""Pixels of the list of texts where the text itself stands beside it: its number is seen."""


class TextChoice(QuietChoice):
    """The texts of a capture; the narrow box shows which of how many."""

    def _shown_text(self) -> str:
        if self.maximumWidth() > NUMBER_WIDTH:
            return super()._shown_text()
        return f"{self.currentIndex() + 1} / {self.count()}"


class SentenceBox(QWidget):
    """A field for the text, one for its pair, and a list where the capture has several texts.

    What arrives while the user goes on typing does not disturb the field: only another text than the one
    asked for is written into it.

    Signals
    -------
    text_typed
        Text, and the pair or None, a moment after the last key; at once with Enter.
    text_chosen
        Which text of the capture, from 0.
    model_wanted
        The user wants to type, and no model is live.
    """

    text_typed = Signal(str, object)
    text_chosen = Signal(int)
    model_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = ("", "")
        self._asked: tuple[str, str] | None = None
        self._chosen: SentenceMark | None = None
        self.choice = TextChoice(self)
        self.choice.setMinimumContentsLength(4)
        self.choice.chosen.connect(self._choose)
        self.text_field, self.pair_field = MarkedField(self), MarkedField(self)
        self._fields = (self.text_field, self.pair_field)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._hand_on)
        for field in self._fields:
            field.textEdited.connect(self._wait)
            field.returnPressed.connect(self._insist)
            field.setMaxLength(LONGEST_TEXT)
            field.selectionChanged.connect(self._keep_marked)
            field.installEventFilter(self)
        self.status = RunsView(self)
        self.model_button = QuietButton(self)
        self.model_button.clicked.connect(self.model_wanted)
        first = QHBoxLayout()
        first.setSpacing(6)
        first.addWidget(self.choice, 1)
        first.addWidget(self.text_field, 3)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self.pair_field, 1)
        second.addWidget(self.status, 1, Qt.AlignmentFlag.AlignVCenter)
        second.addWidget(self.model_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(first)
        column.addLayout(second)
        self.retranslate()

    def show_content(self, content: SentenceContent) -> None:
        """Show the text on the screen and the state of the model. Emits nothing."""
        arriving = content.text, content.pair
        if arriving != self._shown:
            self._shown = arriving
            if arriving != self._asked:  # undo, another text, another file: not the answer to what was typed
                self._pause.stop()
                self._write(arriving)
            self._asked = None
        for field in self._fields:
            field.setReadOnly(not content.can_type)
        is_told_by_choice = bool(content.texts) and not content.can_type
        self.text_field.setVisible(not is_told_by_choice)
        self.pair_field.setVisible(content.has_pair and not is_told_by_choice)
        self.choice.setVisible(bool(content.texts))
        self.choice.setMaximumWidth(16_777_215 if is_told_by_choice else NUMBER_WIDTH)
        self.choice.show_choices(content.texts, content.chosen, "")
        texts = self.choice.view()  # as wide as they are, also under a narrow list
        texts.setMinimumWidth(texts.sizeHintForColumn(0) + 24 if content.texts else 0)
        self.model_button.setVisible(not content.can_type)
        self._mark(content.problem)
        self._show_status(content)

    def show_mark(self, mark: SentenceMark | None) -> None:
        """Select what the chosen query stands for, unless somebody types. Emits nothing."""
        self._chosen = mark
        self._select()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Mark the chosen query when nobody types any more."""
        if event.type() == QEvent.Type.FocusOut:
            QTimer.singleShot(0, self, self._select)
        return super().eventFilter(watched, event)

    def _keep_marked(self) -> None:
        """Mark again what Qt has deselected: it does so when its window becomes the active one."""
        kept = self._chosen is None or self._fields[self._chosen.segment].hasSelectedText()
        if not kept:
            QTimer.singleShot(0, self, self._select)

    def _select(self) -> None:
        mark = self._chosen
        for segment, field in enumerate(self._fields):
            if field.hasFocus():
                continue
            if mark is not None and mark.segment == segment:
                field.setSelection(mark.start, mark.end - mark.start)
            else:
                field.deselect()

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.choice.setAccessibleName(_("Texts of this capture"))
        self.text_field.setAccessibleName(_("Text that the model looks at"))
        self.pair_field.setAccessibleName(_("Second text of the pair"))
        self.pair_field.setPlaceholderText(_("second text (optional)"))
        self.model_button.setText(_("Open model…"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (self.choice, *self._fields, self.status):
            part.restyle(theme)

    def stop(self) -> None:
        """Hand nothing on any more."""
        self._pause.stop()

    def _show_status(self, content: SentenceContent) -> None:
        runs = [Run(content.problem, "bad")] if content.problem else []
        if content.status:
            runs.append(Run(content.status, "muted"))
        self.status.show_paragraphs([Paragraph((run,)) for run in runs])
        self.status.setVisible(bool(runs) or self.model_button.isVisibleTo(self))

    def _mark(self, problem: str) -> None:
        for field in self._fields:
            if problem and (field is self.text_field or field.text()):
                field.refuse()
            else:
                field.accept()

    def _write(self, texts: tuple[str, str]) -> None:
        for field, text in zip(self._fields, texts, strict=True):
            if field.text() != text:
                field.setText(text)
                field.setCursorPosition(0)

    def _wait(self) -> None:
        self._pause.start()

    def _insist(self) -> None:
        """Hand the text on although it was handed on before: it may have been refused."""
        self._asked = None
        self._hand_on()

    def _hand_on(self) -> None:
        self._pause.stop()
        typed = self.text_field.text(), self.pair_field.text()
        if self.text_field.isReadOnly() or typed in (self._shown, self._asked):
            return
        self._asked = typed
        self.text_typed.emit(typed[0], typed[1] or None)

    def _choose(self, number: str) -> None:
        self.text_chosen.emit(int(number))
