"""The vector plane as a widget: it paints the vectors and tells where the hand drags their tips."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qkviz.figures.plane_layout import PlaneLayout, PlaneView
from qkviz.presenters.plane import PlaneContent
from qkviz.ui.items.plane_gestures import ARROWS, Pan, PlaneGestures, Tip, TipMove, arrow_of, tips_of
from qkviz.ui.items.plane_picture import PlanePicture
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import Theme

_ZOOM_PER_NOTCH = 1.2


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
        self._picture = PlanePicture()
        self._hand = PlaneGestures()
        self._tip: Tip | None = None  # the tip that has the keys
        self._hovered: Tip | None = None

    def sizeHint(self) -> QSize:
        """Return a size at which a handful of vectors reads well."""
        return QSize(400, 380)

    @property
    def content(self) -> PlaneContent | None:
        """What is shown."""
        return self._picture.content

    @property
    def focused_tip(self) -> Tip | None:
        """The tip that the arrow keys move, None when the keys are elsewhere."""
        return self._tip

    @property
    def view(self) -> PlaneView | None:
        """Centre and scale, once there is something to show."""
        return self._picture.view

    def layout_now(self) -> PlaneLayout | None:
        """Where everything stands; None while there is nothing to show."""
        self._picture.resize(self.size())  # Qt tells of it only once the widget is shown
        return self._picture.layout

    def show_content(self, content: PlaneContent) -> None:
        """Show ``content``; the view stays. Emits nothing."""
        self._picture.show(content)
        if self._tip is not None and arrow_of(content, self._tip) is None:
            self._tip = None
        self.setAccessibleDescription(f"{content.headline}. {content.note}".strip())
        self.update()

    def fit(self) -> None:
        """Choose the view anew so that every vector is in it."""
        self._look(None)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._picture.restyle(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everything, with a ring round the tip that has the keys and a soft one under the mouse."""
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            focused = self._tip if self.hasFocus() else None
            self._picture.paint(painter, self.devicePixelRatioF(), self._hand.held or self._hovered, focused)

    def resizeEvent(self, event: QEvent) -> None:
        """Fit the new size; centre and scale that the user has chosen stay."""
        self._picture.resize(self.size())

    def event(self, event: QEvent) -> bool:
        """Show the numbers of the pair in full over the readouts."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            layout, content = self.layout_now(), self.content
            at = event.pos().toPointF()
            if layout is not None and content is not None and layout.readouts.contains(at):
                lines = [f"{readout.name} = {readout.full}" for readout in content.readouts]
                QToolTip.showText(event.globalPos(), plain_tip("\n".join([*lines, content.note])), self)
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Paint the grid anew for another font."""
        if event.type() == QEvent.Type.FontChange:
            self._picture.forget_ground()
        super().changeEvent(event)

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a tip, or of the ground."""
        layout, content = self.layout_now(), self.content
        if event.button() != Qt.MouseButton.LeftButton or layout is None or content is None:
            return
        self._hand.press(event.position(), layout, content)
        if self._hand.held is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._choose(self._hand.held)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held, or show what could be."""
        layout, content = self.layout_now(), self.content
        if layout is None or content is None:
            return
        if not self._hand.is_pressed:
            self._show_hovered(layout.tip_at(event.position().x(), event.position().y()))
            return
        match self._hand.move(event.position(), event.modifiers(), layout, content):
            case TipMove() as move:
                self._tell(move)
            case Pan(right, down) if self.view is not None:
                self._look(self.view.panned(right, down))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.release()
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
        if layout is None or self.view is None or not notches:
            return
        x, y = layout.to_plane(event.position().x(), event.position().y())
        self._look(self.view.zoomed(_ZOOM_PER_NOTCH**notches, x, y))
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
        step, tip = ARROWS.get(Qt.Key(event.key())), self._tip
        layout, content = self.layout_now(), self.content
        if event.key() == Qt.Key.Key_Escape and self.hasFocus():
            self._tip = None
            self.clearFocus()
        elif step is None or tip is None or layout is None or content is None:
            super().keyPressEvent(event)
        else:
            move = self._hand.nudge(tip, step, event.modifiers(), layout, content)
            if move is not None:
                self._tell(move)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the tips with Tab, then on to the next widget."""
        tips = tips_of(self.content)
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
        tips = tips_of(self.content)
        if tips and event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._choose(tips[0] if event.reason() == Qt.FocusReason.TabFocusReason else tips[-1])
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self.update()

    def _tell(self, move: TipMove) -> None:
        self.dragged.emit(*move.tip, move.x, move.y, move.gesture)

    def _choose(self, tip: Tip) -> None:
        self._tip = tip
        self.tip_chosen.emit(*tip)
        self.update()

    def _look(self, view: PlaneView | None) -> None:
        self._picture.look(view)
        self.update()

    def _show_hovered(self, tip: Tip | None) -> None:
        if tip != self._hovered:
            self._hovered = tip
            self.setCursor(Qt.CursorShape.ArrowCursor if tip is None else Qt.CursorShape.PointingHandCursor)
            self.update()
