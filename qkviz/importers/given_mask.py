"""A mask of a file, whatever its convention, as one of the masks of a document."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask
from qkviz.importers.found import Values
from qkviz.translate import Refusal

_VERY_NEGATIVE = -1e3
"""What is added to a score to forbid it: models use −∞, −10⁴, −10⁹ or the least float."""


def mask_of(values: Values, name: str, m: int, n: int, one_allows: bool) -> Mask:
    """Return the mask that ``values`` mean for m queries and n keys.

    Parameters
    ----------
    values
        (m, n), or (n,) for keys that nobody may look at. Truth values or 0 and 1 in the sense of
        ``one_allows``; else numbers to be added to the scores, 0 or very negative.
    name
        For the sentence of a refusal.
    one_allows
        Whether 1 means “may look”.

    Raises
    ------
    Refusal
        If the shape does not fit, or a number is neither; names row and column.
    """
    if values.shape not in ((m, n), (n,), (1, n)):
        raise Refusal(
            "The mask {name} is {shape}, but the scores are {m} × {n}.",
            name=name,
            shape=" × ".join(map(str, values.shape)),
            m=m,
            n=n,
        )
    numbers = values.astype(np.float64)
    forbidden = _forbidden(numbers, name, one_allows)
    if not forbidden.any():
        return NoMask()
    if forbidden.ndim == 1 or (forbidden.shape[0] == 1 and m > 1):
        return PaddingMask(frozenset(np.flatnonzero(forbidden).tolist()))
    if np.array_equal(forbidden, np.triu(np.ones((m, n), dtype=np.bool_), 1)):
        return CausalMask()
    rows, columns = np.nonzero(forbidden)
    return CellMask(frozenset(zip(rows.tolist(), columns.tolist(), strict=True)))


def _forbidden(numbers: NDArray[np.float64], name: str, one_allows: bool) -> NDArray[np.bool_]:
    if np.isin(numbers, (0.0, 1.0)).all():
        return np.equal(numbers, 0.0 if one_allows else 1.0)
    forbidden = numbers <= _VERY_NEGATIVE
    strange = ~forbidden & (numbers != 0.0)
    if strange.any():
        place = tuple(int(index) + 1 for index in np.argwhere(strange)[0])
        raise Refusal(
            "Row {row}, column {column} of the mask {name} is {value}; a mask holds 0 and 1, or 0 and −∞.",
            row=place[0] if len(place) > 1 else 1,
            column=place[-1],
            name=name,
            value=f"{numbers[tuple(at - 1 for at in place)]:.4g}".replace("-", "−"),
        )
    return forbidden
