"""The patterns that tell cells without a number from cells with one, and from each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from qkviz.figures.fonts import is_raster
from qkviz.figures.palette import kind_color
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind

PERIOD = 6.0
"""Distance between two lines of a pattern along x or y, in pixels of the picture."""

DIRECTIONS = {
    CellKind.MASKED: "/",
    CellKind.NAN: "/\\",
    CellKind.UNDEFINED: "\\",
    CellKind.NO_KEY: "-",
    CellKind.INFINITE: "|",
}
LINE_WIDTH = 0.9


def fill_hatched(
    painter: QPainter, rects: Sequence[QRectF], radius: float, kind: CellKind, style: FigureStyle
) -> None:
    """Fill rectangles with the colour and the pattern of a kind; the patterns of neighbours join."""
    painter.setPen(Qt.PenStyle.NoPen)
    for brush in _brushes(painter, kind, style):
        painter.setBrush(brush)
        if radius:
            for rect in rects:
                painter.drawRoundedRect(rect, radius, radius)
        else:
            painter.drawRects(list(rects))
    if not is_raster(painter):  # a texture would become pixels in the file
        path = QPainterPath()
        for rect in rects:
            for line in hatch_lines(rect, kind):
                path.moveTo(line.p1())
                path.lineTo(line.p2())
        painter.strokePath(path, QPen(QColor(style.hatch), LINE_WIDTH))


def hatch_lines(rect: QRectF, kind: CellKind) -> Iterator[QLineF]:
    """Yield the lines of a kind's pattern inside ``rect``; they lie on one grid for the whole picture."""
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    for direction in DIRECTIONS[kind]:
        if direction == "/":
            for c in _steps(left + top, right + bottom):
                yield QLineF(
                    max(left, c - bottom), min(bottom, c - left), min(right, c - top), max(top, c - right)
                )
        elif direction == "\\":
            for c in _steps(left - bottom, right - top):
                yield QLineF(
                    max(left, c + top), max(top, left - c), min(right, c + bottom), min(bottom, right - c)
                )
        elif direction == "-":
            for y in _steps(top, bottom):
                yield QLineF(left, y, right, y)
        else:
            for x in _steps(left, right):
                yield QLineF(x, top, x, bottom)


def _brushes(painter: QPainter, kind: CellKind, style: FigureStyle) -> tuple[QBrush, ...]:
    if not is_raster(painter):
        return (QBrush(QColor(kind_color(kind, style))),)
    scale = max(0.25, abs(painter.deviceTransform().m11()))
    return (_texture(kind, style, max(3, round(PERIOD * scale))),)


@lru_cache(64)
def _texture(kind: CellKind, style: FigureStyle, side: int) -> QBrush:
    """Return a brush of one period, ``side`` device pixels wide, that is `PERIOD` wide in the picture."""
    tile = QImage(side, side, QImage.Format.Format_RGB32)
    tile.fill(QColor(kind_color(kind, style)))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / PERIOD, side / PERIOD)
    painter.setPen(QPen(QColor(style.hatch), LINE_WIDTH))
    # one period more on each side, so that the ends of slanted lines meet in the corners
    painter.drawLines(list(hatch_lines(QRectF(-PERIOD, -PERIOD, 3 * PERIOD, 3 * PERIOD), kind)))
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(PERIOD / side, PERIOD / side))
    return brush


def _steps(low: float, high: float) -> Iterator[float]:
    for step in range(math.ceil(low / PERIOD), math.floor(high / PERIOD) + 1):
        yield step * PERIOD


def paint_swatch(painter: QPainter, corner: QPointF, side: float, kind: CellKind, style: FigureStyle) -> None:
    """Draw the sample of a kind that a legend shows, with its upper left corner at ``corner``."""
    rect = QRectF(corner.x(), corner.y(), side, side)
    fill_hatched(painter, [rect], 2.0 if is_raster(painter) else 0.0, kind, style)
    painter.setPen(QPen(QColor(style.line), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, 2.0, 2.0)
