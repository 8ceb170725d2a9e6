"""The grid of heads: where cells are, what is painted in them, and the files that come of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from qkviz.attention.captured import Capture
from qkviz.attention.head_measures import HeadMeasure
from qkviz.attention.head_overviews import head_overviews
from qkviz.attention.head_views import USUAL_VIEW, CellValue, HeadView
from qkviz.document.captured_head import CapturedHead
from qkviz.figures.export import write_picture
from qkviz.figures.head_grid_figure import head_grid_figure
from qkviz.figures.head_grid_layout import HeadGridLayout
from qkviz.figures.paint_head_grid import HeadImages, paint_head_grid
from qkviz.figures.picture_size import PictureSize
from qkviz.figures.style import DARK, LIGHT, FigureStyle
from qkviz.presenters.heads import (
    FoundHeads,
    HeadGridContent,
    HeadsMode,
    HeadsOptions,
    present_head_grid,
    present_picture_titles,
)
from qkviz.translate import Phrase
from tests.captures import FACTS, random_capture, random_cross_text
from tests.figures.canvas import painted


def grid(capture: Capture, options: HeadsOptions | None = None) -> HeadGridContent:
    found = FoundHeads()
    for overview in head_overviews(capture.texts[0], USUAL_VIEW):
        found.take(overview)
    return present_head_grid(CapturedHead(capture), found, options or HeadsOptions())


def shown(content: HeadGridContent, width: int = 420, height: int = 300, style: FigureStyle = LIGHT):
    layout = HeadGridLayout(content, width, height, style)
    pixels = painted(
        width,
        height,
        lambda painter: paint_head_grid(painter, layout, content, style, HeadImages(style)),
        style,
    )
    return pixels, layout


# places


@pytest.mark.parametrize(("layers", "heads"), [(2, 1), (6, 12), (30, 9), (24, 16)])
@pytest.mark.parametrize(("width", "height"), [(200, 120), (500, 300), (1600, 900)])
def test_cells_are_where_they_are_found(layers: int, heads: int, width: int, height: int):
    layout = HeadGridLayout(grid(random_capture(layers, heads, 4)), width, height, LIGHT)
    for layer in range(layers):
        for head in range(heads):
            middle = layout.cell_rect(layer, head).center()
            assert layout.cell_at(middle.x(), middle.y()) == (layer, head)
    last = layout.cell_rect(layers - 1, heads - 1)
    assert last.right() <= layout.size.width()
    assert last.bottom() <= layout.size.height()
    assert layout.cell_at(1.0, 1.0) is None
    assert layout.cell_at(last.right() + 20, last.bottom() + 20) is None


def test_what_fits_comfortably_is_not_scrolled():
    layout = HeadGridLayout(grid(random_capture(6, 12, 4)), 600, 320, LIGHT)
    assert layout.size.width() <= 600
    assert layout.size.height() <= 320
    assert layout.cell >= 40


def test_deep_models_are_scrolled_downwards_and_not_sideways():
    layout = HeadGridLayout(grid(random_capture(30, 9, 4)), 420, 300, LIGHT)
    assert layout.size.width() <= 420
    assert layout.size.height() > 300
    assert layout.cell >= 30


# paint


def test_a_picture_has_the_colours_of_its_weights():
    content = grid(random_capture(2, 3, 6))
    pixels, layout = shown(content)
    picture = content.cell(1, 2).picture
    rect = layout.cell_rect(1, 2)
    side = rect.width() / 6
    for row in range(6):
        for column in range(6):
            x, y = rect.left() + (column + 0.5) * side, rect.top() + (row + 0.5) * side
            expected = picture.scale.table[picture.indexes[row, column]]
            assert pixels[int(y), int(x)].tolist() == expected.tolist()


def test_pictures_that_are_not_square_keep_their_shape():
    text = random_cross_text(queries=3, keys=6)
    content = grid(Capture(FACTS, (text,)))
    pixels, layout = shown(content)
    rect = layout.cell_rect(2, 0)  # 3 × 6: as wide as the cell, half as high
    empty = np.array([int(LIGHT.grid[at : at + 2], 16) for at in (1, 3, 5)])
    assert (pixels[int(rect.top()) + 3, int(rect.center().x())] == empty).all()
    assert (pixels[int(rect.bottom()) - 3, int(rect.center().x())] == empty).all()


def test_the_chosen_head_has_a_frame():
    pixels, layout = shown(grid(random_capture(2, 3, 6)))
    rect = layout.cell_rect(0, 0)
    accent = [int(LIGHT.accent[at : at + 2], 16) for at in (1, 3, 5)]
    assert pixels[int(rect.center().y()), int(rect.left()) - 1].tolist() == accent


def test_a_measure_fills_its_cell_with_one_colour():
    options = HeadsOptions(HeadsMode.MEASURE, HeadMeasure.ENTROPY)
    content = grid(random_capture(2, 3, 6), options)
    pixels, layout = shown(content)
    cell = content.cell(1, 1)
    rect = layout.cell_rect(1, 1)
    assert pixels[int(rect.top()) + 3, int(rect.left()) + 3].tolist() == list(
        content.scale.rgb_at(cell.value)
    )
    high = pixels[int(layout.bar.center().y()), int(layout.bar.right()) - 1]
    assert np.abs(high.astype(int) - content.scale.table[255]).max() <= 6


def test_dark_ground_is_no_light_ground():
    content = grid(random_capture(2, 3, 6))
    light, dark = shown(content)[0], shown(content, style=DARK)[0]
    assert light[2, 400].tolist() == [255, 255, 255]
    assert dark[2, 400].tolist() == [int(DARK.surface[at : at + 2], 16) for at in (1, 3, 5)]


def test_an_image_is_made_once():
    content = grid(random_capture(1, 1, 6))
    images, cell = HeadImages(LIGHT), content.cell(0, 0)
    first = images.image(cell, cell.picture)
    assert images.image(cell, cell.picture) is first
    other = grid(random_capture(1, 1, 6, seed=4)).cell(0, 0)
    assert images.image(other, other.picture) is not first


# files


def test_the_titles_of_a_picture_say_what_it_is():
    capture = random_capture(2, 3, 6)
    capture = replace(capture, model=replace(capture.model, note=Phrase("It knows no language.")))
    here = CapturedHead(capture)
    assert present_picture_titles(here, HeadsOptions()) == (
        "random-model · softmax weights",
        "playing She sat",
        "The model's weights. Rows: queries, columns:",
        "keys; each picture from 0 to its own largest.",
        "It knows no language.",
    )
    carried = HeadsOptions(view=HeadView(CellValue.CARRIED))
    assert "These are not the model's weights." in " ".join(present_picture_titles(here, carried))
    measure = HeadsOptions(HeadsMode.MEASURE, HeadMeasure.NEXT)
    assert present_picture_titles(here, measure)[0] == "random-model · Next token"


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize(("layers", "heads"), [(2, 1), (6, 12)])
def test_the_grid_is_written_into_a_file(tmp_path: Path, suffix: str, layers: int, heads: int):
    capture = random_capture(layers, heads, 6)
    figure = head_grid_figure(grid(capture), present_picture_titles(CapturedHead(capture), HeadsOptions()))
    path = tmp_path / f"heads{suffix}"
    write_picture(figure, path, PictureSize.natural(figure, 96.0))
    data = path.read_bytes()
    if suffix == ".svg":
        text = data.decode()
        assert "random-model" in text
        assert f">L{layers}<" in text
    elif suffix == ".pdf":
        assert data.startswith(b"%PDF")
    else:
        image = QImage(str(path))
        assert (image.width(), image.height()) == (round(figure.width), round(figure.height))
        assert image.width() >= heads * 60
