"""Painting a chart in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from qkviz.figures.chart_layout import ChartLayout, LegendEntry
from qkviz.figures.style import mixed
from qkviz.presenters.chart import ChartBand, ChartSeries

LINE_WIDTH = 1.8
POINT = 2.6
"""Radius of a point in pixels."""


@dataclass(frozen=True, slots=True)
class ChartColors:
    """Colours as ``#rrggbb``; ``tones`` has those of the series by name, any other tone is the text's."""

    text: str
    muted: str
    line: str
    grid: str
    surface: str
    tones: Mapping[str, str]

    def tone(self, name: str) -> str:
        """Return the colour of a tone."""
        return self.tones.get(name, self.text)


def paint_chart(painter: QPainter, layout: ChartLayout, colors: ChartColors, marked: float | None) -> None:
    """Paint the chart; ``marked`` is the x of the pointer, or None."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    content = layout.content
    _paint_frame(painter, layout, colors)
    if not any(series.xs for series in content.series):
        painter.setFont(layout.small)
        painter.setPen(QColor(colors.muted))
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        painter.drawText(layout.plot, flags, content.empty)
        return
    painter.save()
    painter.setClipRect(layout.plot.adjusted(-4, -4, 4, 4))
    if content.band is not None:
        _paint_band(painter, layout, content.band, colors)
    if marked is not None:
        x = layout.to_pixels(marked, content.y.low).x()
        painter.setPen(QPen(QColor(colors.muted), 1))
        painter.drawLine(QPointF(x, layout.plot.top()), QPointF(x, layout.plot.bottom()))
    for series in content.series:
        _paint_series(painter, layout, series, colors)
    painter.restore()


def _paint_frame(painter: QPainter, layout: ChartLayout, colors: ChartColors) -> None:
    painter.setPen(QPen(QColor(colors.grid), 1))
    for value, _text in layout.content.y.ticks:
        y = layout.to_pixels(layout.content.x.low, value).y()
        painter.drawLine(QPointF(layout.plot.left(), y), QPointF(layout.plot.right(), y))
    painter.setPen(QPen(QColor(colors.line), 1))
    painter.drawLine(layout.plot.bottomLeft(), layout.plot.bottomRight())
    painter.setFont(layout.bold)
    painter.setPen(QColor(colors.text))
    title = painter.fontMetrics().elidedText(
        layout.title.text, Qt.TextElideMode.ElideRight, round(layout.title.box.width()) + 2
    )
    painter.drawText(layout.title.box.adjusted(0, 0, 4, 0), int(Qt.AlignmentFlag.AlignLeft), title)
    painter.setFont(layout.small)
    painter.setPen(QColor(colors.muted))
    for tick in (*layout.x_ticks, *layout.y_ticks, layout.x_name):
        painter.drawText(tick.box.adjusted(-2, 0, 2, 0), int(Qt.AlignmentFlag.AlignCenter), tick.text)
    for entry in layout.legend:
        _paint_entry(painter, entry, colors)


def _paint_entry(painter: QPainter, entry: LegendEntry, colors: ChartColors) -> None:
    painter.setPen(QColor(colors.muted))
    painter.drawText(entry.box.adjusted(0, 0, 6, 0), int(Qt.AlignmentFlag.AlignLeft), entry.name)
    color, middle = QColor(colors.tone(entry.tone)), entry.sign.center().y()
    left, right = QPointF(entry.sign.left(), middle), QPointF(entry.sign.right(), middle)
    if entry.shape == "band":
        painter.fillRect(entry.sign.adjusted(0, 4, 0, -4), _soft(entry.tone, colors))
    elif entry.shape == "bars":
        painter.fillRect(entry.sign.adjusted(4, 3, -4, -3), color)
    elif entry.shape in ("points", "crosses"):
        _paint_points(painter, [entry.sign.center()], color, entry.shape)
    else:
        painter.setPen(_pen(color, entry.shape))
        painter.drawLine(left, right)


def _paint_band(painter: QPainter, layout: ChartLayout, band: ChartBand, colors: ChartColors) -> None:
    upper = [layout.to_pixels(x, y) for x, y in zip(band.xs, band.highs, strict=True)]
    lower = [layout.to_pixels(x, y) for x, y in zip(band.xs, band.lows, strict=True)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_soft(band.tone, colors))
    painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))


def _paint_series(painter: QPainter, layout: ChartLayout, series: ChartSeries, colors: ChartColors) -> None:
    points = [layout.to_pixels(x, y) for x, y in zip(series.xs, series.ys, strict=True)]
    color = QColor(colors.tone(series.tone))
    if series.shape == "bars":
        _paint_bars(painter, layout, points, color)
    elif series.shape in ("points", "crosses"):
        _paint_points(painter, points, color, series.shape)
    else:
        painter.setPen(_pen(color, series.shape))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        if series.shape == "line":
            _paint_points(painter, points, color, "points")


def _paint_bars(painter: QPainter, layout: ChartLayout, points: list[QPointF], color: QColor) -> None:
    base = layout.to_pixels(layout.content.x.low, 0.0).y()
    distance = points[1].x() - points[0].x() if len(points) > 1 else layout.plot.width()
    width = max(distance - (1.0 if distance > 4.0 else 0.0), 1.0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for point in points:
        if base - point.y() > 0.05:
            height = max(base - point.y(), 1.0)
            painter.fillRect(QRectF(point.x() - width / 2, base - height, width, height), color)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _paint_points(painter: QPainter, points: list[QPointF], color: QColor, shape: str) -> None:
    if shape == "points":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for point in points:
            painter.drawEllipse(point, POINT, POINT)
        return
    painter.setPen(QPen(color, 1.6))
    for point in points:
        for way in (1.0, -1.0):
            arm = QPointF(3.2, 3.2 * way)
            painter.drawLine(point - arm, point + arm)


def _pen(color: QColor, shape: str) -> QPen:
    style = Qt.PenStyle.DashLine if shape == "dashed" else Qt.PenStyle.SolidLine
    return QPen(color, LINE_WIDTH if shape == "line" else 1.4, style)


def _soft(tone: str, colors: ChartColors) -> QColor:
    return QColor(mixed(colors.tone(tone), colors.surface, 0.22))
