"""Drawing and tying projections."""

import pytest
import torch

from qkviz.attention.projections import draw_projections
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Role
from qkviz.document.edits import BlendProjections, DrawProjections, MoveVector, TieProjections
from qkviz.document.session import Session
from qkviz.translate import Phrase, Refusal
from tests.document.documents import PLANE, cross_attention, given_scores, self_attention, worked_example


def test_a_seed_stands_for_one_pair_of_projections():
    first = DrawProjections(5).apply(self_attention()).inputs
    again = DrawProjections(5).apply(DrawProjections(6).apply(self_attention())).inputs
    other = DrawProjections(6).apply(self_attention()).inputs
    assert torch.equal(first.W_Q, again.W_Q)
    assert torch.equal(first.W_K, again.W_K)
    assert not torch.equal(first.W_Q, first.W_K)
    assert not torch.equal(first.W_Q, other.W_Q)


def test_drawing_keeps_embeddings_shapes_and_values():
    document = self_attention(values=True)
    drawn = DrawProjections(5).apply(document).inputs
    assert drawn.W_Q.shape == drawn.W_K.shape == (4, 2)
    assert drawn.X_q is drawn.X_k is document.inputs.X_q
    assert drawn.W_V is document.inputs.W_V


def test_drawing_takes_back_what_was_moved_by_hand():
    drawn = DrawProjections(5).apply(self_attention())
    moved = MoveVector(Role.KEY, 0, PLANE, 1, 1).apply(MoveVector(Role.QUERY, 0, PLANE, 1, 1).apply(drawn))
    again = DrawProjections(5).apply(moved)
    assert again.inputs.query_offsets is None
    assert again.inputs.key_offsets is None


def test_drawing_the_same_seed_again_gives_the_same_document():
    drawn = DrawProjections(5).apply(self_attention())
    assert DrawProjections(5).apply(drawn) is drawn


def test_drawing_another_width_changes_d_k():
    drawn = DrawProjections(5, width=7).apply(cross_attention())
    assert drawn.inputs.d_k == 7
    assert trace_attention(drawn.inputs).scores.shape == (2, 3)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_that_is_not_there_is_refused_with_the_limits(seed):
    with pytest.raises(
        Refusal, match=f"The seed is {seed}; use a whole number from 0 to 9223372036854775807"
    ):
        DrawProjections(seed).apply(self_attention())


def test_the_largest_seed_draws():
    assert DrawProjections(2**63 - 1).apply(self_attention()).inputs.W_Q.isfinite().all()


@pytest.mark.parametrize("width", [0, -3, 1025])
def test_a_width_out_of_range_is_refused_with_the_limits(width):
    with pytest.raises(Refusal, match=f"The width d_k is {width}; use 1 to 1024"):
        DrawProjections(1, width).apply(self_attention())


def test_tied_projections_give_symmetric_scores():
    tied = TieProjections().apply(self_attention())
    S = trace_attention(tied.inputs).scores
    assert torch.equal(tied.inputs.W_K, self_attention().inputs.W_Q)
    assert torch.allclose(S, S.T, rtol=0, atol=1e-15)


def test_tying_again_gives_the_same_document():
    tied = TieProjections().apply(self_attention())
    assert TieProjections().apply(tied) is tied


def test_tying_keeps_what_was_moved_by_hand():
    moved = MoveVector(Role.QUERY, 0, PLANE, 1, 1).apply(self_attention())
    assert TieProjections().apply(moved).inputs.query_offsets is moved.inputs.query_offsets


@pytest.mark.parametrize("edit", [TieProjections(), DrawProjections(1)])
@pytest.mark.parametrize(
    ("build", "reason"), [(worked_example, "starts at Q and K"), (given_scores, "holds finished scores")]
)
def test_without_projections_the_refusal_says_why_and_what_to_do(edit, build, reason):
    with pytest.raises(Refusal, match=f"{reason} and has no W_Q and W_K; open one that starts at embeddings"):
        edit.apply(build())


def test_labels():
    assert str(DrawProjections(3).label) == "Draw projections with seed 3"
    assert str(TieProjections().label) == "Tie W_K = W_Q"


def blend(document, share, gesture="way", seed=3):
    W_Q, W_K = draw_projections(4, 2, seed)
    return BlendProjections(Phrase("Head {number}", number=1), document.inputs, W_Q, W_K, share, gesture)


def test_a_blend_is_the_straight_way_and_ends_exactly():
    document = self_attention()
    W_Q, W_K = draw_projections(4, 2, 3)
    half = blend(document, 0.25).apply(document).inputs
    assert torch.allclose(half.W_Q, 0.75 * document.inputs.W_Q + 0.25 * W_Q, rtol=0, atol=1e-15)
    assert torch.allclose(half.W_K, 0.75 * document.inputs.W_K + 0.25 * W_K, rtol=0, atol=1e-15)
    end = blend(document, 1.0).apply(document).inputs
    assert torch.equal(end.W_Q, W_Q)
    assert torch.equal(end.W_K, W_K)


def test_a_whole_way_of_blends_is_one_step_of_undo():
    document = MoveVector(Role.QUERY, 0, PLANE, 1, 1).apply(self_attention())
    session = Session(document)
    for share in (0.1, 0.5, 0.9, 1.0):
        session.apply(blend(document, share))
    assert str(session.snapshot.undo_label) == "Projections: Head 1"
    assert session.snapshot.document.inputs.query_offsets is None
    session.undo()
    assert session.snapshot.document is document
    assert session.snapshot.undo_label is None


def test_a_blend_of_offsets_goes_to_zero_along():
    document = MoveVector(Role.QUERY, 0, PLANE, 1, 1).apply(self_attention())
    half = blend(document, 0.5).apply(document).inputs
    assert torch.equal(half.query_offsets, document.inputs.query_offsets / 2)


def test_a_blend_at_its_end_gives_the_same_document():
    document = self_attention()
    there = blend(document, 1.0).apply(document)
    assert blend(document, 1.0).apply(there) is there


def test_projections_of_another_shape_are_refused_naming_both():
    document = self_attention()
    W_Q, W_K = draw_projections(3, 2, 1)
    with pytest.raises(Refusal, match=r"3 × 2.*4 × 2"):
        BlendProjections(Phrase("Tied"), document.inputs, W_Q, W_K).apply(document)


@pytest.mark.parametrize("build", [worked_example, given_scores])
def test_without_projections_there_is_nothing_to_blend(build):
    with pytest.raises(Refusal, match="has no W_Q and W_K"):
        blend(self_attention(), 0.5).apply(build())
