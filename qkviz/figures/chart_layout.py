"""Where the parts of a chart are."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from qkviz.presenters.chart import ChartContent

SIGN = 16.0
"""Pixels of the sign before a name of the legend."""

GAP = 6.0


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text and the box it fills."""

    text: str
    box: QRectF


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A name of the legend: the tone and shape of its sign, and the boxes of both."""

    name: str
    tone: str
    shape: str
    sign: QRectF
    box: QRectF


class ChartLayout:
    """The parts of ``content`` in ``rect``, in pixels.

    Attributes
    ----------
    plot
        The area of the curves.
    title, legend, x_ticks, y_ticks, x_name
        The texts. Numbers that would run into each other are left out.
    """

    def __init__(self, content: ChartContent, rect: QRectF, font: QFont) -> None:
        self.content = content
        self.small = _smaller(font)
        self.bold = QFont(font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self._metrics = QFontMetricsF(self.small)
        bold = QFontMetricsF(self.bold)
        line = self._metrics.height()
        width = min(bold.horizontalAdvance(content.title), rect.width())
        self.title = PlacedText(content.title, QRectF(rect.left(), rect.top(), width, bold.height() + 2))
        self.legend, bottom = self._placed_legend(rect)
        widest = max((self._metrics.horizontalAdvance(text) for _at, text in content.y.ticks), default=0.0)
        self.plot = QRectF(
            QPointF(rect.left() + widest + GAP, bottom + line / 2 + 1),
            QPointF(rect.right() - GAP, rect.bottom() - line - 3),
        )
        self.x_name = self._placed_name(line)
        self.x_ticks = tuple(self._placed_x_ticks(line))
        self.y_ticks = tuple(self._placed_y_ticks(rect.left() + widest, line))

    def to_pixels(self, x: float, y: float) -> QPointF:
        """Return where a pair of numbers is painted."""
        return QPointF(
            self.plot.left() + self.content.x.share(x) * self.plot.width(),
            self.plot.bottom() - self.content.y.share(y) * self.plot.height(),
        )

    def _placed_legend(self, rect: QRectF) -> tuple[tuple[LegendEntry, ...], float]:
        """Return the legend, beside the title where it fits, and the y below it."""
        content, line = self.content, self._metrics.height()
        named = [(one.name, one.tone, str(one.shape)) for one in content.series if one.name]
        if content.band is not None and content.band.name:
            named.append((content.band.name, content.band.tone, "band"))
        widths = [self._metrics.horizontalAdvance(name) + SIGN + 4.0 for name, _tone, _shape in named]
        left, top = self.title.box.right() + 2 * GAP, self.title.box.bottom() - line
        if left + sum(widths) + 2 * GAP * (len(widths) - 1) > rect.right() and named:
            left, top = rect.left(), self.title.box.bottom()
        entries = []
        for (name, tone, shape), width in zip(named, widths, strict=True):
            if left + width > rect.right() and left > rect.left():
                left, top = rect.left(), top + line
            sign = QRectF(left, top, SIGN, line)
            entries.append(LegendEntry(name, tone, shape, sign, QRectF(left + SIGN + 4, top, width, line)))
            left += width + 2 * GAP
        return tuple(entries), max(self.title.box.bottom(), top + line if named else 0.0)

    def _placed_name(self, line: float) -> PlacedText:
        name = self.content.x.name
        width = self._metrics.horizontalAdvance(name)
        return PlacedText(name, QRectF(self.plot.right() + GAP - width, self.plot.bottom() + 3, width, line))

    def _placed_x_ticks(self, line: float) -> list[PlacedText]:
        """Return every number, or every second or third and so on, from the end of the axis on."""
        free_to = self.plot.right() + GAP
        if self.x_name.text:
            free_to = self.x_name.box.left() - GAP
        ticks = self.content.x.ticks[::-1]
        for stride in range(1, len(ticks) + 1):
            placed: list[PlacedText] = []
            limit = free_to
            for value, text in ticks[::stride]:
                width = self._metrics.horizontalAdvance(text)
                left = self.to_pixels(value, self.content.y.low).x() - width / 2
                if not placed:
                    left = min(left, limit - width)  # the last number may lean inwards
                if left + width > limit:
                    break
                placed.append(PlacedText(text, QRectF(left, self.plot.bottom() + 3, width, line)))
                limit = left - GAP
            else:
                return placed
        return []

    def _placed_y_ticks(self, right: float, line: float) -> list[PlacedText]:
        placed: list[PlacedText] = []
        free_below = float("inf")
        for value, text in self.content.y.ticks:
            middle = self.to_pixels(self.content.x.low, value).y()
            if middle + line / 2 <= free_below:
                width = self._metrics.horizontalAdvance(text)
                placed.append(PlacedText(text, QRectF(right - width, middle - line / 2, width, line)))
                free_below = middle - line / 2 + 2
        return placed


def _smaller(font: QFont) -> QFont:
    """Return a font of 0.88 times the size, which is in pixels in files and in points in windows."""
    small = QFont(font)
    if font.pixelSize() > 0:
        small.setPixelSize(max(round(0.88 * font.pixelSize()), 1))
    else:
        small.setPointSizeF(0.88 * font.pointSizeF())
    return small
