"""A chart on the screen, painted in one pass.

A pyqtgraph plot costs eight milliseconds a frame, and one panel shows seven charts.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qkviz.figures.chart_layout import ChartLayout
from qkviz.figures.paint_chart import ChartColors, paint_chart
from qkviz.presenters.chart import ChartContent
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme


class ChartCanvas(QWidget):
    """Shows a chart. Under the pointer the nearest numbers are told in a tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: ChartContent | None = None
        self._theme = LIGHT
        self._marked: float | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def content(self) -> ChartContent | None:
        """What is shown."""
        return self._content

    def show_content(self, content: ChartContent) -> None:
        """Draw ``content``. Emits nothing."""
        if content != self._content:
            self._content = content
            self._marked = None
            self.setAccessibleName(content.spoken())
            self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def layout_now(self) -> ChartLayout | None:
        """Return where everything is at the present size; None while there is nothing to show."""
        return None if self._content is None else ChartLayout(self._content, QRectF(self.rect()), self.font())

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(260, 180)

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which a curve can be made out."""
        return QSize(110, 74)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chart."""
        layout = self.layout_now()
        if layout is not None:
            with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
                paint_chart(painter, layout, _colors(self._theme), self._marked)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the numbers nearest to the pointer."""
        layout = self.layout_now()
        found = None
        if layout is not None and layout.plot.adjusted(-8, -8, 8, 8).contains(event.position()):
            share = (event.position().x() - layout.plot.left()) / max(layout.plot.width(), 1.0)
            found = layout.content.readout(share)
        self._mark(None if found is None else found[0])
        if found is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), plain_tip("\n".join(found[1])), self)
        event.setAccepted(event.buttons() == Qt.MouseButton.NoButton)

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the pointer."""
        self._mark(None)
        super().leaveEvent(event)

    def _mark(self, x: float | None) -> None:
        if x != self._marked:
            self._marked = x
            self.update()


def _colors(theme: Theme) -> ChartColors:
    tones = {
        name: theme.tone(name) for name in ("query", "key", "embedding", "weight", "muted", "good", "bad")
    }
    return ChartColors(theme.text, theme.muted, theme.line, theme.figure.grid, theme.surface, tones)
