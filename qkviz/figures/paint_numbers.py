"""The numbers in the cells of a matrix picture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from qkviz.figures.fonts import Face, font_of, is_raster, kept_text, text_width
from qkviz.figures.matrix_layout import MatrixLayout, Window
from qkviz.figures.palette import Palette, kind_color, palette_of
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.matrix_looks import USUAL_DECIMALS
from qkviz.presenters.number_format import format_number

SMALLEST_NUMBER = 8
"""Smaller type is not read; the numbers are then left out."""

Number = tuple[float, float, str]
"""Left end, base line, text."""

BLACK, WHITE = QColor(0, 0, 0), QColor(255, 255, 255)


def paint_numbers(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    """Write the values into the cells in sight, black or white by the colour below them."""
    window = layout.window()
    face, decimals = number_face(layout, content, style, window)
    if face is None:
        return
    palette = palette_of(content.scale)
    dark, light = _numbers(layout, content, palette, window, face, decimals)
    painter.save()
    if layout.view.rows < layout.rows or layout.view.columns < layout.columns:
        painter.setClipRect(layout.body)
    painter.setFont(font_of(face))
    for pen, numbers in ((BLACK, dark), (WHITE, light)):
        painter.setPen(pen)
        _write(painter, numbers, face)
    if content.kinds.any():
        _paint_words(painter, layout, content, style, window, face)
    painter.restore()


def _write(painter: QPainter, numbers: list[Number], face: Face) -> None:
    """Write the numbers in the painter's font and pen; this is the inner loop of a frame."""
    if not is_raster(painter):
        for x, baseline, text in numbers:
            painter.drawText(QPointF(x, baseline), text)
        return
    for x, baseline, text in numbers:
        static, above = kept_text(text, face)
        painter.drawStaticText(QPointF(x, baseline - above), static)


def number_face(
    layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> tuple[Face | None, int]:
    """Return the largest font in which the widest number fits, and the decimals; None if none does.

    Decimals are as asked for, else the usual two: a cell does not say 1.93 here and 1.9 there.
    """
    if not layout.shows_numbers or layout.largest_number < SMALLEST_NUMBER:
        return None, content.decimals
    room = layout.pitch - layout.gap - 3.0
    size = min(max(SMALLEST_NUMBER, int(layout.pitch * 0.31)), layout.largest_number)
    face = Face(size, families=style.font_family)
    numbers = content.values[window.cells][content.kinds[window.cells] == CellKind.VALUE].tolist()
    for decimals in dict.fromkeys((content.decimals, min(content.decimals, USUAL_DECIMALS))):
        wide = max((text_width(format_number(value, decimals), face) for value in numbers), default=1.0)
        fitting = min(size, int(size * room / wide))
        if fitting >= SMALLEST_NUMBER:
            return face._replace(size=fitting), decimals
    return None, content.decimals


def _numbers(
    layout: MatrixLayout,
    content: MatrixContent,
    palette: Palette,
    window: Window,
    face: Face,
    decimals: int,
) -> tuple[list[Number], list[Number]]:
    """Return (x, base line, text) of the numbers on light and of those on dark cells."""
    indexes = content.scale.indexes(content.values, content.kinds).tolist()
    values, kinds = content.values.tolist(), content.kinds.tolist()
    dark: list[Number] = []
    light: list[Number] = []
    half = (layout.pitch - layout.gap) / 2
    for row in range(window.top, window.bottom):
        baseline = layout.body.top() + (row - layout.view.first_row) * layout.pitch + half + 0.36 * face.size
        for column in range(window.left, window.right):
            if kinds[row][column]:
                continue
            text = format_number(values[row][column], decimals)
            middle = layout.body.left() + (column - layout.view.first_column) * layout.pitch + half
            place = (middle - text_width(text, face) / 2, baseline, text)
            (light if palette.light[indexes[row][column]] else dark).append(place)
    return dark, light


def _paint_words(
    painter: QPainter,
    layout: MatrixLayout,
    content: MatrixContent,
    style: FigureStyle,
    window: Window,
    face: Face,
) -> None:
    """Write NaN and ±∞ into the cells that hold them, on a patch without hatching."""
    spoken = np.isin(content.kinds[window.cells], (CellKind.NAN, CellKind.INFINITE))
    words: list[Number] = []
    for row, column in np.argwhere(spoken).tolist():
        at = window.top + row, window.left + column
        middle = layout.cell_rect(*at).center()
        text = format_number(float(content.values[at]))
        width, baseline = text_width(text, face), middle.y() + 0.36 * face.size
        patch = QRectF(
            middle.x() - width / 2 - 2.0, middle.y() - 0.6 * face.size, width + 4.0, 1.2 * face.size
        )
        painter.fillRect(patch, QColor(kind_color(CellKind(int(content.kinds[at])), style)))
        words.append((middle.x() - width / 2, baseline, text))
    painter.setPen(QColor(style.text))
    _write(painter, words, face)
