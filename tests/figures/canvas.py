"""An image to paint on, and its pixels as an array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from qkviz.figures.matrix_layout import CellView, MatrixLayout
from qkviz.figures.paint_matrix import paint_matrix, paint_matrix_without_numbers
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.matrix import MatrixContent

Pixels = NDArray[np.uint8]


def painted(width: int, height: int, paint: Callable[[QPainter], None], style: FigureStyle = LIGHT) -> Pixels:
    """Return what ``paint`` paints on the ground of a style as (height, width, 3)."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(style.surface))
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return pixels_of(image)


def painted_matrix(
    content: MatrixContent,
    size: tuple[int, int] = (400, 400),
    *,
    numbers: bool = False,
    style: FigureStyle = LIGHT,
    view: CellView | None = None,
) -> tuple[Pixels, MatrixLayout]:
    """Return the picture of a matrix on a canvas of this size, and its layout."""
    layout = MatrixLayout(content, QRectF(0, 0, *size), style, view)
    paint = paint_matrix if numbers else paint_matrix_without_numbers
    return painted(*size, lambda painter: paint(painter, layout, content, style), style), layout


def pixels_of(image: QImage) -> Pixels:
    """Return an image as (height, width, 3) of red, green, blue."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


def cell_pixels(pixels: Pixels, layout: MatrixLayout, row: int, column: int, share: float = 0.8) -> Pixels:
    """Return the middle part of a cell."""
    rect = layout.cell_rect(row, column)
    inset = (1 - share) / 2 * rect.width()
    top, bottom = round(rect.top() + inset), round(rect.bottom() - inset)
    left, right = round(rect.left() + inset), round(rect.right() - inset)
    return pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
