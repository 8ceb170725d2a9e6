"""Random queries and keys: the variance is d_k, softmax saturates without scaling and not with it."""

from __future__ import annotations

import math

import pytest
import torch

from qkviz.attention.sampling import (
    DIMENSIONS,
    KEYS,
    PAIRS_AT_ONCE,
    ScalingSample,
    draw_queries_and_keys,
    sample_scaling,
)
from qkviz.attention.variance_band import variance_band
from qkviz.translate import Refusal


def sampled(pairs: int, seed: int) -> ScalingSample:
    return sample_scaling(pairs, seed, lambda share: None)


@pytest.mark.parametrize("seed", range(10))
def test_ten_seeds_of_ten_thousand_pairs_lie_within_the_band_at_every_d_k(seed):
    variances = sampled(10_000, seed).variance.tolist()
    limits = variance_band(DIMENSIONS, 10_000)
    assert [low <= variance <= high for variance, (low, high) in zip(variances, limits, strict=True)] == [
        True
    ] * 11


def test_a_sample_is_what_its_vectors_give_when_everything_is_written_out():
    """The same draws, taken apart with loops and plain formulas."""
    pairs = PAIRS_AT_ONCE + 40  # one whole block and one that leaves 8 pairs without a row
    sample = sampled(pairs, seed=4)
    generator = torch.Generator().manual_seed(4)
    products, rows = [], []
    for count in (PAIRS_AT_ONCE, 40):
        Q, K = (torch.randn(count, 1024, generator=generator).double() for _role in "qk")
        products += [(q * k) for q, k in zip(Q, K, strict=True)]
        rows += [Q[r] * K[r * KEYS : (r + 1) * KEYS] for r in range(count // KEYS)]
    for at, d in enumerate(DIMENSIONS):
        scores = torch.stack([product[:d].sum() for product in products])
        assert sample.variance[at].item() == pytest.approx(
            (scores - scores.mean()).square().sum().item() / (pairs - 1), rel=1e-10
        )
        for means, factor in ((sample.unscaled, 1.0), (sample.scaled, 1 / math.sqrt(d))):
            weights = [torch.softmax(factor * row[:, :d].sum(1), 0) for row in rows]
            largest = sum(w.max().item() for w in weights) / len(rows)
            entropy = sum(-(w * w.clamp(min=1e-300).log()).sum().item() for w in weights) / len(rows)
            norms = [(torch.diag(w) - torch.outer(w, w)).norm().item() for w in weights]
            assert means.largest[at].item() == pytest.approx(largest, rel=1e-9)
            assert means.entropy[at].item() == pytest.approx(entropy, abs=1e-9)
            assert means.gradient[at].item() == pytest.approx(sum(norms) / len(rows), abs=1e-7)


def test_without_scaling_softmax_saturates_and_with_it_stays_as_it_is():
    """The averages are those measured once for 16 keys, see the numbers in brackets; 625 rows."""
    sample = sampled(10_000, seed=0)
    at = {d: number for number, d in enumerate(DIMENSIONS)}
    measured = {2: 0.29, 8: 0.56, 32: 0.77, 64: 0.85, 128: 0.87, 512: 0.95, 1024: 0.96}
    for d, largest in measured.items():
        assert sample.unscaled.largest[at[d]].item() == pytest.approx(largest, abs=0.04)
    assert sample.scaled.largest[at[8] :].tolist() == pytest.approx([0.245] * 8, abs=0.02)
    assert sample.unscaled.gradient[-1].item() < 0.25 * sample.scaled.gradient[-1].item()
    assert sample.unscaled.entropy[-1].item() < 0.15 < 2.2 < sample.scaled.entropy[-1].item() < math.log(KEYS)


def test_at_d_k_1_scaling_changes_nothing():
    sample = sampled(1000, seed=2)
    assert sample.unscaled.largest[0].item() == sample.scaled.largest[0].item()


def test_the_seed_decides():
    assert torch.equal(sampled(100, 7).variance, sampled(100, 7).variance)
    assert not torch.equal(sampled(100, 7).variance, sampled(100, 8).variance)


def test_progress_rises_to_one_and_may_end_the_sampling():
    shares: list[float] = []
    sample_scaling(2000, 0, shares.append)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert shares == sorted(shares)

    class Enough(Exception):
        """Ends the sampling."""

    def stop_in_the_middle(share: float) -> None:
        if share > 0.4:
            raise Enough

    with pytest.raises(Enough):
        sample_scaling(2000, 0, stop_in_the_middle)


def test_too_few_pairs_for_a_row_are_refused():
    assert sampled(KEYS, 0).pairs == KEYS
    with pytest.raises(Refusal, match="takes 16 pairs; there are 15"):
        sampled(KEYS - 1, 0)


def test_drawn_queries_and_keys_are_normal_and_differ():
    Q, K = draw_queries_and_keys(200, 300, 32, seed=1)
    assert (Q.shape, K.shape, Q.dtype) == ((200, 32), (300, 32), torch.float64)
    assert Q.var().item() == pytest.approx(1.0, abs=0.06)
    assert K.mean().item() == pytest.approx(0.0, abs=0.06)
    assert (Q @ K.T).var().item() == pytest.approx(32.0, rel=0.1)
    assert torch.equal(draw_queries_and_keys(200, 300, 32, seed=1)[1], K)
    assert not torch.equal(draw_queries_and_keys(200, 300, 32, seed=2)[1], K)
