"""Gram matrices: what tied projections give, and what is told of matrices that are none."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkviz.attention.gram import gram_facts, pair_bound
from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.trace import trace_attention
from qkviz.translate import Refusal
from tests.attention.strategies import matrices


@given(st.data(), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_tied_projections_give_a_gram_matrix(data: st.DataObject, n: int, d_model: int, d_k: int) -> None:
    X, W = data.draw(matrices(n, d_model)), data.draw(matrices(d_model, d_k))
    S = trace_attention(ProjectedInputs(X, X, W, W)).scores
    facts = gram_facts(S)
    assert facts is not None
    assert facts.is_gram
    assert facts.smallest_diagonal >= 0
    assert facts.largest_ratio is None or facts.largest_ratio <= 1 + 1e-6
    for i in range(n):
        for j in range(n):
            bound = pair_bound(S, i, j)
            assert bound is not None
            assert abs(S[i, j].item()) <= bound * (1 + 1e-9) + 1e-9


def test_the_facts_of_a_known_matrix() -> None:
    # products of (1, 0), (1, 1), (0, 2): cosines 1/√2, 0, 1/√2; determinant 0, the vectors lie in a plane
    facts = gram_facts(matrix([[1, 1, 0], [1, 2, 2], [0, 2, 4]], "S"))
    assert facts is not None
    assert facts.smallest_diagonal == 1
    assert facts.largest_ratio == pytest.approx(math.sqrt(0.5), abs=1e-12)
    assert facts.smallest_eigenvalue == pytest.approx(0, abs=1e-12)
    assert facts.is_gram


@pytest.mark.parametrize("rows", [[[1, 2], [2, 1]], [[-1, 0], [0, 1]], [[0, 1], [1, 0]]])
def test_a_symmetric_matrix_need_not_be_a_gram_matrix(rows: list[list[float]]) -> None:
    facts = gram_facts(matrix(rows, "S"))
    assert facts is not None
    assert facts.is_gram is False


def test_what_is_not_symmetric_or_not_a_number_has_no_facts() -> None:
    assert gram_facts(matrix([[1, 2], [3, 4]], "S")) is None
    assert gram_facts(matrix([[math.nan, 1], [1, 1]], "S")) is None
    assert gram_facts(matrix([[math.inf, 1], [1, 1]], "S")) is None


def test_zeros_are_a_gram_matrix_without_a_ratio() -> None:
    facts = gram_facts(torch.zeros(3, 3, dtype=torch.float64))
    assert facts is not None
    assert (facts.smallest_diagonal, facts.largest_ratio, facts.is_gram) == (0, None, True)


def test_a_length_lost_to_underflow_has_no_ratio() -> None:
    S = matrix([[1e-320, 3e-161, 0], [3e-161, 1, 0], [0, 0, 1]], "S")  # or 0.3, or nothing
    facts = gram_facts(S)
    assert facts is not None
    assert facts.largest_ratio == 0


def test_many_rows_have_no_eigenvalue_but_the_rest() -> None:
    facts = gram_facts(torch.eye(129, dtype=torch.float64))
    assert facts is not None
    assert (facts.smallest_eigenvalue, facts.is_gram, facts.largest_ratio) == (None, None, 0)


def test_the_bound_of_a_pair_needs_two_squared_lengths() -> None:
    S = matrix([[4, 0, 0], [0, 9, 0], [0, 0, -1]], "S")
    assert pair_bound(S, 0, 1) == 6
    assert pair_bound(S, 0, 2) is None


def test_only_a_square_matrix_is_taken() -> None:
    with pytest.raises(Refusal, match="2 × 3"):
        gram_facts(matrix([[1, 2, 3], [4, 5, 6]], "S"))
