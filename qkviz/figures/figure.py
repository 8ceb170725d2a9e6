"""A picture to be taken away: matrices, the plane, a row of bars or a whole window, with its title."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from qkviz.figures.fonts import (
    SEMIBOLD,
    Face,
    ascent,
    characters_without_font,
    draw_text,
    font_has,
    is_raster,
    line_height,
    one_line,
    shortened,
    text_width,
)
from qkviz.figures.matrix_layout import MatrixLayout
from qkviz.figures.natural_size import natural_pitch, natural_size
from qkviz.figures.paint_matrix import paint_matrix, paint_matrix_without_numbers
from qkviz.figures.paint_plane import paint_plane
from qkviz.figures.paint_row import paint_row
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, plane_rect
from qkviz.figures.plane_parts import readouts_height
from qkviz.figures.row_layout import RowLayout, natural_row_size
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.matrix import MatrixContent, OutlineKind
from qkviz.presenters.plane import PlaneContent
from qkviz.presenters.row_chart import RowChartContent

PLANE_SIDE = 440.0
TITLE_GAP = 10.0
PADDING = 6.0
SPACING = 12.0
VECTOR_PIXEL = 1 / 64
"""What edges of cells are rounded to where there are no pixels."""


@dataclass(frozen=True, eq=False, slots=True)
class MatrixFigure:
    """Matrices side by side, ``columns`` in a row.

    Attributes
    ----------
    contents
        At least one.
    title
        Stands above all; None for none. Each matrix has its own title besides.
    with_values
        Whether numbers stand in the cells, where they fit.
    """

    contents: tuple[MatrixContent, ...]
    columns: int = 2
    title: str | None = None
    with_values: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class PlaneFigure:
    """The vector plane with its numbers.

    Attributes
    ----------
    title
        Stands above; None for none.
    view
        The part in sight; None shows all vectors.
    """

    content: PlaneContent
    title: str | None = None
    view: PlaneView | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RowFigure:
    """The bars of one row; with ``title`` above, and numbers at the bars where they fit."""

    content: RowChartContent
    title: str | None = None
    with_values: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class WindowFigure:
    """What something else paints: a whole window.

    Attributes
    ----------
    paint
        Paints it with its upper left corner at the origin.
    width, height
        Of what it paints, in pixels of 1/96 inch.
    headline
        What it shows, for the metadata of a file.
    title
        There is none.
    """

    paint: Callable[[QPainter], None]
    width: float
    height: float
    headline: str
    title: None = None


Figure = MatrixFigure | PlaneFigure | RowFigure | WindowFigure


def figure_size(figure: Figure, style: FigureStyle = LIGHT) -> QSizeF:
    """Return the natural size in pixels of 1/96 inch: nothing is cut, text is as large as on the screen."""
    if isinstance(figure, WindowFigure):
        return QSizeF(figure.width, figure.height)
    if isinstance(figure, PlaneFigure):
        inner = QSizeF(PLANE_SIDE, PLANE_SIDE + readouts_height(style, PLANE_SIDE))
    elif isinstance(figure, RowFigure):
        inner = natural_row_size(figure.content, style)
    else:
        widths, heights = _grid(figure, style)
        inner = QSizeF(sum(widths) + SPACING * (len(widths) - 1), sum(heights) + SPACING * (len(heights) - 1))
    title = _title_face(style)
    width = max(inner.width(), min(text_width(one_line(figure.title or ""), title) + 20.0, 640.0))
    return QSizeF(
        math.ceil(width + 2 * PADDING), math.ceil(inner.height() + _title_height(figure, title) + 2 * PADDING)
    )


def paint_figure(painter: QPainter, rect: QRectF, figure: Figure, style: FigureStyle) -> None:
    """Paint a figure into ``rect``, enlarged as a whole as far as it fits.

    Parameters
    ----------
    painter
        Open on an image, a file, or a widget for a preview; left as it was.
    rect
        The room, in the painter's coordinates. Its ground is filled if the style has one.
    figure
        What is painted. What belongs to the screen only, light and hover, is left out.
    style
        Colours.
    """
    painter.save()
    if style.background is not None:
        painter.fillRect(rect, QColor(style.background))
    size = figure_size(figure, style)
    scale = min(rect.width() / size.width(), rect.height() / size.height())
    unit = abs(painter.deviceTransform().m11()) if is_raster(painter) else 1.0
    left = rect.left() + (rect.width() - scale * size.width()) / 2
    top = rect.top() + (rect.height() - scale * size.height()) / 2
    # whole device pixels, so that edges which are whole ones inside the figure stay sharp
    painter.translate(math.floor(left * unit) / unit, math.floor(top * unit) / unit)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if isinstance(figure, WindowFigure):
        figure.paint(painter)
        painter.restore()
        return
    pixel = 1 / (scale * unit) if is_raster(painter) else VECTOR_PIXEL
    inner = QRectF(PADDING, PADDING, size.width() - 2 * PADDING, size.height() - 2 * PADDING)
    face = _title_face(style)
    if figure.title:
        painter.setPen(QColor(style.text))
        title = shortened(one_line(figure.title), face, inner.width() - 20.0)
        draw_text(painter, inner.left() + 10.0, inner.top() + ascent(face) + 4.0, title, face)
        inner.setTop(inner.top() + _title_height(figure, face))
    if isinstance(figure, PlaneFigure):
        _paint_plane(painter, inner, figure, style)
    elif isinstance(figure, RowFigure):
        layout = RowLayout(figure.content, inner, style)
        paint_row(painter, layout, figure.content, style, figure.with_values)
    else:
        _paint_matrices(painter, inner, figure, style, pixel)
    painter.restore()


def missing_glyphs(figure: Figure, supports: Callable[[str], bool] = font_has) -> str:
    """Return the characters of a figure that no installed font has, each once; empty when all is well."""
    return characters_without_font(figure_texts(figure), supports)


def _title_face(style: FigureStyle) -> Face:
    return Face(17, SEMIBOLD, style.font_family)


def _title_height(figure: Figure, face: Face) -> float:
    return line_height(face) + TITLE_GAP if figure.title else 0.0


def _still(content: MatrixContent) -> MatrixContent:
    """Return a content without what only the mouse and the step in hand put there."""
    lasting = (OutlineKind.PINNED, OutlineKind.MIRROR)
    outlines = tuple(outline for outline in content.outlines if outline.kind in lasting)
    return replace(content, outlines=outlines, lit=False)


def _grid(figure: MatrixFigure, style: FigureStyle) -> tuple[list[float], list[float]]:
    """Return the widths of the columns and the heights of the rows."""
    columns = max(1, min(figure.columns, len(figure.contents)))
    rows = math.ceil(len(figure.contents) / columns)
    widths, heights = [0.0] * columns, [0.0] * rows
    for at, content in enumerate(figure.contents):
        size = natural_size(content, style)
        widths[at % columns] = max(widths[at % columns], size.width())
        heights[at // columns] = max(heights[at // columns], size.height())
    return widths, heights


def _paint_matrices(
    painter: QPainter, room: QRectF, figure: MatrixFigure, style: FigureStyle, pixel: float
) -> None:
    widths, heights = _grid(figure, style)
    paint = paint_matrix if figure.with_values else paint_matrix_without_numbers
    for at, content in enumerate(figure.contents):
        column, row = at % len(widths), at // len(widths)
        left = room.left() + sum(widths[:column]) + SPACING * column
        top = room.top() + sum(heights[:row]) + SPACING * row
        rect = QRectF(left, top, widths[column], heights[row])
        paint(
            painter,
            MatrixLayout(content, rect, style, pixel=pixel, largest_pitch=natural_pitch(content, style)),
            _still(content),
            style,
        )


def _paint_plane(painter: QPainter, room: QRectF, figure: PlaneFigure, style: FigureStyle) -> None:
    content = replace(figure.content, lit=False)
    view = figure.view or PlaneView.fitted(content.reach, plane_rect(room, style))
    paint_plane(painter, PlaneLayout(content, room, view, style), content, style)


def figure_texts(figure: Figure) -> Iterator[str]:
    """Yield the texts of a figure that may hold any character."""
    yield figure.title or ""
    if isinstance(figure, WindowFigure):
        return
    if isinstance(figure, RowFigure):
        row = figure.content
        yield from (row.title, row.subtitle, row.key_axis, row.sentence, *row.key_labels)
        return
    if isinstance(figure, PlaneFigure):
        content = figure.content
        yield from (content.headline, content.note, *content.axis_labels)
        yield from (arrow.label for arrow in content.arrows)
        yield from (f"{readout.name}{readout.text}" for readout in content.readouts)
        return
    for matrix in figure.contents:
        yield from (matrix.title, matrix.subtitle, matrix.note, matrix.row_axis, matrix.column_axis)
        yield from matrix.row_labels
        yield from matrix.column_labels
