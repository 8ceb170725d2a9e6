"""Painting all heads in one pass, on the screen as in a file."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPen

from qkviz.figures.fonts import ascent, draw_text, line_height, text_width
from qkviz.figures.head_grid_layout import MARGIN, HeadGridLayout
from qkviz.figures.palette import bar_gradient, cell_image, palette_of
from qkviz.figures.style import FigureStyle
from qkviz.presenters.color_scales import ColorScale
from qkviz.presenters.heads import HeadCell, HeadGridContent, HeadPicture
from qkviz.presenters.number_format import format_limit

NUMBER_ROOM = 4.0
"""A measure stands in its cell as a number where so much room is left beside it."""


class HeadImages:
    """The pictures of heads as images, each made once."""

    def __init__(self, style: FigureStyle) -> None:
        self._style = style
        self._kept: dict[tuple[int, int], tuple[HeadPicture, QImage]] = {}

    def image(self, cell: HeadCell, picture: HeadPicture) -> QImage:
        """Return the image of the picture of a cell."""
        place = cell.layer, cell.head
        kept = self._kept.get(place)
        if kept is None or kept[0] is not picture:
            kinds = np.zeros(picture.indexes.shape, np.uint8)
            kept = picture, cell_image(picture.indexes, kinds, picture.scale, self._style)
            self._kept[place] = kept
        return kept[1]


def paint_head_grid(
    painter: QPainter,
    layout: HeadGridLayout,
    content: HeadGridContent,
    style: FigureStyle,
    images: HeadImages,
    clip: QRectF | None = None,
) -> None:
    """Paint the heads; those outside ``clip`` are left out."""
    _paint_words(painter, layout, content, style)
    for _label, cells in content.rows:
        for cell in cells:
            rect = layout.cell_rect(cell.layer, cell.head)
            if clip is None or clip.intersects(rect):
                _paint_cell(painter, rect, layout, cell, content.scale, style, images)
    for _label, cells in content.rows:  # frames stand over neighbours
        for cell in cells:
            if cell.is_chosen:
                paint_frame(painter, layout.cell_rect(cell.layer, cell.head), style.accent, 2.0, style)
    if content.scale is not None:
        _paint_bar(painter, layout, content.scale, style)


def paint_frame(painter: QPainter, cell: QRectF, color: str, width: float, style: FigureStyle) -> None:
    """Paint a frame round a cell, with a halo that parts it from the cell's own colours."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(style.surface), width + 2.0))
    painter.drawRect(cell.adjusted(-0.5, -0.5, 0.5, 0.5))
    painter.setPen(QPen(QColor(color), width))
    painter.drawRect(cell.adjusted(-1.0, -1.0, 1.0, 1.0))


def _paint_words(
    painter: QPainter, layout: HeadGridLayout, content: HeadGridContent, style: FigureStyle
) -> None:
    top = MARGIN
    for at, (text, face) in enumerate(layout.titles):
        painter.setPen(QColor(style.muted if at else style.text))
        draw_text(painter, MARGIN, top + ascent(face), text, face)
        top += line_height(face) + 3.0
    chosen = {(cell.layer, cell.head) for _label, cells in content.rows for cell in cells if cell.is_chosen}
    for layer, (label, _cells) in enumerate(content.rows):
        is_chosen = any(layer == at for at, _head in chosen)
        face = layout.strong if is_chosen else layout.label
        painter.setPen(QColor(style.accent if is_chosen else style.muted))
        middle = layout.cell_rect(layer, 0).center().y() + 0.36 * face.size
        draw_text(painter, layout.left - 8.0 - text_width(label, face), middle, label, face)
    chosen_heads = {at for _layer, at in chosen}
    for head in range(content.columns):
        is_chosen = head in chosen_heads
        is_near = any(abs(head - at) < layout.head_stride for at in chosen_heads)
        if not is_chosen and (head % layout.head_stride or is_near):
            continue
        face = layout.strong if is_chosen else layout.label
        painter.setPen(QColor(style.accent if is_chosen else style.muted))
        text = f"H{head + 1}"
        rect = layout.cell_rect(0, head)
        left = rect.center().x() - text_width(text, face) / 2
        draw_text(painter, left, rect.top() - 3.0 - line_height(face) + ascent(face), text, face)


def _paint_cell(
    painter: QPainter,
    rect: QRectF,
    layout: HeadGridLayout,
    cell: HeadCell,
    scale: ColorScale | None,
    style: FigureStyle,
    images: HeadImages,
) -> None:
    if cell.picture is not None:
        image = images.image(cell, cell.picture)
        side = max(image.width(), image.height())
        share = layout.cell / side
        inner = QRectF(0.0, 0.0, image.width() * share, image.height() * share)
        inner.moveCenter(rect.center())
        if side > layout.cell:  # several cells in a pixel: without smoothing some would be skipped
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(rect, QColor(style.grid))
        painter.drawImage(inner, image)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        _paint_edge(painter, rect, style)
    elif cell.value is not None and scale is not None:
        _paint_value(painter, rect, layout, cell, scale, style)
    else:
        painter.fillRect(rect, QColor(style.grid))
        if cell.text:
            painter.setPen(QColor(style.muted))
            _draw_middle(painter, rect, layout, cell.text)


def _paint_value(
    painter: QPainter,
    rect: QRectF,
    layout: HeadGridLayout,
    cell: HeadCell,
    scale: ColorScale,
    style: FigureStyle,
) -> None:
    index = int(scale.indexes(np.array([[cell.value]]), np.zeros((1, 1), np.uint8))[0, 0])
    palette = palette_of(scale)
    painter.fillRect(rect, palette.brushes[index])
    _paint_edge(painter, rect, style)
    if text_width(cell.text, layout.label) + NUMBER_ROOM <= layout.cell:
        painter.setPen(QColor("#ffffff" if palette.light[index] else "#000000"))
        _draw_middle(painter, rect, layout, cell.text)


def _paint_edge(painter: QPainter, rect: QRectF, style: FigureStyle) -> None:
    """Part pale cells from the ground."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(style.line), 1.0))
    painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5))


def _draw_middle(painter: QPainter, rect: QRectF, layout: HeadGridLayout, text: str) -> None:
    face, middle = layout.label, rect.center()
    draw_text(painter, middle.x() - text_width(text, face) / 2, middle.y() + 0.36 * face.size, text, face)


def _paint_bar(painter: QPainter, layout: HeadGridLayout, scale: ColorScale, style: FigureStyle) -> None:
    bar, face = layout.bar, layout.label
    upright = bar_gradient(scale, bar)
    gradient = QLinearGradient(QPointF(bar.left(), 0.0), QPointF(bar.right(), 0.0))
    gradient.setStops(upright.stops())
    painter.fillRect(bar, gradient)
    painter.setPen(QColor(style.muted))
    baseline = bar.center().y() + 0.36 * face.size
    low, high = format_limit(scale.low), format_limit(scale.high)
    draw_text(painter, bar.left() - 6.0 - text_width(low, face), baseline, low, face)
    draw_text(painter, bar.right() + 6.0, baseline, high, face)
