"""A slider that tells what the hand does with it, and nothing when the program sets it."""

from __future__ import annotations

import math
import time
from itertools import count
from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.ui.theme import LIGHT, Theme

RADIUS = 8.0
"""Of the handle, in pixels."""

_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}
_ONE_GESTURE = 0.5
"""Seconds: key presses no further apart than this are one step of undo."""


class Stops(Protocol):
    """The values that a slider stops at, from left to right."""

    @property
    def last(self) -> int:
        """Number of the last stop; the first is 0."""

    def value(self, stop: int) -> float:
        """Return the value of a stop."""

    def position(self, value: float) -> float:
        """Return where a value stands, in stops; any value within the ends may be shown."""


class ValueSlider(QWidget):
    """A horizontal slider; its handle stands where `show_value` puts it.

    Signals
    -------
    moved
        The user chose a value: value, gesture. All moves of one drag have one gesture.
    settled
        The hand has let go, or a key was pressed that moves the handle; the value may be as before.
    """

    moved = Signal(float, object)
    settled = Signal()

    def __init__(self, stops: Stops, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stops = stops
        self._value = stops.value(0)
        self._theme: Theme = LIGHT
        self._tone = "accent"
        self._is_held = False
        self._gestures = count(1)
        self._gesture: object = None
        self._last_key = -math.inf
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)

    def sizeHint(self) -> QSize:
        """Return a width at which every stop can be reached."""
        return QSize(180, int(2 * RADIUS) + 10)

    @property
    def value(self) -> float:
        """What is shown."""
        return self._value

    def show_value(self, value: float) -> None:
        """Show ``value``, also one between the stops. Emits nothing."""
        if value != self._value:
            self._value = value
            self.update()

    def set_stops(self, stops: Stops) -> None:
        """Stop at other values from now on. Emits nothing."""
        self._stops = stops
        self.update()

    def restyle(self, theme: Theme, tone: str = "accent") -> None:
        """Take the colours of ``theme``; the handle in ``tone``, "accent" or one of a text."""
        self._theme, self._tone = theme, tone
        self.update()

    def handle(self) -> QPointF:
        """Return where the middle of the handle is."""
        return QPointF(self._x(self._stops.position(self._value)), self.height() / 2)

    def place_of(self, value: float) -> QPointF:
        """Return where the handle stands for ``value``."""
        return QPointF(self._x(self._stops.position(value)), self.height() / 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint track and handle."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            handle, middle = self.handle(), self.height() / 2
            color = QColor(self._theme.accent if self._tone == "accent" else self._theme.tone(self._tone))
            if not self.isEnabled():
                color = QColor(self._theme.faint)
            painter.setPen(QPen(QColor(self._theme.line), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(RADIUS + 1, middle), QPointF(self.width() - RADIUS - 1, middle))
            painter.setPen(QPen(color, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(RADIUS + 1, middle), handle)
            painter.setPen(QPen(color, 2))
            painter.setBrush(QColor(self._theme.surface))
            painter.drawEllipse(handle, RADIUS - 1, RADIUS - 1)
            if self.hasFocus():
                painter.setPen(QPen(color, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the handle, wherever on the track."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._is_held = True
            self._gesture = ("drag", next(self._gestures))
            self._move_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the handle along."""
        if self._is_held:
            self._move_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton and self._is_held:
            self._is_held = False
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go by stops with arrows, by ten with the page keys, to the ends with Home and End."""
        key = Qt.Key(event.key())
        now = self._stops.position(self._value)
        if key == Qt.Key.Key_Home:
            stop = 0
        elif key == Qt.Key.Key_End:
            stop = self._stops.last
        elif key in _STEPS:
            stop = round(now) + _STEPS[key]
        else:
            super().keyPressEvent(event)
            return
        if time.monotonic() - self._last_key > _ONE_GESTURE:
            self._gesture = ("keys", next(self._gestures))
        self._last_key = time.monotonic()
        self._go_to(stop)
        self.settled.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew when switched on or off."""
        super().changeEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the frame."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the frame away."""
        self.update()

    def _move_to(self, x: float) -> None:
        width = max(self.width() - 2 * (RADIUS + 1), 1.0)
        self._go_to(round((x - RADIUS - 1) / width * self._stops.last))

    def _go_to(self, stop: int) -> None:
        value = self._stops.value(min(max(stop, 0), self._stops.last))
        if value != self._value:
            self.moved.emit(value, self._gesture)

    def _x(self, position: float) -> float:
        share = min(max(position / self._stops.last, 0.0), 1.0)
        return RADIUS + 1 + share * (self.width() - 2 * (RADIUS + 1))
