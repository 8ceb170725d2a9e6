"""The numbers in the cells of a matrix picture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter

from qkviz.figures.fonts import Face, font_of, is_raster, kept_text, text_width
from qkviz.figures.matrix_layout import MatrixLayout, Window
from qkviz.figures.palette import Palette, palette_of
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.number_format import format_number

SMALLEST_NUMBER, LARGEST_NUMBER = 9, 16
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
    kept = is_raster(painter)
    for pen, numbers in (
        (BLACK, dark),
        (WHITE, light),
        (QColor(style.text), _words(layout, content, window, face)),
    ):
        painter.setPen(pen)
        for x, baseline, text in numbers:
            if kept:
                static, above = kept_text(text, face)
                painter.drawStaticText(QPointF(x, baseline - above), static)
            else:
                painter.drawText(QPointF(x, baseline), text)
    painter.restore()


def number_face(
    layout: MatrixLayout, content: MatrixContent, style: FigureStyle, window: Window
) -> tuple[Face | None, int]:
    """Return the largest font in which the widest number fits its cell, and the decimals; None if none does."""
    if not layout.shows_numbers:
        return None, 2
    room = layout.pitch - layout.gap - 4.0
    size = max(SMALLEST_NUMBER, min(LARGEST_NUMBER, int(layout.pitch * 0.31)))
    face = Face(size, families=style.font_family)
    numbers = content.values[window.cells][content.kinds[window.cells] == CellKind.VALUE].tolist()
    for decimals in (2, 1, 0):
        wide = max((text_width(format_number(value, decimals), face) for value in numbers), default=1.0)
        fitting = min(size, int(size * room / wide))
        if fitting >= SMALLEST_NUMBER:
            return face._replace(size=fitting), decimals
    return None, 2


Number = tuple[float, float, str]


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


def _words(layout: MatrixLayout, content: MatrixContent, window: Window, face: Face) -> list[Number]:
    """Return what stands in cells that are no numbers but have a sign of their own: NaN and infinities."""
    if not content.kinds.any():
        return []
    words: list[Number] = []
    spoken = np.isin(content.kinds[window.cells], (CellKind.NAN, CellKind.INFINITE))
    for row, column in np.argwhere(spoken).tolist():
        rect = layout.cell_rect(window.top + row, window.left + column)
        text = format_number(float(content.values[window.top + row, window.left + column]))
        left = rect.center().x() - text_width(text, face) / 2
        words.append((left, rect.center().y() + 0.36 * face.size, text))
    return words
