"""What a hand does on the vector plane: from presses, moves and keys to places for a tip.

No widget is known here: positions and keys come in, what the user wants goes out.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from qkviz.document.document import Role
from qkviz.figures.plane_layout import PlaneLayout
from qkviz.presenters.plane import ArrowContent, PlaneContent

Tip = tuple[Role, int]

ARROWS = {
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}
ONE_NUDGE = 0.5
"""Seconds: arrow presses of one tip no further apart than this are one step of undo."""


@dataclass(frozen=True, eq=False, slots=True)
class TipMove:
    """A tip is to go to (x, y) of the plane; all moves of one drag have the same gesture."""

    tip: Tip
    x: float
    y: float
    gesture: object


@dataclass(frozen=True, slots=True)
class Pan:
    """The ground was dragged by so many pixels."""

    right: float
    down: float


class PlaneGestures:
    """The state of the hand between a press and its release, and between presses of arrow keys."""

    def __init__(self) -> None:
        self.held: Tip | None = None  # the tip under the pressed button
        self._grip = QPointF()  # from the pointer to the tip when pressed
        self._pressed: QPointF | None = None
        self._moving = False
        self._gesture: object = None
        self._nudged: Tip | None = None
        self._last_nudge = -math.inf

    @property
    def is_pressed(self) -> bool:
        """Whether the button is down."""
        return self._pressed is not None

    def press(self, at: QPointF, layout: PlaneLayout, content: PlaneContent) -> None:
        """Take hold of a tip, or of the ground."""
        self._pressed, self._moving = at, False
        self.held = layout.tip_at(at.x(), at.y())
        arrow = None if self.held is None else arrow_of(content, self.held)
        if arrow is not None:
            self._grip = layout.to_pixels(arrow.x, arrow.y) - at
            self._gesture, self._nudged = object(), None

    def move(
        self, at: QPointF, modifiers: Qt.KeyboardModifier, layout: PlaneLayout, content: PlaneContent
    ) -> TipMove | Pan | None:
        """Return what the pressed pointer does by going to a point; None for a click that trembles."""
        if self._pressed is None:
            return None
        way = at - self._pressed
        if not self._moving and way.manhattanLength() < min(QApplication.startDragDistance(), 5):
            return None
        self._moving = True
        if self.held is None:
            self._pressed = at
            return Pan(way.x(), way.y())
        aim = at + self._grip
        x, y = layout.to_plane(aim.x(), aim.y())
        return TipMove(
            self.held, *_guided(arrow_of(content, self.held), x, y, modifiers, layout), self._gesture
        )

    def release(self) -> None:
        """Let go."""
        self._pressed, self.held, self._moving = None, None, False

    def nudge(
        self,
        tip: Tip,
        step: tuple[int, int],
        modifiers: Qt.KeyboardModifier,
        layout: PlaneLayout,
        content: PlaneContent,
    ) -> TipMove | None:
        """Return where an arrow key leads a tip: a tenth of the grid, with Shift all of it, with Alt less."""
        arrow = arrow_of(content, tip)
        if arrow is None:
            return None
        size = layout.view.grid_step / 10
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            size *= 10
        if modifiers & Qt.KeyboardModifier.AltModifier:
            size /= 10
        now = time.monotonic()
        if now - self._last_nudge > ONE_NUDGE or self._nudged != tip:
            self._gesture, self._nudged = object(), tip
        self._last_nudge = now
        return TipMove(tip, arrow.x + step[0] * size, arrow.y + step[1] * size, self._gesture)


def arrow_of(content: PlaneContent | None, tip: Tip) -> ArrowContent | None:
    """Return the arrow with a tip, None where there is none."""
    arrows = () if content is None else content.arrows
    return next((arrow for arrow in arrows if (arrow.role, arrow.index) == tip), None)


def tips_of(content: PlaneContent | None) -> list[Tip]:
    """Return the tips that can be dragged, in the order of the Tab key: queries first."""
    arrows = () if content is None else content.arrows
    found = [(arrow.role, arrow.index) for arrow in arrows if arrow.role is not None]
    return sorted(found, key=lambda tip: (tip[0] is not Role.QUERY, tip[1]))


def _guided(
    arrow: ArrowContent | None, x: float, y: float, modifiers: Qt.KeyboardModifier, layout: PlaneLayout
) -> tuple[float, float]:
    """Return where a drag to (x, y) leads: with Shift to a grid crossing, with Ctrl round the circle."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        step = layout.view.grid_step
        return round(x / step) * step, round(y / step) * step
    if modifiers & Qt.KeyboardModifier.ControlModifier and arrow is not None:
        length, reached = math.hypot(arrow.x, arrow.y), math.hypot(x, y)
        if reached > 0:
            return x * length / reached, y * length / reached
    return x, y
