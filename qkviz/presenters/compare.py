"""S held against Sᵀ: two matrices, the pinned pair in both directions, and what follows from symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.matrix_changes import Matrix, same_values
from qkviz.attention.measures import antisymmetric_share, largest_asymmetry
from qkviz.document.session import Snapshot
from qkviz.presenters.matrix import MatrixContent, present_matrix
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.measure import NOTHING
from qkviz.presenters.measures import not_square
from qkviz.presenters.mirror import identity_beside, on_one_range, transposed
from qkviz.presenters.number_format import format_number, format_percent
from qkviz.presenters.runs import Line
from qkviz.presenters.symmetry_facts import symmetry_lines
from qkviz.presenters.words import visible_token
from qkviz.translate import Refusal, _

LONGEST_TOKEN = 10
"""Characters of a token in the head of the table."""


class CompareView(StrEnum):
    """What stands side by side."""

    EMBEDDINGS = "embeddings"
    """XXᵀ and QKᵀ, on one range."""
    TRANSPOSE = "transpose"
    """QKᵀ and its transpose."""
    WEIGHTS = "weights"
    """The weights and their transpose."""
    BETWEEN = "between"
    """What stands between X and Xᵀ: nothing but I in XXᵀ, and W_Q W_Kᵀ in QKᵀ."""


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One matrix in the table of numbers: its name, and five texts under `CompareContent.heads`."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class CompareContent:
    """Everything the panel shows.

    Attributes
    ----------
    pictures
        Two matrices side by side; none when the document has not got them.
    mirrored
        Whether rows of the right picture are columns of the left.
    heads, rows
        A table: there, back, difference, largest asymmetry, antisymmetric share.
    lines
        What follows, in sentences.
    reason
        Why there is nothing to compare; empty otherwise.
    tie_reason, draw_reason
        Why the projections cannot be tied or drawn; empty when they can.
    """

    pictures: tuple[MatrixContent, ...]
    mirrored: bool
    heads: tuple[str, ...]
    rows: tuple[CompareRow, ...]
    lines: tuple[Line, ...]
    reason: str
    tie_reason: str
    draw_reason: str


def present_compare(snapshot: Snapshot, view: CompareView) -> CompareContent:
    """Return one of the comparisons; what the document cannot show is said in words."""
    inputs = snapshot.document.inputs
    missing = "" if isinstance(inputs, ProjectedInputs) else _("This document has no W_Q and W_K.")
    tied = ""
    if isinstance(inputs, ProjectedInputs) and same_values(inputs.W_Q, inputs.W_K):
        tied = _("W_K equals W_Q already.")
    reason, pictures = _pictures(snapshot, view)
    comparable = not reason and not not_square(snapshot)
    return CompareContent(
        pictures=pictures,
        mirrored=view in (CompareView.TRANSPOSE, CompareView.WEIGHTS),
        heads=_heads(snapshot) if comparable else (),
        rows=tuple(_row(snapshot, name) for name in _named(view)) if comparable else (),
        lines=symmetry_lines(snapshot, view.value) if comparable else (),
        reason=reason or not_square(snapshot),
        tie_reason=missing or tied,
        draw_reason=missing,
    )


def _pictures(snapshot: Snapshot, view: CompareView) -> tuple[str, tuple[MatrixContent, ...]]:
    try:
        match view:
            case CompareView.EMBEDDINGS:
                return "", on_one_range(snapshot, MatrixName.XXT, MatrixName.SCORES)
            case CompareView.TRANSPOSE | CompareView.WEIGHTS:
                name = MatrixName.WEIGHTS if view is CompareView.WEIGHTS else MatrixName.SCORES
                content = present_matrix(snapshot, name)
                return "", (content, transposed(content))
            case CompareView.BETWEEN:
                between = present_matrix(snapshot, MatrixName.BILINEAR)
                square = between.values.shape[0] == between.values.shape[1]
                return "", identity_beside(between) if square else (between,)
    except Refusal as refusal:
        return str(refusal), ()


def _named(view: CompareView) -> tuple[MatrixName, ...]:
    match view:
        case CompareView.EMBEDDINGS | CompareView.BETWEEN:
            return MatrixName.XXT, MatrixName.SCORES
        case CompareView.TRANSPOSE:
            return (MatrixName.SCORES,)
        case CompareView.WEIGHTS:
            return MatrixName.SCORES, MatrixName.WEIGHTS


def _heads(snapshot: Snapshot) -> tuple[str, ...]:
    there, back = _("(i, j)"), _("(j, i)")
    if snapshot.focus.pair is not None:
        query, key = snapshot.focus.pair
        labels = snapshot.document.queries, snapshot.document.keys
        there = f"{_short(labels[0][query], query)} → {_short(labels[1][key], key)}"
        back = f"{_short(labels[0][key], key)} → {_short(labels[1][query], query)}"
    return there, back, _("difference"), "max |S − Sᵀ|", _("antisymmetric share")


def _row(snapshot: Snapshot, name: MatrixName) -> CompareRow:
    matrix = matrix_of(snapshot.trace, name)
    asymmetry, share = largest_asymmetry(matrix), antisymmetric_share(matrix)
    pair = (
        (NOTHING, NOTHING, NOTHING)
        if snapshot.focus.pair is None
        else _both_ways(matrix, *snapshot.focus.pair)
    )
    return CompareRow(
        matrix_title(snapshot, name),
        (
            *pair,
            NOTHING if asymmetry is None else format_number(asymmetry),
            NOTHING if share is None else format_percent(share),
        ),
    )


def _both_ways(matrix: Matrix, row: int, column: int) -> tuple[str, str, str]:
    there, back = float(matrix[row, column]), float(matrix[column, row])
    return format_number(there), format_number(back), format_number(there - back)


def _short(text: str, index: int) -> str:
    shown = visible_token(text, index)
    return shown if len(shown) <= LONGEST_TOKEN else f"{shown[: LONGEST_TOKEN - 1]}…"
