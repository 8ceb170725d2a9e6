"""The grid of heads as content: labels, pictures, measures, charts, and the words beside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from qkviz.attention.captured import Capture, CapturedText
from qkviz.attention.captured_layers import CapturedLayer
from qkviz.attention.head_measures import HeadMeasure, embedding_diagonal
from qkviz.attention.head_overviews import head_overviews, viewed_head
from qkviz.attention.head_views import USUAL_VIEW, CellValue, HeadView, SpecialTokens, Unit
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_maps import color_table
from qkviz.presenters.head_charts import present_layer_chart
from qkviz.presenters.head_preview import present_head_preview
from qkviz.presenters.head_words import (
    MEASURE_NAMES,
    MEASURE_SENTENCES,
    head_tip,
    key_head_words,
    view_title,
    view_words,
)
from qkviz.presenters.heads import FoundHeads, HeadsMode, HeadsOptions, present_head_grid
from tests.captures import FACTS, random_capture, random_cross_text, random_text, random_weights_text


def found_in(text: CapturedText, view: HeadView = USUAL_VIEW) -> FoundHeads:
    found = FoundHeads()
    for overview in head_overviews(text, view):
        found.take(overview)
    for number, layer in enumerate(text.layers):
        found.embeddings[number] = embedding_diagonal(layer, text.queries(number))
    return found


def captured(text: CapturedText, layer: int = 0, head: int = 0) -> CapturedHead:
    return CapturedHead(Capture(FACTS, (text,)), 0, layer, head)


# the grid


def test_layers_go_down_and_heads_across():
    grid = present_head_grid(captured(random_text(2, 3), 1, 2), FoundHeads(), HeadsOptions())
    assert [label for label, _cells in grid.rows] == ["L1", "L2"]
    assert [[cell.label for cell in cells] for _label, cells in grid.rows] == [
        ["L1 H1", "L1 H2", "L1 H3"],
        ["L2 H1", "L2 H2", "L2 H3"],
    ]
    assert [cell.label for _label, cells in grid.rows for cell in cells if cell.is_chosen] == ["L2 H3"]
    assert grid.columns == 3


def test_layers_of_several_kinds_are_told_apart():
    grid = present_head_grid(captured(random_cross_text()), FoundHeads(), HeadsOptions())
    assert [label for label, _cells in grid.rows] == ["L1 encoder", "L2 decoder", "L3 cross"]


def test_pictures_have_the_colours_of_their_weights():
    text = random_text(2, 3)
    grid = present_head_grid(captured(text), found_in(text), HeadsOptions())
    picture = grid.cell(1, 2).picture
    weights = viewed_head(text, 1, 2, USUAL_VIEW).matrix.numpy()
    expected = np.rint(weights.astype(np.float32) / weights.max() * 255)
    assert np.abs(picture.indexes - expected).max() <= 1  # float32
    assert picture.scale.table is color_table("purples")
    assert grid.scale is None


def test_pictures_appear_as_they_come():
    text = random_text(2, 3)
    found = FoundHeads()
    overviews = head_overviews(text, USUAL_VIEW)
    found.take(next(overviews))
    found.take(next(overviews))
    grid = present_head_grid(captured(text), found, HeadsOptions())
    known = [cell.label for _label, cells in grid.rows for cell in cells if cell.picture is not None]
    assert known == ["L1 H1", "L1 H2"]


def test_a_measure_is_a_number_and_a_colour_in_every_cell():
    text = random_text(2, 3)
    found = found_in(text)
    options = HeadsOptions(HeadsMode.MEASURE, HeadMeasure.ITSELF)
    grid = present_head_grid(captured(text), found, options)
    values = {(c.layer, c.head): c.value for _label, cells in grid.rows for c in cells}
    weights = viewed_head(text, 1, 2, USUAL_VIEW).matrix
    assert values[1, 2] == pytest.approx(float(weights.diagonal()[1:-1].mean()))
    assert grid.cell(1, 2).text == f"{values[1, 2]:.2f}"
    assert grid.cell(1, 2).picture is None
    assert (grid.scale.low, grid.scale.high) == (0.0, max(values.values()))


def test_a_head_without_the_measure_has_a_dash():
    text = random_cross_text()
    options = HeadsOptions(HeadsMode.MEASURE, HeadMeasure.PREVIOUS)
    grid = present_head_grid(captured(text), found_in(text), options)
    assert grid.cell(2, 0).value is None
    assert grid.cell(2, 0).text == "–"


def test_the_caption_says_what_is_shown():
    here, found = captured(random_text()), FoundHeads()
    renormalised = HeadsOptions(view=HeadView(specials=SpecialTokens.RENORMALISED))
    assert "The model's weights." in present_head_grid(here, found, HeadsOptions()).caption
    caption = present_head_grid(here, found, renormalised).caption
    assert "Renormalised over words. These are not the model's weights." in caption
    options = HeadsOptions(HeadsMode.MEASURE, HeadMeasure.SYMMETRY)
    assert present_head_grid(here, found, options).caption.startswith("Asymmetry of QKᵀ.")


@pytest.mark.parametrize(
    ("view", "title", "words"),
    [
        (USUAL_VIEW, "softmax weights", "The model's weights."),
        (
            HeadView(CellValue.CARRIED),
            "weight × ‖value‖",
            "Weight × ‖value‖. These are not the model's weights.",
        ),
        (
            HeadView(specials=SpecialTokens.HIDDEN),
            "special tokens hidden",
            "Special tokens hidden. Rows sum to less than 1.",
        ),
        (
            HeadView(unit=Unit.WORDS),
            "by words",
            "By words. A word is the mean over its queries, the sum over its keys.",
        ),
    ],
)
def test_every_view_is_named_for_what_it_is(view: HeadView, title: str, words: str):
    assert view_title(view) == title
    assert view_words(view) == words


# words of one head


def test_the_tip_of_a_head_has_all_its_measures():
    text = random_text(2, 3)
    measures = found_in(text).measures[1, 2]
    lines = head_tip(text, 1, 2, measures).split("\n")
    assert lines[0] == "L2 H3"
    assert len(lines) == 1 + len(HeadMeasure)
    assert f"On itself: {measures.itself:.2f}" in lines
    assert head_tip(text, 1, 2, None) == "L2 H3"


def test_shared_keys_are_told_of():
    text = random_text(1, 6, key_heads=2)
    assert key_head_words(text, 0, 4) == "query head 5 reads key head 2"
    assert "query head 5 reads key head 2" in head_tip(text, 0, 4, None)
    assert key_head_words(random_text(), 0, 1) == ""
    assert key_head_words(random_weights_text(), 0, 1) == ""


def test_every_measure_has_a_name_and_a_sentence():
    assert set(MEASURE_NAMES) == set(MEASURE_SENTENCES) == set(HeadMeasure)


# one head in large


def test_the_picture_in_large_has_the_words_of_its_axes():
    text = random_text(tokens=6)
    content = present_head_preview(text, 1, 2, viewed_head(text, 1, 2, USUAL_VIEW))
    assert (content.title, content.subtitle, content.note) == ("L2 H3", "softmax weights", "")
    assert content.row_labels == ("[CLS]", "play", "·ing", "She", "sat", "[SEP]")
    assert content.values.tolist() == viewed_head(text, 1, 2, USUAL_VIEW).matrix.tolist()


def test_what_is_not_the_models_weights_says_so_in_the_picture():
    text = random_text(tokens=6)
    for view in (HeadView(CellValue.CARRIED), HeadView(specials=SpecialTokens.RENORMALISED)):
        content = present_head_preview(text, 0, 0, viewed_head(text, 0, 0, view))
        assert content.note == "not the model's weights"
    seen = viewed_head(text, 0, 0, HeadView(specials=SpecialTokens.HIDDEN))
    sums = seen.matrix.sum(1)
    note = present_head_preview(text, 0, 0, seen).note
    assert note == f"rows sum to {float(sums.min()):.2f} … {float(sums.max()):.2f}"


def test_words_are_joined_in_the_picture_in_large():
    text = random_text(tokens=6)
    content = present_head_preview(text, 0, 0, viewed_head(text, 0, 0, HeadView(unit=Unit.WORDS)))
    assert content.column_labels == ("[CLS]", "playing", "She", "sat", "[SEP]")


def test_forbidden_cells_are_hatched_in_the_picture_in_large():
    text = random_cross_text(queries=3)
    content = present_head_preview(text, 1, 0, viewed_head(text, 1, 0, USUAL_VIEW))
    assert content.title == "L2 H1 · decoder"
    assert content.kinds[0].tolist() == [CellKind.VALUE, CellKind.MASKED, CellKind.MASKED]


# by layer


def test_the_chart_has_mean_least_and_largest_of_each_layer():
    text = random_text(3, 4)
    found = found_in(text)
    chart = present_layer_chart(text, found, HeadMeasure.ENTROPY)
    values = [[found.measures[layer, head].entropy for head in range(4)] for layer in range(3)]
    (mean,) = chart.series
    assert mean.xs == (1.0, 2.0, 3.0)
    assert mean.ys == pytest.approx([sum(row) / 4 for row in values])
    assert chart.band.lows == tuple(map(min, values))
    assert chart.band.highs == tuple(map(max, values))
    assert (chart.y.low, chart.y.high) == (0.0, 1.0)


def test_layers_that_are_not_complete_are_not_in_the_chart():
    text = random_text(2, 3)
    found = found_in(text)
    del found.measures[1, 0]
    assert present_layer_chart(text, found, HeadMeasure.ENTROPY).series[0].xs == (1.0,)
    empty = present_layer_chart(text, FoundHeads(), HeadMeasure.ENTROPY)
    assert not empty.series
    assert empty.empty


def test_the_diagonal_is_held_against_that_of_the_embeddings():
    text = random_text(2, 3)
    layer = text.layers[0]
    assert isinstance(layer, CapturedLayer)
    X = torch.eye(5)
    text = replace(text, layers=(replace(layer, X_q=X, X_k=X), text.layers[1]))
    chart = present_layer_chart(text, found_in(text), HeadMeasure.DIAGONAL)
    embeddings = chart.series[1]
    assert embeddings.name == "XXᵀ"
    assert embeddings.ys[0] == 1.0


def test_kinds_of_layers_are_lines_of_their_own():
    text = random_cross_text()
    chart = present_layer_chart(text, found_in(text), HeadMeasure.ENTROPY)
    assert [(series.name, series.xs) for series in chart.series] == [
        ("encoder", (1.0,)),
        ("decoder", (2.0,)),
        ("cross", (3.0,)),
    ]
    assert chart.band is None


def test_a_measure_that_no_head_has_says_so():
    text = random_weights_text()
    chart = present_layer_chart(text, found_in(text), HeadMeasure.SYMMETRY)
    assert not chart.series
    assert "no value" in chart.empty


def test_a_model_of_one_layer_has_an_axis():
    text = random_capture(1, 2).texts[0]
    chart = present_layer_chart(text, found_in(text), HeadMeasure.DISTANCE)
    assert 0 < chart.x.share(1.0) < 1
