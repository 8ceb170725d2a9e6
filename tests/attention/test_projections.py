"""Drawn projections, and offsets that carry a projected vector to a place."""

import pytest
import torch

from qkviz.attention.projections import draw_projections, offsets_to, projected


def test_entries_have_mean_zero_and_variance_one_over_d_model():
    both = torch.stack(draw_projections(400, 200, seed=3))
    assert both.mean().item() == pytest.approx(0, abs=5 / (160_000 * 400) ** 0.5)
    assert both.var().item() * 400 == pytest.approx(1, abs=5 * (2 / 160_000) ** 0.5)


def test_the_two_projections_of_a_seed_are_not_related():
    W_Q, W_K = draw_projections(400, 200, seed=3)
    correlation = (W_Q * W_K).mean().item() * 400
    assert abs(correlation) < 5 / 80_000**0.5


def test_drawing_leaves_the_generator_of_torch_alone():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    draw_projections(3, 2, seed=9)
    assert torch.equal(torch.rand(3), expected)


def test_drawn_projections_are_contiguous_float64_of_the_shape_asked_for():
    for W in draw_projections(3, 2, seed=9):
        assert (W.dtype, W.shape, W.is_contiguous()) == (torch.float64, (3, 2), True)
        assert W.untyped_storage().nbytes() == 3 * 2 * 8


def test_offsets_carry_the_vectors_to_their_target():
    generator = torch.Generator().manual_seed(1)
    X = torch.randn(5, 3, generator=generator, dtype=torch.float64)
    W = torch.randn(3, 4, generator=generator, dtype=torch.float64)
    target = torch.randn(5, 4, generator=generator, dtype=torch.float64)
    offsets = offsets_to(target, X, W, None)
    assert torch.allclose(projected(X, W, offsets), target, rtol=0, atol=1e-14)


def test_offsets_of_vectors_that_lie_at_their_target_stay_to_the_last_bit():
    generator = torch.Generator().manual_seed(1)
    X = torch.randn(5, 3, generator=generator, dtype=torch.float64)
    W = torch.randn(3, 4, generator=generator, dtype=torch.float64)
    offsets = torch.randn(5, 4, generator=generator, dtype=torch.float64)
    target = projected(X, W, offsets)
    target[2] = 1.0
    new = offsets_to(target, X, W, offsets)
    others = [0, 1, 3, 4]
    assert torch.equal(new[others], offsets[others])


def test_no_offset_is_left_when_the_target_is_the_projection():
    X, W = torch.eye(2, dtype=torch.float64), torch.ones(2, 2, dtype=torch.float64)
    assert offsets_to(X @ W, X, W, torch.ones(2, 2, dtype=torch.float64)) is None
