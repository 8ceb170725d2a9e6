"""The row under every normaliser, by value: known rows, the check value, and rows without numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CellMask
from qkviz.attention.normalizers import Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.normalizers import (
    NormalizersContent,
    axis_limit,
    is_movable,
    present_normalizers,
    weight_text,
)
from qkviz.translate import use_language


def shown(
    scores: list[list[float]],
    options: AttentionOptions | None = None,
    focus: Focus | None = None,
    temperature: float = 0.5,
) -> NormalizersContent:
    queries = tuple(f"q{row}" for row in range(len(scores)))
    keys = tuple(f"k{column}" for column in range(len(scores[0])))
    inputs = GivenScores(matrix(scores, "scores"))
    document = Document(queries, keys, inputs, options or AttentionOptions())
    return present_normalizers(Session(document, focus).snapshot, temperature)


def weights(content: NormalizersContent) -> dict[str, list[float]]:
    return {row.id: row.weights.tolist() for row in content.rows}


def test_the_check_value_of_sparsemax() -> None:
    assert weights(shown([[1.0, 0.8, 0.1]]))["sparsemax"] == pytest.approx([0.6, 0.4, 0.0], abs=1e-12)


def test_every_normaliser_of_one_row() -> None:
    s = np.array([1.0, 0.8, 0.1, -0.5])
    found = weights(shown([s.tolist()], temperature=0.25))
    assert found["softmax"] == pytest.approx(np.exp(s) / np.exp(s).sum(), abs=1e-12)
    assert found["temperature"] == pytest.approx(np.exp(4 * s) / np.exp(4 * s).sum(), abs=1e-12)
    assert found["hardmax"] == [1.0, 0.0, 0.0, 0.0]
    # three keys stay: Σ (s/2 − τ)² = 1 for s = 1, 0.8, 0.1; the fourth lies below 2τ
    a, b, c = 3.0, -(1.0 + 0.8 + 0.1), (1.0 + 0.64 + 0.01) / 4 - 1
    tau = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
    assert found["entmax15"] == pytest.approx([(x / 2 - tau) ** 2 for x in (1.0, 0.8, 0.1)] + [0], abs=1e-6)


def test_the_cuts_are_where_the_weights_end() -> None:
    sparsemax, entmax = shown([[1.0, 0.8, 0.1, -0.5]]).cuts
    assert sparsemax.height == pytest.approx(0.4, abs=1e-12)
    assert sparsemax.text == "sparsemax: θ = 0.40"
    assert -0.5 < entmax.height < 0.1
    assert entmax.text == "entmax-1.5: 2θ = −0.45"


def test_a_weight_of_0_is_written_otherwise_than_a_small_one() -> None:
    assert (weight_text(0.0), weight_text(0.25), weight_text(1.0)) == ("0", "0.25", "1.00")
    assert weight_text(3.2e-4) == "3.2e−4"
    content = shown([[10.0, 0.0]])
    assert [row.texts[1] for row in content.rows if row.id in ("softmax", "sparsemax")] == ["4.5e−5", "0"]
    assert content.rows[0].foot == "2 of 2 above 0"
    assert content.rows[3].foot == "1 of 2 above 0"


def test_the_lowest_score_is_told_with_what_it_gets() -> None:
    sentence = shown([[1.0, -0.5]]).sentence
    assert sentence.startswith("The lowest score is −0.50, that of “k1”. It gets 0.18 from softmax, ")
    assert sentence.endswith("0 from sparsemax.")
    use_language("zh")
    assert shown([[1.0, -0.5]]).sentence.startswith("最低分 −0.50")


@pytest.mark.parametrize(
    ("normalizer", "chosen"),
    [
        (Softmax(), ["softmax"]),
        (Softmax(0.5), ["temperature"]),
        (Softmax(3.0), []),
        (Sparsemax(), ["sparsemax"]),
        (Hardmax(), ["hardmax"]),
    ],
)
def test_the_normaliser_of_the_document_is_marked(normalizer: Softmax, chosen: list[str]) -> None:
    content = shown([[1.0, 0.0]], AttentionOptions(normalizer=normalizer))
    assert [row.id for row in content.rows if row.is_chosen] == chosen


def test_a_temperature_of_1_marks_one_card_only() -> None:
    content = shown([[1.0, 0.0]], temperature=1.0)
    assert [row.id for row in content.rows if row.is_chosen] == ["softmax"]


def test_the_chosen_row_is_shown_and_without_one_the_first() -> None:
    scores = [[1.0, 0.0], [0.0, 3.0]]
    assert shown(scores).title == "query 1 “q0”"
    content = shown(scores, focus=Focus(query=1, key=1))
    assert (content.title, content.chosen, content.scores.tolist()) == ("query 2 “q1”", 1, [0.0, 3.0])


def test_masked_cells_take_no_part_and_cannot_be_moved() -> None:
    content = shown([[1.0, 5.0, 0.8]], AttentionOptions(mask=CellMask(frozenset({(0, 1)}))))
    assert weights(content)["sparsemax"] == pytest.approx([0.6, 0.0, 0.4])
    assert [is_movable(content, key) for key in range(3)] == [True, False, True]
    assert content.limit == 2.0


def test_rows_without_weights_say_so() -> None:
    content = shown([[math.nan, 1.0]])
    assert content.cuts == ()
    assert content.sentence == "This row has no weights."
    assert content.rows[0].foot == "not every score is a number"
    assert shown([[-math.inf, -math.inf]]).sentence == "This row has no weights."


def test_scores_of_queries_and_keys_say_what_to_drag_instead() -> None:
    document = Document(("a",), ("b", "c"), DirectInputs(matrix([[1.0]], "Q"), matrix([[1.0], [2.0]], "K")))
    content = present_normalizers(Session(document).snapshot, 0.5)
    assert "drag those" in content.note
    assert not is_movable(content, 0)
    assert content.scores.tolist() == [1.0, 2.0]


def test_the_scale_of_the_document_is_on_the_axis() -> None:
    content = shown([[1.0, 4.0]], AttentionOptions(scale=0.5))
    assert (content.scores.tolist(), content.scale) == ([0.5, 2.0], 0.5)


@pytest.mark.parametrize(
    ("largest", "limit"),
    [
        (0.0, 2.0),
        (2.0, 2.0),
        (2.01, 5.0),
        (7.0, 10.0),
        (10.0, 10.0),
        (11.0, 20.0),
        (1e6, 1e6),
        (3e300, 5e300),
    ],
)
def test_the_limit_of_the_axis_is_round_and_never_below_2(largest: float, limit: float) -> None:
    assert axis_limit(np.array([0.0, -largest, math.nan, -math.inf])) == pytest.approx(limit)


def test_the_numbers_of_lesson_12() -> None:
    numbers = lesson_by_number(12).fixed_numbers
    found = [numbers[name] for name in ("p_cat", "p_dog", "p_mat", "theta")]
    assert found == pytest.approx([0.6, 0.4, 0, 0.4])
    powers = np.exp([1.0, 0.8, 0.1, -0.5])
    assert numbers["w_of"] == pytest.approx(powers[3] / powers.sum(), abs=1e-12)
    lowered = np.exp([1.0, 0.8, 0.1, -2.0])
    assert numbers["low_softmax"] == pytest.approx(lowered[3] / lowered.sum(), abs=1e-12)
    assert numbers["low_softmax"] > 0.01
    assert (numbers["low"], numbers["low_sparsemax"]) == (-2.0, 0.0)
