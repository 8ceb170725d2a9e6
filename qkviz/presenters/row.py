"""The chosen query's row as content: its bars and its largest key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class RowContent:
    """Everything the bar chart of one row shows.

    Attributes
    ----------
    query
        Index of the query, from 0.
    title
        ``query 3 “bank”``.
    key_labels
        One visible label for every key.
    scores, scaled, weights
        (n,) float64; may hold NaN and −∞, see `kinds`.
    kinds
        (n,) uint8 of `CellKind`, those of the weights.
    largest
        Indexes of the keys with the largest weight; several in a tie, none when no key has weight.
    sentence
        Who is looked at most, and the exact sum of the weights.
    """

    query: int
    title: str
    key_labels: tuple[str, ...]
    scores: NDArray[np.float64]
    scaled: NDArray[np.float64]
    weights: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    largest: tuple[int, ...]
    sentence: str
