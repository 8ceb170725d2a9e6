"""The bars of a row, painted in one pass."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from qkviz.figures.hatch import fill_hatched
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.number_format import format_number
from qkviz.ui.theme import LIGHT, Theme

BAR_WIDTH = 0.7
"""Of the distance between two keys."""

HEADROOM = 1.2
"""Upper end of the chart relative to the largest value it can show: numbers stand above the bars."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number at the end of a key's bar, in pixels."""

    key: int
    text: str
    strong: bool
    box: QRectF


class RowBars(pg.GraphicsObject):  # type: ignore[misc]
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
        self._shown: dict[int, str] = {}

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

    @property
    def shown_numbers(self) -> dict[int, str]:
        """The numbers painted last, by key."""
        return dict(self._shown)

    def boundingRect(self) -> QRectF:
        """Return the ground of the whole row, in keys and heights."""
        return QRectF(-0.5, -HEADROOM, max(len(self._heights), 1), 2 * HEADROOM)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        """Paint in pixels: pens and texts keep their size at every zoom."""
        transform = painter.transform()
        painter.resetTransform()
        painter.setFont(self._font)
        across, right_by, up, down_by = transform.m11(), transform.dx(), transform.m22(), transform.dy()
        view = self.viewRect()
        bottom, top = view.top() * up + down_by, view.bottom() * up + down_by
        first = max(0, math.floor(view.left()))
        last = min(len(self._heights) - 1, math.ceil(view.right()))
        bars: dict[int, QRectF] = {}
        by_strength: tuple[list[QRectF], list[QRectF]] = ([], [])
        outlined: QRectF | None = None
        heights, kinds = self._heights.tolist(), self._kinds.tolist()
        for key in range(first, last + 1):
            left, width = (key - BAR_WIDTH / 2) * across + right_by, BAR_WIDTH * across
            is_known = math.isfinite(heights[key])
            if kinds[key] != CellKind.VALUE or not is_known:
                self._paint_mark(painter, QRectF(left, top, width, bottom - top), key)
            if is_known:
                end = heights[key] * up
                bar = QRectF(left, min(0.0, end) + down_by, width, abs(end))
                by_strength[key in self._largest].append(bar)
                if key == self._chosen:
                    outlined = bar
                if kinds[key] == CellKind.VALUE:  # else the word of its mark stands there
                    bars[key] = bar
        for rectangles, opacity in zip(by_strength, (0.45, 1.0), strict=True):
            self._paint_bars(painter, rectangles, opacity)
        if outlined is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.text), 2))
            painter.drawRect(outlined)
        ends = transform.map(QPointF(view.left(), 0.0)).x(), transform.map(QPointF(view.right(), 0.0)).x()
        slot = (ends[1] - ends[0]) / max(view.width(), 1e-9)
        numbers = self._numbers(bars, slot, ends)
        self._shown = {number.key: number.text for number in numbers}
        self._paint_numbers(painter, numbers, slot)
        painter.setPen(QPen(QColor(self._theme.muted), 1))
        painter.drawLine(transform.map(QPointF(view.left(), 0.0)), transform.map(QPointF(view.right(), 0.0)))

    def _paint_bars(self, painter: QPainter, bars: list[QRectF], opacity: float) -> None:
        color = QColor(self._theme.tone(self._tone))
        color.setAlphaF(opacity)
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRects(bars)

    def _numbers(self, bars: dict[int, QRectF], slot: float, ends: tuple[float, float]) -> list[_Number]:
        """Return the numbers at the ends of ``bars``, in pixels.

        A key has ``slot`` pixels. The number of the winner is there however narrow that is, between the
        ``ends`` of the chart; others give way to it.
        """
        winner = min(self._largest, default=-1)
        placed: list[_Number] = []
        narrowest = QFontMetricsF(self._font_of(strong=False)).horizontalAdvance("0")
        candidates = bars if slot > narrowest else bars.keys() & {*self._largest}
        for key in sorted(candidates, key=lambda one: (one != winner, one)):
            number = self._number(key, bars[key], slot, key == winner)
            if number is None:
                continue
            box = number.box
            if key == winner:
                box.moveLeft(max(min(box.left(), ends[1] - box.width()), ends[0]))
            if not placed or placed[0].key != winner or not box.intersects(placed[0].box):
                placed.append(number)
        return placed

    def _number(self, key: int, bar: QRectF, slot: float, is_winner: bool) -> _Number | None:
        strong = key in self._largest
        metrics = QFontMetricsF(self._font_of(strong))
        number = format_number(float(self._values[key]))
        if strong:
            fits = is_winner or metrics.horizontalAdvance(f"▴ {number}") <= slot
            number = f"▴ {number}" if fits else "▴"
        elif metrics.horizontalAdvance(number) > slot:
            return None
        box = QRectF(0, 0, metrics.horizontalAdvance(number), metrics.height())
        top = bar.bottom() + 2 if self._values[key] < 0 else bar.top() - metrics.height() - 2
        box.moveTopLeft(QPointF(bar.center().x() - box.width() / 2, top))
        return _Number(key, number, strong, box)

    def _font_of(self, strong: bool) -> QFont:
        font = QFont(self._font)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    def _paint_numbers(self, painter: QPainter, numbers: list[_Number], slot: float) -> None:
        for number in reversed(numbers):
            if number.box.width() > slot:  # it may stand over bars beside its own
                painter.fillRect(number.box, QColor(self._theme.surface))
            painter.setFont(self._font_of(number.strong))
            painter.setPen(QColor(self._theme.text if number.strong else self._theme.muted))
            room = number.box.adjusted(-4, 0, 4, 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), number.text)

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
