"""What marks cells and rows of a matrix: pinned, mirrored, hovered, chosen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.figures.matrix_layout import MatrixLayout
from qkviz.figures.style import FigureStyle
from qkviz.presenters.matrix import MatrixContent, Outline, OutlineKind

HALO = 2.0


def paint_outlines(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    """Paint the outlines of cells, and the cross-hair of the hovered one."""
    painter.save()
    reach = layout.gap + 2.0
    painter.setClipRect(layout.body.adjusted(-reach, -reach, reach, reach))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for outline in content.outlines:
        if outline.kind is OutlineKind.HOVER:
            _paint_cross_hair(painter, layout, outline)
    for outline in content.outlines:
        _paint_outline(painter, layout, outline, style)
    painter.restore()


def paint_chosen_row(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    """Mark the chosen row: a frame round it and a bar beside its label, in the colour of queries."""
    row = content.chosen_row
    if row is None or layout.row_at(layout.cell_rect(row, 0).center().y()) is None:
        return
    painter.save()
    first = layout.cell_rect(row, layout.view.first_column)
    band = QRectF(layout.body.left(), first.top(), layout.body.width() - layout.gap, first.height())
    width = 2.0
    frame = band.adjusted(-width / 2, -width / 2, width / 2, width / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(style.surface), width + HALO))
    painter.drawRoundedRect(frame, 3.5, 3.5)
    painter.setPen(QPen(QColor(style.query), width))
    painter.drawRoundedRect(frame, 3.5, 3.5)
    painter.restore()


def _paint_cross_hair(painter: QPainter, layout: MatrixLayout, outline: Outline) -> None:
    """Frame the row and the column; their cells keep their colours."""
    rect, body = layout.cell_rect(outline.row, outline.column), layout.body
    side = 0.5 * max(1.0, layout.gap)
    bands = [
        QRectF(body.left(), rect.top(), body.width() - layout.gap, rect.height()),
        QRectF(rect.left(), body.top(), rect.width(), body.height() - layout.gap),
    ]
    bands = [band.adjusted(-side, -side, side, side) for band in bands]
    # cells are light or dark whatever the theme, so dark on light is seen on all of them
    for color, width in ((QColor(255, 255, 255, 200), 2.5), (QColor(28, 31, 38, 210), 1.0)):
        painter.setPen(QPen(color, width))
        painter.drawRects(bands)


def _paint_outline(painter: QPainter, layout: MatrixLayout, outline: Outline, style: FigureStyle) -> None:
    rect = layout.cell_rect(outline.row, outline.column)
    strong = outline.kind in (OutlineKind.PINNED, OutlineKind.MIRROR)
    dashed = outline.kind in (OutlineKind.MIRROR, OutlineKind.HOVER_MIRROR)
    width = 2.5 if outline.kind is OutlineKind.PINNED else 1.75
    width = min(width, max(1.0, layout.pitch * 0.25))
    out = max(0.5, layout.gap / 2) if strong else 0.5
    frame = rect.adjusted(-out, -out, out, out)
    radius = min(4.0, layout.pitch * 0.09)
    if strong or dashed:  # a line of the ground's colour below, so that it is seen on dark cells too
        painter.setPen(QPen(QColor(style.surface), width + HALO))
        painter.drawRoundedRect(frame, radius, radius)
    pen = QPen(QColor(style.text), width)
    if dashed:
        pen.setDashPattern([2.2, 1.6])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawRoundedRect(frame, radius, radius)
