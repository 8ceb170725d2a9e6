"""All heads on the screen, painted in one pass; one may be pointed at, one is the document."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from qkviz.figures.head_grid_layout import HeadGridLayout
from qkviz.figures.paint_head_grid import HeadImages, paint_frame, paint_head_grid
from qkviz.presenters.heads import HeadGridContent, Place
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme

_ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_CHOOSING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class HeadGrid(QWidget):
    """Shows a `HeadGridContent`.

    Signals
    -------
    pointed
        The (layer, head) under the pointer, or under the cursor of the keys; None when there is none.
    chosen
        The layer and head that were clicked, or under the cursor at Enter or Space.
    left
        Esc: the head before is wanted.
    """

    pointed = Signal(object)
    chosen = Signal(int, int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._content: HeadGridContent | None = None
        self._theme: Theme = LIGHT
        self._images = HeadImages(LIGHT.figure)
        self._room = QSize(300, 200)
        self._layout: HeadGridLayout | None = None
        self._hovered: Place | None = None
        self._cursor: Place = (0, 0)
        self._tip = ""

    @property
    def content(self) -> HeadGridContent | None:
        """What is shown."""
        return self._content

    @property
    def layout_now(self) -> HeadGridLayout | None:
        """Where everything stands; None while there is nothing to show."""
        return self._layout

    @property
    def cursor_place(self) -> Place:
        """Where the keys are."""
        return self._cursor

    @property
    def tip(self) -> str:
        """What is said of the head that is pointed at."""
        return self._tip

    def show_content(self, content: HeadGridContent) -> None:
        """Show ``content``. Emits nothing."""
        before, self._content = self._content, content
        chosen = _chosen(content)
        if before is None or _chosen(before) != chosen or not self._has(self._cursor):
            self._cursor = chosen
        if self._hovered is not None and not self._has(self._hovered):
            self._hovered = None
        self._lay_out()

    def show_tip(self, text: str) -> None:
        """Say this of the head that is pointed at, in a tip; nothing where it is empty."""
        self._tip = text

    def fit(self, room: QSize) -> None:
        """Become as large as the grid needs to be in a room of this size."""
        self._room = room
        self._lay_out()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._images = HeadImages(theme.figure)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells in sight."""
        content, layout, style = self._content, self._layout, self._theme.figure
        if content is None or layout is None:
            return
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            clip = QRectF(event.rect())
            paint_head_grid(painter, layout, content, style, self._images, clip)
            if self._hovered is not None:
                paint_frame(painter, layout.cell_rect(*self._hovered), style.text, 1.0, style)
            if self.hasFocus():
                paint_frame(painter, layout.cell_rect(*self._cursor), self._theme.accent, 1.0, style)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at a head."""
        at = event.position()
        self._point(None if self._layout is None else self._layout.cell_at(at.x(), at.y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a head."""
        if event.button() != Qt.MouseButton.LeftButton or self._layout is None:
            return
        place = self._layout.cell_at(event.position().x(), event.position().y())
        if place is not None:
            self._cursor = place
            self.chosen.emit(*place)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do nothing: the second press of a hasty choice must not take it back."""

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        self._point(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the tip of the head under the pointer."""
        if isinstance(event, QHelpEvent) and self._hovered is not None and self._layout is not None:
            box = self._layout.cell_rect(*self._hovered).toRect()
            QToolTip.showText(event.globalPos(), plain_tip(self._tip), self, box)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor, choose its head, or go back; every other key goes on to the window."""
        key = Qt.Key(event.key())
        if self._content is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in _ARROWS:
            layer, head = self._cursor[0] + _ARROWS[key][0], self._cursor[1] + _ARROWS[key][1]
            if self._has((layer, head)):
                self._move_cursor((layer, head))
        elif key in _CHOOSING:
            self.chosen.emit(*self._cursor)
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor; coming by Tab, say where it is."""
        self._speak()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        if self._hovered is None:
            self.pointed.emit(None)
        self.update()

    def cursor_rect(self) -> QRect:
        """Return where the cursor is."""
        return QRect() if self._layout is None else self._layout.cell_rect(*self._cursor).toRect()

    def _has(self, place: Place) -> bool:
        rows = () if self._content is None else self._content.rows
        return 0 <= place[0] < len(rows) and 0 <= place[1] < len(rows[place[0]][1])

    def _point(self, place: Place | None) -> None:
        if place != self._hovered:
            self._hovered = place
            self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
            QToolTip.hideText()
            self.pointed.emit(place)
            self.update()

    def _move_cursor(self, place: Place) -> None:
        self._cursor = place
        self._speak()
        self.pointed.emit(place)
        self.update()

    def _speak(self) -> None:
        if self._content is not None:
            cell = self._content.cell(*self._cursor)
            self.setAccessibleName(f"{cell.label} {cell.text}".strip())

    def _lay_out(self) -> None:
        if self._content is None:
            return
        room, style = self._room, self._theme.figure
        self._layout = HeadGridLayout(self._content, room.width(), room.height(), style)
        size = self._layout.size
        self.resize(math.ceil(size.width()), math.ceil(size.height()))
        self.update()


def _chosen(content: HeadGridContent) -> Place:
    return next(
        ((cell.layer, cell.head) for _label, cells in content.rows for cell in cells if cell.is_chosen),
        (0, 0),
    )
