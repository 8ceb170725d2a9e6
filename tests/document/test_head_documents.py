"""Documents that are heads of models: edits keep what stands for a token together, and where it came from."""

from dataclasses import replace

import pytest
import torch

from qkviz.attention.captured import Capture
from qkviz.attention.inputs import DirectInputs
from qkviz.attention.masks import CausalMask, CellMask, PaddingMask, WindowMask
from qkviz.attention.normalizers import Sparsemax
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Cosine
from qkviz.attention.trace import trace_attention
from qkviz.document.capture_changes import changes_since_capture
from qkviz.document.captured_head import CapturedHead, ChooseHead, head_document
from qkviz.document.document import Role
from qkviz.document.edits import (
    AddToken,
    EditableMatrix,
    MoveByEmbedding,
    MoveByProjection,
    MoveEmbedding,
    MoveVector,
    RemoveToken,
    RenameToken,
    SetCell,
    SetLength,
    SetMask,
    SetNormalizer,
    SetScale,
    SetScoreFunction,
    ToggleForbidden,
    TogglePadding,
    editable_matrices,
)
from qkviz.translate import Refusal
from tests.captures import FACTS, random_capture, random_cross_text


def head(mask=None):
    """Return an encoder's head of five tokens, with a position bias, a soft cap and a sink put to it."""
    document = head_document(CapturedHead(random_capture(), layer=1, head=2))
    bias = torch.randn(5, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    options = replace(document.options, bias=bias, soft_cap=4.0, sink=0.5, mask=mask or document.options.mask)
    return replace(document, options=options)


def cross():
    return head_document(CapturedHead(Capture(FACTS, (random_cross_text(),)), layer=2))


def test_a_head_that_looks_at_its_own_text_is_self_attention():
    assert head().is_self_attention
    assert not cross().is_self_attention


def test_a_token_goes_from_everything_that_has_a_place_for_it():
    document = head(CellMask(frozenset({(0, 4), (2, 1), (3, 3)})))
    left = RemoveToken(Role.KEY, 2).apply(document)
    kept = [0, 1, 3, 4]
    assert left.queries == left.keys == tuple(document.queries[at] for at in kept)
    for name in ("Q", "K", "V", "X_q"):
        assert torch.equal(getattr(left.inputs, name), getattr(document.inputs, name)[kept]), name
    assert left.inputs.X_k is left.inputs.X_q
    assert torch.equal(left.options.bias, document.options.bias[kept][:, kept])
    assert left.options.mask == CellMask(frozenset({(0, 3), (2, 2)}))
    assert (left.options.soft_cap, left.options.sink) == (4.0, 0.5)
    assert left.captured is document.captured
    weights = trace_attention(left.inputs, left.options).weights
    assert weights.shape == (4, 4)


def test_a_new_token_has_a_row_everywhere_and_no_bias():
    document = head()
    more = AddToken(Role.QUERY, "new").apply(document)
    assert more.queries == more.keys == (*document.queries, "new")
    for name, width in (("Q", 4), ("K", 4), ("V", 4), ("X_q", 8)):
        matrix = getattr(more.inputs, name)
        assert matrix.shape == (6, width)
        assert torch.equal(matrix[:5], getattr(document.inputs, name))
    assert more.inputs.X_k is more.inputs.X_q
    assert torch.equal(more.options.bias[:5, :5], document.options.bias)
    assert not more.options.bias[5].any()
    assert not more.options.bias[:, 5].any()
    assert more.captured is document.captured
    trace_attention(more.inputs, more.options)


def test_in_cross_attention_one_side_goes_alone():
    document = cross()
    fewer_keys = RemoveToken(Role.KEY, 0).apply(document)
    assert torch.equal(fewer_keys.inputs.X_k, document.inputs.X_k[1:])
    assert fewer_keys.inputs.X_q is document.inputs.X_q
    fewer_queries = RemoveToken(Role.QUERY, 1).apply(document)
    assert torch.equal(fewer_queries.inputs.X_q, document.inputs.X_q[[0, 2]])
    assert fewer_queries.inputs.X_k is document.inputs.X_k
    more = AddToken(Role.KEY, "k").apply(document)
    assert more.inputs.X_k.shape == (6, 8)
    assert more.inputs.X_q is document.inputs.X_q


EDITS = [
    SetScale(0.5),
    SetMask(CausalMask()),
    SetNormalizer(Sparsemax()),
    SetScoreFunction(Cosine()),
    ToggleForbidden(1, 2),
    TogglePadding(1),
    SetCell(EditableMatrix.Q, 0, 1, 7.0),
    SetLength(Role.KEY, 1, (1.0, 0.0, 0.0, 0.0), 2.0),
    MoveVector(Role.QUERY, 0, Plane.of_dimensions(4), 3.0, 4.0),
    RenameToken(Role.QUERY, 1, "other"),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: type(edit).__name__)
def test_an_edit_keeps_all_that_it_does_not_speak_of(edit):
    document = head()
    now = edit.apply(document)
    assert now is not document
    assert now.captured is document.captured
    assert now.options.bias is document.options.bias
    assert (now.options.soft_cap, now.options.sink) == (4.0, 0.5)
    assert now.inputs.X_q is document.inputs.X_q
    assert now.inputs.X_k is now.inputs.X_q
    assert now.inputs.V is document.inputs.V


def test_padding_a_key_beside_a_window_forbids_its_column():
    document = head(WindowMask(1, 0))
    mask = TogglePadding(0).apply(document).options.mask
    allowed = {(i, j) for i in range(5) for j in range(5) if i - 1 <= j <= i and j != 0}
    assert mask == CellMask(frozenset({(i, j) for i in range(5) for j in range(5)}) - frozenset(allowed))


@pytest.mark.parametrize("mask", [WindowMask(1, 0), PaddingMask(frozenset({4}))])
def test_masks_by_position_follow_a_removed_token(mask):
    left = RemoveToken(Role.QUERY, 0).apply(head(mask)).options.mask
    assert left == (mask if isinstance(mask, WindowMask) else PaddingMask(frozenset({3})))


@pytest.mark.parametrize("edit", [MoveByEmbedding, MoveByProjection])
def test_nothing_lies_behind_a_recorded_vector(edit):
    with pytest.raises(Refusal, match="do not follow from x"):
        edit(Role.QUERY, 0, Plane.of_dimensions(4), 1.0, 1.0).apply(head())


def test_recorded_embeddings_cannot_be_moved_or_typed_into():
    with pytest.raises(Refusal, match="do not follow from x"):
        MoveEmbedding(Role.QUERY, 0, Plane.of_dimensions(8), 1.0, 1.0).apply(head())
    assert EditableMatrix.X not in editable_matrices(head().inputs)
    with pytest.raises(Refusal, match="X was recorded beside Q and K"):
        SetCell(EditableMatrix.X, 0, 0, 1.0).apply(head())


def test_what_was_changed_by_hand_is_known():
    document = head_document(CapturedHead(random_capture()))
    captured = document.captured
    assert changes_since_capture(document, captured) == ()
    assert changes_since_capture(EDITS[-2].apply(document), captured) == ("Q",)
    assert changes_since_capture(SetMask(CausalMask()).apply(document), captured) == ("mask",)
    assert changes_since_capture(RenameToken(Role.KEY, 0, "x").apply(document), captured) == ("tokens",)
    gone = RemoveToken(Role.KEY, 4).apply(document)
    assert changes_since_capture(gone, captured) == ("tokens", "Q", "K", "V", "X_q", "X_k")
    other = ChooseHead(1, 1).apply(EDITS[-2].apply(document))
    assert changes_since_capture(other, other.captured) == ()


def test_direct_inputs_without_embeddings_are_no_self_attention():
    Q = torch.ones(2, 2, dtype=torch.float64)
    assert not DirectInputs(Q, Q).is_self_attention
