"""The least change of an embedding or a projection that carries a vector to a place."""

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from qkviz.attention.least_changes import column_rank, embedding_for, projection_for
from qkviz.translate import Refusal
from tests.attention.strategies import matrices

seeds = st.integers(0, 2**32 - 1)


@st.composite
def situations(draw):
    """Draw (target, x, W, offset) with d_model ≥ d_k and a W of full column rank that is no extreme case."""
    d_k = draw(st.integers(1, 4))
    d_model = draw(st.integers(d_k, 6))
    W, x = draw(matrices(d_model, d_k)), draw(matrices(1, d_model))[0]
    singular = torch.linalg.svdvals(W)
    assume(singular[-1] > 1e-3 * singular[0] and singular[0] > 1e-2)
    offset = draw(st.none() | matrices(1, d_k).map(lambda rows: rows[0]))
    return draw(matrices(1, d_k))[0], x, W, offset


def shown(x, W, offset):
    return x @ W if offset is None else x @ W + offset


@given(situations())
def test_a_moved_embedding_puts_the_vector_exactly_at_its_place(situation):
    target, x, W, offset = situation
    moved = embedding_for(target, x, W, offset, "W_Q")
    assert torch.allclose(shown(moved, W, offset), target, rtol=0, atol=1e-9)


@given(situations())
def test_the_change_of_the_embedding_is_that_of_least_squares(situation):
    target, x, W, offset = situation
    change = embedding_for(target, x, W, offset, "W_Q") - x
    # lstsq of the driver for rank-deficient systems gives the solution of least norm
    wanted = torch.linalg.lstsq(W.T, (target - shown(x, W, offset))[:, None], driver="gelsd").solution[:, 0]
    assert torch.allclose(change, wanted, rtol=1e-6, atol=1e-6 * max(1.0, wanted.norm().item()))


@given(situations(), seeds)
def test_every_other_embedding_that_leads_there_is_farther_away(situation, seed):
    target, x, W, offset = situation
    moved = embedding_for(target, x, W, offset, "W_Q")
    generator = torch.Generator().manual_seed(seed)
    aside = torch.randn(x.shape[0], generator=generator, dtype=torch.float64)
    # what is at right angles to the columns of W changes no vector
    columns = torch.linalg.qr(W).Q
    aside = aside - columns @ (columns.T @ aside)
    other = moved + aside
    assert torch.allclose(shown(other, W, offset), target, rtol=0, atol=1e-6)
    assert (other - x).norm() >= (moved - x).norm() - 1e-9


@given(situations())
def test_a_changed_projection_puts_the_vector_exactly_at_its_place(situation):
    target, x, W, offset = situation
    assume(x.norm() > 1e-2)
    changed = projection_for(target, x, W, offset, "W_Q")
    assert torch.allclose(shown(x, changed, offset), target, rtol=0, atol=1e-9)


@given(situations(), seeds)
def test_every_other_projection_that_leads_there_is_farther_away(situation, seed):
    target, x, W, offset = situation
    assume(x.norm() > 1e-2)
    changed = projection_for(target, x, W, offset, "W_Q")
    generator = torch.Generator().manual_seed(seed)
    aside = torch.randn(W.shape, generator=generator, dtype=torch.float64)
    unit = x / x.norm()
    aside = aside - torch.outer(unit, unit @ aside)  # x times this is zero
    other = changed + aside
    assert torch.allclose(shown(x, other, offset), target, rtol=0, atol=1e-6)
    assert (other - W).norm() >= (changed - W).norm() - 1e-9


@given(situations())
def test_the_change_of_the_projection_is_that_of_least_squares(situation):
    target, x, W, offset = situation
    assume(x.norm() > 1e-2)
    change = projection_for(target, x, W, offset, "W_Q") - W
    wanted = torch.linalg.lstsq(x[None], (target - shown(x, W, offset))[None], driver="gelsd").solution
    assert torch.allclose(change, wanted, rtol=1e-6, atol=1e-6 * max(1.0, wanted.norm().item()))


@given(situations())
def test_a_changed_projection_leaves_what_is_at_right_angles_to_x_alone(situation):
    target, x, W, offset = situation
    assume(x.shape[0] > 1 and x.norm() > 1e-2)
    changed = projection_for(target, x, W, offset, "W_Q")
    other = torch.zeros_like(x)
    other[0], other[1] = -x[1], x[0]
    assert torch.allclose(other @ changed, other @ W, rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(st.integers(1, 3), seeds)
def test_the_worst_conditioned_projection_still_lands_or_is_refused(power, seed):
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(3, 2, generator=generator, dtype=torch.float64)
    W[:, 1] = W[:, 0] + W[:, 1] * 10.0 ** (-4 * power)
    target, x = torch.tensor([1.0, -2.0]).double(), torch.ones(3, dtype=torch.float64)
    try:
        moved = embedding_for(target, x, W, None, "W_Q")
    except Refusal:
        return
    assert torch.allclose(moved @ W, target, rtol=0, atol=2.1e-9)


def test_by_hand():
    x, W = torch.tensor([1.0, 0.0, 2.0]).double(), torch.tensor([[1.0, 0], [0, 2], [0, 0]]).double()
    # q = (1, 0); dimension 3 of x is seen by no column and stays
    assert embedding_for(torch.tensor([3.0, 4.0]).double(), x, W, None, "W_Q").tolist() == [3, 2, 2]
    # ‖x‖² = 5, Δq = (2, 4)
    changed = projection_for(torch.tensor([3.0, 4.0]).double(), x, W, None, "W_Q")
    assert torch.allclose(changed, torch.tensor([[1.4, 0.8], [0, 2], [0.8, 1.6]]).double())


@pytest.mark.parametrize(
    ("W", "rank"),
    [
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], 1),
        ([[0.0, 0.0], [0.0, 0.0]], 0),
        ([[1.0, 1.0], [1.0, 1.0 + 1e-13]], 1),
        ([[1.0, 2.0, 3.0]], 1),
    ],
)
def test_a_projection_that_has_lost_rank_reaches_no_place_by_x_and_says_so(W, rank):
    W = torch.tensor(W, dtype=torch.float64)
    x, target = torch.ones(W.shape[0], dtype=torch.float64), torch.ones(W.shape[1], dtype=torch.float64)
    assert column_rank(W) == rank
    with pytest.raises(Refusal, match=f"W_K is .* has rank {rank}"):
        embedding_for(target, x, W, None, "W_K")


def test_a_zero_embedding_leads_nowhere_whatever_the_projection():
    zero, W = torch.zeros(2, dtype=torch.float64), torch.eye(2, dtype=torch.float64)
    with pytest.raises(Refusal, match="x of this word is zero, and x W_Q stays zero"):
        projection_for(torch.ones(2, dtype=torch.float64), zero, W, None, "W_Q")


def test_an_answer_with_huge_numbers_is_refused():
    W, ones = 1e-8 * torch.eye(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    with pytest.raises(Refusal, match="x would need numbers beyond ±1000000"):
        embedding_for(ones, ones, W, None, "W_Q")
    with pytest.raises(Refusal, match="W_Q would need numbers beyond ±1000000"):
        projection_for(ones, 1e-200 * ones, W, None, "W_Q")


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
@pytest.mark.parametrize("solve", [embedding_for, projection_for])
def test_numbers_that_are_not_finite_are_refused_with_the_reason(solve, bad):
    W, x = torch.eye(2, dtype=torch.float64), torch.tensor([bad, 1.0], dtype=torch.float64)
    with pytest.raises(Refusal, match="x or W_Q holds NaN or an infinity"):
        solve(torch.ones(2, dtype=torch.float64), x, W, None, "W_Q")
