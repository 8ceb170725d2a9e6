"""Bars of one row of scores or weights, with a bar for every key.

The only module that imports pyqtgraph, and it is imported when the chart is first needed: pyqtgraph takes
half a second that the first paint of the window has not got.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from qkviz.figures.hatch import fill_hatched
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.number_format import format_limit, format_number
from qkviz.ui.theme import LIGHT, Theme

BAR_WIDTH = 0.7
"""Of the distance between two keys."""

MANY_KEYS = 16
"""From here on the user may zoom and pan along the keys."""

LEAST_LABEL = 42
"""Pixels that a key's label needs to be worth drawing."""

HEADROOM = 1.2
"""Upper end of the chart relative to the largest value it can show: numbers stand above the bars."""


class RowChart(pg.PlotWidget):  # type: ignore[misc]
    """Bars over keys; ranges are set here and never by themselves.

    Heights are drawn relative to a round limit and only the axis multiplies back, so values near the ends of
    float64 are as good as any.

    Signals
    -------
    key_hovered
        The pointer came to another key (its index) or to none (−1).
    key_clicked
        The user clicked on a key.
    """

    key_hovered = Signal(int)
    key_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._keys = _KeyAxis()
        self._numbers = _NumberAxis()
        super().__init__(parent, axisItems={"bottom": self._keys, "left": self._numbers}, enableMenu=False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setAntialiasing(True)
        self.hideButtons()
        self.plotItem.setContentsMargins(0, 6, 8, 0)
        self._view = self.plotItem.getViewBox()
        self._view.setMenuEnabled(False)
        self._view.disableAutoRange()
        self._view.setDefaultPadding(0)
        self._bars = _Bars()
        self.addItem(self._bars, ignoreBounds=True)
        self._hovered = -1
        self._count = 0
        self.scene().sigMouseClicked.connect(self._click)

    def show_row(
        self,
        labels: Sequence[str],
        values: NDArray[np.float64],
        kinds: NDArray[np.uint8],
        largest: Sequence[int],
        chosen: int | None,
    ) -> None:
        """Draw a row. Emits nothing.

        Parameters
        ----------
        labels
            One for each of the n keys.
        values
            (n,) heights; NaN and ±∞ get no bar.
        kinds
            (n,) of `CellKind`.
        largest
            Keys to be marked as largest.
        chosen
            The pinned key, or None.
        """
        limit = round_limit(values)
        self._keys.set_labels(labels, chosen)
        self._numbers.set_limit(limit)
        self._bars.set_row(values / limit, values, kinds, frozenset(largest), chosen)
        finite = values[np.isfinite(values)]
        low = -HEADROOM if finite.size and finite.min() < 0 else 0.0
        high = HEADROOM if low == 0.0 or (finite.size and finite.max() > 0) else 0.15
        self._view.setYRange(low, high, padding=0)
        if len(labels) != self._count:
            self._count = len(labels)
            self._fit_keys()

    def restyle(self, theme: Theme, tone: str) -> None:
        """Take the colours of ``theme``, bars in ``tone``."""
        self.setBackground(QColor(theme.surface))
        self._keys.restyle(theme.key, theme.line)
        self._numbers.restyle(theme.muted, theme.line)
        self._bars.restyle(theme, tone, self.font())

    def key_at(self, x: float) -> int:
        """Return the key at ``x`` pixels from the left edge of the widget, or −1."""
        position = self._view.mapSceneToView(self.mapToScene(int(x), 0)).x()
        key = round(position)
        inside = self._view.sceneBoundingRect().contains(self.mapToScene(int(x), self.height() // 2))
        return key if inside and 0 <= key < self._count else -1

    def key_position(self, key: int) -> tuple[float, float]:
        """Return where the middle of a key's column is, in pixels of the widget."""
        scene = self._view.mapViewToScene(pg.Point(float(key), 0.05))
        point = self.mapFromScene(scene)
        return float(point.x()), float(point.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which key the pointer is on."""
        super().mouseMoveEvent(event)
        self._hover(self.key_at(event.position().x()))

    def leaveEvent(self, event: Any) -> None:
        """Say that the pointer is on no key."""
        super().leaveEvent(event)
        self._hover(-1)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all keys again."""
        super().mouseDoubleClickEvent(event)
        self._fit_keys()

    def _hover(self, key: int) -> None:
        if key != self._hovered:
            self._hovered = key
            self.key_hovered.emit(key)

    def _click(self, event: Any) -> None:
        key = self.key_at(self.mapFromScene(event.scenePos()).x())
        if event.button() == Qt.MouseButton.LeftButton and key >= 0 and not event.double():
            self.key_clicked.emit(key)

    def _fit_keys(self) -> None:
        last = self._count - 0.5
        self._view.setMouseEnabled(x=self._count >= MANY_KEYS, y=False)
        self._view.setLimits(xMin=-0.5, xMax=last, minXRange=min(4, self._count), maxXRange=self._count)
        self._view.setXRange(-0.5, last, padding=0)


class _KeyAxis(pg.AxisItem):  # type: ignore[misc]
    """Labels of the keys, cut to the room between them; of many keys only every second or fifth or so."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self._labels: Sequence[str] = ()
        self._chosen: int | None = None
        self._room = 0.0
        self.setStyle(tickLength=0, tickTextOffset=6)

    def set_labels(self, labels: Sequence[str], chosen: int | None) -> None:
        """Take the labels by position."""
        if tuple(labels) != tuple(self._labels):
            self._labels = labels
            self.picture = None
            self.update()

    def restyle(self, ink: str, line: str) -> None:
        """Take the colours of text and line."""
        self.setPen(QPen(QColor(line), 1))
        self.setTextPen(QColor(ink))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the positions to be labelled."""
        a_key = size / max(maxVal - minVal, 1e-9)
        step = max(1, math.ceil(LEAST_LABEL / max(a_key, 1e-9)))
        self._room = a_key * step - 6
        first = math.ceil(max(minVal, 0) / step) * step
        last = min(maxVal, len(self._labels) - 1)
        return [(float(step), [float(key) for key in range(first, math.floor(last) + 1, step)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the labels, shortened to the room."""
        font = self.style["tickFont"] or self.font()
        metrics = QFontMetricsF(font)
        cut = Qt.TextElideMode.ElideRight
        return [metrics.elidedText(self._labels[int(value)], cut, self._room) for value in values]


class _NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """Numbers at the limit, at half of it and at zero, written as everywhere else."""

    def __init__(self) -> None:
        super().__init__("left")
        self._limit = 1.0
        self.setStyle(tickLength=0, tickTextOffset=6)
        self.setWidth(64)

    def set_limit(self, limit: float) -> None:
        """Take the value that the height 1 stands for."""
        if limit != self._limit:
            self._limit = limit
            self.picture = None
            self.update()

    def restyle(self, ink: str, line: str) -> None:
        """Take the colours of text and line."""
        self.setPen(QPen(QColor(line), 1))
        self.setTextPen(QColor(ink))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the heights to be labelled."""
        heights = (-1.0, 0.0, 1.0) if size < 150 and minVal < 0 else (-1.0, -0.5, 0.0, 0.5, 1.0)
        return [(0.5, [height for height in heights if minVal <= height <= maxVal])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the heights as numbers."""
        return [format_limit(value * self._limit) if value else "0" for value in values]


class _Bars(pg.GraphicsObject):  # type: ignore[misc]
    """All bars, their numbers and the marks of keys without a number, in one pass of the painter."""

    def __init__(self) -> None:
        super().__init__()
        self._heights = np.zeros(0)
        self._values = np.zeros(0)
        self._kinds = np.zeros(0, np.uint8)
        self._largest: frozenset[int] = frozenset()
        self._chosen: int | None = None
        self._theme = LIGHT
        self._tone = "weight"
        self._font = QFont()

    def set_row(
        self,
        heights: NDArray[np.float64],
        values: NDArray[np.float64],
        kinds: NDArray[np.uint8],
        largest: frozenset[int],
        chosen: int | None,
    ) -> None:
        """Take a new row: (n,) each; ``heights`` are ``values`` relative to the limit."""
        if len(heights) != len(self._heights):
            self.prepareGeometryChange()
        self._heights, self._values, self._kinds = heights, values, kinds
        self._largest, self._chosen = largest, chosen
        self.update()

    def restyle(self, theme: Theme, tone: str, font: QFont) -> None:
        """Take colours and font."""
        self._theme, self._tone, self._font = theme, tone, font
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the ground of the whole row, in keys and heights."""
        return QRectF(-0.5, -HEADROOM, max(len(self._heights), 1), 2 * HEADROOM)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        """Paint in pixels: pens and texts keep their size at every zoom."""
        transform = painter.transform()
        painter.resetTransform()
        painter.setFont(self._font)
        base = transform.map(QPointF(0.0, 0.0)).y()
        view = self.viewRect()
        first = max(0, math.floor(view.left()))
        last = min(len(self._heights) - 1, math.ceil(view.right()))
        for key in range(first, last + 1):
            left = transform.map(QPointF(key - BAR_WIDTH / 2, 0.0)).x()
            right = transform.map(QPointF(key + BAR_WIDTH / 2, 0.0)).x()
            if self._kinds[key] != CellKind.VALUE or not math.isfinite(self._heights[key]):
                bottom = transform.map(QPointF(0.0, view.top())).y()
                top = transform.map(QPointF(0.0, view.bottom())).y()
                self._paint_mark(painter, QRectF(left, top, right - left, bottom - top), key)
            if math.isfinite(self._heights[key]):
                end = transform.map(QPointF(0.0, float(self._heights[key]))).y()
                self._paint_bar(painter, QRectF(left, min(base, end), right - left, abs(end - base)), key)
        painter.setPen(QPen(QColor(self._theme.muted), 1))
        painter.drawLine(transform.map(QPointF(view.left(), 0.0)), transform.map(QPointF(view.right(), 0.0)))

    def _paint_bar(self, painter: QPainter, bar: QRectF, key: int) -> None:
        color = QColor(self._theme.tone(self._tone))
        strong = key in self._largest
        if not strong:
            color.setAlphaF(0.45)
        painter.setBrush(color)
        painter.setPen(QPen(QColor(self._theme.text), 2) if key == self._chosen else Qt.PenStyle.NoPen)
        painter.drawRect(bar)
        if self._kinds[key] != CellKind.VALUE:
            return  # the word of its mark stands here
        text = ("▴ " if strong else "") + format_number(float(self._values[key]))
        font = QFont(self._font)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(text)
        if strong and width > bar.width() / BAR_WIDTH:
            text = "▴"
            width = metrics.horizontalAdvance(text)
        if width > bar.width() / BAR_WIDTH and not strong:
            return
        below = self._values[key] < 0
        y = bar.bottom() + metrics.ascent() + 2 if below else bar.top() - metrics.descent() - 2
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text if strong else self._theme.muted))
        painter.drawText(QRectF(bar.center().x() - width, y - metrics.ascent(), 2 * width, metrics.height()),
                         int(Qt.AlignmentFlag.AlignCenter), text)  # fmt: skip

    def _paint_mark(self, painter: QPainter, column: QRectF, key: int) -> None:
        """Hatch the column of a key that has no weight, and say why where there is room."""
        kind = CellKind(int(self._kinds[key]))
        if kind is CellKind.VALUE:  # a score without a value, under a weight that has one
            kind = CellKind.NAN
        fill_hatched(painter, [column], 0, kind, self._theme.figure)
        word = kind_name(kind)
        painter.setFont(self._font)
        metrics = QFontMetricsF(self._font)
        width, height = metrics.horizontalAdvance(word) + 8, metrics.height() + 4
        if height > column.width():
            return
        painter.save()
        painter.translate(column.center().x(), column.top() + 8)
        if width > column.width():
            painter.rotate(90)
            painter.translate(width / 2, -height / 2)
        box = QRectF(-width / 2, 0, width, height)
        painter.fillRect(box, QColor(self._theme.surface))
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), word)
        painter.restore()


def round_limit(values: NDArray[np.float64]) -> float:
    """Return the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that no finite magnitude exceeds; 1 for zeros.

    A round limit stays while a vector is dragged, where the maximum itself would make every bar swim.
    """
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max()) if finite.size else 0.0
    if largest < 1e-300:
        return 1.0
    exponent = math.floor(math.log10(largest))
    for factor in (1.0, 2.0, 5.0, 10.0):
        limit = factor * 10.0**exponent if exponent < 308 else largest
        if largest <= limit * (1 + 1e-12):
            return limit
    return largest
