"""The matrices that the user may type into, and where the inputs keep them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.projections import offsets_to, projected
from qkviz.translate import Phrase, Refusal

LARGEST = 1e6
"""Numbers beyond ± this are refused when typed and clipped when dragged."""


class EditableMatrix(StrEnum):
    """A matrix with cells to type into."""

    X = "x"
    X_K = "x_k"
    W_Q = "w_q"
    W_K = "w_k"
    W_V = "w_v"
    Q = "q"
    K = "k"
    V = "v"
    SCORES = "scores"

    @property
    def shown(self) -> Phrase | str:
        """The name for the screen."""
        match self:
            case EditableMatrix.SCORES:
                return Phrase("scores")
            case EditableMatrix.X_K:
                return "X_k"
            case _:
                return self.name


TOKEN_ROWS = frozenset(
    {EditableMatrix.X, EditableMatrix.X_K, EditableMatrix.Q, EditableMatrix.K, EditableMatrix.V}
)
"""Matrices with one row for each token."""


def editable_matrices(inputs: AttentionInputs) -> tuple[EditableMatrix, ...]:
    """Return the matrices of ``inputs`` that may be typed into, in the order of the computation."""
    names = EditableMatrix
    match inputs:
        case ProjectedInputs():
            keys = () if inputs.is_self_attention else (names.X_K,)
            values = () if inputs.W_V is None else (names.W_V,)
            return (names.X, *keys, names.W_Q, names.W_K, *values, names.Q, names.K)
        case DirectInputs():
            return (names.Q, names.K) if inputs.V is None else (names.Q, names.K, names.V)
        case GivenScores():
            return (names.SCORES,) if inputs.V is None else (names.SCORES, names.V)


def has_free_width(inputs: AttentionInputs, name: EditableMatrix) -> bool:
    """Whether the matrix may have any number of columns, or be missing: values concern the output only."""
    match inputs:
        case ProjectedInputs():
            return name is EditableMatrix.W_V
        case DirectInputs() | GivenScores():
            return name is EditableMatrix.V


def editable_matrix(inputs: AttentionInputs, name: EditableMatrix) -> Matrix:
    """Return the matrix called ``name``. It is shared: do not write into it.

    Raises
    ------
    Refusal
        If the inputs have no such matrix to type into, with the reason.
    """
    if name not in editable_matrices(inputs):
        raise absence(inputs, name)
    found: Matrix | None
    match inputs, name:
        case ProjectedInputs(), EditableMatrix.X:
            found = inputs.X_q
        case ProjectedInputs(), EditableMatrix.X_K:
            found = inputs.X_k
        case ProjectedInputs(), EditableMatrix.Q:
            found = projected(inputs.X_q, inputs.W_Q, inputs.query_offsets)
        case ProjectedInputs(), EditableMatrix.K:
            found = projected(inputs.X_k, inputs.W_K, inputs.key_offsets)
        case _:  # the inputs call it as we do
            found = getattr(inputs, "scores" if name is EditableMatrix.SCORES else name.name)
    assert found is not None  # it is listed above
    return found


def with_matrix(inputs: AttentionInputs, name: EditableMatrix, values: Matrix) -> AttentionInputs:
    """Return ``inputs`` with ``values`` as the matrix called ``name``.

    On projected inputs Q and K are not kept: what is typed there is kept as offsets from X W.

    Parameters
    ----------
    inputs
        Have the matrix, or room for it (W_V, V).
    name
        Which matrix.
    values
        The new matrix, owned by the result.

    Raises
    ------
    Refusal
        If the new shape does not suit the other matrices.
    """
    match inputs, name:
        case ProjectedInputs(), EditableMatrix.X:
            if inputs.is_self_attention:
                return replace(inputs, X_q=values, X_k=values)
            return replace(inputs, X_q=values)
        case ProjectedInputs(), EditableMatrix.X_K:
            return replace(inputs, X_k=values)
        case ProjectedInputs(), EditableMatrix.Q:
            offsets = offsets_to(values, inputs.X_q, inputs.W_Q, inputs.query_offsets)
            return replace(inputs, query_offsets=offsets)
        case ProjectedInputs(), EditableMatrix.K:
            offsets = offsets_to(values, inputs.X_k, inputs.W_K, inputs.key_offsets)
            return replace(inputs, key_offsets=offsets)
        case GivenScores(), EditableMatrix.SCORES:
            return replace(inputs, scores=values)
        case ProjectedInputs(), EditableMatrix.W_Q:
            return replace(inputs, W_Q=values)
        case ProjectedInputs(), EditableMatrix.W_K:
            return replace(inputs, W_K=values)
        case ProjectedInputs(), EditableMatrix.W_V:
            return replace(inputs, W_V=values)
        case DirectInputs(), EditableMatrix.Q:
            return replace(inputs, Q=values)
        case DirectInputs(), EditableMatrix.K:
            return replace(inputs, K=values)
        case ((DirectInputs() | GivenScores()), EditableMatrix.V):
            return replace(inputs, V=values)
    raise absence(inputs, name)


def absence(inputs: AttentionInputs, name: EditableMatrix) -> Refusal:
    """Return the refusal that says why ``inputs`` have no matrix ``name`` to type into, and what to do."""
    match inputs, name:
        case ProjectedInputs(), EditableMatrix.X_K:
            return Refusal("Queries and keys share one X here; change X, and both follow.")
        case ProjectedInputs(), EditableMatrix.V:
            return Refusal("V is computed as X W_V here; change W_V or X instead.")
        case ProjectedInputs(), EditableMatrix.SCORES:
            return Refusal(
                "The scores are computed from Q and K here; change Q, K, X or a projection instead."
            )
        case DirectInputs(), EditableMatrix.SCORES:
            return Refusal("The scores are computed from Q and K here; change Q or K instead.")
        case DirectInputs(), (EditableMatrix.X | EditableMatrix.X_K) if inputs.X_q is not None:
            return Refusal(
                "{matrix} was recorded beside Q and K, which do not follow from it here; "
                "change Q or K instead.",
                matrix=name.shown,
            )
        case DirectInputs(), (
            EditableMatrix.X
            | EditableMatrix.X_K
            | EditableMatrix.W_Q
            | EditableMatrix.W_K
            | EditableMatrix.W_V
        ):
            return Refusal(
                "This document starts at Q and K and has no {matrix}; change Q or K instead.",
                matrix=name.shown,
            )
        case GivenScores(), EditableMatrix.V:
            return Refusal("This document has scores but no V; set a whole V first.")
        case GivenScores(), _:
            return Refusal(
                "This document holds finished scores and has no {matrix}; "
                "open one with queries and keys to change them.",
                matrix=name.shown,
            )
    return Refusal("This document has no {matrix}; set a whole {matrix} first.", matrix=name.shown)


def check_number(value: float, place: Phrase) -> None:
    """Check that a number may be stored.

    Raises
    ------
    Refusal
        If it is not finite or larger than `LARGEST`; the sentence starts with ``place``.
    """
    if not math.isfinite(value):
        raise Refusal("{place} would be {value}; only finite numbers can be used.", place=place, value=value)
    if abs(value) > LARGEST:
        raise Refusal(
            "{place} would be {value}; use a number between −1000000 and 1000000.", place=place, value=value
        )


def check_block(name: EditableMatrix, block: Sequence[Sequence[float]], row: int, column: int) -> None:
    """Check the shape and the numbers of a block that is to stand at (row, column), 0-based, of a matrix.

    Raises
    ------
    Refusal
        If it is empty, ragged (naming the row and both lengths), or holds a number that may not be stored
        (naming the cell).
    """
    if not block or not block[0]:
        raise Refusal("The block for {matrix} is empty; copy at least one cell.", matrix=name.shown)
    width = len(block[0])
    for line, values in enumerate(block):
        if len(values) != width:
            raise Refusal(
                "Row {row} of the block has {count} numbers, but its first row has {width}; "
                "make all rows equally long.",
                row=line + 1,
                count=len(values),
                width=width,
            )
        for offset, value in enumerate(values):
            check_number(value, cell_phrase(name, row + line, column + offset))


def cell_phrase(name: EditableMatrix, row: int, column: int) -> Phrase:
    """Return the words for one cell; ``row`` and ``column`` are 0-based."""
    return Phrase("{matrix}, row {row}, column {column}", matrix=name.shown, row=row + 1, column=column + 1)
