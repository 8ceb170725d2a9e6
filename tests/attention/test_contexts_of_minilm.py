"""“bank” in the five sentences of the preset, read by all-MiniLM-L6-v2 itself, against published numbers.

Skipped where the model or transformers is not installed.
"""

from __future__ import annotations

import importlib.util
from itertools import product

import pytest

from qkviz.attention.captured import Capture
from qkviz.attention.contexts import WordPlace, places_of, word_cosines, word_row
from qkviz.capture.minilm import installed_minilm
from qkviz.capture.open_model import open_model

pytestmark = pytest.mark.skipif(
    installed_minilm() is None or importlib.util.find_spec("transformers") is None,
    reason="all-MiniLM-L6-v2 and transformers are not installed",
)

SENTENCES = (
    "She sat on the bank of the river and watched the water",
    "We drove to the bank to withdraw cash",
    "I asked at the bank for a loan",
    "The pilot had to bank the aircraft to the left",
    "We lay on the bank of the stream",
)
RIVER, MONEY = (0, 4), (1, 2)


@pytest.fixture(scope="module")
def capture() -> Capture:
    folder = installed_minilm()
    assert folder is not None
    model = open_model(folder)
    return Capture(model.facts, tuple(model.capture(sentence, check=False) for sentence in SENTENCES))


@pytest.fixture(scope="module")
def places(capture: Capture) -> list[WordPlace]:
    return [found[0] for found in places_of(capture, 0, "bank")]


@pytest.mark.parametrize(
    ("text", "largest", "score", "weight"),
    [
        (0, "river", 28.2, 0.67),
        (1, "cash", 20.6, 0.37),
        (2, "loan", 17.0, 0.29),
        (3, "aircraft", 20.0, 0.37),
        (4, "stream", 19.1, 0.32),
    ],
)
def test_one_query_has_another_answer_in_every_sentence(
    capture: Capture, places: list[WordPlace], text: int, largest: str, score: float, weight: float
) -> None:
    row = word_row(capture, 0, 4, places[text])  # L1 H5
    at = int(row.weights.argmax())
    assert row.scores is not None
    assert row.keys[at].label == largest
    assert float(row.scores[at]) == pytest.approx(score, abs=0.05)
    assert float(row.weights[at]) == pytest.approx(weight, abs=0.005)
    assert float(row.scores[places[text].query]) == pytest.approx(4.9, abs=0.05)  # at itself


def test_in_the_first_layer_all_five_queries_are_the_same_bit_by_bit(
    capture: Capture, places: list[WordPlace]
) -> None:
    for other in places[1:]:
        first, *deeper = word_cosines(capture, places[0], other, 0, None)
        assert first.same_q
        assert (first.q, first.k, first.x) == pytest.approx((1.0, 1.0, 1.0), abs=1e-9)
        assert not any(one.same_q for one in deeper)


def test_with_depth_the_query_turns_between_river_and_money(
    capture: Capture, places: list[WordPlace]
) -> None:
    pairs = [word_cosines(capture, places[a], places[b], 0, None) for a, b in product(RIVER, MONEY)]
    means = [sum(pair[layer].q for pair in pairs) / len(pairs) for layer in range(6)]
    assert means == pytest.approx([1.000, 0.956, 0.908, 0.799, 0.790, 0.819], abs=0.01)
