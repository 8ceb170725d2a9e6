"""Numbers that are hard to write: random bits, and every special value."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qkviz.presenters.cells import CellKind

SPECIAL = [math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, 1e-7, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3]


def hard_numbers(seed: int, columns: int = 10) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return (11, columns) numbers with kinds; special ones in the first row, float32 in the last."""
    generator = np.random.default_rng(seed)
    bits = generator.integers(0, 2**64, (9, columns), np.uint64).view(np.float64)
    singles = generator.integers(0, 2**32, (1, columns), np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):  # signalling NaN become quiet
        values = np.concatenate([np.resize(SPECIAL, (1, columns)), bits, singles.astype(np.float64)])
    values[np.isnan(values)] = math.nan  # one NaN for all: text has no more
    kinds = np.where(np.isnan(values), CellKind.NAN, np.where(np.isinf(values), CellKind.INFINITE, 0))
    return values, kinds.astype(np.uint8)
