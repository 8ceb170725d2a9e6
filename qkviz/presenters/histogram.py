"""Histograms of several sets of values in the same bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.presenters.number_format import format_limit
from qkviz.presenters.runs import Tone

Floats = NDArray[np.float64]

MOST_BINS = 20
"""Bins are as narrow as a round width allows with at most so many."""

FINEST = 1e-13
"""Width of a bin relative to the largest value, at least: edges are numbers of 15 digits."""


@dataclass(frozen=True, eq=False, slots=True)
class HistogramSeries:
    """One set of values.

    Attributes
    ----------
    name, summary
        What it is ("QKᵀ") and what there is to say about it (mean and variance).
    tone
        Its colour.
    values
        (k,) finite values, read-only.
    counts
        (bins,) how many values lie in each bin.
    """

    name: str
    summary: str
    tone: Tone
    values: Floats
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class HistogramContent:
    """Everything a picture of histograms shows.

    Attributes
    ----------
    edges
        (bins + 1,) rising; the left edge belongs to a bin, the right one only to the last. Empty when there
        is no value at all.
    series
        One or more, in the same bins.
    axis
        What the values are, translated.
    note
        What is left out, or why something is missing; may be empty.
    """

    edges: Floats
    series: tuple[HistogramSeries, ...]
    axis: str
    note: str

    def bin_text(self, at: int) -> str:
        """Return ``0.20 … 0.40`` for a bin."""
        return f"{format_limit(float(self.edges[at]))} … {format_limit(float(self.edges[at + 1]))}"


def common_edges(sets: Sequence[Floats]) -> Floats:
    """Return edges of bins for all values of ``sets``, all finite: whole multiples of 1, 2 or 5 · 10^k.

    Never narrower than what float64 can tell apart at this magnitude. Empty if there is no value.
    """
    filled = [values for values in sets if values.size]
    if not filled:
        return np.zeros(0)
    low, high = min(float(one.min()) for one in filled), max(float(one.max()) for one in filled)
    largest = max(abs(low), abs(high))
    needed = max(high / MOST_BINS - low / MOST_BINS, FINEST * largest, 1e-300)
    if low == high:
        needed = max(largest / 10, 1e-300) if largest else 0.1
    width = _round_up(needed)
    first, last = math.floor(low / width + 1e-9), math.ceil(high / width - 1e-9)
    if last - first > MOST_BINS:  # the ends fall into bins of their own
        width = _round_up(1.01 * width)
        first, last = math.floor(low / width + 1e-9), math.ceil(high / width - 1e-9)
    return np.array([_multiple(at, width) for at in range(first, max(last, first + 1) + 1)])


def counted(values: Floats, edges: Floats) -> NDArray[np.int64]:
    """Return how many of ``values`` lie between neighbouring ``edges`` of `common_edges`, (bins,)."""
    bins = max(len(edges) - 1, 0)
    if not bins or not values.size:
        return np.zeros(bins, np.int64)
    low = edges[0] / 2  # halves: the whole range may overflow
    width = (edges[-1] / 2 - low) / bins
    at = np.floor((values / 2 - low) / width + 1e-9)  # 0.3 / 0.1 is a little less than 3
    return np.bincount(np.clip(at, 0, bins - 1).astype(np.int64), minlength=bins).astype(np.int64)


def finite_values(values: Floats) -> Floats:
    """Return the finite ones as an own, read-only row."""
    kept = values[np.isfinite(values)].ravel().copy()
    kept.flags.writeable = False
    return kept


def _round_up(width: float) -> float:
    """Return the smallest of 1, 2, 5 · 10^k that is not below ``width``."""
    exponent = math.floor(math.log10(width))
    for factor in (1, 2, 5, 10):
        candidate = _multiple(factor, 10.0**exponent)
        if candidate >= width * (1 - 1e-9):
            return candidate
    return 10.0 * 10.0**exponent


def _multiple(factor: int, unit: float) -> float:
    """Return factor · unit as it is written: 3 · 0.1 is 0.3."""
    product = factor * unit
    return float(f"{product:.15g}") if math.isfinite(product) else math.copysign(1.79e308, product)
