"""Raw scores, each against a loop over plain floats."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.inputs import matrix
from qkviz.attention.score_functions import (
    Additive,
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    draw_additive,
)
from qkviz.translate import Refusal
from tests.attention.strategies import matrices, sizes

properties = settings(deadline=None)


@st.composite
def queries_and_keys(draw):
    m, n, d = draw(sizes), draw(sizes), draw(sizes)
    return draw(matrices(m, d)), draw(matrices(n, d))


def by_loop(Q, K, score):
    return matrix([[score(q, k) for k in K.tolist()] for q in Q.tolist()], "scores")


@properties
@given(queries_and_keys())
def test_dot_products_are_raw_whether_they_will_be_scaled_or_not(pair):
    Q, K = pair
    expected = by_loop(Q, K, lambda q, k: math.fsum(a * b for a, b in zip(q, k, strict=True)))
    torch.testing.assert_close(Dot().score(Q, K), expected, rtol=1e-12, atol=1e-11)
    assert torch.equal(ScaledDot().score(Q, K), Dot().score(Q, K))


@properties
@given(queries_and_keys())
def test_distance_equals_a_loop(pair):
    Q, K = pair
    expected = by_loop(Q, K, lambda q, k: -0.5 * math.fsum((a - b) ** 2 for a, b in zip(q, k, strict=True)))
    torch.testing.assert_close(NegativeHalfSquaredDistance().score(Q, K), expected, rtol=1e-12, atol=1e-13)


def test_distance_of_near_vectors_keeps_its_digits():
    Q, K = matrix([[1e6, 1e6]], "Q"), matrix([[1e6, 1e6 + 0.25]], "K")
    assert NegativeHalfSquaredDistance().score(Q, K).tolist() == [[-0.03125]]


@properties
@given(queries_and_keys(), st.integers(1, 5), st.integers(0, 99))
def test_additive_equals_a_loop(pair, hidden, seed):
    Q, K = pair
    function = draw_additive(Q.shape[1], hidden, seed)
    W_1, W_2, v = function.W_1.tolist(), function.W_2.tolist(), function.v.tolist()

    def score(q, k):
        total = 0.0
        for unit in range(hidden):
            inside = sum(q[t] * W_1[t][unit] + k[t] * W_2[t][unit] for t in range(len(q)))
            total += v[unit] * math.tanh(inside)
        return total

    torch.testing.assert_close(function.score(Q, K), by_loop(Q, K, score), rtol=1e-10, atol=1e-11)


def test_drawing_is_by_seed_alone():
    torch.manual_seed(3)
    first = draw_additive(4, 8, seed=11)
    second = draw_additive(4, 8, seed=11)
    other = draw_additive(4, 8, seed=12)
    assert torch.equal(first.W_1, second.W_1)
    assert torch.equal(first.v, second.v)
    assert not torch.equal(first.W_1, other.W_1)
    assert not torch.equal(first.W_1, first.W_2)
    assert first.W_1.shape == (4, 8)
    assert first.v.shape == (8,)


def test_additive_parts_that_do_not_fit_are_refused():
    two, three = torch.zeros(2, 4).double(), torch.zeros(3, 4).double()
    with pytest.raises(Refusal, match="W_1 is 2 × 4, but W_2 is 3 × 4"):
        Additive(two, three, torch.zeros(4).double())
    with pytest.raises(Refusal, match="W_1 is 2 × 4, but v is 3:"):
        Additive(two, two, torch.zeros(3).double())
    with pytest.raises(Refusal, match="W_1 is 2 × 4, but Q is 1 × 5"):
        Additive(two, two, torch.zeros(4).double()).score(matrix([[0.0] * 5], "Q"), matrix([[0.0] * 5], "K"))


@properties
@given(queries_and_keys())
def test_cosine_equals_a_loop_and_is_nan_beside_a_zero_vector(pair):
    Q, K = pair

    def score(q, k):
        lengths = math.hypot(*q) * math.hypot(*k)
        return math.fsum(a * b for a, b in zip(q, k, strict=True)) / lengths if lengths else math.nan

    if lengths_are_normal(Q) and lengths_are_normal(K):
        result = Cosine().score(Q, K)
        torch.testing.assert_close(result, by_loop(Q, K, score), rtol=0, atol=1e-12, equal_nan=True)
        assert not (result.abs() > 1).any()


def lengths_are_normal(vectors):
    """Tell whether the plain formula of the loop neither over- nor underflows."""
    largest = vectors.abs().amax(1)  # the norm of torch underflows as well
    return bool(((largest == 0) | (largest > 1e-100)).all())


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1.0, 1e200, 1e300])
def test_cosine_of_huge_and_tiny_vectors(size):
    result = Cosine().score(matrix([[3 * size, 4 * size]], "Q"), matrix([[1.0, 0.0], [0.0, -1e-200]], "K"))
    assert result[0].tolist() == pytest.approx([0.6, -0.8], abs=1e-15)


def test_default_scales():
    assert ScaledDot().default_scale(64) == 0.125
    others = [Dot(), Cosine(), NegativeHalfSquaredDistance(), draw_additive(2, 2, 0)]
    assert [function.default_scale(64) for function in others] == [1.0] * 4
