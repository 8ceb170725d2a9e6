"""One matrix of the trace as content: cells, kinds, colours, labels, outlines and words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName, available_matrices, matrix_of, reason_of_absence
from qkviz.document.document import Document, Role
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, kinds_of
from qkviz.presenters.color_scales import ColorScale, diverging_scale, sequential_scale
from qkviz.presenters.lit_parts import lit_parts
from qkviz.presenters.matrix_looks import USUAL_DECIMALS, USUAL_LOOKS, MatrixLooks
from qkviz.presenters.matrix_texts import axis_names, matrix_note, matrix_subtitle, matrix_title
from qkviz.presenters.relations import OF_KEYS, RELATIONS
from qkviz.presenters.words import position_labels, visible_tokens


class OutlineKind(Enum):
    """Why a cell has an outline."""

    PINNED = "pinned"
    MIRROR = "mirror"
    """Cell (j, i) of the pinned cell (i, j); self-attention only."""
    HOVER = "hover"
    HOVER_MIRROR = "hover mirror"


@dataclass(frozen=True, slots=True)
class Outline:
    """One outlined cell."""

    row: int
    column: int
    kind: OutlineKind


@dataclass(frozen=True, eq=False, slots=True)
class MatrixContent:
    """Everything a picture of one matrix shows.

    Attributes
    ----------
    name
        Which matrix of the trace.
    title, subtitle
        Formula ("QKᵀ / √dₖ") and what there is to say about it ("dₖ = 2"). The subtitle may be empty.
    row_axis, column_axis
        Names of the axes, translated.
    row_labels, column_labels
        One visible label for every row and column; labels may repeat, the position is what counts.
    row_role, column_role
        Whose colour the labels have; None for neither.
    values
        (rows, columns) float64, read-only, an own copy. Row 0 is on top.
    kinds
        (rows, columns) uint8 of `CellKind`.
    scale
        Colours and the range of the bar.
    outlines
        Outlined cells, the most important last, so that it is painted on top.
    chosen_row
        The row of the chosen query (key in matrices of keys), None when none is chosen.
    lit
        Whether the step in hand speaks of this matrix.
    note
        Counts of the cells that are not numbers, and that shown weights are rounded; may be empty.
    decimals
        Digits after the point of the numbers in the cells, fewer where they do not fit.
    """

    name: MatrixName
    title: str
    subtitle: str
    row_axis: str
    column_axis: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_role: Role | None
    column_role: Role | None
    values: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    scale: ColorScale
    outlines: tuple[Outline, ...]
    chosen_row: int | None
    lit: bool
    note: str
    decimals: int = USUAL_DECIMALS


_COMPARED = RELATIONS - {MatrixName.WEIGHTS}


def present_matrix(
    snapshot: Snapshot, name: MatrixName, scale: ColorScale | None = None, looks: MatrixLooks = USUAL_LOOKS
) -> MatrixContent:
    """Return one matrix as content.

    Parameters
    ----------
    snapshot
        What to show.
    name
        Which matrix.
    scale
        A scale shared with other matrices; None for the matrix's own range.
    looks
        Colours, range and decimals somebody chose; a range of theirs goes before ``scale``.

    Raises
    ------
    Refusal
        If the document has no such matrix, with the reason.
    """
    document = snapshot.document
    values = matrix_of(snapshot.trace, name).numpy().copy()
    kinds = kinds_of(values, snapshot.trace, name)
    values.flags.writeable = kinds.flags.writeable = False
    row_axis, column_axis = axis_names(name, document.is_self_attention)
    row_labels, row_role = _row_labels(document, name, values.shape[0])
    column_labels, column_role = (
        (visible_tokens(document.keys), Role.KEY)
        if name in RELATIONS
        else (position_labels(values.shape[1]), None)
    )
    own = own_scale(name, values, kinds) if scale is None else scale
    notes = looks.note(values, kinds), matrix_note(snapshot, name, values, kinds, looks.decimals)
    return MatrixContent(
        name=name,
        title=matrix_title(snapshot, name),
        subtitle=matrix_subtitle(snapshot, name, values),
        row_axis=row_axis,
        column_axis=column_axis,
        row_labels=row_labels,
        column_labels=column_labels,
        row_role=row_role,
        column_role=column_role,
        values=values,
        kinds=kinds,
        scale=looks.scale(name, own, values, kinds),
        outlines=_outlines(snapshot, name),
        chosen_row=_chosen_row(snapshot, name),
        lit=name.value in lit_parts(snapshot.focus.step),
        note=" · ".join(filter(None, notes)),
        decimals=looks.decimals,
    )


def present_matrices(
    snapshot: Snapshot, locked: bool, looks: MatrixLooks = USUAL_LOOKS
) -> tuple[MatrixContent, ...]:
    """Return the chosen matrices that the document has, in the user's order.

    Parameters
    ----------
    snapshot
        Its focus says which.
    locked
        One range for all signed matrices of queries against keys, so that equal colours mean equal numbers.
    looks
        Colours, range and decimals somebody chose.
    """
    names = _present_names(snapshot)
    shared = _shared_scale(snapshot, names) if locked else None
    return tuple(
        present_matrix(snapshot, name, shared if name in _COMPARED else None, looks) for name in names
    )


def absence_note(snapshot: Snapshot) -> str:
    """Return why chosen matrices are not shown, one sentence each; empty when all are."""
    reasons = (reason_of_absence(snapshot.trace, name) for name in snapshot.focus.matrices)
    return " ".join(dict.fromkeys(str(reason) for reason in reasons if reason is not None))


def own_scale(name: MatrixName, values: NDArray[np.float64], kinds: NDArray[np.uint8]) -> ColorScale:
    """Return the scale of one matrix for itself: from 0 for weights, around 0 for all others."""
    shown = values[kinds == CellKind.VALUE] if kinds.any() else values
    return sequential_scale(shown) if name is MatrixName.WEIGHTS else diverging_scale(shown)


def _present_names(snapshot: Snapshot) -> list[MatrixName]:
    available = available_matrices(snapshot.trace)
    return [name for name in snapshot.focus.matrices if name in available]


def _shared_scale(snapshot: Snapshot, names: list[MatrixName]) -> ColorScale | None:
    compared = [matrix_of(snapshot.trace, name).numpy().ravel() for name in names if name in _COMPARED]
    if len(compared) < 2:
        return None
    return diverging_scale(np.concatenate(compared))


def _row_labels(document: Document, name: MatrixName, rows: int) -> tuple[tuple[str, ...], Role | None]:
    if name in OF_KEYS:
        return visible_tokens(document.keys), Role.KEY
    if name is MatrixName.BILINEAR:
        return position_labels(rows), None
    is_of_tokens = name is MatrixName.X and document.is_self_attention  # of queries and keys alike
    return visible_tokens(document.queries), None if is_of_tokens else Role.QUERY


def _chosen_row(snapshot: Snapshot, name: MatrixName) -> int | None:
    if name is MatrixName.BILINEAR:
        return None
    return snapshot.focus.key if name in OF_KEYS else snapshot.focus.query


def _outlines(snapshot: Snapshot, name: MatrixName) -> tuple[Outline, ...]:
    focus, is_square = snapshot.focus, snapshot.document.is_self_attention
    outlines = []
    hover = focus.hover
    if hover is not None and (hover.matrix is name or (name in RELATIONS and hover.matrix in RELATIONS)):
        if name in RELATIONS and is_square and hover.row != hover.column:
            outlines.append(Outline(hover.column, hover.row, OutlineKind.HOVER_MIRROR))
        outlines.append(Outline(hover.row, hover.column, OutlineKind.HOVER))
    if focus.pair is not None and name in RELATIONS:
        query, key = focus.pair
        if is_square and query != key:
            outlines.append(Outline(key, query, OutlineKind.MIRROR))
        outlines.append(Outline(query, key, OutlineKind.PINNED))
    return tuple(outlines)
