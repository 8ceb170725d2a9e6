"""The histogram on the screen: bars as high as their counts, in the colour of their series."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from qkviz.figures.paint_histogram import HistogramLayout, histogram_layout, paint_histogram
from qkviz.figures.style import DARK, LIGHT, FigureStyle
from qkviz.presenters.histogram import HistogramContent, HistogramSeries, common_edges, counted
from tests.figures.canvas import Pixels, painted


def content(*sets: list[float], note: str = "") -> HistogramContent:
    arrays = [np.array(values) for values in sets]
    edges = common_edges(arrays)
    tones = ("embedding", "query")[-len(sets) :]
    series = tuple(
        HistogramSeries(tone, "mean", tone, values, counted(values, edges))
        for tone, values in zip(tones, arrays, strict=True)
    )
    return HistogramContent(edges, series, "score", note)


def shown(
    histogram: HistogramContent, style: FigureStyle = LIGHT, size: tuple[int, int] = (400, 240)
) -> tuple[Pixels, HistogramLayout]:
    layout = histogram_layout(histogram, QRectF(0, 0, *size), style)
    return painted(*size, lambda painter: paint_histogram(painter, layout, style), style), layout


def height_of_color(pixels: Pixels, rect: QRectF, color: str) -> int:
    """Return how many pixels of a colour stand in the middle column of a bin's room."""
    wanted = QColor(color).getRgb()[:3]
    column = pixels[round(rect.top()) : round(rect.bottom()), round(rect.center().x())]
    return int((column == wanted).all(axis=1).sum())


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_are_as_high_as_their_counts(style: FigureStyle) -> None:
    pixels, layout = shown(content([0.05, 0.05, 0.05, 0.05, 0.15, 1.95]), style)
    heights = [height_of_color(pixels, layout.bin_rect(at), style.query) for at in (0, 1, 2)]
    assert heights[0] == pytest.approx(layout.body.height(), abs=2)
    assert heights[1] == pytest.approx(layout.body.height() / 4, abs=2)
    assert heights[2] == 0


def test_two_series_stand_side_by_side() -> None:
    _pixels, layout = shown(content([0.05, 1.95], [0.05, 0.05]))
    left, right = layout.bar_rect(0, 0), layout.bar_rect(0, 1)
    assert left.right() <= right.left() + 1e-9
    assert right.height() == pytest.approx(2 * left.height())


def test_a_point_is_in_the_bin_that_is_painted_there() -> None:
    _pixels, layout = shown(content([0.0, 2.0]))
    for at in range(layout.bins):
        middle = layout.bin_rect(at).center()
        assert layout.bin_at(middle.x(), middle.y()) == at
    assert layout.bin_at(1.0, 1.0) is None


def test_values_stand_where_the_axis_says() -> None:
    _pixels, layout = shown(content([0.0, 2.0]))
    assert layout.x_of(0.0) == pytest.approx(layout.body.left())
    assert layout.x_of(2.0) == pytest.approx(layout.body.right())
    assert layout.x_of(1.0) == pytest.approx(layout.body.center().x())


@pytest.mark.parametrize("values", [[], [1e308, -1e308], [3.0], [float(value) for value in range(1000)]])
@pytest.mark.parametrize("size", [(140, 110), (900, 300)])
def test_anything_can_be_painted_at_any_size(values: list[float], size: tuple[int, int]) -> None:
    pixels, _layout = shown(content(values, note="a note"), size=size)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 1
