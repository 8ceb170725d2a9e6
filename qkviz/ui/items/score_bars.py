"""One row of scores as bars whose ends can be dragged, with the cuts of the sparse normalisers."""

from __future__ import annotations

import math
import time
from itertools import count

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from qkviz.presenters.normalizers import NormalizersContent, is_movable
from qkviz.ui.items.key_slots import bar_span, key_at
from qkviz.ui.items.paint_scores import ScoreAxis, paint_score_bars
from qkviz.ui.theme import LIGHT, Theme

GRAB = 14.0
"""Pixels round the end of a bar within which it is grasped."""

NUDGE = 0.1
_ONE_NUDGE = 0.5
"""Seconds: arrow presses on one bar no further apart than this are one step of undo."""


class ScoreBars(QWidget):
    """Paints the scores of a `NormalizersContent`. The axis does not change under the hand.

    Signals
    -------
    dragged
        The end of a bar was moved: key, height on the axis, gesture. All moves of one drag have one gesture.
    bar_chosen
        A bar was clicked or reached with Tab or an arrow: its key.
    """

    dragged = Signal(int, float, object)
    bar_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: NormalizersContent | None = None
        self._theme: Theme = LIGHT
        self._limit = 1.0
        self._bar: int | None = None  # the bar that has the keys
        self._held: int | None = None
        self._grip = 0.0  # from the pointer to the end of the bar when pressed
        self._pressed: QPointF | None = None
        self._moving = False
        self._gestures = count(1)
        self._gesture: object = None
        self._last_nudge = -math.inf
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(220, 130)

    def sizeHint(self) -> QSize:
        """Return a size at which a handful of keys reads well."""
        return QSize(520, 240)

    @property
    def focused_bar(self) -> int | None:
        """The bar that the arrow keys move, None when the keys are elsewhere."""
        return self._bar

    def show_content(self, content: NormalizersContent) -> None:
        """Show ``content``. Emits nothing."""
        self._content = content
        if not self._moving:
            self._limit = content.limit
        if self._bar is not None and self._bar >= len(content.labels):
            self._bar = None
        self.setAccessibleDescription(f"{content.title}. {content.sentence} {content.note}".strip())
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def axis(self) -> ScoreAxis:
        """Return where scores stand, in pixels."""
        return ScoreAxis(QRectF(self.rect()), self._limit, self.font())

    def end_of(self, key: int) -> QPointF:
        """Return where the end of a key's bar is; that of a key without a number lies on the line of 0."""
        content, axis = self._content, self.axis()
        if content is None:
            return axis.plot.center()
        left, width = bar_span(axis.plot, len(content.labels), key)
        score = float(content.scores[key])
        return QPointF(left + width / 2, axis.y(score if math.isfinite(score) else 0.0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in one pass."""
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            painter.fillRect(self.rect(), QColor(self._theme.surface))
            if self._content is not None:
                focused = self._bar if self.hasFocus() else None
                paint_score_bars(painter, self.axis(), self._content, self._theme, focused)

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the end of a bar, or choose the bar of the column."""
        content = self._content
        if event.button() != Qt.MouseButton.LeftButton or content is None:
            return
        key = key_at(self.axis().plot, len(content.labels), event.position().x())
        if key is None:
            return
        self._pressed, self._moving = event.position(), False
        if is_movable(content, key) and self._is_on_bar(key, event.position()):
            self._held = key
            self._grip = self.end_of(key).y() - event.position().y()
            self._gesture = ("drag", next(self._gestures))
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._choose(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held, or show what could be."""
        if self._pressed is None or self._held is None:
            self._show_cursor(event.position())
            return
        way = event.position() - self._pressed
        if not self._moving and way.manhattanLength() < min(QApplication.startDragDistance(), 5):
            return  # a click that trembles
        self._moving = True
        score = self.axis().score(event.position().y() + self._grip)
        coarse = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.dragged.emit(self._held, on_grid(score, self._grid(coarse)), self._gesture)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go; the axis follows now."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._held, self._moving = None, None, False
            if self._content is not None:
                self._limit = self._content.limit
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show the usual pointer elsewhere."""
        self.unsetCursor()

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nudge with ↑ and ↓ (Shift ×10, Alt ×0.1), choose with ← and →; Esc gives the keys back."""
        content, key = self._content, Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.hasFocus():
            self._bar = None
            self.clearFocus()
        elif content is None or self._bar is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key == Qt.Key.Key_Right else -1
            self._choose(min(max(self._bar + step, 0), len(content.labels) - 1))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            if is_movable(content, self._bar):
                self._nudge(content, self._bar, 1 if key == Qt.Key.Key_Up else -1, event.modifiers())
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the bars with Tab, then on to the next widget."""
        number = 0 if self._content is None else len(self._content.labels)
        if self.hasFocus() and self._bar is not None:
            at = self._bar + (1 if forward else -1)
            if 0 <= at < number:
                self._choose(at)
                return True
        self._bar = None
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring; coming by Tab, give the keys to the first (Shift: last) bar."""
        number = 0 if self._content is None else len(self._content.labels)
        if number and event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._choose(0 if event.reason() == Qt.FocusReason.TabFocusReason else number - 1)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self.update()

    def _nudge(self, content: NormalizersContent, key: int, way: int, modifiers: Qt.KeyboardModifier) -> None:
        size = NUDGE * content.limit / 2
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            size *= 10
        if modifiers & Qt.KeyboardModifier.AltModifier:
            size /= 10
        now = time.monotonic()
        is_same = isinstance(self._gesture, tuple) and self._gesture[0] == key
        if now - self._last_nudge > _ONE_NUDGE or not is_same:
            self._gesture = (key, next(self._gestures))
        self._last_nudge = now
        score = float(content.scores[key]) + way * size
        self.dragged.emit(key, on_grid(score, self._grid(False)), self._gesture)

    def _choose(self, key: int) -> None:
        self._bar = key
        self.bar_chosen.emit(key)
        self.update()

    def _grid(self, coarse: bool) -> float:
        """Return what a moved score is a multiple of: 0.01, or 0.1, on an axis that reaches 2."""
        power = float(10.0 ** math.floor(math.log10(self._limit)))
        return power / 10 if coarse else power / 100

    def _is_on_bar(self, key: int, position: QPointF) -> bool:
        base, end = self.axis().y(0.0), self.end_of(key).y()
        return min(base, end) - GRAB <= position.y() <= max(base, end) + GRAB

    def _show_cursor(self, position: QPointF) -> None:
        content = self._content
        key = None if content is None else key_at(self.axis().plot, len(content.labels), position.x())
        can = content is not None and key is not None and is_movable(content, key)
        if can and key is not None and self._is_on_bar(key, position):
            self.setCursor(Qt.CursorShape.SizeVerCursor)
        else:
            self.unsetCursor()


def on_grid(score: float, grid: float) -> float:
    """Return the multiple of ``grid``, a power of ten, nearest to ``score``, with no digits but its own."""
    digits = max(0, -round(math.log10(grid)))
    return round(round(score / grid) * grid, digits) + 0.0
