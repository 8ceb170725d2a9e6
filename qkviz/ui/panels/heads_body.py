"""The heads, one of them in large, and its measures, side by side or one below the other."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.figures.head_grid_layout import HeadGridLayout
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.items.head_grid_scroll import HeadGridScroll
from qkviz.ui.panels.head_lines import HeadLines
from qkviz.ui.panels.head_preview import LEAST_PICTURE, HeadPreview
from qkviz.ui.theme import LIGHT, Theme

GAP = 14
SIDE_BY_SIDE, STACKED = 470, 300
"""From this width on the picture in large may stand beside the grid, from this height on below it."""

LEGIBLE_CELL = 18.0
"""Cells that would be smaller beside the picture in large go above it, where there is height for that."""

CLEARLY_LARGER = 1.2
"""By this factor the cells have to grow for the picture in large to go below them."""

PREVIEW_WIDTH, PREVIEW_HEIGHT = 230, 190
"""The least that the picture in large gets; the grid is scrolled for it."""

LINES_WIDTH = 200
"""Pixels for the measures beside the picture in large."""

CHART_SHARE, LEAST_CHART, LARGEST_CHART = 0.58, 180, 300


class HeadsBody(QWidget):
    """Gives the grid what its cells can use, and the picture in large the rest.

    The measures stand below the grid where the picture is beside it, else beside or below the picture; they
    are left out where the picture would become too small for them.

    A layout of Qt shares room by fixed weights, which would leave a grid of two heads half empty.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.area, self.chart = HeadGridScroll(self), ChartCanvas(self)
        self.preview, self.lines = HeadPreview(self), HeadLines(self)
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

    @property
    def shows_lines(self) -> bool:
        """Whether there is room for the measures."""
        return not self.lines.isHidden()

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show these measures of the head in large, one a line."""
        self.lines.show_lines(lines)
        self._place()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for part in (self.area.grid, self.chart, self.preview, self.lines):
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
        is_beside = width >= SIDE_BY_SIDE and (height < STACKED or self._is_better_beside())
        self.preview.setVisible(is_beside or height >= STACKED)
        if is_beside:
            used = self._used(QSize(width - PREVIEW_WIDTH - GAP, height))
            rest = QRect(used.width() + GAP, 0, width - used.width() - GAP, height)
            below = QRect(0, used.height() + GAP, rest.left(), height - used.height() - GAP)
            if self._has_room(below):
                first.setGeometry(QRect(0, 0, used.width(), used.height()))
                self._place_large(rest, below)
            else:
                first.setGeometry(QRect(0, 0, used.width(), height if first is self.area else used.height()))
                self._place_large(*self._parted(rest))
        elif height >= STACKED:
            used = self._used(QSize(width, height - PREVIEW_HEIGHT - GAP))
            first.setGeometry(QRect(0, 0, width, used.height()))
            self._place_large(
                *self._parted(QRect(0, used.height() + GAP, width, height - used.height() - GAP))
            )
        else:
            first.setGeometry(self.rect())
            self.lines.hide()

    def _place_large(self, picture: QRect, lines: QRect | None) -> None:
        self.preview.setGeometry(picture)
        self.lines.setVisible(lines is not None)
        if lines is not None:
            self.lines.setGeometry(lines)

    def _has_room(self, rect: QRect) -> bool:
        """Whether the measures find room there."""
        return bool(self.lines.text()) and self.lines.heightForWidth(rect.width()) <= rect.height()

    def _parted(self, room: QRect) -> tuple[QRect, QRect | None]:
        """Return where in ``room`` picture and measures stand, the picture as large as can be."""
        needed = self.lines.heightForWidth(room.width())
        below, beside = room.height() - needed - GAP, room.width() - LINES_WIDTH - GAP
        side_below, side_beside = min(below, room.width()), min(beside, room.height())
        if not self.lines.text() or max(side_below, side_beside) < LEAST_PICTURE:
            return room, None
        if side_beside > side_below:
            lines = QRect(room.left() + beside + GAP, room.top(), LINES_WIDTH, room.height())
            return QRect(room.left(), room.top(), beside, room.height()), lines
        lines = QRect(room.left(), room.top() + below + GAP, room.width(), needed)
        return QRect(room.left(), room.top(), room.width(), below), lines

    def _is_better_beside(self) -> bool:
        """Whether the picture in large beside the grid leaves its cells legible, and below it no larger."""
        if self.area.grid.content is None or not self.area.isVisibleTo(self):
            return True
        room = QSize(self.width() - PREVIEW_WIDTH - GAP, self.height())
        room_above = QSize(self.width(), self.height() - PREVIEW_HEIGHT - GAP)
        beside, above = self._layout_in(room), self._layout_in(room_above)
        is_legible = beside.cell >= LEGIBLE_CELL and beside.size.width() <= room.width()
        gains = above.cell >= CLEARLY_LARGER * beside.cell and above.size.height() <= room_above.height()
        return is_legible and not gains

    def _layout_in(self, room: QSize) -> HeadGridLayout:
        content = self.area.grid.content
        assert content is not None  # asked by the callers
        return HeadGridLayout(content, room.width(), room.height(), self._theme.figure)

    def _used(self, room: QSize) -> QSize:
        """Return how much of ``room`` the grid (or chart) can use."""
        content = self.area.grid.content
        if not self.area.isVisibleTo(self) or content is None:
            width = room.width() if room.width() == self.width() else round(CHART_SHARE * self.width())
            width = min(width, room.width())
            left = room.height() - self.lines.heightForWidth(width + GAP) - GAP  # the measures stand below it
            return QSize(width, min(room.height(), max(LEAST_CHART, min(left, LARGEST_CHART))))
        size = self._layout_in(room).size
        bar = self.area.verticalScrollBar().sizeHint().width() if size.height() > room.height() else 0
        return QSize(
            min(round(size.width()) + bar + 1, room.width()), min(round(size.height()) + 1, room.height())
        )
