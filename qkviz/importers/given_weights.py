"""Weights that somebody else computed, as scores from which softmax makes them again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qkviz.importers.found import Values
from qkviz.translate import Refusal

TOLERANCE = 0.02
"""How far a row may sum from 1: bfloat16 weights of long rows come near to it."""


def scores_of_weights(weights: Values, name: str) -> NDArray[np.float64]:
    """Return ln(weights): softmax with scale 1 gives exp(ln w) / Σ exp(ln w) = w, since Σ w = 1.

    A weight of 0 becomes −∞, a key that is not allowed; a row of zeros is one without any allowed key.

    Raises
    ------
    Refusal
        If a weight is below 0 or no number, or a row sums neither to 1 nor to 0; names row and column.
    """
    numbers = weights.astype(np.float64)
    bad = ~(numbers >= 0) | np.isinf(numbers)
    if bad.any():
        row, column = (int(index) for index in np.argwhere(bad)[0])
        raise Refusal(
            "Row {row}, column {column} of {name} is {value}; weights lie between 0 and 1. "
            "If these are scores, say so.",
            row=row + 1,
            column=column + 1,
            name=name,
            value=f"{numbers[row, column]:.4g}".replace("-", "−"),
        )
    sums = numbers.sum(axis=1)
    wrong = (np.abs(sums - 1) > TOLERANCE) & (sums != 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise Refusal(
            "Row {row} of {name} sums to {sum}; rows of weights sum to 1. If these are scores, say so.",
            row=row + 1,
            name=name,
            sum=f"{sums[row]:.4g}",
        )
    with np.errstate(divide="ignore"):
        return np.log(numbers)
