"""The document as editable tables and choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.masks import PaddingMask
from qkviz.attention.normalizers import Softmax
from qkviz.document.document import Document, Role
from qkviz.document.editable import EditableMatrix, editable_matrices, editable_matrix
from qkviz.document.session import Snapshot
from qkviz.presenters.choices import (
    Choice,
    ChoiceContent,
    mask_choice,
    normalizer_choice,
    scale_note,
    score_choice,
)
from qkviz.presenters.lit_parts import lit_parts
from qkviz.presenters.matrix_texts import shape_words
from qkviz.presenters.moved import moved_rows
from qkviz.presenters.runs import Tone
from qkviz.presenters.score_terms import terms_of_model
from qkviz.presenters.words import position_labels, visible_tokens
from qkviz.translate import _

__all__ = ["Choice", "ChoiceContent", "InspectorContent", "TableContent", "present_inspector"]


@dataclass(frozen=True, eq=False, slots=True)
class TableContent:
    """One editable matrix.

    Attributes
    ----------
    matrix
        Which matrix an edit of this table changes.
    title
        ``"W_Q"``, ``"Q = X W_Q"``.
    shape
        ``"4 × 2"``.
    row_labels, column_labels
        Visible token labels, or dimension numbers from 1.
    row_role, column_role
        QUERY or KEY where the labels are tokens of one role, else None.
    values
        (rows, columns) float64, read-only, as stored: only the display rounds; an editor starts from
        `full_number`.
    tone
        Colour of the numbers.
    moved
        Indexes of rows that were moved by hand.
    lit
        Whether the step in hand speaks of this matrix.
    """

    matrix: EditableMatrix
    title: str
    shape: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_role: Role | None
    column_role: Role | None
    values: NDArray[np.float64]
    tone: Tone
    moved: frozenset[int]
    lit: bool


@dataclass(frozen=True, eq=False, slots=True)
class InspectorContent:
    """Everything the Inspector shows.

    Attributes
    ----------
    queries, keys
        The tokens as stored, for editing.
    query_labels, key_labels
        The same, visible.
    is_self_attention
        Queries and keys are the same tokens; one list edits both.
    tokens_lit
        Whether the step in hand speaks of the tokens.
    tables
        X, W_Q, W_K, W_V, Q, K, V, scores: those that the document has, in the order of computation.
    score
        Ids ``dot``, ``scaled_dot``, ``additive``, ``cosine``, ``negative_half_squared_distance``.
    mask
        Ids ``none``, ``causal``, ``padding``, ``cells``.
    normalizer
        Ids ``softmax``, ``sparsemax``, ``entmax15``, ``hardmax``.
    scale
        The factor in force.
    scale_is_own
        True when the user set the factor, False when it is the score function's.
    scale_note
        What the factor is: ``"1 / √2"``; empty when there is nothing to add.
    temperature
        τ of softmax; None for the other normalisers, which have none.
    padded
        Keys that count as padding; empty with another mask.
    model_terms
        Soft cap, position bias and sink as the model gave them, a line each; empty without any.
    has_projections
        W_Q and W_K exist: random projections and tying are possible.
    projections_tied
        W_K equals W_Q.
    moved_by_hand
        Some q or k was moved by hand and can be put back.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    is_self_attention: bool
    tokens_lit: bool
    tables: tuple[TableContent, ...]
    score: ChoiceContent
    mask: ChoiceContent
    normalizer: ChoiceContent
    scale: float
    scale_is_own: bool
    scale_note: str
    temperature: float | None
    padded: frozenset[int]
    model_terms: tuple[str, ...]
    has_projections: bool
    projections_tied: bool
    moved_by_hand: bool


def present_inspector(snapshot: Snapshot) -> InspectorContent:
    """Return the document as tables and choices."""
    document, trace = snapshot.document, snapshot.trace
    options, inputs = document.options, document.inputs
    lit = lit_parts(snapshot.focus.step)
    is_tied = isinstance(inputs, ProjectedInputs) and inputs.W_Q.tolist() == inputs.W_K.tolist()
    return InspectorContent(
        queries=document.queries,
        keys=document.keys,
        query_labels=visible_tokens(document.queries),
        key_labels=visible_tokens(document.keys),
        is_self_attention=document.is_self_attention,
        tokens_lit="tokens" in lit,
        tables=tuple(_table(snapshot, matrix, lit) for matrix in editable_matrices(inputs)),
        score=score_choice(document),
        mask=mask_choice(options.mask),
        normalizer=normalizer_choice(options.normalizer),
        scale=trace.scale,
        scale_is_own=options.scale is not None,
        scale_note=scale_note(document),
        temperature=options.normalizer.temperature if isinstance(options.normalizer, Softmax) else None,
        padded=options.mask.padded if isinstance(options.mask, PaddingMask) else frozenset(),
        model_terms=terms_of_model(trace),
        has_projections=isinstance(inputs, ProjectedInputs),
        projections_tied=is_tied,
        moved_by_hand=bool(moved_rows(snapshot, Role.QUERY) or moved_rows(snapshot, Role.KEY)),
    )


def _table(snapshot: Snapshot, matrix: EditableMatrix, lit: frozenset[str]) -> TableContent:
    document = snapshot.document
    values = _values(snapshot, matrix)
    rows, columns = values.shape
    is_of_tokens = matrix is EditableMatrix.X and document.is_self_attention  # of queries and keys alike
    row_role = None if is_of_tokens else _ROW_ROLES.get(matrix)
    column_role = Role.KEY if matrix is EditableMatrix.SCORES else None
    is_moved = matrix in (EditableMatrix.Q, EditableMatrix.K) and row_role is not None
    return TableContent(
        matrix=matrix,
        title=_title(document, matrix),
        shape=shape_words(values.shape),
        row_labels=_row_labels(document, matrix, rows),
        column_labels=position_labels(columns) if column_role is None else visible_tokens(document.keys),
        row_role=row_role,
        column_role=column_role,
        values=values,
        tone=_TONES.get(matrix, "plain"),
        moved=moved_rows(snapshot, row_role) if is_moved and row_role is not None else frozenset(),
        lit=("x" if matrix is EditableMatrix.X_K else matrix.value) in lit,
    )


def _row_labels(document: Document, matrix: EditableMatrix, rows: int) -> tuple[str, ...]:
    role = _ROW_ROLES.get(matrix)
    return position_labels(rows) if role is None else visible_tokens(document.labels(role))


def _values(snapshot: Snapshot, matrix: EditableMatrix) -> NDArray[np.float64]:
    trace = snapshot.trace
    # the trace has Q and K already; asking the document would project once more
    stage = {EditableMatrix.Q: trace.Q, EditableMatrix.K: trace.K}.get(matrix)
    tensor = editable_matrix(snapshot.document.inputs, matrix) if stage is None else stage
    values: NDArray[np.float64] = tensor.numpy().copy()
    values.flags.writeable = False
    return values


_ROW_ROLES = {
    EditableMatrix.X: Role.QUERY,
    EditableMatrix.X_K: Role.KEY,
    EditableMatrix.Q: Role.QUERY,
    EditableMatrix.K: Role.KEY,
    EditableMatrix.V: Role.KEY,
    EditableMatrix.SCORES: Role.QUERY,
}

_TONES: dict[EditableMatrix, Tone] = {
    EditableMatrix.X: "embedding",
    EditableMatrix.X_K: "embedding",
    EditableMatrix.W_Q: "query",
    EditableMatrix.Q: "query",
    EditableMatrix.W_K: "key",
    EditableMatrix.K: "key",
}


def _title(document: Document, matrix: EditableMatrix) -> str:
    inputs, is_self = document.inputs, document.is_self_attention
    match matrix, inputs:
        case EditableMatrix.X, _:
            return _("X embeddings") if is_self else _("X_q embeddings of the queries")
        case EditableMatrix.X_K, _:
            return _("X_k embeddings of the keys")
        case EditableMatrix.Q, ProjectedInputs():
            return ("Q = X W_Q" if is_self else "Q = X_q W_Q") + _offset(inputs.query_offsets)
        case EditableMatrix.K, ProjectedInputs():
            return ("K = X W_K" if is_self else "K = X_k W_K") + _offset(inputs.key_offsets)
        case EditableMatrix.SCORES, _:
            return _("scores")
        case _:
            return matrix.name


def _offset(offsets: object | None) -> str:
    return "" if offsets is None else " + δ"
