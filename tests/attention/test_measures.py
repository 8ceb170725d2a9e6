"""Each measure against a value worked out by hand."""

import math

import pytest
import torch

from qkviz.attention.inputs import matrix
from qkviz.attention.measures import (
    antisymmetric_share,
    diagonal_wins,
    effective_keys,
    is_symmetric,
    largest_asymmetry,
    largest_keys,
    mean_distance,
    numerical_rank,
    row_entropy,
    score_variance,
)
from qkviz.translate import Refusal

NAN, NO = math.nan, -math.inf


def m(*rows):
    return matrix(rows, "S")


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        (m([1.0, 2.0, 0.0], [5.0, 1.0, 4.0], [0.5, 4.0, 1.0]), 3.0),
        (m([1.0, 2.0], [2.0, -1.0]), 0.0),
        (m([7.0]), 0.0),
        (m([1.0, NAN], [1.0, 1.0]), None),
        (m([1.0, NO], [1.0, 1.0]), None),
    ],
)
def test_largest_asymmetry(S, expected):
    assert largest_asymmetry(S) == expected


def test_symmetry_is_up_to_rounding():
    assert is_symmetric(m([1.0, 0.1 + 0.2], [0.3, 1.0]))
    assert not is_symmetric(m([1.0, 0.301], [0.3, 1.0]))
    assert is_symmetric(m([0.0, 0.0], [0.0, 0.0]))
    assert not is_symmetric(m([0.0, NAN], [NAN, 0.0]))


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        (m([0.0, 2.0], [-2.0, 0.0]), 1.0),
        (m([1.0, 3.0], [3.0, 5.0]), 0.0),
        # A = ((0, 1), (−1, 0)), ‖A‖² = 2; B = ((1, 2), (2, 0)), ‖B‖² = 9
        (m([1.0, 3.0], [1.0, 0.0]), 2 / 11),
        (m([0.0, 0.0], [0.0, 0.0]), None),
        (m([0.0, NAN], [0.0, 0.0]), None),
    ],
)
def test_antisymmetric_share(S, expected):
    assert antisymmetric_share(S) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        (m([3.0, 1.0, 2.0], [5.0, 4.0, 1.0], [0.0, 0.0, 1.0]), (2, 3)),
        (m([1.0, 1.0], [0.0, -1.0]), (1, 2)),  # a tie counts
        (m([NO, NO], [NO, 0.0]), (1, 1)),
        (m([1.0, NAN], [2.0, NAN]), (1, 2)),
        (m([NAN, NAN], [NO, NAN]), (0, 0)),
    ],
)
def test_diagonal_wins(S, expected):
    assert diagonal_wins(S) == expected


@pytest.mark.parametrize("measure", [largest_asymmetry, is_symmetric, antisymmetric_share, diagonal_wins])
def test_measures_against_the_transpose_need_a_square(measure):
    with pytest.raises(Refusal, match="this one is 1 × 2"):
        measure(m([1.0, 2.0]))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([2.0, 2.0, 1.0], (0, 1)),
        ([0.1 + 0.2, 0.0, 0.3], (0, 2)),
        ([NO, -5.0], (1,)),
        ([NAN, 1.0, 0.0], (1,)),
        ([NO, NAN], ()),
    ],
)
def test_largest_keys(row, expected):
    assert largest_keys(torch.tensor(row, dtype=torch.float64)) == expected


def test_entropy_in_nats_and_as_a_number_of_keys():
    weights = m([0.25, 0.25, 0.25, 0.25], [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0])
    assert row_entropy(weights).tolist() == pytest.approx([math.log(4), 0.0, math.log(2), 0.0])
    assert effective_keys(weights).tolist() == pytest.approx([4.0, 1.0, 2.0, 0.0])


def test_entropy_of_an_uneven_row():
    # −(¾ ln ¾ + ¼ ln ¼) = 0.5623 nats, exp of it 1.7548 keys
    weights = m([0.75, 0.25])
    assert float(row_entropy(weights)) == pytest.approx(0.5623, abs=5e-5)
    assert float(effective_keys(weights)) == pytest.approx(1.7548, abs=5e-5)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (m([1.0, 0.0], [0.0, 1.0]), 0.0),
        (m([0.5, 0.5, 0.0], [0.0, 0.0, 1.0]), 0.75),  # (½·1 + 1·1) / 2
        (m([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]), 2.0),  # the row without a key does not count
        (m([0.0, 0.0]), None),
        (m([NAN, 1.0]), None),
    ],
)
def test_mean_distance(weights, expected):
    assert mean_distance(weights) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        (m([1.0, 2.0], [3.0, 4.0]), 1.25),
        (m([1.0, NO], [3.0, NAN]), 1.0),
        (m([7.0]), 0.0),
        (m([NO, NAN]), None),
    ],
)
def test_score_variance(S, expected):
    assert score_variance(S) == expected


def test_variance_of_dot_products_is_d_k_for_standard_normal_vectors():
    generator = torch.Generator().manual_seed(5)
    for d_k in (4, 64):
        Q = torch.randn(600, d_k, generator=generator, dtype=torch.float64)
        K = torch.randn(600, d_k, generator=generator, dtype=torch.float64)
        assert score_variance(Q @ K.T) == pytest.approx(d_k, rel=0.1)


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        (m([1.0, 2.0], [2.0, 4.0]), 1),
        (m([1.0, 2.0], [2.0, 4.001]), 2),
        (m([0.1, 0.2, 0.3], [0.2, 0.4, 0.6], [0.7, 0.8, 0.9]), 2),
        (m([0.0, 0.0]), 0),
        (m([1e-9, 0.0], [0.0, 1e9]), 1),  # σ₂/σ₁ = 1e-18 is rounding
        (m([1.0, NAN]), None),
    ],
)
def test_numerical_rank(S, expected):
    assert numerical_rank(S) == expected


def test_scores_have_at_most_rank_d_k():
    generator = torch.Generator().manual_seed(6)
    Q = torch.randn(9, 3, generator=generator, dtype=torch.float64)
    K = torch.randn(8, 3, generator=generator, dtype=torch.float64)
    assert numerical_rank(Q @ K.T) == 3
