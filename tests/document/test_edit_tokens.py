"""Renaming, adding and removing tokens."""

import math

import pytest
import torch

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document, Role
from qkviz.document.edits import AddToken, MoveVector, RemoveToken, RenameToken
from qkviz.translate import Refusal
from tests.document.documents import (
    PLANE,
    cross_attention,
    every_kind,
    given_scores,
    self_attention,
    worked_example,
)

ROLES = [Role.QUERY, Role.KEY]


def masked_by(mask):
    return AttentionOptions(mask=mask)


@pytest.mark.parametrize("role", ROLES)
def test_renaming_in_self_attention_changes_both_sides(role):
    renamed = RenameToken(role, 1, "stood").apply(self_attention())
    assert renamed.queries == renamed.keys == ("cat", "stood", "mat")


def test_renaming_elsewhere_changes_one_side():
    renamed = RenameToken(Role.KEY, 2, "w\n").apply(cross_attention())
    assert (renamed.queries, renamed.keys) == (("a", "b"), ("x", "y", "w "))


def test_renaming_keeps_the_inputs():
    document = self_attention()
    assert RenameToken(Role.QUERY, 0, "dog").apply(document).inputs is document.inputs


def test_renaming_to_the_same_gives_the_same_document():
    document = self_attention()
    assert RenameToken(Role.KEY, 0, "cat").apply(document) is document


def test_renaming_to_nothing_or_to_a_repeated_label_is_allowed():
    assert RenameToken(Role.QUERY, 0, "").apply(worked_example()).queries == ("", "q2")
    assert RenameToken(Role.QUERY, 0, "q2").apply(worked_example()).queries == ("q2", "q2")


@pytest.mark.parametrize("edit", [RenameToken(Role.QUERY, 3, "x"), RemoveToken(Role.QUERY, 3)])
def test_a_token_that_is_not_there_is_refused_with_the_count(edit):
    with pytest.raises(Refusal, match="There is no query 4; there are 3"):
        edit.apply(self_attention())


@pytest.mark.parametrize("role", ROLES)
def test_a_token_added_to_self_attention_is_both_query_and_key(role):
    added = AddToken(role, "again").apply(self_attention())
    assert added.queries == added.keys == ("cat", "sat", "mat", "again")
    assert added.is_self_attention
    assert added.inputs.X_q.shape == (4, 4)


@pytest.mark.parametrize(("role", "counts"), [(Role.QUERY, (3, 3)), (Role.KEY, (2, 4))], ids=["query", "key"])
@pytest.mark.parametrize("build", [cross_attention, worked_example, given_scores])
def test_a_token_is_added_to_one_side(build, role, counts):
    document = build()
    added = AddToken(role, "new").apply(document)
    assert (len(added.queries), len(added.keys)) == (added.inputs.m, added.inputs.n) == counts
    assert added.labels(role)[-1] == "new"
    before = trace_attention(document.inputs).scores
    after = trace_attention(added.inputs).scores
    assert after.shape == counts
    assert torch.equal(torch.nan_to_num(after[:2, :3]), torch.nan_to_num(before))


def test_an_added_token_of_given_scores_scores_zero():
    added = AddToken(Role.KEY, "new").apply(AddToken(Role.QUERY, "new").apply(given_scores()))
    assert added.inputs.scores[2].tolist() == [0, 0, 0, 0]
    assert added.inputs.scores[:, 3].tolist() == [0, 0, 0]
    assert added.inputs.V.tolist() == [[1], [2], [3], [0]]


def test_an_added_vector_can_be_seen_and_grabbed():
    document = worked_example()
    for _ in range(20):
        document = AddToken(Role.KEY, "").apply(AddToken(Role.QUERY, "").apply(document))
    new = document.inputs.Q[2:]
    assert new.norm(dim=1).tolist() == pytest.approx([1] * 20, abs=0.01)
    assert torch.cdist(new, new).fill_diagonal_(9).min() > 0.1
    assert torch.equal(new, (new * 100).round() / 100), "the tables show two decimals"


def test_added_tokens_of_one_dimension_are_visible_too():
    document = Document(("a",), ("k",), DirectInputs(matrix([[2]], "Q"), matrix([[3]], "K")))
    assert AddToken(Role.QUERY, "b").apply(document).inputs.Q.tolist() == [[2], [1]]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("build", [self_attention, cross_attention])
def test_an_added_token_leaves_the_moved_vectors_moved(build, role):
    moved = MoveVector(Role.KEY, 1, PLANE, 7, 8).apply(MoveVector(Role.QUERY, 1, PLANE, 5, 6).apply(build()))
    trace = trace_attention(AddToken(role, "new").apply(moved).inputs)
    assert trace.Q[1].tolist() == pytest.approx([5, 6], abs=1e-12)
    assert trace.K[1].tolist() == pytest.approx([7, 8], abs=1e-12)


@pytest.mark.parametrize("role", ROLES)
def test_removing_from_self_attention_takes_the_token_from_both_sides(role):
    removed = RemoveToken(role, 1).apply(self_attention())
    assert removed.queries == removed.keys == ("cat", "mat")
    assert removed.is_self_attention
    assert removed.inputs.X_q.tolist() == [[1, 0, 0.5, 0], [0.5, -1, 0, 0]]


@pytest.mark.parametrize("build", [cross_attention, worked_example, given_scores])
def test_removing_elsewhere_removes_a_row_or_a_column_of_scores(build):
    document = build()
    scores = torch.nan_to_num(trace_attention(document.inputs).scores)
    without_query = trace_attention(RemoveToken(Role.QUERY, 0).apply(document).inputs).scores
    without_key = trace_attention(RemoveToken(Role.KEY, 1).apply(document).inputs).scores
    assert torch.equal(torch.nan_to_num(without_query), scores[1:])
    assert torch.equal(torch.nan_to_num(without_key), scores[:, [0, 2]])


@pytest.mark.parametrize("build", [worked_example, given_scores])
def test_a_removed_key_takes_its_value_along(build):
    document = build()
    removed = RemoveToken(Role.KEY, 1).apply(document)
    assert torch.equal(removed.inputs.V, document.inputs.V[[0, 2]])
    assert RemoveToken(Role.QUERY, 0).apply(document).inputs.V is document.inputs.V


@pytest.mark.parametrize("build", [self_attention, cross_attention])
def test_offsets_stay_with_their_tokens_when_an_earlier_one_goes(build):
    document = MoveVector(Role.KEY, 2, PLANE, 7, 8).apply(
        MoveVector(Role.QUERY, 1, PLANE, 5, 6).apply(build())
    )
    removed = RemoveToken(Role.QUERY, 0).apply(document)
    if not document.is_self_attention:
        removed = RemoveToken(Role.KEY, 0).apply(removed)
    trace = trace_attention(removed.inputs)
    assert trace.Q[0].tolist() == pytest.approx([5, 6], abs=1e-12)
    assert trace.K[1].tolist() == pytest.approx([7, 8], abs=1e-12)


def test_a_removed_moved_vector_leaves_the_rest_unmoved():
    moved = MoveVector(Role.QUERY, 1, PLANE, 5, 6).apply(self_attention())
    removed = RemoveToken(Role.QUERY, 1).apply(moved)
    assert removed.inputs.query_offsets is None


@pytest.mark.parametrize(
    ("mask", "role", "index", "after"),
    [
        (PaddingMask(frozenset({0, 2})), Role.KEY, 0, PaddingMask(frozenset({1}))),
        (PaddingMask(frozenset({0, 2})), Role.KEY, 1, PaddingMask(frozenset({0, 1}))),
        (PaddingMask(frozenset({2})), Role.KEY, 2, NoMask()),
        (PaddingMask(frozenset({0, 2})), Role.QUERY, 0, PaddingMask(frozenset({0, 2}))),
        (CellMask(frozenset({(0, 0), (1, 2)})), Role.KEY, 0, CellMask(frozenset({(1, 1)}))),
        (CellMask(frozenset({(0, 0), (1, 2)})), Role.QUERY, 0, CellMask(frozenset({(0, 2)}))),
        (CellMask(frozenset({(0, 0), (1, 2)})), Role.KEY, 1, CellMask(frozenset({(0, 0), (1, 1)}))),
        (CellMask(frozenset({(0, 0)})), Role.QUERY, 0, NoMask()),
        (CausalMask(), Role.QUERY, 0, CausalMask()),
        (NoMask(), Role.KEY, 0, NoMask()),
    ],
)
def test_masks_follow_a_removed_token(mask, role, index, after):
    for build in (cross_attention, worked_example, given_scores):
        removed = RemoveToken(role, index).apply(build(masked_by(mask)))
        assert removed.options.mask == after
        trace_attention(removed.inputs, removed.options)


def test_in_self_attention_a_cell_mask_loses_the_row_and_the_column():
    mask = CellMask(frozenset({(0, 1), (1, 2), (2, 0), (2, 2)}))
    removed = RemoveToken(Role.KEY, 1).apply(self_attention(masked_by(mask)))
    assert removed.options.mask == CellMask(frozenset({(1, 0), (1, 1)}))
    weights = trace_attention(removed.inputs, removed.options).weights
    assert weights[1].tolist() == [0, 0]
    assert (weights[0] > 0).all()


def test_masks_stay_as_they_are_for_an_added_token():
    mask = PaddingMask(frozenset({1}))
    added = AddToken(Role.KEY, "new").apply(worked_example(masked_by(mask)))
    assert added.options.mask == mask


@pytest.mark.parametrize("document", every_kind())
@pytest.mark.parametrize("role", ROLES)
def test_the_last_token_stays_and_the_refusal_names_it(document, role):
    while len(document.labels(role)) > 1:
        document = RemoveToken(role, 0).apply(document)
    with pytest.raises(Refusal, match=f"“{document.labels(role)[0]}” is the only token left; add another"):
        RemoveToken(role, 0).apply(document)
    assert math.prod(trace_attention(document.inputs, document.options).weights.shape) > 0


def test_labels_name_the_token():
    assert str(RenameToken(Role.KEY, 0, "x").label) == "Rename token 1"
    assert str(AddToken(Role.KEY, "{x}").label) == "Add token “{x}”"
    assert str(RemoveToken(Role.QUERY, 1).label) == "Remove query 2"
    assert str(RemoveToken(Role.KEY, 1).label) == "Remove key 2"
