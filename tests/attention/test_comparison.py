"""Score functions side by side: the same vectors, the right formulas, the right number of parameters."""

from __future__ import annotations

import math

import pytest
import torch

from qkviz.attention.comparison import HIDDEN, TOKENS, compare_drawn, parameter_count, scorers
from qkviz.attention.score_functions import Cosine, Dot, NegativeHalfSquaredDistance, ScaledDot


def test_all_three_see_the_same_q_and_k():
    comparison = compare_drawn(16, seed=3)
    traces = (comparison.additive, comparison.dot, comparison.scaled_dot)
    assert len({id(trace.inputs) for trace in traces}) == 1
    assert comparison.dot.scores.shape == (TOKENS, TOKENS)
    Q, K = comparison.dot.Q, comparison.dot.K
    assert torch.allclose(comparison.dot.scaled, Q @ K.T)
    assert torch.allclose(comparison.scaled_dot.scaled, Q @ K.T / 4.0)


@pytest.mark.parametrize("d_k", [2, 64, 512])
def test_the_additive_function_has_two_projections_and_one_vector(d_k):
    additive = compare_drawn(d_k, seed=0).additive.options.score
    assert parameter_count(additive) == 2 * d_k * HIDDEN + HIDDEN


@pytest.mark.parametrize("score", [Dot(), ScaledDot(), Cosine(), NegativeHalfSquaredDistance()])
def test_the_others_have_no_parameters(score):
    assert parameter_count(score) == 0


def test_the_dot_product_spreads_with_the_root_of_d_k_and_the_others_stay():
    narrow, wide = compare_drawn(8, seed=1), compare_drawn(512, seed=1)
    assert wide.dot.scaled.std() / narrow.dot.scaled.std() == pytest.approx(8.0, rel=0.15)
    assert wide.scaled_dot.scaled.std() / narrow.scaled_dot.scaled.std() == pytest.approx(1.0, rel=0.15)
    assert 0.4 < wide.additive.scaled.std() / narrow.additive.scaled.std() < 2.5


@pytest.mark.parametrize("seed", range(5))
def test_an_additive_score_is_never_larger_than_the_sum_of_its_vs(seed):
    additive = compare_drawn(512, seed).additive
    assert additive.scores.abs().max() <= additive.options.score.v.abs().sum()


def test_what_is_timed_computes_what_it_says():
    generator = torch.Generator().manual_seed(0)
    Q, K = (torch.randn(3, 5, generator=generator, dtype=torch.float64) for _role in "qk")
    functions = scorers(5, seed=7)
    assert torch.allclose(functions["dot"](Q, K), Q @ K.T)
    assert torch.allclose(functions["scaled_dot"](Q, K), Q @ K.T / math.sqrt(5))
    distances = torch.stack([torch.stack([(q - k).norm() for k in K]) for q in Q])
    assert torch.allclose(functions["distance"](Q, K), distances)
    assert functions["additive"](Q, K).shape == (3, 3)
