"""Many cells in one pixel: the largest magnitude is what is shown, so that no peak is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qkviz.presenters.cells import CellKind

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]


def pooled(values: Floats, kinds: Bytes, side: int) -> tuple[Floats, Bytes]:
    """Return blocks of ``side`` × ``side`` cells as one cell each; the last ones may be smaller.

    Parameters
    ----------
    values, kinds
        (rows, columns) of numbers and of `CellKind`.

    Returns
    -------
    values
        (⌈rows/side⌉, ⌈columns/side⌉): the value with the largest magnitude, with its sign.
    kinds
        NAN where the block has a NaN, VALUE where it has a number, else the kind of its cells.
    """
    if side <= 1:
        return values, kinds
    shown = values if not kinds.any() else np.where(kinds == CellKind.VALUE, values, 0.0)
    high, low = _reduced(np.maximum, shown, side), _reduced(np.minimum, shown, side)
    largest = np.where(high >= -low, high, low)
    if not kinds.any():
        return largest, np.zeros(largest.shape, np.uint8)
    has_number = _reduced(np.maximum, (kinds == CellKind.VALUE).astype(np.uint8), side)
    has_nan = _reduced(np.maximum, (kinds == CellKind.NAN).astype(np.uint8), side)
    others = _reduced(np.maximum, kinds, side)
    block_kinds = np.where(has_number == 1, np.uint8(CellKind.VALUE), others)
    return largest, np.where(has_nan == 1, np.uint8(CellKind.NAN), block_kinds)


def _reduced(function: np.ufunc, cells: NDArray[Any], side: int) -> NDArray[Any]:
    """Return the reduction of each block; whole rows first, which is what the processor is fast at."""
    rows = cells[::side].copy()
    for offset in range(1, side):
        others = cells[offset::side]
        function(rows[: len(others)], others, out=rows[: len(others)])
    blocks = rows[:, ::side].copy()
    for offset in range(1, side):
        others = rows[:, offset::side]
        function(blocks[:, : others.shape[1]], others, out=blocks[:, : others.shape[1]])
    return blocks
