"""A line for a sentence of one's own, for a model that is there to read it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.heads import LiveModel
from qkviz.presenters.runs import Run, Tone
from qkviz.presenters.sentence_box import live_status
from qkviz.translate import _
from qkviz.ui.buttons import PlainButton
from qkviz.ui.panels.quiet_fields import LONGEST_TEXT, MarkedField
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme


class OwnSentence(QWidget):
    """A field, a button, and below them what is being done, what went wrong, or why nothing can be typed.

    Signals
    -------
    text_added
        The sentence as typed, without blanks around it.
    """

    text_added = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._live = LiveModel()
        self._asked = ""
        self.field = MarkedField(self)
        self.field.setMaxLength(LONGEST_TEXT)
        self.field.returnPressed.connect(self._hand_in)
        self.field.textEdited.connect(self._show_button)
        self.button = PlainButton(self)
        self.button.clicked.connect(self._hand_in)
        self._words = RunsView(self)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._words)
        self.retranslate()

    @property
    def words(self) -> str:
        """What is said below the field; empty when there is nothing to say."""
        return self._words.text()

    def show_live(self, live: LiveModel) -> None:
        """Show whether a model is there and what it does. A sentence that was read leaves the field."""
        was_busy = self._live.busy is not None
        self._live = live
        is_read = was_busy and live.busy is None and live.problem is None
        if is_read and self.field.text().strip() == self._asked:
            self.field.clear()
        self._show_state()

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.field.setAccessibleName(_("A sentence of your own"))
        self.button.setText(_("Add"))
        self.button.setAccessibleName(_("Add the sentence"))
        self._show_state()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.field.restyle(theme)
        self._words.restyle(theme)

    def _show_state(self) -> None:
        live = self._live
        is_there = live.name is not None
        self.field.setVisible(is_there)
        self.button.setVisible(is_there)
        self.field.setPlaceholderText(_("Add a sentence of your own"))
        words = _state_words(live)
        tone: Tone = "muted" if live.problem is None else "key"
        self._words.show_paragraphs([Paragraph((Run(words, tone),))] if words else [])
        self._words.setVisible(bool(words))
        if live.problem is None:
            self.field.accept()
        else:
            self.field.refuse()
        self._show_button()

    def _show_button(self) -> None:
        can = self._live.name is not None and self._live.busy is None
        self.button.setEnabled(can and bool(self.field.text().strip()))

    def _hand_in(self) -> None:
        if self.button.isEnabled():
            self._asked = self.field.text().strip()
            self.text_added.emit(self._asked)


def _state_words(live: LiveModel) -> str:
    if live.busy is not None:
        return live_status(live)
    if live.problem is not None:
        return live.problem
    if live.name is not None:
        return ""
    if live.minilm_installed:
        return _("For sentences of your own open all-MiniLM-L6-v2, which is installed, in the menu Model.")
    return _("For sentences of your own open a model in the menu Model.")
