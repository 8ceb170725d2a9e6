"""The bars of a row: their values, the ends of their axis, and what they are called."""

from __future__ import annotations

import math

import pytest

from qkviz.attention.inputs import GivenScores, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.presenters.cells import CellKind
from qkviz.presenters.row_chart import present_row_chart
from qkviz.translate import Refusal


def _snapshot(scores: list[list[float]], focus: Focus | None = None, masked: bool = False) -> Snapshot:
    tokens = tuple("abcdefgh"[: len(scores[0])])
    options = AttentionOptions(mask=CausalMask()) if masked else AttentionOptions()
    inputs = GivenScores(matrix(scores, "scores"), None)
    return Session(Document(tokens[: len(scores)], tokens, inputs, options), focus).snapshot


def test_scores_of_both_signs_have_an_axis_of_one_size_to_both_sides() -> None:
    content = present_row_chart(_snapshot([[3.0, -1.0, 0.0]]), MatrixName.SCORES, 0)
    assert content.values.tolist() == [3.0, -1.0, 0.0]
    assert (content.low, content.high) == (-5.0, 5.0)
    assert [text for _value, text in content.ticks] == ["−5.00", "−2.50", "0", "2.50", "5.00"]
    assert (content.largest, content.is_weights) == ((0,), False)


@pytest.mark.parametrize(
    ("row", "ends"),
    [
        ([0.0, 0.0], (0.0, 1.0)),
        ([-3.0, -1.0], (-5.0, 0.0)),
        ([1e-7, 2e-7], (0.0, 2e-7)),
        ([1.7e308, -1.7e308], (-1.7e308, 1.7e308)),
    ],
)
def test_the_axis_reaches_from_zero_to_a_round_number(row: list[float], ends: tuple[float, float]) -> None:
    content = present_row_chart(_snapshot([row]), MatrixName.SCORES, 0)
    assert (content.low, content.high) == pytest.approx(ends)


def test_masked_keys_are_no_values_of_their_row() -> None:
    snapshot = _snapshot([[1.0, 2.0], [0.0, 0.0]], masked=True)
    weights = present_row_chart(snapshot, MatrixName.WEIGHTS, 0)
    assert weights.kinds.tolist() == [CellKind.VALUE, CellKind.MASKED]
    assert weights.values.tolist() == [1.0, 0.0]
    assert present_row_chart(snapshot, MatrixName.SCORES, 0).kinds.tolist() == [0, 0]
    assert present_row_chart(snapshot, MatrixName.MASKED, 0).values[1] == -math.inf


def test_only_the_chosen_row_has_a_chosen_key() -> None:
    snapshot = _snapshot([[1.0, 2.0], [0.0, 0.0]], Focus(query=1, key=0))
    assert present_row_chart(snapshot, MatrixName.SCORES, 1).chosen == 0
    assert present_row_chart(snapshot, MatrixName.SCORES, 0).chosen is None


@pytest.mark.parametrize("query", [-1, 2])
def test_a_query_that_is_not_there_is_refused(query: int) -> None:
    with pytest.raises(Refusal, match=str(query + 1)):
        present_row_chart(_snapshot([[1.0, 0.0], [2.0, 0.0]]), MatrixName.SCORES, query)
