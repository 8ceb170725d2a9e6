"""Edits of tokens: their labels, one more, one less."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrix_changes import (
    Matrix,
    first_vector,
    none_if_zero,
    with_new_row,
    with_zero_column,
    with_zero_row,
    without_column,
    without_row,
)
from qkviz.document.document import Document, Role, one_line
from qkviz.document.edit_vectors import check_index
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, slots=True)
class RenameToken:
    """Give a token another label; in self-attention as query and as key at once.

    Parameters
    ----------
    role, index
        Which token; the index is 0-based.
    text
        The label; may be empty or equal to another.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    index: int
    text: str
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Rename token {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the label changed (itself if it is the same).

        Raises
        ------
        Refusal
            If there is no such token.
        """
        check_index(document, self.role, self.index)
        labels = document.labels(self.role)
        text = one_line(self.text)
        if labels[self.index] == text:
            return document
        renamed = (*labels[: self.index], text, *labels[self.index + 1 :])
        return with_labels(document, self.role, renamed, document.inputs)


@dataclass(frozen=True, slots=True)
class AddToken:
    """Add a token behind the last query or key; in self-attention it is both.

    Its embedding, query or key starts as `first_vector`: visible, of length 1. Given scores and values start
    as zeros.

    Parameters
    ----------
    role
        The side it is added to.
    text
        Its label; may be empty.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    text: str
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Add token “{token}”", token=self.text)

    def apply(self, document: Document) -> Document:
        """Return the document with one more token."""
        inputs = longer_inputs(document.inputs, self.role)
        return with_labels(document, self.role, (*document.labels(self.role), self.text), inputs)


@dataclass(frozen=True, slots=True)
class RemoveToken:
    """Remove a query or key; in self-attention the token goes from both sides. Masks follow.

    Parameters
    ----------
    role, index
        Which token; the index is 0-based.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    index: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        if self.role is Role.QUERY:
            return Phrase("Remove query {position}", position=self.index + 1)
        return Phrase("Remove key {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document without the token.

        Raises
        ------
        Refusal
            If there is no such token, or it is the last.
        """
        check_index(document, self.role, self.index)
        labels = document.labels(self.role)
        if len(labels) == 1:
            raise Refusal("“{token}” is the only token left; add another one first.", token=labels[0])
        mask = document.options.mask
        if self.role is Role.QUERY or document.is_self_attention:
            mask = mask_without_query(mask, self.index)
        if self.role is Role.KEY or document.is_self_attention:
            mask = mask_without_key(mask, self.index)
        rest = (*labels[: self.index], *labels[self.index + 1 :])
        inputs = shorter_inputs(document.inputs, self.role, self.index)
        shorter = with_labels(document, self.role, rest, inputs)
        return replace(shorter, options=replace(document.options, mask=mask))


def with_labels(document: Document, role: Role, labels: tuple[str, ...], inputs: AttentionInputs) -> Document:
    """Return the document with other labels on one side (both sides in self-attention) and other inputs."""
    if document.is_self_attention:
        return replace(document, queries=labels, keys=labels, inputs=inputs)
    if role is Role.QUERY:
        return replace(document, queries=labels, inputs=inputs)
    return replace(document, keys=labels, inputs=inputs)


def longer_inputs(inputs: AttentionInputs, role: Role) -> AttentionInputs:
    """Return ``inputs`` with one more query or key at the end (both in self-attention)."""
    match inputs, role:
        case ProjectedInputs(), _:
            d_model = inputs.W_Q.shape[0]
            query_offsets, key_offsets = inputs.query_offsets, inputs.key_offsets
            if inputs.is_self_attention or role is Role.QUERY:
                query_offsets = None if query_offsets is None else with_zero_row(query_offsets)
            if inputs.is_self_attention or role is Role.KEY:
                key_offsets = None if key_offsets is None else with_zero_row(key_offsets)
            X_q, X_k = inputs.X_q, inputs.X_k
            if inputs.is_self_attention:
                X_q = X_k = with_new_row(X_q, first_vector(inputs.m, d_model))  # (m + 1, d_model), one object
            elif role is Role.QUERY:
                X_q = with_new_row(X_q, first_vector(inputs.m, d_model))  # (m + 1, d_model)
            else:
                X_k = with_new_row(X_k, first_vector(inputs.n, d_model))  # (n + 1, d_model)
            return replace(inputs, X_q=X_q, X_k=X_k, query_offsets=query_offsets, key_offsets=key_offsets)
        case DirectInputs(), Role.QUERY:
            return replace(inputs, Q=with_new_row(inputs.Q, first_vector(inputs.m, inputs.d_k)))
        case DirectInputs(), _:
            V = None if inputs.V is None else with_zero_row(inputs.V)
            return replace(inputs, K=with_new_row(inputs.K, first_vector(inputs.n, inputs.d_k)), V=V)
        case GivenScores(), Role.QUERY:
            return replace(inputs, scores=with_zero_row(inputs.scores))
        case GivenScores(), _:
            V = None if inputs.V is None else with_zero_row(inputs.V)
            return replace(inputs, scores=with_zero_column(inputs.scores), V=V)


def shorter_inputs(inputs: AttentionInputs, role: Role, index: int) -> AttentionInputs:
    """Return ``inputs`` without the query or key at ``index`` (without both in self-attention)."""
    match inputs, role:
        case ProjectedInputs(), _:
            X_q, X_k = inputs.X_q, inputs.X_k
            query_offsets, key_offsets = inputs.query_offsets, inputs.key_offsets
            if inputs.is_self_attention or role is Role.QUERY:
                X_q = without_row(X_q, index)  # (m − 1, d_model)
                query_offsets = offsets_without(query_offsets, index)
            if inputs.is_self_attention or role is Role.KEY:
                X_k = X_q if inputs.is_self_attention else without_row(X_k, index)  # (n − 1, d_model)
                key_offsets = offsets_without(key_offsets, index)
            return replace(inputs, X_q=X_q, X_k=X_k, query_offsets=query_offsets, key_offsets=key_offsets)
        case DirectInputs(), Role.QUERY:
            return replace(inputs, Q=without_row(inputs.Q, index))
        case DirectInputs(), _:
            V = None if inputs.V is None else without_row(inputs.V, index)
            return replace(inputs, K=without_row(inputs.K, index), V=V)
        case GivenScores(), Role.QUERY:
            return replace(inputs, scores=without_row(inputs.scores, index))
        case GivenScores(), _:
            V = None if inputs.V is None else without_row(inputs.V, index)
            return replace(inputs, scores=without_column(inputs.scores, index), V=V)


def offsets_without(offsets: Matrix | None, index: int) -> Matrix | None:
    """Return the offsets without row ``index``; None when nothing moved is left."""
    return None if offsets is None else none_if_zero(without_row(offsets, index))


def mask_without_query(mask: Mask, index: int) -> Mask:
    """Return ``mask`` after query ``index`` has gone; later queries move up (itself if nothing changes)."""
    match mask:
        case CellMask(forbidden):
            rest = frozenset((q - (q > index), k) for q, k in forbidden if q != index)
            return CellMask(rest) if rest else NoMask()
        case NoMask() | CausalMask() | PaddingMask() | WindowMask():
            return mask


def mask_without_key(mask: Mask, index: int) -> Mask:
    """Return ``mask`` after key ``index`` has gone; later keys move up (itself if nothing changes)."""
    match mask:
        case PaddingMask(padded):
            rest = frozenset(k - (k > index) for k in padded if k != index)
            return PaddingMask(rest) if rest else NoMask()
        case CellMask(forbidden):
            cells = frozenset((q, k - (k > index)) for q, k in forbidden if k != index)
            return CellMask(cells) if cells else NoMask()
        case NoMask() | CausalMask() | WindowMask():
            return mask
