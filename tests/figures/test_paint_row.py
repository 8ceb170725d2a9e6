"""The picture of a row: bars as high as their values, and nothing cut."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from qkviz.figures.export import figure_image
from qkviz.figures.figure import RowFigure, figure_size, figure_texts
from qkviz.figures.paint_row import paint_row
from qkviz.figures.picture_size import PictureSize
from qkviz.figures.row_layout import RowLayout, natural_row_size
from qkviz.figures.style import LIGHT
from qkviz.presenters.cells import CellKind
from qkviz.presenters.row_chart import RowChartContent
from tests.figures.canvas import Pixels, painted, pixels_of


def row_content(
    values: list[float],
    *,
    kinds: list[int] | None = None,
    labels: list[str] | None = None,
    ends: tuple[float, float] = (-1.0, 1.0),
    largest: tuple[int, ...] = (0,),
    chosen: int | None = None,
    decimals: int = 2,
) -> RowChartContent:
    return RowChartContent(
        title="query 1 “cat”",
        subtitle="QKᵀ",
        key_axis="key",
        key_labels=tuple(labels or (f"k{key + 1}" for key in range(len(values)))),
        values=np.array(values),
        kinds=np.array(kinds or [0] * len(values), np.uint8),
        largest=largest,
        chosen=chosen,
        is_weights=False,
        low=ends[0],
        high=ends[1],
        ticks=tuple((value, f"{value:.1f}") for value in sorted({ends[0], 0.0, ends[1]})),
        sentence="“cat” looks most at “k1” (0.50).",
        decimals=decimals,
    )


def _drawn(content: RowChartContent, with_values: bool = False) -> tuple[Pixels, RowLayout]:
    size = natural_row_size(content, LIGHT)
    layout = RowLayout(content, QRectF(0, 0, size.width(), size.height()), LIGHT)
    pixels = painted(
        round(size.width()),
        round(size.height()),
        lambda painter: paint_row(painter, layout, content, LIGHT, with_values),
    )
    return pixels, layout


def _height_of(pixels: Pixels, layout: RowLayout, key: int) -> float:
    """Return how high the bar of a key is in pixels of the picture, from its colours."""
    column = pixels[:, round(layout.column(key).center().x())].astype(int)
    is_blue = column[:, 2] - column[:, 0] > 60
    inside = is_blue[round(layout.plot.top()) : round(layout.plot.bottom()) + 1]
    return float(inside.sum())


def test_bars_are_as_high_as_their_values() -> None:
    pixels, layout = _drawn(row_content([1.0, 0.5, -0.25]))
    half = layout.plot.height() / 2
    assert [_height_of(pixels, layout, key) for key in range(3)] == pytest.approx(
        [half, half / 2, half / 4], abs=2.5
    )
    assert layout.bar(2).top() == pytest.approx(layout.y(0.0))


def test_the_largest_bar_is_stronger_and_the_chosen_one_has_a_frame() -> None:
    pixels, layout = _drawn(row_content([0.9, 0.9], chosen=1))
    first, second = (
        pixels[round(layout.bar(key).center().y()), round(layout.bar(key).center().x())] for key in (0, 1)
    )
    assert QColor(*first.tolist()).name() == LIGHT.query
    assert second.sum() > first.sum()
    edge = layout.bar(1)
    assert pixels[round(edge.center().y()), round(edge.left())].max() < 90


def test_a_key_without_a_number_is_hatched_over_the_whole_height() -> None:
    kinds = [CellKind.VALUE, CellKind.MASKED, CellKind.NAN]
    pixels, layout = _drawn(row_content([0.5, -math.inf, math.nan], kinds=kinds))
    for key in (1, 2):
        column = layout.column(key).toRect()
        part = pixels[column.top() + 2 : column.bottom() - 2, column.left() + 2 : column.right() - 2]
        assert len(np.unique(part.reshape(-1, 3), axis=0)) > 4
    assert _height_of(pixels, layout, 1) == 0


@pytest.mark.parametrize("count", [1, 2, 24, 25, 512, 3000])
@pytest.mark.parametrize("label", ["k", "a label of forty characters and some more"])
def test_nothing_is_cut_at_the_edges(count: int, label: str) -> None:
    values = np.linspace(-1.0, 1.0, count).tolist()
    content = row_content(values, labels=[f"{label}{key}" for key in range(count)], largest=(count - 1,))
    figure = RowFigure(content, title="A title")
    pixels = pixels_of(figure_image(figure, PictureSize.natural(figure)))
    frame = np.ones(pixels.shape[:2], bool)
    frame[2:-2, 2:-2] = False
    assert (pixels[frame] == 255).all()
    assert figure_size(figure).width() < 4000


def test_decimals_make_room_for_themselves() -> None:
    narrow, wide = (_drawn(row_content([0.1] * 12, decimals=decimals))[1].slot for decimals in (2, 8))
    assert wide > narrow


def test_the_texts_of_the_figure_are_all_that_may_hold_any_character() -> None:
    texts = list(figure_texts(RowFigure(row_content([1.0], labels=["猫"]), title="题")))
    assert {"题", "猫", "query 1 “cat”", "QKᵀ", "key"} <= set(texts)
