"""The line at the bottom: the hovered numbers left, what was computed right."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QWidget

from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import Theme

_SENTENCE_STAYS = 9000
"""Milliseconds that a sentence stays over the hovered numbers."""


class StatusLine(QStatusBar):
    """Two labels instead of temporary messages: a refusal and hovered numbers would chase each other away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._left, self._right = QLabel(self), QLabel(self)
        for label in (self._left, self._right):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.addWidget(self._left, 1)
        self.addPermanentWidget(self._right)
        self._numbers = ""
        self._bad = self._text = ""
        self._is_refusal = False
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(_SENTENCE_STAYS)
        self._said.timeout.connect(self._show_numbers)

    @property
    def text(self) -> str:
        """What stands at the left."""
        return self._left.text()

    def say(self, sentence: str) -> None:
        """Show what was done, for a while; it goes when numbers of another cell are there to show."""
        self._show_sentence(sentence, is_refusal=False)

    def refuse(self, sentence: str) -> None:
        """Show in red why something was not done; it goes with the next thing that is done."""
        self._show_sentence(sentence, is_refusal=True)

    def take_back(self) -> None:
        """Let a refusal go: something else has been done since."""
        if self._is_refusal:
            self._show_numbers()

    def _show_sentence(self, sentence: str, *, is_refusal: bool) -> None:
        self._is_refusal = is_refusal
        self._left.setText(sentence)
        self._left.setToolTip(plain_tip(sentence))
        color = self._bad if is_refusal else self._text
        self._left.setStyleSheet(f"color: {color}; font-weight: 600;")
        self._said.start()

    def show_numbers(self, text: str) -> None:
        """Show the numbers of the cell under the pointer, or of the pinned one."""
        if text == self._numbers:
            return
        self._numbers = text
        self._show_numbers()

    def show_work(self, text: str) -> None:
        """Show what was computed, at the right."""
        self._right.setText(text)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._bad, self._text = theme.bad, theme.text
        if self._said.isActive():
            self._show_sentence(self.text, is_refusal=self._is_refusal)

    def _show_numbers(self) -> None:
        self._said.stop()
        self._is_refusal = False
        self._left.setStyleSheet("")
        self._left.setToolTip("")
        self._left.setText(self._numbers)
