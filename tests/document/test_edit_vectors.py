"""Moving a vector by hand, and taking it back."""

import math
from dataclasses import replace

import pytest
import torch

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.plane import Plane
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document, Role
from qkviz.document.editable import EditableMatrix
from qkviz.document.edits import MoveVector, ResetAllVectors, ResetVector, SetCell
from qkviz.translate import Refusal
from tests.document.documents import PLANE, cross_attention, given_scores, self_attention, worked_example

WITH_VECTORS = [self_attention, cross_attention, worked_example]


def traced(document):
    return trace_attention(document.inputs, document.options)


def differing_rows(before, after):
    return [row for row in range(before.shape[0]) if not torch.equal(before[row], after[row])]


@pytest.mark.parametrize("build", WITH_VECTORS)
@pytest.mark.parametrize("place", [(0.3, -0.7), (0.0, 0.0), (1 / 3, 123.456), (-1e-9, 2e3)])
def test_a_moved_query_lies_at_its_place(build, place):
    moved = traced(MoveVector(Role.QUERY, 1, PLANE, *place).apply(build()))
    assert moved.Q[1].tolist() == pytest.approx(place, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("build", WITH_VECTORS)
def test_a_moved_key_lies_at_its_place(build):
    moved = traced(MoveVector(Role.KEY, 2, PLANE, 0.1, -5.3).apply(build()))
    assert moved.K[2].tolist() == pytest.approx([0.1, -5.3], abs=1e-12)


@pytest.mark.parametrize("build", WITH_VECTORS)
def test_moving_a_query_changes_only_its_row_of_scores(build):
    document = build()
    before, after = traced(document), traced(MoveVector(Role.QUERY, 1, PLANE, 0.31, 4.7).apply(document))
    assert differing_rows(before.scores, after.scores) == [1]
    assert differing_rows(before.Q, after.Q) == [1]
    assert torch.equal(before.K, after.K)


@pytest.mark.parametrize("build", WITH_VECTORS)
def test_moving_a_key_changes_only_its_column_of_scores(build):
    document = build()
    before, after = traced(document), traced(MoveVector(Role.KEY, 2, PLANE, 0.31, 4.7).apply(document))
    assert differing_rows(before.scores.T, after.scores.T) == [2]
    assert torch.equal(before.Q, after.Q)


def test_a_second_move_leaves_the_vector_moved_first_to_the_last_bit():
    once = MoveVector(Role.QUERY, 0, PLANE, 0.1, 0.7).apply(self_attention())
    twice = MoveVector(Role.QUERY, 2, PLANE, 1 / 3, 0.9).apply(once)
    assert torch.equal(once.inputs.query_offsets[0], twice.inputs.query_offsets[0])


def test_a_move_leaves_embeddings_and_projections_alone():
    document = self_attention()
    moved = MoveVector(Role.QUERY, 0, PLANE, 3, 4).apply(document)
    assert moved.inputs.X_q is document.inputs.X_q
    assert moved.inputs.W_Q is document.inputs.W_Q
    assert moved.inputs.key_offsets is None
    # q = (1.5, 0.5) before
    assert moved.inputs.query_offsets.tolist() == [[1.5, 3.5], [0, 0], [0, 0]]


def test_a_move_never_writes_into_the_document_before():
    document = worked_example()
    MoveVector(Role.QUERY, 0, PLANE, 3, 4).apply(document)
    assert document.inputs.Q.tolist() == [[0.8, 0.2], [0.1, 0.9]]


@pytest.mark.parametrize("build", WITH_VECTORS)
def test_a_move_to_where_the_vector_lies_gives_the_same_document(build):
    document = build()
    x, y = traced(document).Q[1].tolist()
    assert MoveVector(Role.QUERY, 1, PLANE, x, y).apply(document) is document


def test_a_move_to_where_the_vector_lies_on_a_slanted_plane_gives_the_same_document():
    Q = matrix([[1, 2, 3], [0.3, -1, 0.7]], "Q")
    K = matrix([[0.2, 1, -2]], "K")
    plane = Plane.of_principal_directions(Q, K)
    document = Document(("a", "b"), ("k",), DirectInputs(Q, K))
    x, y = plane.to_plane(Q[:1])[0].tolist()
    assert MoveVector(Role.QUERY, 0, plane, x, y).apply(document) is document


def test_a_move_sideways_of_a_line_gives_the_same_document():
    document = Document(("a",), ("k",), DirectInputs(matrix([[2]], "Q"), matrix([[3]], "K")))
    assert MoveVector(Role.QUERY, 0, Plane.of_dimensions(1), 2, 9).apply(document) is document


def test_in_more_dimensions_only_the_part_in_the_plane_moves():
    Q = matrix([[1, 2, 3, 4]], "Q")
    document = Document(("a",), ("k",), DirectInputs(Q, Q.clone()))
    moved = MoveVector(Role.QUERY, 0, Plane.of_dimensions(4, 3, 1), 9, 8).apply(document)
    assert moved.inputs.Q.tolist() == [[1, 8, 3, 9]]


def test_a_place_far_out_is_clipped():
    moved = MoveVector(Role.KEY, 0, PLANE, 1e308, -2e6).apply(worked_example())
    assert moved.inputs.K[0].tolist() == [1e6, -1e6]


@pytest.mark.parametrize("place", [(math.nan, 0), (0, math.inf), (-math.inf, 1)])
def test_a_place_that_is_not_finite_is_refused(place):
    with pytest.raises(Refusal, match=r"cannot be moved to \(.*(nan|inf)"):
        MoveVector(Role.QUERY, 0, PLANE, *place).apply(self_attention())


def test_given_scores_have_no_vector_to_move_and_the_reason_is_said():
    with pytest.raises(Refusal, match="finished scores without queries and keys"):
        MoveVector(Role.QUERY, 0, PLANE, 1, 1).apply(given_scores())


@pytest.mark.parametrize(
    ("role", "index", "sentence"),
    [(Role.QUERY, 2, "no query 3; there are 2"), (Role.KEY, 3, "no key 4; there are 3")],
)
def test_a_vector_that_is_not_there_is_refused_with_the_count(role, index, sentence):
    with pytest.raises(Refusal, match=sentence):
        MoveVector(role, index, PLANE, 1, 1).apply(cross_attention())


def test_an_index_below_zero_is_refused():
    with pytest.raises(Refusal, match="no query 0"):
        MoveVector(Role.QUERY, -1, PLANE, 1, 1).apply(cross_attention())


def test_a_plane_of_other_dimensions_is_refused_with_both():
    with pytest.raises(Refusal, match=r"plane is one of 5 dimensions, but queries and keys have 2"):
        MoveVector(Role.QUERY, 0, Plane.of_dimensions(5), 1, 1).apply(self_attention())


def moved_everywhere():
    document = self_attention()
    document = MoveVector(Role.QUERY, 0, PLANE, 0.1, 0.7).apply(document)
    document = MoveVector(Role.QUERY, 1, PLANE, -2, 1 / 3).apply(document)
    return MoveVector(Role.KEY, 2, PLANE, 5, 6).apply(document)


def test_resetting_one_vector_leaves_the_others_moved():
    moved = moved_everywhere()
    reset = ResetVector(Role.QUERY, 0).apply(moved)
    assert reset.inputs.query_offsets[0].tolist() == [0, 0]
    assert torch.equal(reset.inputs.query_offsets[1], moved.inputs.query_offsets[1])
    assert reset.inputs.key_offsets is moved.inputs.key_offsets
    assert torch.equal(traced(reset).Q[0], traced(self_attention()).Q[0])


def test_resetting_the_last_moved_key_leaves_nothing_moved():
    assert ResetVector(Role.KEY, 2).apply(moved_everywhere()).inputs.key_offsets is None


def test_resetting_all_restores_the_projected_vectors():
    reset = ResetAllVectors().apply(moved_everywhere())
    assert reset.inputs.query_offsets is None
    assert reset.inputs.key_offsets is None
    assert torch.equal(traced(reset).scores, traced(self_attention()).scores)


def test_resetting_what_was_not_moved_gives_the_same_document():
    document = self_attention()
    assert ResetVector(Role.QUERY, 0).apply(document) is document
    assert ResetAllVectors().apply(document) is document
    moved = moved_everywhere()
    assert ResetVector(Role.QUERY, 2).apply(moved) is moved


@pytest.mark.parametrize(
    ("build", "sentence"),
    [(worked_example, "no projection to go back to"), (given_scores, "nothing can be reset")],
)
def test_without_a_projection_a_reset_is_refused_with_the_reason(build, sentence):
    for edit in (ResetVector(Role.QUERY, 0), ResetAllVectors()):
        with pytest.raises(Refusal, match=sentence):
            edit.apply(build())


def test_resetting_a_vector_that_is_not_there_is_refused():
    with pytest.raises(Refusal, match="no key 4; there are 3"):
        ResetVector(Role.KEY, 3).apply(self_attention())


def test_editing_the_projection_afterwards_keeps_what_was_moved():
    moved = moved_everywhere()
    edited = SetCell(EditableMatrix.W_Q, 0, 0, 2.0).apply(moved)
    assert edited.inputs.query_offsets is moved.inputs.query_offsets
    # x_0 = (1, 0, .5, 0): one more in W_Q[0, 0] is one more in q_0[0], which was moved to (0.1, 0.7)
    assert traced(edited).Q[0].tolist() == pytest.approx([1.1, 0.7], abs=1e-12)


def test_a_move_keeps_labels_options_and_lesson():
    document = replace(self_attention(), lesson="07")
    moved = MoveVector(Role.QUERY, 0, PLANE, 3, 4).apply(document)
    assert (moved.lesson, moved.queries, moved.options) == ("07", document.queries, document.options)


def test_labels_count_from_one():
    assert str(MoveVector(Role.QUERY, 2, PLANE, 0, 0).label) == "Move query 3"
    assert str(MoveVector(Role.KEY, 0, PLANE, 0, 0).label) == "Move key 1"
    assert str(ResetVector(Role.QUERY, 0).label) == "Reset query 1"
    assert str(ResetVector(Role.KEY, 1).label) == "Reset key 2"
    assert str(ResetAllVectors().label) == "Reset all vectors"
