"""The band of a measured variance: its formula against brute force, its level against simulation."""

from __future__ import annotations

import math

import pytest
import torch

from qkviz.attention.sampling import DIMENSIONS
from qkviz.attention.variance_band import FAMILY_LEVEL, standard_error, variance_band
from qkviz.translate import Refusal


def simulated_variances(d_k: int, pairs: int, samplings: int, seed: int) -> torch.Tensor:
    """Return sample variances of q·k, (samplings,), drawn here and in another way than in the program."""
    generator = torch.Generator().manual_seed(seed)
    blocks = []
    for _block in range(20):
        q = torch.randn(samplings // 20, pairs, d_k, generator=generator)
        k = torch.randn(samplings // 20, pairs, d_k, generator=generator)
        blocks.append((q * k).sum(-1).double().var(1))
    return torch.cat(blocks)


@pytest.mark.parametrize(("d_k", "pairs"), [(1, 50), (1, 400), (3, 100), (16, 100)])
def test_the_standard_error_is_that_of_repeated_samplings(d_k, pairs):
    variances = simulated_variances(d_k, pairs, 8000, seed=d_k)
    assert variances.mean().item() == pytest.approx(d_k, rel=0.02)
    assert variances.std().item() == pytest.approx(standard_error(d_k, pairs), rel=0.08)


def test_the_standard_error_by_hand():
    # Var = d² (2/(N − 1) + 6/(N d)): for d = 2, N = 3 that is 4 (1 + 1)
    assert standard_error(2, 3) == pytest.approx(math.sqrt(8.0))


@pytest.mark.parametrize("d_k", [1, 2, 8])
def test_a_single_point_is_outside_as_rarely_as_its_share_of_the_risk_says(d_k):
    low, high = variance_band([d_k], 200, level=0.99)[0]
    variances = simulated_variances(d_k, 200, 20_000, seed=10 + d_k)
    outside = ((variances < low) | (variances > high)).double().mean().item()
    assert 0.005 < outside < 0.015


def test_all_points_of_a_sampling_are_inside_about_as_often_as_said():
    """Even for the fewest pairs that can be chosen, where the skewness is largest."""
    generator = torch.Generator().manual_seed(3)
    pairs, samplings = 100, 2000
    band = torch.tensor(variance_band(DIMENSIONS[:8], pairs, level=0.95), dtype=torch.float64)  # (8, 2)
    inside = 0
    for _sampling in range(samplings):
        products = torch.randn(pairs, 128, generator=generator) * torch.randn(pairs, 128, generator=generator)
        variances = products.double().cumsum(1)[:, [d - 1 for d in DIMENSIONS[:8]]].var(0)  # (8,)
        inside += bool(((band[:, 0] <= variances) & (variances <= band[:, 1])).all())
    assert inside / samplings > 0.935  # three deviations of 2000 tosses are 0.015


def test_the_band_narrows_with_pairs_and_widens_with_the_level():
    width = [high - low for low, high in (variance_band([4], n)[0] for n in (100, 1000, 10_000))]
    assert width[0] > 2.5 * width[1] > 6 * width[2]
    assert variance_band([4], 100, 0.9)[0][1] < variance_band([4], 100, FAMILY_LEVEL)[0][1]


@pytest.mark.parametrize("pairs", [2, 3, 10])
@pytest.mark.parametrize("d_k", [1, 1024])
def test_the_band_of_hardly_any_pairs_is_still_a_band(d_k, pairs):
    low, high = variance_band([d_k], pairs)[0]
    assert 0.0 <= low < d_k < high < math.inf


def test_one_pair_has_no_variance():
    with pytest.raises(Refusal, match="at least 2 pairs; there are 1"):
        standard_error(4, 1)
