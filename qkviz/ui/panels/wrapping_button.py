"""A button of words and formulas in several lines."""

from __future__ import annotations

import math
from typing import get_args

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.figures.text_block import Paragraph, TextBlock
from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.runs import Line, Tone, line_text
from qkviz.ui.buttons import PaintedButton

_ONE_LINE = 1e6
"""Room in pixels in which nothing wraps."""


class WrappingButton(PaintedButton):
    """A button whose text wraps and may hold formulas: answers to choose from are long and docks narrow."""

    MARGIN = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = "plain"
        self._line: Line = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Show a text with ``$formulas$``; `text` is then what it says in words."""
        self._line = runs_of(text)
        self.setText(line_text(self._line))
        self.updateGeometry()

    def set_tone(self, tone: str) -> None:
        """Show the button as ``plain``, ``good``, ``bad`` or ``muted``."""
        self._tone = tone
        self.update()

    def tone(self) -> str:
        """Return what `set_tone` set."""
        return self._tone

    def natural_width(self) -> int:
        """Return the width of the text on one line, in pixels, margins included."""
        return math.ceil(self._block(_ONE_LINE).natural_width) + 2 * self.MARGIN + 4

    def hasHeightForWidth(self) -> bool:
        """Return true: the text wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped text at ``width`` pixels."""
        return math.ceil(self._block(width - 2 * self.MARGIN).height) + 2 * (self.MARGIN - 3)

    def sizeHint(self) -> QSize:
        """Return the size of the text on one line."""
        width = self.natural_width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(56, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, border and text."""
        painter = QPainter(self)
        border = {"good": self.theme.good, "bad": self.theme.bad}.get(self._tone, self.theme.line)
        self._paint_ground(painter, self.theme.surface, border, 6)
        block = self._block(self.width() - 2 * self.MARGIN)
        block.paint(painter, self.MARGIN, (self.height() - block.height) / 2)

    def _block(self, width: float) -> TextBlock:
        colors = {tone: self.theme.tone(tone) for tone in get_args(Tone)}
        if self._tone != "plain":  # the whole answer, its formulas too
            colors = dict.fromkeys(colors, self.theme.tone(self._tone))
        return TextBlock(Paragraph(self._line), self.font(), colors, width, Qt.AlignmentFlag.AlignHCenter)
