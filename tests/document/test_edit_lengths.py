"""The edit of a length alone: exactly so long, in the same direction, and nothing else moves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document, Role
from qkviz.document.edits import SetLength
from qkviz.lessons.library import lesson_by_number
from qkviz.translate import Refusal


def direct(q: list[float], k: list[float]) -> Document:
    return Document(("a",), ("b",), DirectInputs(matrix([q], "Q"), matrix([k], "K")))


def vectors(document: Document) -> tuple[list[list[float]], list[list[float]]]:
    trace = trace_attention(document.inputs, document.options)
    assert trace.Q is not None
    assert trace.K is not None
    return trace.Q.tolist(), trace.K.tolist()


def test_a_query_is_as_long_as_told_and_the_key_stays() -> None:
    Q, K = vectors(SetLength(Role.QUERY, 0, (3.0, 4.0), 10.0).apply(direct([3.0, 4.0], [1.0, 2.0])))
    assert Q == [[6.0, 8.0]]
    assert K == [[1.0, 2.0]]


@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=6).filter(lambda v: math.hypot(*v) > 1e-3),
    st.floats(0, 1000),
)
def test_in_any_dimension_the_direction_stays(vector: list[float], length: float) -> None:
    document = SetLength(Role.KEY, 0, tuple(vector), length).apply(direct([0.0] * len(vector), vector))
    (stretched,) = vectors(document)[1]
    assert math.hypot(*stretched) == pytest.approx(length, rel=1e-12)
    size = math.hypot(*vector)
    assert stretched == pytest.approx([part / size * length for part in vector], rel=1e-12, abs=1e-12)


def test_length_0_is_the_zero_vector_and_the_way_back_is_exact() -> None:
    direction = (0.3, -1.7, 2.2)
    zero = SetLength(Role.QUERY, 0, direction, 0.0).apply(direct(list(direction), [1.0, 1.0, 1.0]))
    assert vectors(zero)[0] == [[0.0, 0.0, 0.0]]
    back = SetLength(Role.QUERY, 0, direction, math.hypot(*direction)).apply(zero)
    assert vectors(back)[0][0] == pytest.approx(direction, rel=1e-15)


def test_on_projected_inputs_it_is_an_offset() -> None:
    before = lesson_by_number(7).document()
    q = vectors(before)[0][0]
    after = SetLength(Role.QUERY, 0, tuple(q), 2 * math.hypot(*q)).apply(before)
    assert isinstance(before.inputs, ProjectedInputs)
    assert isinstance(after.inputs, ProjectedInputs)
    assert after.inputs.W_Q is before.inputs.W_Q
    assert after.inputs.X_q is before.inputs.X_q
    assert vectors(after)[0][0] == pytest.approx([2 * part for part in q], rel=1e-12)
    assert vectors(after)[0][1:] == vectors(before)[0][1:]


def test_the_same_length_is_no_edit() -> None:
    document = direct([3.0, 4.0], [1.0, 2.0])
    assert SetLength(Role.QUERY, 0, (3.0, 4.0), 5.0).apply(document) is document


@pytest.mark.parametrize("length", [-1.0, math.nan, math.inf])
def test_a_length_that_is_none_is_refused(length: float) -> None:
    with pytest.raises(Refusal, match="cannot be"):
        SetLength(Role.QUERY, 0, (3.0, 4.0), length).apply(direct([3.0, 4.0], [1.0, 2.0]))


@pytest.mark.parametrize("direction", [(0.0, 0.0), (), (1.0,), (math.nan, 1.0)])
def test_without_a_direction_it_is_refused(direction: tuple[float, ...]) -> None:
    with pytest.raises(Refusal, match="no direction"):
        SetLength(Role.QUERY, 0, direction, 1.0).apply(direct([3.0, 4.0], [1.0, 2.0]))


def test_unknown_vectors_and_given_scores_are_refused() -> None:
    with pytest.raises(Refusal, match="There is no query 2"):
        SetLength(Role.QUERY, 1, (1.0, 0.0), 1.0).apply(direct([3.0, 4.0], [1.0, 2.0]))
    scores = Document(("a",), ("b",), GivenScores(matrix([[1.0]], "scores")))
    with pytest.raises(Refusal, match="finished scores"):
        SetLength(Role.KEY, 0, (1.0,), 1.0).apply(scores)


def test_a_huge_length_is_clipped() -> None:
    Q, _K = vectors(SetLength(Role.QUERY, 0, (0.0, 2.0), 1e9).apply(direct([0.0, 2.0], [1.0, 2.0])))
    assert Q == [[0.0, 1e6]]
