"""The grid of heads in a room that may be too small for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from qkviz.ui.items.head_grid import HeadGrid
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea


class HeadGridScroll(QuietScrollArea):
    """The grid in as much room as there is; it is scrolled where the cells would become too small."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.grid = HeadGrid()
        self.setWidgetResizable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWidget(self.grid)
        self.setFocusProxy(self.grid)
        self.grid.pointed.connect(self._follow_cursor)

    def minimumSizeHint(self) -> QSize:
        """Return room for a few cells."""
        return QSize(150, 110)

    def sizeHint(self) -> QSize:
        """Return room for a usual grid."""
        return QSize(380, 230)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the grid fill the room; a bar that must come takes its own part of it."""
        super().resizeEvent(event)
        self.refit()

    def refit(self) -> None:
        """Give the grid the room that there is now."""
        room = self.maximumViewportSize()
        self.grid.fit(room)
        layout = self.grid.layout_now
        if layout is not None and layout.size.height() > room.height():
            bar = self.verticalScrollBar().sizeHint().width()
            self.grid.fit(QSize(room.width() - bar, room.height()))

    def _follow_cursor(self, place: object) -> None:
        if place == self.grid.cursor_place and self.grid.hasFocus():
            cell = self.grid.cursor_rect()
            room = cell.height() // 2 + 6
            self.ensureVisible(cell.center().x(), cell.center().y(), room, room)
