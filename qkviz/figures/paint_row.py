"""The picture of one row of scores or weights: a bar for every key."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.figures.axis_labels import fitted, shown_positions
from qkviz.figures.fonts import SEMIBOLD, ascent, draw_text, line_height, one_line, shortened, text_width
from qkviz.figures.hatch import fill_hatched
from qkviz.figures.matrix_layout import MARGIN
from qkviz.figures.row_layout import TICK_GAP, RowLayout
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.number_format import format_number
from qkviz.presenters.row_chart import RowChartContent

FAINT = 0.45
"""How much of its colour a bar has that is not the largest."""


def paint_row(
    painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle, with_values: bool
) -> None:
    """Paint a row with everything that belongs to it; ``with_values`` writes the numbers at the bars.

    The painter is left as it was; the ground is not painted.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_head(painter, layout, content, style)
    _paint_axis(painter, layout, content, style)
    for key in range(len(content.key_labels)):
        if content.kinds[key] == CellKind.VALUE and math.isfinite(content.values[key]):
            _paint_bar(painter, layout, content, style, key)
            if with_values:
                _paint_number(painter, layout, content, style, key)
        else:
            _paint_mark(painter, layout, content, style, key)
    painter.setPen(QPen(QColor(style.muted), 1.0))
    base = layout.y(0.0)
    painter.drawLine(QLineF(layout.plot.left(), base, layout.plot.right(), base))
    _paint_keys(painter, layout, content, style)
    painter.restore()


def _paint_head(painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle) -> None:
    left, top = layout.rect.left() + MARGIN, layout.rect.top() + MARGIN
    for text, face, color in (
        (content.title, layout.faces.title, style.text),
        (content.subtitle, layout.faces.subtitle, style.muted),
    ):
        painter.setPen(QColor(color))
        shown = shortened(one_line(text), face, layout.rect.width() - 2 * MARGIN)
        draw_text(painter, left, top + ascent(face), shown, face)
        top += line_height(face)


def _paint_axis(painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle) -> None:
    face = layout.faces.small
    for value, text in content.ticks:
        y = layout.y(value)
        painter.setPen(QPen(QColor(style.grid), 1.0))
        painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))
        painter.setPen(QColor(style.muted))
        left = layout.plot.left() - TICK_GAP - text_width(text, face)
        draw_text(painter, left, y + 0.36 * face.size, text, face)


def _paint_bar(
    painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle, key: int
) -> None:
    color = style.weight if content.is_weights else style.query
    strong = key in content.largest
    painter.setBrush(QColor(color if strong else mixed(color, style.surface, FAINT)))
    painter.setPen(QPen(QColor(style.text), 2.0) if key == content.chosen else Qt.PenStyle.NoPen)
    painter.drawRect(layout.bar(key))


def _paint_number(
    painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle, key: int
) -> None:
    strong = key in content.largest
    face = layout.faces.axis._replace(weight=SEMIBOLD) if strong else layout.faces.axis
    number = format_number(float(content.values[key]), content.decimals)
    text = f"▴ {number}" if strong else number
    if text_width(text, face) > layout.slot:
        text = "▴" if strong else ""
    bar = layout.bar(key)
    below = content.values[key] < 0
    baseline = bar.bottom() + ascent(face) + 2.0 if below else bar.top() - 5.0
    painter.setPen(QColor(style.text if strong else style.muted))
    draw_text(painter, bar.center().x() - text_width(text, face) / 2, baseline, text, face)


def _paint_mark(
    painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle, key: int
) -> None:
    """Hatch the column of a key without a number, and say why where there is room."""
    kind, face, column = CellKind(int(content.kinds[key])), layout.faces.axis, layout.column(key)
    fill_hatched(painter, [column], 0.0, kind, style)
    word = kind_name(kind)
    width, height = text_width(word, face) + 8.0, line_height(face) + 2.0
    if height > column.width() or width > column.height():
        return
    painter.save()
    painter.translate(column.center())
    if width > column.width():
        painter.rotate(-90.0)
    painter.fillRect(QRectF(-width / 2, -height / 2, width, height), QColor(style.surface))
    painter.setPen(QColor(style.muted))
    draw_text(painter, 4.0 - width / 2, 0.36 * face.size, word, face)
    painter.restore()


def _paint_keys(painter: QPainter, layout: RowLayout, content: RowChartContent, style: FigureStyle) -> None:
    """Write the labels of the keys, the name of their axis and the sentence."""
    face, plan, plot = layout.faces.label, layout.plan, layout.plot
    count = len(content.key_labels)
    top = layout.labels_top
    painter.setPen(QColor(style.key))
    marked = [*content.largest, *([] if content.chosen is None else [content.chosen])]
    for key in shown_positions(0.0, float(count), count, plan.stride, marked):
        lines = fitted(content.key_labels[key], face, plan)
        middle = layout.column(key).center().x()
        for at, text in enumerate(lines):
            width = text_width(text, face)
            if plan.turned:
                painter.save()
                painter.translate(QPointF(middle + 0.36 * face.size, top + width))
                painter.rotate(-90.0)
                draw_text(painter, 0.0, 0.0, text, face)
                painter.restore()
            else:
                draw_text(painter, middle - width / 2, top + ascent(face) + at * 1.1 * face.size, text, face)
    axis = layout.faces.axis
    top += plan.extent + 3.0
    painter.setPen(QColor(style.muted))
    name = one_line(content.key_axis)
    draw_text(painter, plot.center().x() - text_width(name, axis) / 2, top + ascent(axis), name, axis)
    small = layout.faces.small
    sentence = shortened(one_line(content.sentence), small, layout.rect.width() - 2 * MARGIN)
    baseline = top + line_height(axis) + 6.0 + ascent(small)
    draw_text(painter, layout.rect.left() + MARGIN, baseline, sentence, small)
