"""Ways to choose projections, and the way between two pairs."""

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.projection_modes import (
    ProjectionMode,
    looking_projections,
    mode_projections,
    on_the_way,
)
from qkviz.attention.projections import draw_projections
from qkviz.attention.trace import trace_attention
from qkviz.translate import Refusal
from tests.attention.strategies import matrices, projected_inputs

HEADS = (ProjectionMode.HEAD_1, ProjectionMode.HEAD_2, ProjectionMode.HEAD_3)


def words(W_Q, W_K):
    X = matrix([[2.0, 1.0], [-1.4, -1.2], [-0.8, 1.6]], "X")
    return ProjectedInputs(X, X, matrix(W_Q, "W_Q"), matrix(W_K, "W_K"))


def plain():
    return words([[1, 0], [0, 1]], [[1, 0], [0, 1]])


def scores(inputs, mode, pair=(0, 2)):
    return trace_attention(on_the_way(inputs, mode_projections(mode, inputs, pair), 1.0)).scores


def test_identity_gives_xxt():
    inputs = words([[3, 1], [0, 2]], [[1, 5], [2, 2]])
    assert torch.equal(scores(inputs, ProjectionMode.IDENTITY), inputs.X_q @ inputs.X_q.T)


def test_tied_is_another_matrix_and_symmetric():
    S = scores(plain(), ProjectionMode.TIED)
    assert torch.allclose(S, S.T, rtol=0, atol=1e-14)
    assert not torch.allclose(S, scores(plain(), ProjectionMode.IDENTITY))
    W, W_K = mode_projections(ProjectionMode.TIED, plain(), None)
    assert torch.equal(W, draw_projections(2, 2, 1)[0])
    assert torch.equal(W, W_K)


def test_swapping_transposes_the_scores():
    inputs = words([[3, 1], [0, 2]], [[1, 5], [2, 2]])
    assert torch.equal(scores(inputs, ProjectionMode.SWAPPED), trace_attention(inputs).scores.T)


def test_equal_projections_cannot_be_swapped():
    with pytest.raises(Refusal, match="nothing to swap"):
        mode_projections(ProjectionMode.SWAPPED, plain(), None)


@pytest.mark.parametrize("mode", HEADS)
def test_a_head_is_what_its_seed_draws(mode):
    drawn = draw_projections(2, 2, HEADS.index(mode) + 1)
    for own, wanted in zip(mode_projections(mode, plain(), None), drawn, strict=True):
        assert torch.equal(own, wanted)


def test_the_head_by_hand_of_the_lesson_has_these_numbers():
    W_Q, W_K = mode_projections(ProjectionMode.BY_HAND, plain(), (0, 2))
    assert W_Q.tolist() == [pytest.approx([0.8, -0.5]), pytest.approx([0.4, 1.0])]
    assert W_K.tolist() == [pytest.approx([-0.5, -0.8]), pytest.approx([1.0, -0.4])]
    wanted = torch.tensor([[0, -1, 4], [1, 0, -3.2], [-4, 3.2, 0]], dtype=torch.float64)
    assert torch.allclose(scores(plain(), ProjectionMode.BY_HAND), wanted, rtol=0, atol=1e-12)


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_a_head_by_hand_looks_one_way_for_any_two_independent_words(d_model, d_k, data):
    both = data.draw(matrices(2, d_model))
    singular = torch.linalg.svdvals(both)
    assume(singular[-1] > 1e-3 * singular[0] and singular[0] > 1e-2)
    W_Q, W_K = looking_projections(both[0], both[1], d_k)
    S = (both @ W_Q) @ (both @ W_K).T
    wanted = torch.tensor([[0.0, 4.0], [-4.0, 0.0]], dtype=torch.float64)
    assert torch.allclose(S, wanted, rtol=0, atol=1e-7)


def test_words_on_one_line_cannot_be_told_apart():
    for second in ([2.0, 4.0], [0.0, 0.0], [-1.0, -2.0]):
        with pytest.raises(Refusal, match="on one line"):
            looking_projections(torch.tensor([1.0, 2.0]).double(), torch.tensor(second).double(), 2)


@pytest.mark.parametrize("pair", [None, (1, 1)])
def test_a_head_by_hand_needs_two_words(pair):
    with pytest.raises(Refusal, match="off the diagonal"):
        mode_projections(ProjectionMode.BY_HAND, plain(), pair)


@given(projected_inputs(), st.floats(0, 1), st.integers(0, 1000))
def test_on_the_way_every_matrix_is_between_its_ends(inputs, share, seed):
    goal = draw_projections(*inputs.W_Q.shape, seed)
    way = on_the_way(inputs, goal, share)
    for now, first, last in ((way.W_Q, inputs.W_Q, goal[0]), (way.W_K, inputs.W_K, goal[1])):
        assert torch.allclose(now, torch.lerp(first, last, share), rtol=1e-12, atol=1e-12)
    assert way.X_q is inputs.X_q
    assert way.X_k is inputs.X_k
    assert way.W_V is inputs.W_V


@given(projected_inputs())
def test_the_end_is_reached_to_the_last_bit_and_nothing_is_left_of_the_hand(inputs):
    goal = draw_projections(*inputs.W_Q.shape, 1)
    end = on_the_way(inputs, goal, 1.0)
    assert goal == (end.W_Q, end.W_K)  # the same objects
    assert (end.query_offsets, end.key_offsets) == (None, None)
