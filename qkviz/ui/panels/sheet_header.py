"""The labels beside and above the cells of a small spreadsheet."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from qkviz.ui.theme import LIGHT, Theme


class SheetHeader(QHeaderView):
    """Labels beside or above the cells; a row may carry a sign ↺ that asks to put it back.

    Signals
    -------
    reset_asked
        The ↺ of this row was clicked.
    """

    reset_asked = Signal(int)

    RESET_WIDTH = 18  # pixels

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._theme = LIGHT
        self._resettable: frozenset[int] = frozenset()
        self._tone = "plain"
        self._small = False
        self._extent = 0
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.viewport().update()

    def show_labels(self, tone: str, small: bool, resettable: frozenset[int]) -> None:
        """Set the colour of the labels, whether they are small, and which rows carry ↺."""
        if (tone, small, resettable) != (self._tone, self._small, self._resettable):
            self._tone, self._small, self._resettable = tone, small, resettable
            self.viewport().update()

    def set_extent(self, pixels: int) -> None:
        """Set the width of row labels, or the height of column labels."""
        if pixels != self._extent:
            self._extent = pixels
            if self.orientation() == Qt.Orientation.Vertical:
                self.setFixedWidth(pixels)
            else:
                self.setFixedHeight(pixels)

    def sizeHint(self) -> QSize:
        """Return the fixed extent; Qt would ask the model for up to 200 labels."""
        if self.orientation() == Qt.Orientation.Vertical:
            return QSize(self._extent, 0)
        return QSize(0, self._extent)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Paint one label, cut with … where it is too long, and ↺ behind it."""
        painter.setPen(QColor(self._theme.tone(self._tone)))
        if self._small:
            font = QFont(painter.font())
            font.setPointSizeF(font.pointSizeF() * 0.85)
            painter.setFont(font)
        vertical = self.orientation() == Qt.Orientation.Vertical
        room = rect.adjusted(0, 0, -4, 0) if vertical else rect
        if logicalIndex in self._resettable:
            room = room.adjusted(0, 0, 4 - self.RESET_WIDTH, 0)
        label = str(self.model().headerData(logicalIndex, self.orientation()) or "")
        label = painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignLeft if vertical else Qt.AlignmentFlag.AlignHCenter
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), label)
        if logicalIndex in self._resettable:
            painter.setPen(QColor(self._theme.accent))
            sign = QRect(rect.right() + 1 - self.RESET_WIDTH, rect.top(), self.RESET_WIDTH, rect.height())
            painter.drawText(sign, int(Qt.AlignmentFlag.AlignCenter), "↺")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a hand over ↺."""
        over = self._reset_at(event) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the press; the release counts."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask to put the row back whose ↺ was clicked."""
        row = self._reset_at(event)
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self.reset_asked.emit(row)

    def _reset_at(self, event: QMouseEvent) -> int | None:
        place = event.position().toPoint()
        row = self.logicalIndexAt(place)
        if row in self._resettable and place.x() >= self.width() - self.RESET_WIDTH:
            return row
        return None
