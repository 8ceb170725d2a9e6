"""Dragging further back than the vector: the tip lands where the hand is, and only what has to move moves."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.least_changes import column_rank
from qkviz.attention.plane import Plane
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.document.edits import DRAGS, MoveByEmbedding, MoveByProjection, MoveEmbedding, MoveVector
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.translate import Refusal
from tests.attention.strategies import projected_inputs
from tests.document.documents import PLANE, cross_attention, given_scores, self_attention, worked_example

places = st.tuples(st.floats(-20, 20), st.floats(-20, 20))


def traced(document):
    return trace_attention(document.inputs, document.options)


def vectors(document, role):
    trace = traced(document)
    return trace.Q if role is Role.QUERY else trace.K


def differing_rows(before, after):
    return [row for row in range(before.shape[0]) if not torch.equal(before[row], after[row])]


@st.composite
def situations(draw):
    """Draw a document, a role, a token of it, and a plane of its vectors."""
    inputs = draw(projected_inputs())
    role = draw(st.sampled_from(Role))
    if inputs.is_self_attention:
        queries = keys = tuple("w" for _ in range(inputs.m))
    else:
        queries, keys = tuple("q" for _ in range(inputs.m)), tuple("k" for _ in range(inputs.n))
    index = draw(st.integers(0, (inputs.m if role is Role.QUERY else inputs.n) - 1))
    trace = trace_attention(inputs)
    if draw(st.booleans()) and bool(trace.Q.any() or trace.K.any()):
        plane = Plane.of_principal_directions(trace.Q, trace.K)
    else:
        across, up = draw(st.permutations(range(inputs.d_k)))[:2] if inputs.d_k > 1 else (0, 1)
        plane = Plane.of_dimensions(inputs.d_k, across, up)
    return Document(queries, keys, inputs), role, index, plane


def behind(inputs, role):
    return (inputs.X_q, inputs.W_Q) if role is Role.QUERY else (inputs.X_k, inputs.W_K)


def is_moderate(W):
    singular = torch.linalg.svdvals(W)
    return bool(singular[-1] > 1e-3 * singular[0]) and bool(singular[0] > 1e-2)


def assert_landed(before, after, role, index, plane, place):
    wanted = plane.moved(vectors(before, role)[index], *place)
    assert torch.allclose(vectors(after, role)[index], wanted, rtol=0, atol=1e-9)


@given(situations(), places)
def test_a_drag_by_x_lands_where_the_hand_is(situation, place):
    document, role, index, plane = situation
    _X, W = behind(document.inputs, role)
    assume(column_rank(W) == document.inputs.d_k and is_moderate(W))
    after = MoveByEmbedding(role, index, plane, *place).apply(document)
    assert_landed(document, after, role, index, plane, place)


@given(situations(), places)
def test_a_drag_by_x_changes_one_embedding_and_no_projection_and_no_offset(situation, place):
    document, role, index, plane = situation
    _X, W = behind(document.inputs, role)
    assume(column_rank(W) == document.inputs.d_k and is_moderate(W))
    before, after = document.inputs, MoveByEmbedding(role, index, plane, *place).apply(document).inputs
    assert (after.W_Q, after.W_K, after.W_V) == (before.W_Q, before.W_K, before.W_V)  # the same objects
    assert (after.query_offsets, after.key_offsets) == (before.query_offsets, before.key_offsets)
    assert after.is_self_attention == before.is_self_attention
    X_before, X_after = behind(before, role)[0], behind(after, role)[0]
    assert differing_rows(X_before, X_after) in ([], [index])
    if not before.is_self_attention:
        other = Role.KEY if role is Role.QUERY else Role.QUERY
        assert behind(after, other)[0] is behind(before, other)[0]


@given(situations(), places)
def test_a_drag_by_x_is_the_least_change(situation, place):
    document, role, index, plane = situation
    X, W = behind(document.inputs, role)
    assume(column_rank(W) == document.inputs.d_k and is_moderate(W))
    after = MoveByEmbedding(role, index, plane, *place).apply(document)
    change = behind(after.inputs, role)[0][index] - X[index]
    turn = plane.moved(vectors(document, role)[index], *place) - vectors(document, role)[index]
    wanted = torch.linalg.lstsq(W.T, turn[:, None], driver="gelsd").solution[:, 0]
    assert torch.allclose(change, wanted, rtol=1e-6, atol=1e-6 * max(1.0, wanted.norm().item()))


@given(situations(), places)
def test_a_drag_by_the_projection_lands_where_the_hand_is(situation, place):
    document, role, index, plane = situation
    assume(behind(document.inputs, role)[0][index].norm() > 1e-2)
    after = MoveByProjection(role, index, plane, *place).apply(document)
    assert_landed(document, after, role, index, plane, place)


@given(situations(), places)
def test_a_drag_by_the_projection_changes_nothing_but_one_projection(situation, place):
    document, role, index, plane = situation
    assume(behind(document.inputs, role)[0][index].norm() > 1e-2)
    before, after = document.inputs, MoveByProjection(role, index, plane, *place).apply(document).inputs
    changed = "W_Q" if role is Role.QUERY else "W_K"
    for name in ("X_q", "X_k", "W_Q", "W_K", "W_V", "query_offsets", "key_offsets"):
        if name != changed:
            assert getattr(after, name) is getattr(before, name), name


@given(situations(), places)
def test_a_drag_by_the_projection_is_the_least_change_and_moves_each_other_vector_by_its_share(
    situation, place
):
    document, role, index, plane = situation
    X, W = behind(document.inputs, role)
    assume(X[index].norm() > 1e-2)
    after = MoveByProjection(role, index, plane, *place).apply(document)
    turn = plane.moved(vectors(document, role)[index], *place) - vectors(document, role)[index]
    change = behind(after.inputs, role)[1] - W
    least = torch.outer(X[index], turn) / X[index].square().sum()
    scale = max(1.0, least.norm().item())
    assert torch.allclose(change, least, rtol=1e-9, atol=1e-9 * scale)
    shares = X @ X[index] / X[index].square().sum()  # Δq of word i is (x_i · x / ‖x‖²) Δq
    moved = vectors(after, role) - vectors(document, role)
    assert torch.allclose(moved, torch.outer(shares, turn), rtol=1e-7, atol=1e-7 * scale)


@given(projected_inputs(), places, st.data())
def test_a_dragged_embedding_lies_where_the_hand_is_and_no_other_moves(inputs, place, data):
    labels = tuple("w" for _ in range(inputs.m)), tuple("w" for _ in range(inputs.n))
    document = Document(*labels, inputs)
    role = data.draw(st.sampled_from(Role))
    X = behind(inputs, role)[0]
    index = data.draw(st.integers(0, X.shape[0] - 1))
    plane = Plane.of_dimensions(X.shape[1])
    after = MoveEmbedding(role, index, plane, *place).apply(document).inputs
    moved = behind(after, role)[0]
    wanted = X[index].clone()
    wanted[:2] = torch.tensor(place[: X.shape[1]], dtype=torch.float64)
    assert torch.equal(moved[index], wanted)
    assert differing_rows(X, moved) in ([], [index])
    assert (after.W_Q, after.W_K, after.W_V) == (inputs.W_Q, inputs.W_K, inputs.W_V)
    assert (after.query_offsets, after.key_offsets) == (inputs.query_offsets, inputs.key_offsets)


def test_with_one_x_the_row_and_the_column_of_the_word_change_and_nothing_else():
    document = self_attention(values=True)
    before, after = traced(document), traced(MoveByEmbedding(Role.QUERY, 1, PLANE, 2, -1).apply(document))
    changed = {tuple(cell) for cell in (before.scores != after.scores).nonzero().tolist()}
    assert changed == {(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)}
    assert differing_rows(before.V, after.V) == [1]


def test_in_cross_attention_a_query_takes_no_key_along():
    document = cross_attention()
    before, after = traced(document), traced(MoveByEmbedding(Role.QUERY, 1, PLANE, 2, -1).apply(document))
    assert torch.equal(before.K, after.K)
    assert differing_rows(before.Q, after.Q) == [1]


def test_offsets_made_by_hand_stay_and_the_tip_lands_all_the_same():
    document = MoveVector(Role.QUERY, 0, PLANE, 9, 9).apply(self_attention())
    for edit in (MoveByEmbedding, MoveByProjection):
        after = edit(Role.QUERY, 0, PLANE, 0.3, 0.4).apply(document)
        assert after.inputs.query_offsets is document.inputs.query_offsets
        assert traced(after).Q[0].tolist() == pytest.approx([0.3, 0.4], abs=1e-12)


@pytest.mark.parametrize("edit", list(DRAGS.values()))
def test_a_drag_to_where_the_vector_lies_gives_the_same_document(edit):
    document = self_attention()
    x, y = traced(document).K[1].tolist()
    assert edit(Role.KEY, 1, PLANE, x, y).apply(document) is document


def test_embeddings_dragged_to_where_they_lie_give_the_same_document():
    document = self_attention()
    assert MoveEmbedding(Role.KEY, 1, Plane.of_dimensions(4), 0, 1).apply(document) is document


@pytest.mark.parametrize("edit", [MoveByEmbedding, MoveByProjection, MoveEmbedding])
@pytest.mark.parametrize(
    ("document", "reason"), [(worked_example, "starts at Q and K"), (given_scores, "finished scores")]
)
def test_without_embeddings_there_is_nothing_behind_a_vector(edit, document, reason):
    with pytest.raises(Refusal, match=reason):
        edit(Role.QUERY, 0, PLANE, 1, 1).apply(document())


@pytest.mark.parametrize("edit", [MoveByEmbedding, MoveByProjection, MoveEmbedding])
@pytest.mark.parametrize("place", [(math.nan, 0), (0, -math.inf)])
def test_a_place_that_is_not_finite_is_refused(edit, place):
    with pytest.raises(Refusal, match=r"cannot be moved to \("):
        edit(Role.QUERY, 0, PLANE, *place).apply(self_attention())


@pytest.mark.parametrize("edit", [MoveByEmbedding, MoveByProjection, MoveEmbedding])
def test_a_plane_of_another_space_is_refused_naming_both(edit):
    with pytest.raises(Refusal, match="plane is one of 3 dimensions"):
        edit(Role.QUERY, 0, Plane.of_dimensions(3), 1, 1).apply(self_attention())


@pytest.mark.parametrize("edit", [MoveByEmbedding, MoveByProjection, MoveEmbedding])
def test_a_word_that_is_not_there_is_refused(edit):
    with pytest.raises(Refusal, match="no key 9; there are 3"):
        edit(Role.KEY, 8, PLANE, 1, 1).apply(self_attention())


def test_a_lost_rank_and_a_zero_embedding_are_refused_by_name():
    document = self_attention()
    flat = matrix([[1, 2], [2, 4], [0, 0], [3, 6]], "W_K")
    inputs = replace(document.inputs, W_K=flat)
    with pytest.raises(Refusal, match="W_K is 4 × 2 and has rank 1"):
        MoveByEmbedding(Role.KEY, 0, PLANE, 1, 1).apply(replace(document, inputs=inputs))
    X = matrix([[0, 0, 0, 0], [0, 1, 0, 0.5], [0.5, -1, 0, 0]], "X")
    empty = replace(document, inputs=replace(document.inputs, X_q=X, X_k=X))
    with pytest.raises(Refusal, match="x of this word is zero"):
        MoveByProjection(Role.QUERY, 0, PLANE, 1, 1).apply(empty)


def test_the_mode_survives_undo_and_another_document():
    session = Session(self_attention(), Focus(drag=DragMode.PROJECTION))
    session.apply(MoveVector(Role.QUERY, 0, PLANE, 1, 1))
    session.undo()
    assert session.snapshot.focus.drag is DragMode.PROJECTION
    assert Focus(drag=DragMode.PROJECTION).fitting(worked_example()).drag is DragMode.PROJECTION


def test_where_there_is_nothing_behind_a_vector_the_mode_in_force_is_the_plain_one():
    assert DragMode.EMBEDDING.fitting(worked_example()) is DragMode.VECTOR
    assert DragMode.EMBEDDING.fitting(given_scores()) is DragMode.VECTOR
    assert DragMode.EMBEDDING.fitting(cross_attention()) is DragMode.EMBEDDING


def test_all_moves_of_one_gesture_are_one_step_back():
    document = self_attention()
    session = Session(document)
    for place in ((1, 1), (1.2, 0.7), (3, 2)):
        session.apply(MoveByProjection(Role.QUERY, 0, PLANE, *place, gesture="hand"))
    assert str(session.snapshot.undo_label) == "Move query 1 by W_Q"
    session.undo()
    assert session.snapshot.document is document


def test_the_document_before_is_not_written_into():
    document = self_attention()
    inputs = document.inputs
    assert isinstance(inputs, ProjectedInputs)
    copies = inputs.X_q.clone(), inputs.W_Q.clone()
    MoveByEmbedding(Role.QUERY, 0, PLANE, 5, 5).apply(document)
    MoveByProjection(Role.QUERY, 0, PLANE, 5, 5).apply(document)
    MoveEmbedding(Role.QUERY, 0, Plane.of_dimensions(4), 5, 5).apply(document)
    assert torch.equal(inputs.X_q, copies[0])
    assert torch.equal(inputs.W_Q, copies[1])
