"""The picture of histograms in common bins: bars side by side, every value a stroke below them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.figures.fonts import REGULAR, SEMIBOLD, Face, ascent, draw_text, line_height, shortened, text_width
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.histogram import HistogramContent
from qkviz.presenters.number_format import format_limit

MOST_STROKES = 400
"""Values of a series that are drawn one by one."""

STROKE, STROKE_GAP = 5.0, 2.0
LEAST_HEIGHT = 20.0


@dataclass(frozen=True, slots=True)
class HistogramLayout:
    """Where the parts of a histogram lie.

    Attributes
    ----------
    body
        The bars; its lower edge is the count 0.
    highest
        The count at the upper edge, at least 1.
    """

    content: HistogramContent
    rect: QRectF
    body: QRectF
    highest: int

    @property
    def bins(self) -> int:
        """Number of bins."""
        return max(len(self.content.edges) - 1, 0)

    def bin_rect(self, at: int) -> QRectF:
        """Return the room of a bin over the whole height."""
        width = self.body.width() / max(self.bins, 1)
        return QRectF(self.body.left() + at * width, self.body.top(), width, self.body.height())

    def bar_rect(self, at: int, series: int) -> QRectF:
        """Return the bar of a series in a bin."""
        room, many = self.bin_rect(at), len(self.content.series)
        inside = room.width() * 0.84
        width = inside / many
        height = room.height() * int(self.content.series[series].counts[at]) / self.highest
        left = room.left() + room.width() * 0.08 + series * width
        return QRectF(left, room.bottom() - height, width, height)

    def bin_at(self, x: float, y: float) -> int | None:
        """Return the bin at a point, or None."""
        if not self.bins or not self.body.adjusted(0, 0, 0, 24).contains(x, y):
            return None
        return min(int((x - self.body.left()) / self.body.width() * self.bins), self.bins - 1)

    def x_of(self, value: float) -> float:
        """Return where a value stands on the axis."""
        low, high = float(self.content.edges[0]), float(self.content.edges[-1])
        share = (value / 2 - low / 2) / (high / 2 - low / 2)  # halves: the difference may overflow
        return self.body.left() + share * self.body.width()


def histogram_layout(content: HistogramContent, rect: QRectF, style: FigureStyle) -> HistogramLayout:
    """Return the layout of ``content`` in ``rect``."""
    small, legend = _faces(style)
    highest = max((int(one.counts.max()) for one in content.series if one.counts.size), default=1)
    left = text_width(str(highest), small) + 14.0
    top = len(content.series) * line_height(legend) + 8.0
    strokes = len(content.series) * (STROKE + STROKE_GAP) + 2.0
    bottom = strokes + 2 * line_height(small) + (line_height(small) if content.note else 0.0) + 4.0
    body = rect.adjusted(left, top, -12.0, -bottom)
    body.setHeight(max(body.height(), LEAST_HEIGHT))
    return HistogramLayout(content, rect, body, max(highest, 1))


def paint_histogram(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    """Paint legend, bars, strokes, axes and note in one pass; the ground itself is not painted."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_legend(painter, layout, style)
    if layout.bins:
        _paint_counts(painter, layout, style)
        _paint_bars(painter, layout, style)
        _paint_strokes(painter, layout, style)
    _paint_axis(painter, layout, style)
    painter.restore()


def _faces(style: FigureStyle) -> tuple[Face, Face]:
    return Face(11, REGULAR, style.font_family), Face(12, SEMIBOLD, style.font_family)


def _color(tone: str, style: FigureStyle) -> str:
    return {"query": style.query, "key": style.key, "weight": style.weight}.get(tone, style.embedding)


def _paint_legend(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    small, legend = _faces(style)
    top = layout.rect.top() + 2.0
    for one in layout.content.series:
        left = layout.body.left()
        box = QRectF(left, top + 3.0, 10.0, 10.0)
        _fill(painter, box, one.tone, style)
        left += 16.0
        name = shortened(one.name, legend, layout.body.right() - left)
        painter.setPen(QColor(style.text))
        draw_text(painter, left, top + ascent(legend), name, legend)
        left += text_width(name, legend) + 10.0
        painter.setPen(QColor(style.muted))
        if text_width(one.summary, small) <= layout.body.right() - left:
            draw_text(painter, left, top + ascent(legend), one.summary, small)
        top += line_height(legend)


def _paint_counts(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    """Paint lines of equal count, whole numbers only, and their numbers."""
    small, _legend = _faces(style)
    room = layout.body.height() / max(1.6 * line_height(small), 1.0)
    step = _round_count(layout.highest / max(room, 1.0))
    for count in range(0, layout.highest + 1, step):
        y = layout.body.bottom() - layout.body.height() * count / layout.highest
        painter.setPen(QPen(QColor(style.grid), 1.0))
        if count:
            painter.drawLine(QLineF(layout.body.left(), y, layout.body.right(), y))
        text = str(count)
        painter.setPen(QColor(style.muted))
        draw_text(painter, layout.body.left() - 6.0 - text_width(text, small), y + 4.0, text, small)


def _paint_bars(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    for series, one in enumerate(layout.content.series):
        for at in range(layout.bins):
            if one.counts[at]:
                _fill(painter, layout.bar_rect(at, series), one.tone, style)


def _fill(painter: QPainter, rect: QRectF, tone: str, style: FigureStyle) -> None:
    """Fill a bar; those of embeddings are hollow, so that colour alone does not tell them apart."""
    color = _color(tone, style)
    if tone == "embedding":
        painter.setBrush(QColor(mixed(color, style.surface, 0.22)))
        painter.setPen(QPen(QColor(color), 1.2))
        painter.drawRect(rect.adjusted(0.6, 0.6, -0.6, 0.0))
    else:
        painter.setBrush(QColor(color))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRect(rect)


def _paint_strokes(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    top = layout.body.bottom() + 3.0
    for one in layout.content.series:
        if one.values.size <= MOST_STROKES:
            painter.setPen(QPen(QColor(_color(one.tone, style)), 1.2))
            painter.drawLines(
                [
                    QLineF(x, top, x, top + STROKE)
                    for x in (layout.x_of(float(value)) for value in one.values.tolist())
                ]
            )
        top += STROKE + STROKE_GAP


def _paint_axis(painter: QPainter, layout: HistogramLayout, style: FigureStyle) -> None:
    small, _legend = _faces(style)
    body, content = layout.body, layout.content
    painter.setPen(QPen(QColor(style.line), 1.0))
    painter.drawLine(QLineF(body.left(), body.bottom(), body.right(), body.bottom()))
    painter.setPen(QColor(style.muted))
    y = body.bottom() + len(content.series) * (STROKE + STROKE_GAP) + 2.0
    texts = [format_limit(float(edge)) if edge else "0" for edge in content.edges]
    if texts:
        widest = max(text_width(text, small) for text in texts) + 10.0
        every = max(1, math.ceil(widest / (body.width() / max(layout.bins, 1))))
        zero = next((at for at, edge in enumerate(content.edges) if edge == 0), 0)
        for at in range(zero % every, len(texts), every):
            middle = body.left() + body.width() * at / max(layout.bins, 1)
            draw_text(painter, middle - text_width(texts[at], small) / 2, y + ascent(small), texts[at], small)
    y += line_height(small)
    axis = shortened(content.axis, small, body.width())
    draw_text(painter, body.center().x() - text_width(axis, small) / 2, y + ascent(small), axis, small)
    if content.note:
        y += line_height(small)
        note = shortened(content.note, small, layout.rect.width() - 12.0)
        draw_text(painter, layout.rect.left() + 6.0, y + ascent(small), note, small)


def _round_count(needed: float) -> int:
    """Return the smallest of 1, 2, 5, 10, … that is not below ``needed``."""
    unit = 1
    while True:
        for factor in (1, 2, 5):
            if factor * unit >= needed:
                return factor * unit
        unit *= 10
