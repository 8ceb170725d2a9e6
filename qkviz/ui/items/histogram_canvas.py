"""A widget that shows histograms and names the bin under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qkviz.figures.paint_histogram import HistogramLayout, histogram_layout, paint_histogram
from qkviz.presenters.histogram import HistogramContent
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme


class HistogramCanvas(QWidget):
    """Paints a `HistogramContent` in one pass."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(140, 110)
        self._content: HistogramContent | None = None
        self._layout: HistogramLayout | None = None
        self._theme: Theme = LIGHT

    def sizeHint(self) -> QSize:
        """Return a size at which it reads well."""
        return QSize(320, 200)

    @property
    def layout_now(self) -> HistogramLayout | None:
        """Where everything stands; None while there is nothing to show."""
        if self._layout is None and self._content is not None:
            self._layout = histogram_layout(self._content, QRectF(self.rect()), self._theme.figure)
        return self._layout

    def show_content(self, content: HistogramContent) -> None:
        """Show ``content``. Emits nothing."""
        self._content, self._layout = content, None
        self.setAccessibleDescription(". ".join(f"{one.name}: {one.summary}" for one in content.series))
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme, self._layout = theme, None
        self.update()

    def bin_words(self, at: int) -> str:
        """Return what a bin holds: its range and the counts."""
        content = self._content
        if content is None:
            return ""
        counts = "\n".join(f"{one.name}: {int(one.counts[at])}" for one in content.series)
        return f"{content.bin_text(at)}\n{counts}"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in one pass."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.surface))
            layout = self.layout_now
            if layout is not None:
                paint_histogram(painter, layout, self._theme.figure)

    def resizeEvent(self, event: QEvent) -> None:
        """Lay out anew at the next paint."""
        self._layout = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the bin under the pointer."""
        layout = self.layout_now
        at = None if layout is None else layout.bin_at(event.position().x(), event.position().y())
        if at is None or layout is None:
            QToolTip.hideText()
            return
        room = layout.bin_rect(at).toRect()
        QToolTip.showText(event.globalPosition().toPoint(), plain_tip(self.bin_words(at)), self, room)
