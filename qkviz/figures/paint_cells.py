"""The cells of a matrix picture: their colours and patterns."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from qkviz.figures.enlarging import enlarged_image
from qkviz.figures.fonts import is_raster
from qkviz.figures.hatch import fill_hatched
from qkviz.figures.matrix_layout import MatrixLayout, Window
from qkviz.figures.palette import cell_image, cell_words, palette_of
from qkviz.figures.pooling import pooled
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_scales import Bytes
from qkviz.presenters.matrix import MatrixContent

VECTOR_CELLS = 32
"""Matrices up to this side are rectangles in a vector file, larger ones a picture in it."""

ENLARGED, LEAST_ENLARGED = 8, 2
"""Usual and least pixels of a cell in that picture: viewers blur across one of them, not into the middle."""

SMALL_SIDE, USUAL_SIDE, LARGEST_SIDE = 512, 1536, 8192
"""Pixels of the picture's side: up to the first a cell gets more than is usual, beyond the second fewer."""

HATCHED_PITCH = 6.0
SEAM = 0.25
"""How far a rectangle reaches under its neighbours, so that no light shows between them."""


def paint_cells(painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle) -> None:
    """Paint the cells in sight, without numbers."""
    window = layout.window()
    painter.save()
    if layout.view.rows < layout.rows or layout.view.columns < layout.columns:
        painter.setClipRect(layout.body)
    if layout.gap:
        _paint_tiles(painter, layout, content, style, window)
    elif not is_raster(painter) and max(layout.rows, layout.columns) <= VECTOR_CELLS:
        _paint_rectangles(painter, layout, content, style, window)
    elif not is_raster(painter):
        _paint_enlarged(painter, layout, content, style, window)
    else:
        _paint_pixels(painter, layout, content, style, window)
    painter.restore()


def _paint_tiles(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> None:
    """Few cells: each a tile with round corners."""
    palette = palette_of(content.scale)
    brushes, pale = palette.brushes, palette.pale
    edge = QColor(mixed(style.line, style.surface, 0.6))
    indexes = content.scale.indexes(content.values, content.kinds).tolist()
    kinds = content.kinds.tolist() if content.kinds.any() else None
    radius = min(3.0, layout.pitch * 0.07)
    hatched: dict[int, list[QRectF]] = {}
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(window.top, window.bottom):
        row_indexes = indexes[row]
        for column in range(window.left, window.right):
            rect = layout.cell_rect(row, column)
            if kinds is not None and kinds[row][column]:
                hatched.setdefault(kinds[row][column], []).append(rect)
                continue
            index = row_indexes[column]
            if pale[index]:  # two areas are drawn twenty times as fast as one with an outline
                painter.setBrush(edge)
                painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), radius + 0.5, radius + 0.5)
                rect.adjust(0.5, 0.5, -0.5, -0.5)
            painter.setBrush(brushes[index])
            painter.drawRoundedRect(rect, radius, radius)
    for kind, rects in hatched.items():
        fill_hatched(painter, rects, radius, CellKind(kind), style)


def _paint_rectangles(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> None:
    """A vector file: cells are rectangles, and each reaches a little under its neighbours."""
    brushes = palette_of(content.scale).brushes
    indexes = content.scale.indexes(content.values, content.kinds).tolist()
    kinds = content.kinds.tolist()
    body, side = layout.body, layout.pitch + 2 * SEAM
    corner = layout.cell_rect(0, 0).topLeft()
    by_color: dict[int, list[QRectF]] = {}
    for row in range(window.top, window.bottom):
        top = max(corner.y() + row * layout.pitch - SEAM, body.top())
        height = min(top + side, body.bottom()) - top
        row_kinds, row_indexes = kinds[row], indexes[row]
        for column in range(window.left, window.right):
            if row_kinds[column]:
                continue
            left = max(corner.x() + column * layout.pitch - SEAM, body.left())
            rect = QRectF(left, top, min(left + side, body.right()) - left, height)
            by_color.setdefault(row_indexes[column], []).append(rect)
    painter.setPen(Qt.PenStyle.NoPen)
    for index, rects in sorted(by_color.items()):
        painter.setBrush(brushes[index])
        painter.drawRects(rects)
    _hatch_runs(painter, layout, content.kinds, style, window)


def _paint_enlarged(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> None:
    """A vector file with very many cells: one picture, every cell a square of whole pixels."""
    values, kinds = content.values[window.cells], content.kinds[window.cells]
    side = math.ceil(max(values.shape) / LARGEST_SIDE)
    values, kinds = pooled(values, kinds, side)
    longest = max(values.shape)
    wanted = max(SMALL_SIDE // longest, min(ENLARGED, USUAL_SIDE // longest), LEAST_ENLARGED)
    factor = max(1, min(wanted, LARGEST_SIDE // longest))
    words = cell_words(content.scale.indexes(values, kinds), kinds, content.scale, style)
    image = enlarged_image(words, kinds, factor, style)
    painter.drawImage(_target(layout, window, side, *values.shape), image)


def _paint_pixels(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> None:
    """On the screen: one picture, pooled to the pixels where cells are smaller."""
    side = layout.cells_per_pixel
    values, kinds = pooled(content.values[window.cells], content.kinds[window.cells], side)
    image = cell_image(content.scale.indexes(values, kinds), kinds, content.scale, style)
    painter.setClipRect(layout.body, Qt.ClipOperation.IntersectClip)
    painter.drawImage(_target(layout, window, side, *values.shape), image)
    if layout.pitch >= HATCHED_PITCH:
        _hatch_runs(painter, layout, content.kinds, style, window)


def _target(layout: MatrixLayout, window: Window, side: int, rows: int, columns: int) -> QRectF:
    """Return where a picture of blocks lies; the last blocks may reach beyond the cells."""
    corner = layout.cell_rect(window.top, window.left).topLeft()
    return QRectF(corner.x(), corner.y(), columns * side * layout.pitch, rows * side * layout.pitch)


def _hatch_runs(
    painter: QPainter, layout: MatrixLayout, kinds: Bytes, style: FigureStyle, window: Window
) -> None:
    """Hatch the cells that are not numbers; neighbours in a row are one rectangle."""
    if not kinds.any():
        return
    for kind in CellKind:
        if kind is CellKind.VALUE:
            continue
        inside = np.zeros((window.bottom - window.top, window.right - window.left + 2), np.int8)
        inside[:, 1:-1] = kinds[window.cells] == kind
        edges = np.diff(inside, axis=1)
        starts, ends = np.argwhere(edges == 1).tolist(), np.argwhere(edges == -1).tolist()
        rects = [
            layout.cell_rect(window.top + row, window.left + start).united(
                layout.cell_rect(window.top + row, window.left + end - 1)
            )
            for (row, start), (_row, end) in zip(starts, ends, strict=True)
        ]
        if rects:
            fill_hatched(painter, rects, 0.0, kind, style)
