"""Weights from rows of scores, by values worked out elsewhere."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.inputs import matrix
from qkviz.attention.normalizers import (
    Entmax15,
    Hardmax,
    Softmax,
    Sparsemax,
    is_largest,
    rows_without_key,
)
from qkviz.translate import Refusal
from tests.attention.strategies import numbers, softmax_by_hand

NO = -math.inf
ALL = [Softmax(), Softmax(0.01), Softmax(50.0), Sparsemax(), Entmax15(), Hardmax()]
properties = settings(deadline=None)
rows = st.lists(numbers, min_size=1, max_size=8)


def weights(normalizer, row):
    return normalizer.weights(matrix([row], "scores"))[0].tolist()


def test_softmax_of_large_scores_does_not_overflow():
    assert weights(Softmax(), [1000.0, 1001.0]) == pytest.approx([0.2689, 0.7311], abs=5e-5)


def test_softmax_gives_forbidden_keys_nothing():
    assert weights(Softmax(), [5.0, NO, 5.0]) == [0.5, 0.0, 0.5]


@properties
@given(rows, st.floats(0.05, 20))
def test_softmax_equals_exponentials_over_their_sum(row, temperature):
    by_hand = softmax_by_hand([score / temperature for score in row])
    assert weights(Softmax(temperature), row) == pytest.approx(by_hand, abs=1e-12)


def test_tiny_temperature_takes_the_largest_and_makes_no_nan():
    assert weights(Softmax(1e-305), [1e6, 1e6 - 1, NO]) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, math.inf])
def test_softmax_refuses_a_temperature_that_is_not_positive(temperature):
    with pytest.raises(Refusal, match="must be greater than 0"):
        Softmax(temperature)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([1.0, 0.8, 0.1], [0.6, 0.4, 0.0]),
        ([1.0, NO, 0.8], [0.6, 0.0, 0.4]),
        ([3.0, 1.0], [1.0, 0.0]),
        ([2.0, 2.0], [0.5, 0.5]),
        ([1e9, 0.0, -1e9], [1.0, 0.0, 0.0]),
    ],
)
def test_sparsemax_by_hand(row, expected):
    assert weights(Sparsemax(), row) == pytest.approx(expected, abs=1e-12)


@properties
@given(rows)
def test_entmax_solves_its_equation(row):
    # p_j = max(0, s_j/2 − τ)² with Σ p = 1; the threshold by bisection
    low, high = max(row) / 2 - 1, max(row) / 2
    for _ in range(200):
        threshold = (low + high) / 2
        if sum(max(0.0, score / 2 - threshold) ** 2 for score in row) > 1:
            low = threshold
        else:
            high = threshold
    expected = [max(0.0, score / 2 - threshold) ** 2 for score in row]
    assert weights(Entmax15(), row) == pytest.approx(expected, abs=1e-9)


@properties
@given(rows)
def test_sparsemax_solves_its_equation(row):
    # p_j = max(0, s_j − τ) with Σ p = 1; the threshold by bisection
    low, high = max(row) - 1, max(row)
    for _ in range(200):
        threshold = (low + high) / 2
        if sum(max(0.0, score - threshold) for score in row) > 1:
            low = threshold
        else:
            high = threshold
    assert weights(Sparsemax(), row) == pytest.approx([max(0.0, s - threshold) for s in row], abs=1e-9)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
        ([0.1 + 0.2, 0.3, 0.0], [0.5, 0.5, 0.0]),  # equal up to rounding
        ([0.3001, 0.3, NO], [1.0, 0.0, 0.0]),
        ([NO, -7.0], [0.0, 1.0]),
        ([-1e6, -2e6], [1.0, 0.0]),
    ],
)
def test_hardmax_gives_all_to_the_largest_and_ties_share(row, expected):
    assert weights(Hardmax(), row) == expected


@pytest.mark.parametrize("normalizer", ALL)
def test_row_without_an_allowed_key_is_zeros_beside_a_row_that_is_not(normalizer):
    result = normalizer.weights(matrix([[NO, NO], [NO, 3.0]], "scores"))
    assert result.tolist() == [[0.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("normalizer", ALL)
def test_nan_makes_its_row_nan_and_no_other(normalizer):
    result = normalizer.weights(matrix([[math.nan, 1.0, NO], [NO, 3.0, NO]], "scores"))
    assert result[0].isnan().all()
    assert result[1].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("normalizer", ALL)
def test_scores_stay_as_they_were(normalizer):
    scores = matrix([[1.0, NO, 0.5], [NO, NO, NO]], "scores")
    before = scores.clone()
    normalizer.weights(scores)
    assert torch.equal(scores, before)


@pytest.mark.parametrize("normalizer", ALL)
def test_adding_a_constant_to_a_row_changes_nothing(normalizer):
    scores = matrix([[1.0, 0.25, -0.5, NO]], "scores")
    torch.testing.assert_close(normalizer.weights(scores + 4.0), normalizer.weights(scores))


def test_rows_without_key_are_those_of_minus_infinity_only():
    assert rows_without_key(matrix([[NO, NO], [NO, 0.0], [NO, math.nan]], "S")).tolist() == [
        True,
        False,
        False,
    ]


def test_is_largest_marks_ties_and_leaves_rows_with_nan_or_nothing_out():
    marks = is_largest(
        matrix([[1.0, 3.0, 3.0], [NO, NO, NO], [1.0, math.nan, 2.0], [math.inf, 1.0, NO]], "S")
    )
    assert marks.tolist() == [[False, True, True], [False] * 3, [False] * 3, [True, False, False]]
