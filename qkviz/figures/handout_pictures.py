"""Where the pictures of a page of a handout stand, and painting them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter

from qkviz.figures.chart_layout import ChartLayout
from qkviz.figures.figure import (
    Figure,
    MatrixFigure,
    PlaneFigure,
    RowFigure,
    figure_size,
    figure_texts,
    paint_figure,
)
from qkviz.figures.fonts import REGULAR, Face, font_of
from qkviz.figures.paint_chart import ChartColors, paint_chart
from qkviz.figures.paint_histogram import histogram_layout, paint_histogram
from qkviz.figures.paint_row import paint_row
from qkviz.figures.row_layout import PLOT_HEIGHT, RowLayout, natural_row_size
from qkviz.figures.style import FigureStyle
from qkviz.presenters.chart import ChartContent
from qkviz.presenters.handout_pictures import HandoutPicture, PictureContent
from qkviz.presenters.histogram import HistogramContent
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.plane import PlaneContent
from qkviz.presenters.row_chart import RowChartContent

LARGEST_PICTURE = 1.5
"""Pictures are not enlarged beyond this: a matrix of nine numbers needs no whole page."""

WORTH_WRAPPING = 0.97
"""Pictures go on side by side as long as this share of their largest possible size is left to them."""

GAP = 10.0
SHARES = tuple(at / 20 for at in range(5, 17))
"""Of the room, what the plane may take beside or above matrices."""

LEAST_HEIGHT = 60.0
"""Less below the words is no room."""

NUMBERS_SHARE = 0.8
"""Matrices are enlarged more than the plane beside them, which is read without its numbers."""

CHART_COLUMNS, CHART_HEIGHT, CHART_TEXT = 2, 200.0, 12
HISTOGRAM_HEIGHT = 290.0
LEAST_PLOT = 130.0
"""Height of the bars of a row at least, before it is enlarged or made smaller."""

GOOD = "#0b8a62"
"""The tone "good", which pictures have not got otherwise; dark enough and light enough for both grounds."""


def paint_plane_and_matrices(
    painter: QPainter,
    rooms: tuple[QRectF, QRectF],
    plane: PlaneContent | None,
    matrices: Sequence[MatrixContent],
    style: FigureStyle,
) -> None:
    """Paint them so that neither becomes a thumbnail.

    ``rooms`` are the room for pictures and what is left below the words: the plane has the first, and the
    matrices stand beside it, or under it, or in the second.
    """
    room, below = rooms
    figures = [MatrixFigure((one,)) for one in matrices]
    if plane is None:
        if figures:
            paint_figures(painter, room, figures, style)
        return
    shown = PlaneFigure(plane)
    if not figures:
        paint_figures(painter, room, [shown], style)
        return
    size, sizes = figure_size(shown, style), [figure_size(one, style) for one in figures]

    def smaller_scale(pair: tuple[QRectF, QRectF]) -> float:
        return min(_scale([size], pair[0], 1), NUMBERS_SHARE * _best(sizes, pair[1])[1])

    # words may fill their column
    possible = [*_divisions(room), *([rooms] if below.height() >= LEAST_HEIGHT else [])]
    first, second = max(possible, key=smaller_scale)
    paint_figures(painter, first, [shown], style)
    paint_figures(painter, second, figures, style)


def paint_picture(painter: QPainter, room: QRectF, picture: HandoutPicture, style: FigureStyle) -> None:
    """Paint the blocks of a lesson's own picture from the top down, each in an equal part of the height."""
    height = (room.height() - GAP * (len(picture.blocks) - 1)) / len(picture.blocks)
    for at, block in enumerate(picture.blocks):
        part = QRectF(room.left(), room.top() + at * (height + GAP), room.width(), height)
        figures = [one for one in map(_figure, block) if one is not None]
        if figures:
            paint_figures(painter, part, figures, style)
        rows = [one for one in block if isinstance(one, RowChartContent)]
        if rows:
            _paint_rows(painter, part, rows, style)
        charts = [one for one in block if isinstance(one, ChartContent)]
        if charts:
            _paint_charts(painter, part, charts, style)
        for one in block:
            if isinstance(one, HistogramContent):
                box = QRectF(part.left(), part.top(), part.width(), min(HISTOGRAM_HEIGHT, part.height()))
                paint_histogram(painter, histogram_layout(one, box, style), style)


def picture_texts(picture: HandoutPicture) -> Iterator[str]:
    """Yield every text inside the pictures."""
    for block in picture.blocks:
        for one in block:
            yield from _texts(one)


def paint_figures(painter: QPainter, room: QRectF, figures: Sequence[Figure], style: FigureStyle) -> None:
    """Paint pictures in a grid, all in one scale: side by side unless that makes them smaller."""
    sizes = [figure_size(figure, style) for figure in figures]
    best, scale = _best(sizes, room)
    top = room.top()
    for first in range(0, len(figures), best):
        row = range(first, min(first + best, len(figures)))
        height = scale * max(sizes[at].height() for at in row)
        for column, at in enumerate(row):
            width = room.width() / best
            rect = QRectF(room.left() + column * width, top, width, height)
            inner = QSizeF(min(scale * sizes[at].width(), width), scale * sizes[at].height())
            paint_figure(painter, QRectF(rect.topLeft(), inner), figures[at], style)
        top += height + GAP


def _divisions(room: QRectF) -> Iterator[tuple[QRectF, QRectF]]:
    """Yield ways to divide a room in two, side by side and one above the other."""
    for share in SHARES:
        width, height = share * (room.width() - GAP), share * (room.height() - GAP)
        yield (
            QRectF(room.left(), room.top(), width, room.height()),
            room.adjusted(width + GAP, 0.0, 0.0, 0.0),
        )
        yield (
            QRectF(room.left(), room.top(), room.width(), height),
            room.adjusted(0.0, height + GAP, 0.0, 0.0),
        )


def _best(sizes: Sequence[QSizeF], room: QRectF) -> tuple[int, float]:
    """Return the columns of the best grid and the scale of the pictures in it."""
    scales = {columns: _scale(sizes, room, columns) for columns in range(1, len(sizes) + 1)}
    best = max(columns for columns, one in scales.items() if one >= WORTH_WRAPPING * max(scales.values()))
    return best, scales[best]


def _scale(sizes: Sequence[QSizeF], room: QRectF, columns: int) -> float:
    """Return how much pictures of these sizes are enlarged in a grid of so many columns."""
    rows = math.ceil(len(sizes) / columns)
    heights = [max(size.height() for size in sizes[at * columns : (at + 1) * columns]) for at in range(rows)]
    across = room.width() / columns / max(size.width() for size in sizes)
    return min(across, (room.height() - GAP * (rows - 1)) / sum(heights), LARGEST_PICTURE)


def _figure(content: PictureContent) -> Figure | None:
    match content:
        case MatrixContent():
            return MatrixFigure((content,))
    return None


def _paint_rows(painter: QPainter, room: QRectF, rows: Sequence[RowChartContent], style: FigureStyle) -> None:
    """Paint bars in a grid that fills the room: they may be lower than in a picture of their own."""
    sizes = [natural_row_size(one, style) for one in rows]
    least = [QSizeF(size.width(), size.height() - PLOT_HEIGHT + LEAST_PLOT) for size in sizes]
    columns, scale = _best(least, room)
    many = math.ceil(len(rows) / columns)
    width = room.width() / columns / scale
    height = min((room.height() - GAP * (many - 1)) / many / scale, max(size.height() for size in sizes))
    for at, one in enumerate(rows):
        row, column = divmod(at, columns)
        painter.save()
        painter.translate(
            room.left() + column * room.width() / columns, room.top() + row * (scale * height + GAP)
        )
        painter.scale(scale, scale)
        paint_row(
            painter, RowLayout(one, QRectF(0.0, 0.0, width, height), style), one, style, with_values=True
        )
        painter.restore()


def _paint_charts(
    painter: QPainter, room: QRectF, charts: Sequence[ChartContent], style: FigureStyle
) -> None:
    rows = math.ceil(len(charts) / CHART_COLUMNS)
    width = room.width() / CHART_COLUMNS
    height = min(CHART_HEIGHT, room.height() / rows)
    font = font_of(Face(CHART_TEXT, REGULAR, style.font_family))
    tones = {name: getattr(style, name) for name in ("query", "key", "embedding", "weight", "muted")}
    colors = ChartColors(
        style.text, style.muted, style.line, style.grid, style.surface, tones | {"good": GOOD}
    )
    for at, chart in enumerate(charts):
        row, column = divmod(at, CHART_COLUMNS)
        box = QRectF(room.left() + column * width, room.top() + row * height, width - 2 * GAP, height - GAP)
        painter.save()
        paint_chart(painter, ChartLayout(chart, box, font), colors, None)
        painter.restore()


def _texts(content: PictureContent) -> Iterator[str]:
    match content:
        case ChartContent():
            yield from (
                content.title,
                content.x.name,
                *(text for _at, text in (*content.x.ticks, *content.y.ticks)),
            )
            yield from (series.name for series in content.series)
            yield "" if content.band is None else content.band.name
        case HistogramContent():
            yield from (content.axis, content.note)
            for series in content.series:
                yield from (series.name, series.summary)
        case MatrixContent():
            yield from figure_texts(MatrixFigure((content,)))
        case RowChartContent():
            yield from figure_texts(RowFigure(content))
