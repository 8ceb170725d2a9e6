"""Charts side by side, in as many rows as the height is good for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.chart import ChartContent
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.theme import Theme

GAP_X, GAP_Y = 20, 10


class ChartGrid(QWidget):
    """A fixed number of charts in rows.

    Parameters
    ----------
    rows
        How many charts each row has when there is height for rows; else all stand in one.
    row_height
        Pixels that a row needs.
    """

    def __init__(self, rows: Sequence[int], row_height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = tuple(rows)
        self._row_height = row_height
        self.canvases = tuple(ChartCanvas(self) for _chart in range(sum(rows)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_charts(self, charts: Sequence[ChartContent]) -> None:
        """Draw the charts, one in each place."""
        for canvas, chart in zip(self.canvases, charts, strict=True):
            canvas.show_content(chart)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for canvas in self.canvases:
            canvas.restyle(theme)

    def sizeHint(self) -> QSize:
        """Return room for all rows."""
        return QSize(220 * max(self._rows), self._row_height * len(self._rows))

    def minimumSizeHint(self) -> QSize:
        """Return the least room in which all charts stand in one row."""
        least = self.canvases[0].minimumSizeHint()
        return QSize(least.width() * max(self._rows), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the charts anew."""
        super().resizeEvent(event)
        rows = self._rows if self.height() >= self._row_height * len(self._rows) else (len(self.canvases),)
        height = (self.height() - GAP_Y * (len(rows) - 1)) // len(rows)
        waiting = iter(self.canvases)
        for number, count in enumerate(rows):
            width = (self.width() - GAP_X * (count - 1)) // count
            for at in range(count):
                next(waiting).setGeometry(
                    QRect(at * (width + GAP_X), number * (height + GAP_Y), width, height)
                )
