"""The cell under the pointer, or the pinned one, in words and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qkviz.attention.inputs import GivenScores
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.score_functions import Cosine, Dot, NegativeHalfSquaredDistance, ScaledDot
from qkviz.document.document import Role
from qkviz.document.focus import Cell
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, cell_kinds, cell_text, full_cell_text
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.readout import Readout, readout
from qkviz.presenters.relations import OF_KEYS, RELATIONS
from qkviz.presenters.words import named_token, visible_token
from qkviz.translate import _


@dataclass(frozen=True, slots=True)
class CellDetails:
    """One cell for a tool-tip.

    Attributes
    ----------
    title
        Which cell: ``query 3 “bank” → key 1 “river”``.
    readouts
        Its numbers, rounded and exact; words where there is no number.
    """

    title: str
    readouts: tuple[Readout, ...]


def present_hover(snapshot: Snapshot, longest_label: int | None = None) -> str:
    """Return the sentence of the hovered cell, else of the pinned one, else nothing.

    ``query 3 “bank” → key 1 “river” · q·k 4.21 · scaled 1.49 · weight 0.31``

    Parameters
    ----------
    snapshot
        Its focus says which cell.
    longest_label
        Labels of more characters are cut to so many, the ``…`` included; None leaves them whole.
    """
    details = present_cell_details(snapshot, longest_label)
    if details is None:
        return ""
    return " · ".join((details.title, *(f"{part.name} {part.text}" for part in details.readouts)))


def present_cell_details(snapshot: Snapshot, longest_label: int | None = None) -> CellDetails | None:
    """Return the hovered cell, else the pinned one, with every digit; None when there is neither.

    ``longest_label`` as in `present_hover`.
    """
    cell = spoken_of_cell(snapshot)
    if cell is None:
        return None
    if cell.matrix in RELATIONS:
        stages = _stages(snapshot)
        names = stages if cell.matrix in (*stages, MatrixName.MASKED) else (cell.matrix, *stages)
        readouts = tuple(_readout(snapshot, name, cell) for name in names) + _sink(snapshot, cell.row)
    else:
        readouts = (_readout(snapshot, cell.matrix, cell),)
    return CellDetails(_title(snapshot, cell, longest_label), readouts)


def _stages(snapshot: Snapshot) -> tuple[MatrixName, ...]:
    """Return the stages from score to weight that the document has."""
    options = snapshot.trace.options
    capped = () if options.soft_cap is None else (MatrixName.CAPPED,)
    biased = () if options.bias is None else (MatrixName.BIAS,)
    return (MatrixName.SCORES, MatrixName.SCALED, *capped, *biased, MatrixName.WEIGHTS)


def _sink(snapshot: Snapshot, query: int) -> tuple[Readout, ...]:
    """Return what of the row goes to the sink, where there is one."""
    taken = snapshot.trace.sink_weights
    return () if taken is None else (readout(_("sink"), float(taken[query])),)


def spoken_of_cell(snapshot: Snapshot) -> Cell | None:
    """Return the hovered cell, else the pinned cell as one of the scores."""
    focus = snapshot.focus
    if focus.hover is not None:
        return focus.hover
    return None if focus.pair is None else Cell(MatrixName.SCORES, *focus.pair)


def score_name(snapshot: Snapshot) -> str:
    """Return the short name of a raw score: ``q·k`` for dot products."""
    if isinstance(snapshot.trace.inputs, GivenScores):
        return _("score")
    match snapshot.trace.options.score:
        case Dot() | ScaledDot():
            return "q·k"
        case Cosine():
            return "cos θ"
        case NegativeHalfSquaredDistance():
            return "−½‖q−k‖²"
        case _:
            return _("score")


def _title(snapshot: Snapshot, cell: Cell, longest: int | None) -> str:
    document = snapshot.document
    if cell.matrix in RELATIONS:
        query = _named(Role.QUERY, document.queries[cell.row], cell.row, longest)
        return f"{query} → {_named(Role.KEY, document.keys[cell.column], cell.column, longest)}"
    if cell.matrix is MatrixName.BILINEAR:
        return _("dimension {row} → dimension {column}", row=cell.row + 1, column=cell.column + 1)
    role = Role.KEY if cell.matrix in OF_KEYS else Role.QUERY
    return _(
        "{token} · dimension {number}",
        token=_named(role, document.labels(role)[cell.row], cell.row, longest),
        number=cell.column + 1,
    )


def _named(role: Role, text: str, index: int, longest: int | None) -> str:
    """Return ``query 3 “bank”`` with the label cut to ``longest`` characters as they are shown."""
    shown = visible_token(text, index)
    if longest is None or len(shown) <= longest:
        return named_token(role, text, index)
    return named_token(role, shown[: longest - 1].rstrip() + "…", index)


def _readout(snapshot: Snapshot, name: MatrixName, cell: Cell) -> Readout:
    value = float(matrix_of(snapshot.trace, name)[cell.row, cell.column])
    kind = _kind_of(snapshot, name, cell, value)
    return Readout(_name(snapshot, name), cell_text(kind, value), full_cell_text(kind, value))


def _kind_of(snapshot: Snapshot, name: MatrixName, cell: Cell, value: float) -> int:
    can_be_special = name in (MatrixName.WEIGHTS, MatrixName.OUTPUT) or not math.isfinite(value)
    return int(cell_kinds(snapshot.trace, name)[cell.row, cell.column]) if can_be_special else CellKind.VALUE


def _name(snapshot: Snapshot, name: MatrixName) -> str:
    match name:
        case MatrixName.SCORES:
            return score_name(snapshot)
        case MatrixName.SCALED:
            return _("scaled")
        case MatrixName.CAPPED:
            return _("capped")
        case MatrixName.WEIGHTS:
            return _("weight")
        case MatrixName.XXT:
            return "x·x"
        case _:
            return matrix_title(snapshot, name)
