"""The vector plane as a widget: it paints the vectors and tells where the hand drags their tips."""

from __future__ import annotations

import math
import time
from itertools import count

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from qkviz.document.document import Role
from qkviz.figures.paint_plane import arrow_color, paint_plane_grid, paint_plane_readouts, paint_plane_vectors
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, handle_radius, plane_rect
from qkviz.presenters.plane import ArrowContent, PlaneContent
from qkviz.ui.panels.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme

Tip = tuple[Role, int]

_ARROWS = {
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}
_ZOOM_PER_NOTCH = 1.2
_ONE_NUDGE = 0.5
"""Seconds: arrow presses of one tip no further apart than this are one step of undo."""


class PlaneCanvas(QWidget):
    """Paints a `PlaneContent`; the view on it (centre and scale) is its own and never follows a drag.

    Signals
    -------
    dragged
        A tip was moved: role, index, x and y on the plane, gesture. All moves of one drag have one gesture.
    tip_chosen
        A tip was clicked or reached with Tab: role, index.
    menu_asked
        Right click: global position, the tip ``(role, index)`` or None.
    """

    dragged = Signal(object, int, float, float, object)
    tip_chosen = Signal(object, int)
    menu_asked = Signal(QPoint, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(180, 160)
        self._content: PlaneContent | None = None
        self._view: PlaneView | None = None
        self._view_is_chosen = False  # by wheel or hand, not fitted
        self._theme: Theme = LIGHT
        self._layout: PlaneLayout | None = None
        self._layout_before: PlaneLayout | None = None  # labels stay on their side of the tip where they can
        self._grid: QPixmap | None = None
        self._gestures = count(1)
        self._tip: Tip | None = None  # the tip that has the keys
        self._held: Tip | None = None  # the tip under the pressed button
        self._hovered: Tip | None = None
        self._grip = QPointF()  # from the pointer to the tip when pressed
        self._pressed: QPointF | None = None
        self._moving = False
        self._gesture: object = None
        self._last_nudge = -math.inf

    def sizeHint(self) -> QSize:
        """Return a size at which a handful of vectors reads well."""
        return QSize(400, 380)

    @property
    def content(self) -> PlaneContent | None:
        """What is shown."""
        return self._content

    @property
    def focused_tip(self) -> Tip | None:
        """The tip that the arrow keys move, None when the keys are elsewhere."""
        return self._tip

    @property
    def view(self) -> PlaneView | None:
        """Centre and scale, once there is something to show."""
        return self._view

    def layout_now(self) -> PlaneLayout | None:
        """Where everything stands; None while there is nothing to show."""
        if self._content is None:
            return None
        if self._layout is None:
            rect, style = QRectF(self.rect()), self._theme.figure
            if self._view is None:
                self._view = PlaneView.fitted(self._content.reach, plane_rect(rect, style))
            self._layout = PlaneLayout(self._content, rect, self._view, style, self._layout_before)
            self._layout_before = self._layout
        return self._layout

    def show_content(self, content: PlaneContent) -> None:
        """Show ``content``; the view stays. Emits nothing."""
        if self._content is None or self._content.axis_labels != content.axis_labels:
            self._grid = None
        self._content = content
        self._layout = None
        if self._tip is not None and self._arrow(self._tip) is None:
            self._tip = None
        self.setAccessibleDescription(f"{content.headline}. {content.note}".strip())
        self.update()

    def fit(self) -> None:
        """Choose the view anew so that every vector is in it."""
        self._look(None)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._layout, self._grid = None, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the kept grid, then the vectors and the numbers."""
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            layout, content, style = self.layout_now(), self._content, self._theme.figure
            if layout is None or content is None:
                painter.fillRect(self.rect(), QColor(self._theme.surface))
                return
            painter.drawPixmap(0, 0, self._grid_pixmap(layout, content))
            self._paint_rings(painter, layout)
            paint_plane_vectors(painter, layout, content, style)
            paint_plane_readouts(painter, layout, content, style)

    def _paint_rings(self, painter: QPainter, layout: PlaneLayout) -> None:
        """Paint a ring round the tip that has the keys, a soft one round the tip under the mouse."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        focused = self._tip if self.hasFocus() else None
        for tip, opacity in ((self._held or self._hovered, 0.35), (focused, 0.9)):
            arrow = None if tip is None else self._arrow(tip)
            if arrow is None:
                continue
            color = QColor(arrow_color(arrow.role, self._theme.figure))
            color.setAlphaF(opacity)
            radius = handle_radius(arrow) + 4
            painter.setPen(QPen(color, 2))
            painter.drawEllipse(layout.to_pixels(arrow.x, arrow.y), radius, radius)

    def _grid_pixmap(self, layout: PlaneLayout, content: PlaneContent) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._grid is None or self._grid.devicePixelRatio() != ratio:
            self._grid = QPixmap(self.size() * ratio)
            self._grid.setDevicePixelRatio(ratio)
            self._grid.fill(QColor(self._theme.surface))
            painter = QPainter(self._grid)
            paint_plane_grid(painter, layout, content, self._theme.figure)
            painter.end()
        return self._grid

    def resizeEvent(self, event: QEvent) -> None:
        """Fit the new size; centre and scale that the user has chosen stay."""
        self._layout, self._grid = None, None
        if not self._view_is_chosen:
            self._view = None

    def event(self, event: QEvent) -> bool:
        """Show the numbers of the pair in full over the readouts."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            layout, content = self.layout_now(), self._content
            if layout is not None and content is not None and event.pos().y() > layout.plane.bottom():
                lines = [f"{readout.name} = {readout.full}" for readout in content.readouts]
                QToolTip.showText(event.globalPos(), plain_tip("\n".join([*lines, content.note])), self)
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Paint the grid anew for another font."""
        if event.type() == QEvent.Type.FontChange:
            self._grid = None
        super().changeEvent(event)

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a tip, or of the ground."""
        layout = self.layout_now()
        if event.button() != Qt.MouseButton.LeftButton or layout is None:
            return
        self._pressed, self._moving = event.position(), False
        self._held = layout.tip_at(event.position().x(), event.position().y())
        if self._held is not None:
            arrow = self._arrow(self._held)
            assert arrow is not None  # the layout found it in this content
            self._grip = layout.to_pixels(arrow.x, arrow.y) - event.position()
            self._gesture = ("drag", next(self._gestures))
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._choose(self._held)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held, or show what could be."""
        layout = self.layout_now()
        if layout is None:
            return
        if self._pressed is None:
            self._show_hovered(layout.tip_at(event.position().x(), event.position().y()))
            return
        way = event.position() - self._pressed
        if not self._moving and way.manhattanLength() < min(QApplication.startDragDistance(), 5):
            return  # a click that trembles
        self._moving = True
        if self._held is not None:
            aim = event.position() + self._grip
            x, y = layout.to_plane(aim.x(), aim.y())
            self._drag(self._held, *self._guided(self._held, x, y, event.modifiers(), layout))
        elif self._view is not None:
            self._pressed = event.position()
            self._look(self._view.panned(way.x(), way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._held, self._moving = None, None, False
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit the view, unless a tip is meant."""
        layout = self.layout_now()
        if layout is not None and layout.tip_at(event.position().x(), event.position().y()) is None:
            self.fit()
        else:
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show no tip as under the pointer."""
        self._show_hovered(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        layout, notches = self.layout_now(), event.angleDelta().y() / 120
        if layout is None or self._view is None or not notches:
            return
        x, y = layout.to_plane(event.position().x(), event.position().y())
        self._look(self._view.zoomed(_ZOOM_PER_NOTCH**notches, x, y))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the tip under the pointer."""
        layout = self.layout_now()
        if layout is not None:
            self.menu_asked.emit(
                event.globalPos(), layout.tip_at(float(event.pos().x()), float(event.pos().y()))
            )

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nudge the focused tip; Esc gives the keys back; every other key goes on to the window."""
        step, tip = _ARROWS.get(Qt.Key(event.key())), self._tip
        layout = self.layout_now()
        if event.key() == Qt.Key.Key_Escape and self.hasFocus():
            self._tip = None
            self.clearFocus()
        elif step is None or tip is None or layout is None:
            super().keyPressEvent(event)
        else:
            self._nudge(tip, step, event.modifiers(), layout)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the tips with Tab, then on to the next widget."""
        tips = self._tips()
        if self.hasFocus() and tips:
            at = tips.index(self._tip) if self._tip in tips else (-1 if forward else len(tips))
            at += 1 if forward else -1
            if 0 <= at < len(tips):
                self._choose(tips[at])
                return True
        self._tip = None
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring; coming by Tab, give the keys to the first (Shift: last) tip."""
        tips = self._tips()
        if tips and event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._choose(tips[0] if event.reason() == Qt.FocusReason.TabFocusReason else tips[-1])
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self.update()

    def _nudge(
        self, tip: Tip, step: tuple[int, int], modifiers: Qt.KeyboardModifier, layout: PlaneLayout
    ) -> None:
        arrow = self._arrow(tip)
        if arrow is None:
            return
        size = layout.view.grid_step / 10
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            size *= 10
        if modifiers & Qt.KeyboardModifier.AltModifier:
            size /= 10
        now = time.monotonic()
        if (
            now - self._last_nudge > _ONE_NUDGE
            or not isinstance(self._gesture, tuple)
            or self._gesture[0] != tip
        ):
            self._gesture = (tip, next(self._gestures))
        self._last_nudge = now
        self._drag(tip, arrow.x + step[0] * size, arrow.y + step[1] * size)

    def _guided(
        self, tip: Tip, x: float, y: float, modifiers: Qt.KeyboardModifier, layout: PlaneLayout
    ) -> tuple[float, float]:
        """Return where a drag to (x, y) leads: with Shift to a grid crossing, with Ctrl round the circle."""
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            step = layout.view.grid_step
            return round(x / step) * step, round(y / step) * step
        arrow = self._arrow(tip)
        if modifiers & Qt.KeyboardModifier.ControlModifier and arrow is not None:
            length, reached = math.hypot(arrow.x, arrow.y), math.hypot(x, y)
            if reached > 0:
                return x * length / reached, y * length / reached
        return x, y

    def _drag(self, tip: Tip, x: float, y: float) -> None:
        self.dragged.emit(*tip, x, y, self._gesture)

    def _choose(self, tip: Tip) -> None:
        self._tip = tip
        self.tip_chosen.emit(*tip)
        self.update()

    def _look(self, view: PlaneView | None) -> None:
        self._view = view
        self._view_is_chosen = view is not None
        self._layout, self._grid = None, None
        self.update()

    def _show_hovered(self, tip: Tip | None) -> None:
        if tip != self._hovered:
            self._hovered = tip
            self.setCursor(Qt.CursorShape.ArrowCursor if tip is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def _tips(self) -> list[Tip]:
        arrows = () if self._content is None else self._content.arrows
        found = [(arrow.role, arrow.index) for arrow in arrows if arrow.role is not None]
        return sorted(found, key=_queries_first)

    def _arrow(self, tip: Tip) -> ArrowContent | None:
        arrows = () if self._content is None else self._content.arrows
        return next((arrow for arrow in arrows if (arrow.role, arrow.index) == tip), None)


def _queries_first(tip: Tip) -> tuple[bool, int]:
    return tip[0] is not Role.QUERY, tip[1]
