"""The sequence that the copy model reads, and the switches of its two heads."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.copy_machine import FIRST, SECOND, Place
from qkviz.presenters.head_words import head_name
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.quiet_fields import MarkedField
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

NOTHING_OFF: frozenset[Place] = frozenset()


class HeadSwitch(QuietButton):
    """On or off; what it shows follows the document, not the click."""

    def __init__(self, place: Place, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = head_name(*place)
        self.setCheckable(True)
        self.show_on(True)

    def nextCheckState(self) -> None:
        """Stay as it is until the model has answered."""

    def show_on(self, is_on: bool) -> None:
        """Show whether the head is on. Emits nothing."""
        self.setChecked(is_on)
        self.setText(_("{head} on", head=self._name) if is_on else _("{head} off", head=self._name))
        self.setAccessibleName(_("Switch {head} on or off", head=self._name))
        self.setToolTip(
            _("Leave the head out: its output is replaced by its mean over many sequences.")
            if is_on
            else _("Let the head take part again.")
        )


class SequenceRow(QWidget):
    """Enter hands the words on; so does a switch, with the heads that are off then. Esc takes typing back.

    Signals
    -------
    capture_wanted
        Text, and the heads to switch off as a frozenset of (layer, head) from 0.
    """

    capture_wanted = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = ""
        self._off = NOTHING_OFF
        self._busy = self._problem = ""
        self.field = MarkedField(self)
        self.field.returnPressed.connect(self._hand_on)
        self.field.textEdited.connect(self._forget_problem)
        self.switches = {place: HeadSwitch(place, self) for place in (FIRST, SECOND)}
        self.status = RunsView(self)
        switches = QHBoxLayout()
        switches.setSpacing(4)
        for place, switch in self.switches.items():
            switch.clicked.connect(partial(self._turn, place))
            switches.addWidget(switch)
        switches.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.field)
        column.addWidget(self.status)
        column.addLayout(switches)
        self.retranslate()

    def show_sequence(self, text: str, switched_off: frozenset[Place]) -> None:
        """Show what the document holds. What is being typed stays unless another text has come."""
        if text != self._shown:
            self._shown = text
            if self.field.text() != text:
                self.field.setText(text)
                self.field.setCursorPosition(0)
        self._off = switched_off
        for place, switch in self.switches.items():
            switch.show_on(place not in switched_off)

    def show_state(self, busy: str, problem: str) -> None:
        """Show what the model is doing, and why the last words were refused; both may be empty."""
        self._busy, self._problem = busy, problem
        if problem:
            self.field.refuse()
        else:
            self.field.accept()
        runs = [Run(problem, "key")] if problem else [Run(busy or self._hint(), "muted")]
        self.status.show_paragraphs([Paragraph((run,)) for run in runs])

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.field.setAccessibleName(_("Sequence that the model reads"))
        self.field.setPlaceholderText(_("words it knows, with blanks between them"))
        self.show_sequence(self._shown, self._off)
        self.show_state(self._busy, self._problem)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.field.restyle(theme)
        self.status.restyle(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the typing back on Esc, if there is something to take back."""
        if event.key() == Qt.Key.Key_Escape and self.field.text() != self._shown:
            self.field.setText(self._shown)
            self._forget_problem()
        else:
            super().keyPressEvent(event)

    def _hand_on(self) -> None:
        self.capture_wanted.emit(self.field.text(), self._off)

    def _turn(self, place: Place) -> None:
        self.capture_wanted.emit(self.field.text(), self._off ^ {place})

    def _forget_problem(self) -> None:
        self.show_state(self._busy, "")

    def _hint(self) -> str:
        return _("Type other words, then Enter.")
