"""The heads and one of them in large, side by side or one below the other."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.figures.head_grid_layout import HeadGridLayout
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.items.head_grid_scroll import HeadGridScroll
from qkviz.ui.panels.head_preview import HeadPreview
from qkviz.ui.theme import LIGHT, Theme

GAP = 14
SIDE_BY_SIDE, STACKED = 470, 300
"""From this width on the picture in large may stand beside the grid, from this height on below it."""

LEGIBLE_CELL = 22.0
"""Cells that would be smaller beside the picture in large go above it, where there is height for that."""

PREVIEW_WIDTH, PREVIEW_HEIGHT = 230, 190
"""The least that the picture in large gets; the grid is scrolled for it."""

CHART_SHARE, CHART_HEIGHT = 0.58, 300


class HeadsBody(QWidget):
    """Gives the grid what its cells can use, and the picture in large the rest.

    A layout of Qt shares room by fixed weights, which would leave a grid of two heads half empty.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.area, self.chart, self.preview = HeadGridScroll(self), ChartCanvas(self), HeadPreview(self)
        self.chart.hide()
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_grid(self) -> None:
        """Show the grid as large as it is now."""
        self.chart.hide()
        self.area.show()
        self._place()
        self.area.refit()

    def show_chart(self) -> None:
        """Show the chart instead of the grid."""
        self.area.hide()
        self.chart.show()
        self._place()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for part in (self.area.grid, self.chart, self.preview):
            part.restyle(theme)

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(640, 340)

    def minimumSizeHint(self) -> QSize:
        """Return room for a few heads and a small picture."""
        return QSize(220, 150)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        first = self.area if self.area.isVisibleTo(self) else self.chart
        width, height = self.width(), self.height()
        is_beside = width >= SIDE_BY_SIDE and (height < STACKED or self._is_legible_beside())
        self.preview.setVisible(is_beside or height >= STACKED)
        if is_beside:
            used = self._used(QSize(width - PREVIEW_WIDTH - GAP, height))
            first.setGeometry(QRect(0, 0, used.width(), height if first is self.area else used.height()))
            self.preview.setGeometry(QRect(used.width() + GAP, 0, width - used.width() - GAP, height))
        elif height >= STACKED:
            below = self._used(QSize(width, height - PREVIEW_HEIGHT - GAP)).height() + GAP
            first.setGeometry(QRect(0, 0, width, below - GAP))
            self.preview.setGeometry(QRect(0, below, width, height - below))
        else:
            first.setGeometry(self.rect())

    def _is_legible_beside(self) -> bool:
        content = self.area.grid.content
        if content is None or not self.area.isVisibleTo(self):
            return True
        room = QSize(self.width() - PREVIEW_WIDTH - GAP, self.height())
        layout = HeadGridLayout(content, room.width(), room.height(), self._theme.figure)
        return layout.cell >= LEGIBLE_CELL and layout.size.width() <= room.width()

    def _used(self, room: QSize) -> QSize:
        """Return how much of ``room`` the grid (or chart) can use."""
        content = self.area.grid.content
        if not self.area.isVisibleTo(self) or content is None:
            width = room.width() if room.width() == self.width() else round(CHART_SHARE * self.width())
            return QSize(min(width, room.width()), min(room.height(), CHART_HEIGHT))
        size = HeadGridLayout(content, room.width(), room.height(), self._theme.figure).size
        bar = self.area.verticalScrollBar().sizeHint().width() if size.height() > room.height() else 0
        return QSize(
            min(round(size.width()) + bar + 1, room.width()), min(round(size.height()) + 1, room.height())
        )
