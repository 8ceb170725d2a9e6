"""Typed cells, pasted blocks, whole matrices."""

import math

import pytest
import torch

from qkviz.attention.trace import trace_attention
from qkviz.document.document import Role
from qkviz.document.editable import EditableMatrix, editable_matrices, editable_matrix
from qkviz.document.edits import MoveVector, PasteBlock, SetCell, SetMatrix
from qkviz.translate import Refusal
from tests.document.documents import (
    PLANE,
    cross_attention,
    every_kind,
    given_scores,
    self_attention,
    worked_example,
)

E = EditableMatrix


def test_each_kind_of_document_has_its_matrices():
    assert editable_matrices(self_attention().inputs) == (E.X, E.W_Q, E.W_K, E.Q, E.K)
    assert editable_matrices(self_attention(values=True).inputs) == (E.X, E.W_Q, E.W_K, E.W_V, E.Q, E.K)
    assert editable_matrices(cross_attention().inputs) == (E.X, E.X_K, E.W_Q, E.W_K, E.Q, E.K)
    assert editable_matrices(worked_example().inputs) == (E.Q, E.K, E.V)
    assert editable_matrices(given_scores().inputs) == (E.SCORES, E.V)


@pytest.mark.parametrize("build", [*every_kind(), self_attention(values=True)])
def test_a_typed_number_stands_in_its_cell_and_nowhere_else(build):
    for name in editable_matrices(build.inputs):
        before = editable_matrix(build.inputs, name).clone()
        after = editable_matrix(SetCell(name, 1, 0, 0.1234567890123).apply(build).inputs, name)
        assert after[1, 0].item() == pytest.approx(0.1234567890123, abs=1e-15)
        after = after.clone()
        after[1, 0] = before[1, 0]
        assert torch.equal(torch.nan_to_num(after), torch.nan_to_num(before))
        assert torch.equal(torch.nan_to_num(editable_matrix(build.inputs, name)), torch.nan_to_num(before)), (
            "the document before was written into"
        )


def test_what_is_typed_is_stored_to_the_last_bit():
    edited = SetCell(E.W_Q, 3, 1, 0.1 + 0.2).apply(self_attention())
    assert edited.inputs.W_Q[3, 1].item() == 0.30000000000000004


def test_typing_the_value_that_stands_there_gives_the_same_document():
    for document in every_kind():
        for name in editable_matrices(document.inputs):
            value = editable_matrix(document.inputs, name)[0, 0].item()
            assert SetCell(name, 0, 0, value).apply(document) is document


def test_x_of_self_attention_stays_one_matrix():
    edited = SetCell(E.X, 0, 0, 7).apply(self_attention())
    assert edited.inputs.X_q is edited.inputs.X_k
    assert edited.is_self_attention


def test_a_number_typed_into_q_moves_the_query_by_hand():
    edited = SetCell(E.Q, 0, 1, 2.0).apply(self_attention())
    assert edited.inputs.query_offsets.tolist() == [[0, 1.5], [0, 0], [0, 0]]  # from 0.5 to 2


def test_typing_the_projected_value_back_leaves_nothing_moved():
    document = self_attention()
    value = editable_matrix(document.inputs, E.K)[2, 1].item()
    edited = SetCell(E.K, 2, 1, value).apply(SetCell(E.K, 2, 1, 9.0).apply(document))
    assert edited.inputs.key_offsets is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_typed_number_that_is_not_finite_is_refused_with_its_cell(value):
    with pytest.raises(Refusal, match=r"W_Q, row 2, column 1 would be (nan|inf|-inf); only finite"):
        SetCell(E.W_Q, 1, 0, value).apply(self_attention())


@pytest.mark.parametrize("value", [1.0000001e6, -1e7, 1e308])
def test_a_typed_number_beyond_the_limit_is_refused_with_the_limit(value):
    with pytest.raises(Refusal, match=r"Q, row 1, column 2 would be .*−1000000 and 1000000"):
        SetCell(E.Q, 0, 1, value).apply(worked_example())


def test_the_limit_itself_is_stored():
    assert SetCell(E.Q, 0, 1, -1e6).apply(worked_example()).inputs.Q[0, 1].item() == -1e6


@pytest.mark.parametrize("cell", [(4, 0), (0, 2), (-1, 0), (0, -1)])
def test_a_cell_that_is_not_there_is_refused_with_the_shape(cell):
    row, column = cell
    with pytest.raises(Refusal, match=f"W_Q is 4 × 2 and has no cell in row {row + 1}, column {column + 1}"):
        SetCell(E.W_Q, row, column, 1.0).apply(self_attention())


@pytest.mark.parametrize(
    ("document", "name", "sentence"),
    [
        (self_attention(), E.X_K, "share one X here"),
        (self_attention(), E.V, "V is computed as X W_V"),
        (self_attention(), E.W_V, "has no W_V; set a whole W_V first"),
        (self_attention(), E.SCORES, "computed from Q and K"),
        (worked_example(), E.SCORES, "computed from Q and K"),
        (worked_example(), E.W_K, "starts at Q and K and has no W_K"),
        (given_scores(), E.Q, "finished scores and has no Q"),
        (given_scores(), E.X_K, "finished scores and has no X_k"),
    ],
)
def test_a_matrix_that_is_not_there_is_refused_with_the_reason(document, name, sentence):
    for edit in (SetCell(name, 0, 0, 1.0), PasteBlock(name, 0, 0, ((1.0,),))):
        with pytest.raises(Refusal, match=sentence):
            edit.apply(document)


def test_a_pasted_block_overwrites_its_cells():
    pasted = PasteBlock(E.W_Q, 1, 0, ((9.0, 8.0), (7.0, 6.0))).apply(self_attention())
    assert pasted.inputs.W_Q.tolist() == [[1, 0], [9, 8], [7, 6], [0.5, 1]]


def test_pasting_what_stands_there_gives_the_same_document():
    document = worked_example()
    assert PasteBlock(E.K, 1, 0, ((0.2, 0.8), (0.4, -0.5))).apply(document) is document


def test_a_block_pasted_into_k_of_projected_inputs_moves_those_keys():
    pasted = PasteBlock(E.K, 1, 0, ((1.0, 2.0), (3.0, 4.0))).apply(self_attention())
    K = trace_attention(pasted.inputs).K
    assert K[1:].tolist() == [pytest.approx([1, 2], abs=1e-12), pytest.approx([3, 4], abs=1e-12)]
    assert pasted.inputs.key_offsets[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("document", "edit", "sentences"),
    [
        (
            self_attention(),
            PasteBlock(E.W_Q, 0, 1, ((1.0, 2.0),)),
            ["The block is 1 × 2", "W_Q, which is 4 × 2", "row 1, column 2"],
        ),
        (
            self_attention(),
            PasteBlock(E.W_K, 2, 0, ((1.0,), (2.0,), (3.0,))),
            ["The block is 3 × 1", "W_K, which is 4 × 2", "row 3, column 1"],
        ),
        (
            given_scores(),
            PasteBlock(E.SCORES, 1, 0, ((1.0,), (2.0,))),
            ["The block is 2 × 1", "scores, which is 2 × 3"],
        ),
        (worked_example(), PasteBlock(E.Q, -1, 0, ((1.0,),)), ["The block is 1 × 1", "Q, which is 2 × 2"]),
        (
            worked_example(),
            PasteBlock(E.Q, 1, 0, ((1.0,), (2.0,))),
            ["2 rows from row 2", "2 tokens", "add tokens first"],
        ),
        (
            self_attention(),
            PasteBlock(E.X, 0, 0, ((1.0,),) * 4),
            ["4 rows", "X has", "3 tokens", "add tokens first"],
        ),
        (
            cross_attention(),
            PasteBlock(E.X_K, 0, 0, ((1.0,),) * 4),
            ["X_k has", "3 tokens", "add tokens first"],
        ),
        (worked_example(), PasteBlock(E.K, 0, 0, ()), ["The block for K is empty"]),
        (worked_example(), PasteBlock(E.K, 0, 0, ((),)), ["The block for K is empty"]),
        (
            worked_example(),
            PasteBlock(E.K, 0, 0, ((1.0, 2.0), (1.0,))),
            ["Row 2 of the block has 1", "first row has 2"],
        ),
        (
            worked_example(),
            PasteBlock(E.K, 1, 0, ((1.0, 2.0), (1.0, math.nan))),
            ["K, row 3, column 2 would be nan"],
        ),
        (worked_example(), PasteBlock(E.K, 0, 1, ((2e6,),)), ["K, row 1, column 2 would be 2000000.0"]),
    ],
)
def test_a_block_that_cannot_be_pasted_is_refused_naming_what_disagrees(document, edit, sentences):
    with pytest.raises(Refusal) as refused:
        edit.apply(document)
    for sentence in sentences:
        assert sentence in str(refused.value)


@pytest.mark.parametrize("document", every_kind())
def test_a_whole_matrix_is_replaced(document):
    for name in editable_matrices(document.inputs):
        present = editable_matrix(document.inputs, name)
        wanted = [[row + column / 8 for column in range(present.shape[1])] for row in range(present.shape[0])]
        edited = SetMatrix(name, wanted).apply(document)
        got = editable_matrix(edited.inputs, name)
        assert torch.allclose(got, torch.tensor(wanted, dtype=torch.float64), rtol=0, atol=1e-12)
        assert SetMatrix(name, got).apply(edited) is edited


def test_a_whole_matrix_of_another_shape_is_refused_with_both_shapes():
    with pytest.raises(Refusal, match="The new W_Q is 4 × 3, but W_Q is 4 × 2 here"):
        SetMatrix(E.W_Q, [[1, 2, 3]] * 4).apply(self_attention())


def test_a_whole_matrix_with_a_number_that_is_not_finite_is_refused_with_its_cell():
    with pytest.raises(Refusal, match="W_K, row 4, column 2 would be inf"):
        SetMatrix(E.W_K, [[1, 2], [3, 4], [5, 6], [7, math.inf]]).apply(self_attention())


def test_values_may_be_new_or_change_their_width():
    edited = SetMatrix(E.W_V, [[1, 2, 3]] * 4).apply(self_attention())
    assert trace_attention(edited.inputs).output.shape == (3, 3)
    edited = SetMatrix(E.V, [[1], [2], [3]]).apply(worked_example())
    assert trace_attention(edited.inputs).output.shape == (2, 1)


def test_values_with_the_wrong_number_of_rows_are_refused_with_both_shapes():
    with pytest.raises(Refusal, match="X is 3 × 4, but W_V is 5 × 1"):
        SetMatrix(E.W_V, [[1]] * 5).apply(self_attention())
    with pytest.raises(Refusal, match="K is 3 × 2, but V is 2 × 1"):
        SetMatrix(E.V, [[1]] * 2).apply(worked_example())


def test_a_whole_matrix_for_which_there_is_no_place_is_refused():
    with pytest.raises(Refusal, match="starts at Q and K and has no W_V"):
        SetMatrix(E.W_V, [[1]]).apply(worked_example())


def test_the_matrix_given_is_copied():
    values = torch.ones(4, 2, dtype=torch.float64)
    edited = SetMatrix(E.W_Q, values).apply(self_attention())
    values[0, 0] = 5
    assert edited.inputs.W_Q[0, 0].item() == 1


def test_editing_x_keeps_what_was_moved_by_hand():
    moved = MoveVector(Role.QUERY, 1, PLANE, 3, 3).apply(self_attention())
    edited = SetCell(E.X, 1, 1, 5.0).apply(moved)
    assert edited.inputs.query_offsets is moved.inputs.query_offsets


def test_labels_name_the_place():
    assert str(SetCell(E.W_Q, 0, 1, 2.0).label) == "Change W_Q, row 1, column 2"
    assert str(PasteBlock(E.X_K, 0, 1, ((2.0,),)).label) == "Paste into X_k"
    assert str(SetMatrix(E.SCORES, [[1]]).label) == "Replace scores"
