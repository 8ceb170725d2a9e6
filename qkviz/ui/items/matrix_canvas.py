"""A widget that shows one matrix and tells what the hand does on it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from qkviz.figures.matrix_layout import MatrixLayout
from qkviz.figures.matrix_view import SMALLEST_VIEW, CellView
from qkviz.figures.paint_matrix import paint_matrix
from qkviz.presenters.matrix import MatrixContent
from qkviz.ui.items.matrix_fit import SMALLEST_CANVAS, CellFit, Room, drawn, laid_out
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme

_ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_ZOOM_PER_NOTCH = 1.25
_LONG_TIP = 90
"""Characters from which a tip tells in a line of its own which cell it speaks of."""


class MatrixCanvas(QWidget):
    """Paints a `MatrixContent` with the routine that also exports it.

    Signals
    -------
    All but ``cell_stepped`` carry the `MatrixName` first.

    hovered
        ``(row, column)`` under the pointer, or None.
    cell_clicked, cell_stepped
        Row and column clicked; rows and columns to go with the arrow keys.
    row_clicked
        The label of a row was clicked.
    viewed
        The user zoomed or panned; carries a `CellView`, None for all cells.
    menu_asked
        Right click: global position, cell or None, column whose label was hit or None.
    fit_asked
        Double click: all cells are to be seen, and the clicks in it were not meant.
    """

    hovered = Signal(object, object)
    cell_clicked = Signal(object, int, int)
    cell_stepped = Signal(int, int)
    row_clicked = Signal(object, int)
    viewed = Signal(object, object)
    menu_asked = Signal(object, QPoint, object, object)
    fit_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(*SMALLEST_CANVAS)
        self._content: MatrixContent | None = None
        self._view: CellView | None = None
        self._theme: Theme = LIGHT
        self._layout: MatrixLayout | None = None
        self._fit = CellFit()
        self._pressed: QPointF | None = None
        self._panned = False
        self._tip = ""

    def sizeHint(self) -> QSize:
        """Return a size at which a small matrix reads well."""
        return QSize(260, 240)

    @property
    def content(self) -> MatrixContent | None:
        """What is shown."""
        return self._content

    @property
    def layout_now(self) -> MatrixLayout | None:
        """Where everything stands, as last painted or asked for; None while there is nothing to show."""
        if self._layout is None and self._content is not None:
            self._layout = self._laid_out(self._view)
        return self._layout

    def _laid_out(self, view: CellView | None) -> MatrixLayout:
        assert self._content is not None  # asked only while there is something to show
        return laid_out(self._content, self._room(), self._fit, view)

    def _room(self) -> Room:
        return Room(self.width(), self.height(), self._theme.figure, 1 / self.devicePixelRatioF())

    def share(self, fit: CellFit) -> None:
        """Draw cells and words as the neighbours do. Emits nothing."""
        if fit != self._fit:
            self._fit, self._layout = fit, None
            self.update()

    def show_content(self, content: MatrixContent, hover_text: str) -> None:
        """Show ``content``; ``hover_text`` speaks of the cell under the pointer. Emits nothing."""
        old, self._content = self._content, content
        self._tip = hover_text
        if old is None or old.values.shape != content.values.shape:
            self._view = None
        if old is None or not _same_picture(old, content):
            self._layout = None
            self.setAccessibleName(f"{content.title}, {content.values.shape[0]} × {content.values.shape[1]}")
            self.setAccessibleDescription(f"{content.subtitle} {content.note}".strip())
            self.update()

    def show_view(self, view: CellView | None) -> None:
        """Show another part of the matrix; None for all of it. Emits nothing."""
        self._view = view
        self._layout = None
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._layout = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in one pass."""
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            painter.fillRect(self.rect(), QColor(self._theme.surface))
            layout = self.layout_now
            if layout is None or self._content is None:
                return
            paint_matrix(painter, layout, drawn(self._content, self._room(), self._fit), self._theme.figure)
            if self.hasFocus():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(self._theme.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def resizeEvent(self, event: QEvent) -> None:
        """Lay out anew at the next paint."""
        self._layout = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus frame."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the focus frame away."""
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Look at the cell the pointer came in over."""
        self._hover(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        """Look at no cell."""
        QToolTip.hideText()
        if self.isVisible():
            self._look_at_none()
        else:  # hidden under the pointer, in the midst of the change that hides it
            QTimer.singleShot(0, self, self._look_at_none)

    def _look_at_none(self) -> None:
        self._tell(self.hovered, None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._panned = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hover, or pan while the button is down."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._hover(event.position())
            return
        moved = event.position() - self._pressed
        if not self._panned and moved.manhattanLength() < QApplication.startDragDistance():
            return
        self._panned = True
        if self._view is not None and (layout := self.layout_now) is not None:
            self._pressed = event.position()
            view = layout.view.panned(-moved.y() / layout.pitch, -moved.x() / layout.pitch)
            self._tell(self.viewed, view.within(layout.rows, layout.columns))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a click: pin the cell, or choose the row whose label was hit."""
        layout = self.layout_now
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None or layout is None:
            return
        self._pressed = None
        if self._panned:
            return
        x, y = event.position().x(), event.position().y()
        if (cell := layout.cell_at(x, y)) is not None:
            self._tell(self.cell_clicked, *cell)
        elif (row := layout.row_label_at(x, y)) is not None:
            self._tell(self.row_clicked, row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for all cells again."""
        self._tell(self.fit_asked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; a matrix that cannot be zoomed leaves the wheel to what is around it."""
        layout, content = self.layout_now, self._content
        notches = event.angleDelta().y() / 120
        if layout is None or content is None or not notches or max(content.values.shape) <= SMALLEST_VIEW:
            event.ignore()
            return
        row, column = layout.point_in_cells(event.position().x(), event.position().y())
        view = layout.view.zoomed(_ZOOM_PER_NOTCH**notches, row, column)
        if view.rows >= layout.rows and view.columns >= layout.columns:
            self._tell(self.viewed, None)
        else:
            self._tell(self.viewed, self._held(view, event.position(), row, column))
        event.accept()

    def _held(self, view: CellView, at: QPointF, row: float, column: float) -> CellView:
        """Return ``view`` moved so that the point (row, column) is under ``at``: cells have whole pixels."""
        layout = self._laid_out(view)
        found_row, found_column = layout.point_in_cells(at.x(), at.y())
        return view.panned(row - found_row, column - found_column).within(layout.rows, layout.columns)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the pinned cell by arrows; every other key goes on to the window."""
        step = _ARROWS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        self.cell_stepped.emit(*step)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the cell or label under the pointer."""
        layout = self.layout_now
        if layout is not None:
            x, y = float(event.pos().x()), float(event.pos().y())
            self._tell(self.menu_asked, event.globalPos(), layout.cell_at(x, y), layout.column_label_at(x, y))

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        if self._content is not None:
            signal.emit(self._content.name, *values)

    def _hover(self, position: QPointF) -> None:
        layout = self.layout_now
        cell = None if layout is None else layout.cell_at(position.x(), position.y())
        self._tell(self.hovered, cell)
        if cell is None or layout is None or not self._tip:
            QToolTip.hideText()
            return
        box = layout.cell_rect(*cell)
        top = self.mapToGlobal(QPointF(box.left(), box.top()).toPoint())
        # a tip as wide as the screen is broken by Qt, and then reaches down over its cell
        text = self._tip.replace(" · ", "\n", 1) if len(self._tip) > _LONG_TIP else self._tip
        height = _tip_height(1 + text.count("\n"))
        QToolTip.showText(top - QPoint(0, height), plain_tip(text), self, box.toRect())


def _tip_height(lines: int) -> int:
    """Return how far above a place a tool tip of so many lines has to be asked for to end there.

    Qt shows it below the pointer's shape; over the cell it would take the pointer from the canvas.
    """
    below_pointer, frame = 24, 30
    metrics = QFontMetrics(QToolTip.font())
    return metrics.height() + (lines - 1) * metrics.lineSpacing() + frame + below_pointer


def _same_picture(old: MatrixContent, new: MatrixContent) -> bool:
    """Tell whether both would be painted alike, so that a drag repaints only what it changed."""
    return (
        (old.name, old.title, old.subtitle, old.row_axis, old.column_axis, old.note, old.lit, old.chosen_row)
        == (
            new.name,
            new.title,
            new.subtitle,
            new.row_axis,
            new.column_axis,
            new.note,
            new.lit,
            new.chosen_row,
        )
        and (old.row_labels, old.column_labels, old.outlines)
        == (new.row_labels, new.column_labels, new.outlines)
        and (old.scale.kind, old.scale.low, old.scale.high) == (new.scale.kind, new.scale.low, new.scale.high)
        and old.scale.table is new.scale.table
        and np.array_equal(old.values, new.values, equal_nan=True)
        and np.array_equal(old.kinds, new.kinds)
    )
