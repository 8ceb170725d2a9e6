"""A block of a column that can be lit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qkviz.ui.theme import LIGHT, Theme


class LitBlock(QWidget):
    """A widget with a soft ground while the step in hand speaks of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._is_lit = False

    def set_lit(self, lit: bool) -> None:
        """Switch the ground on or off."""
        if lit is not self._is_lit:
            self._is_lit = lit
            self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        if self._is_lit:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.accent_soft))
            painter.drawRoundedRect(self.rect(), 7, 7)
