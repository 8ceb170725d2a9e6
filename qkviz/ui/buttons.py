"""Buttons that leave the arrow keys to the steps, and paint what a style sheet cannot."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from qkviz.ui.theme import LIGHT, Theme

STEP_KEYS = frozenset(
    (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    )
)
"""Qt's buttons turn arrows into focus changes; ours hand these keys on to the window."""


def wrapping(alignment: Qt.AlignmentFlag) -> QTextOption:
    """Return the option to break between words, and inside one only when it alone is too wide."""
    option = QTextOption(alignment)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def wrapped_height(text: str, font: QFont, width: float) -> int:
    """Return the height in pixels of ``text`` wrapped to ``width`` pixels, as drawn with `wrapping`."""
    layout = QTextLayout(text, font)
    layout.setTextOption(wrapping(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    height = 0.0
    line = layout.createLine()
    while line.isValid():
        line.setLineWidth(max(width, 1.0))
        height += line.height()
        line = layout.createLine()
    layout.endLayout()
    return math.ceil(height)


class QuietButton(QToolButton):
    """A flat button, reached by Tab and not by clicking, so that the keys stay where they were."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the step keys to the window."""
        if event.key() in STEP_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)


class PlainButton(QPushButton):
    """A push button with the manners of `QuietButton`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the step keys to the window."""
        if event.key() in STEP_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)


class PaintedButton(QAbstractButton):
    """What the painted buttons share: focus, keys, theme, and a height that follows the wrapped text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.theme = theme
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the step keys to the window."""
        if event.key() in STEP_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _paint_ground(self, painter: QPainter, ground: str, border: str, radius: float) -> None:
        """Fill a rounded rectangle; the border turns to the accent colour with focus or under the mouse."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = self.hasFocus() or (self.underMouse() and self.isEnabled())
        painter.setPen(QPen(QColor(self.theme.accent if marked else border), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
