"""Saturation of softmax, against torch's own differentiation."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkviz.attention.saturation import jacobian_norm, mean_largest_weight
from qkviz.translate import Refusal


@given(st.integers(1, 4), st.integers(1, 12), st.floats(0.01, 30.0), st.integers(0, 2**32))
def test_the_norm_is_that_of_the_jacobian_that_torch_differentiates(m, n, spread, seed):
    scores = spread * torch.randn(m, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    norms = jacobian_norm(torch.softmax(scores, 1))
    for i in range(m):
        jacobian = torch.autograd.functional.jacobian(lambda row: torch.softmax(row, 0), scores[i])
        assert norms[i].item() == pytest.approx(jacobian.norm().item(), abs=1e-7)


@pytest.mark.parametrize("n", [1, 2, 16, 100])
def test_equal_weights_and_one_weight_that_has_everything(n):
    alike = torch.full((1, n), 1 / n, dtype=torch.float64)
    alone = torch.zeros(1, n, dtype=torch.float64)
    alone[0, 0] = 1.0
    assert jacobian_norm(alike).item() == pytest.approx(math.sqrt(n - 1) / n, abs=1e-8)
    assert jacobian_norm(alone).item() == 0.0
    assert mean_largest_weight(alike) == pytest.approx(1 / n)
    assert mean_largest_weight(alone) == 1.0


def test_the_mean_is_over_rows():
    weights = torch.tensor([[0.2, 0.8], [0.5, 0.5]], dtype=torch.float64)
    assert mean_largest_weight(weights) == pytest.approx(0.65)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_no_weights_have_no_largest(shape):
    with pytest.raises(Refusal, match="no weights"):
        mean_largest_weight(torch.zeros(shape))
