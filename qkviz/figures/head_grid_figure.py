"""The grid of heads as a picture to be taken away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QPainter

from qkviz.figures.figure import WindowFigure
from qkviz.figures.head_grid_layout import NATURAL_CELL, HeadGridLayout
from qkviz.figures.paint_head_grid import HeadImages, paint_head_grid
from qkviz.figures.style import LIGHT
from qkviz.presenters.heads import HeadGridContent


def head_grid_figure(content: HeadGridContent, titles: Sequence[str]) -> WindowFigure:
    """Return the grid on light ground, every head large enough to be made out, with lines of words above."""
    rows, columns = len(content.rows), content.columns
    width, height = 70.0 + columns * NATURAL_CELL, 90.0 + rows * NATURAL_CELL
    layout = HeadGridLayout(content, width, height, LIGHT, titles)

    def paint(painter: QPainter) -> None:
        paint_head_grid(painter, layout, content, LIGHT, HeadImages(LIGHT))

    return WindowFigure(paint, layout.size.width(), layout.size.height(), " · ".join(titles))
