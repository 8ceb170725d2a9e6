"""What a cell is when it is not simply a number, and the words for it."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.trace import AttentionTrace
from qkviz.presenters.number_format import format_number, full_number
from qkviz.translate import _

Kinds = NDArray[np.uint8]

_RAW = (MatrixName.SCORES, MatrixName.SCALED, MatrixName.CAPPED)
_PARTS = (MatrixName.SYMMETRIC, MatrixName.ANTISYMMETRIC)


class CellKind(IntEnum):
    """What a cell of a matrix holds. Everything but VALUE looks and reads different from 0."""

    VALUE = 0
    MASKED = 1
    """The mask forbids this key to this query."""
    NAN = 2
    """Not a number came in, or followed from what came in."""
    UNDEFINED = 3
    """The score has no value here: the cosine of a zero vector."""
    NO_KEY = 4
    """Every key is forbidden to this query; the row has no weights."""
    INFINITE = 5
    """±∞ that came in with given scores."""


def kind_name(kind: CellKind) -> str:
    """Return the word for a kind, in the language of the interface."""
    match kind:
        case CellKind.VALUE:
            return _("value")
        case CellKind.MASKED:
            return _("masked")
        case CellKind.NAN:
            return _("not a number")
        case CellKind.UNDEFINED:
            return _("undefined")
        case CellKind.NO_KEY:
            return _("no key allowed")
        case CellKind.INFINITE:
            return _("infinite")


def cell_text(kind: int, value: float) -> str:
    """Return what a cell says in a sentence: its number, or the word for what it is instead."""
    if kind == CellKind.VALUE:
        return format_number(value)
    if kind in (CellKind.INFINITE, CellKind.MASKED) and np.isinf(value):
        return f"{kind_name(CellKind(kind))} ({format_number(value)})"
    return kind_name(CellKind(kind))


def full_cell_text(kind: int, value: float) -> str:
    """Return the same with every digit."""
    return full_number(value) if kind == CellKind.VALUE else cell_text(kind, value)


def cell_kinds(trace: AttentionTrace, name: MatrixName) -> Kinds:
    """Return what each cell of a matrix of the trace holds.

    Returns
    -------
    array
        (rows, columns) uint8 of `CellKind`, new.

    Raises
    ------
    Refusal
        If the document has no such matrix.
    """
    return kinds_of(matrix_of(trace, name).numpy(), trace, name)


def kinds_of(values: NDArray[np.float64], trace: AttentionTrace, name: MatrixName) -> Kinds:
    """Return the same for the values (rows, columns) of that matrix, where they are at hand."""
    kinds = np.zeros(values.shape, np.uint8)
    if name is MatrixName.WEIGHTS:
        if not np.isfinite(trace.masked.numpy()).all():
            _mark_weights(kinds, trace)
        return kinds
    if name is MatrixName.OUTPUT:
        kinds[trace.no_key.numpy()] = CellKind.NO_KEY
    if np.isfinite(values).all():
        return kinds
    kinds[np.isinf(values)] = CellKind.INFINITE
    kinds[np.isnan(values)] = CellKind.NAN
    undefined = trace.undefined.numpy()
    if name in _RAW:
        kinds[undefined] = CellKind.UNDEFINED
    elif name in _PARTS:
        kinds[undefined | undefined.T] = CellKind.UNDEFINED
    elif name is MatrixName.MASKED:
        kinds[undefined] = CellKind.UNDEFINED
        kinds[np.isinf(trace.mask.numpy())] = CellKind.MASKED
    return kinds


def _mark_weights(kinds: Kinds, trace: AttentionTrace) -> None:
    undefined = trace.undefined.numpy()
    kinds[np.isneginf(trace.masked.numpy())] = CellKind.MASKED
    kinds[trace.no_key.numpy()] = CellKind.NO_KEY
    # a query without direction has no weights because every cosine is undefined, not because of a mask
    kinds[undefined & ~np.isinf(trace.mask.numpy())] = CellKind.UNDEFINED
    kinds[np.isnan(trace.weights.numpy())] = CellKind.NAN
