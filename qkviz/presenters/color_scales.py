"""Values to colours: one range, one table of 256 colours, and an index into it for every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qkviz.presenters.color_maps import DIVERGING, SEQUENTIAL, ZERO_INDEX, color_table, frozen

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
ScaleKind = Literal["diverging", "sequential", "constant"]


@dataclass(frozen=True, eq=False, slots=True)
class ColorScale:
    """A range of values and its colours.

    Attributes
    ----------
    kind
        ``"diverging"``: white at 0, both sides equally steep; low = −high unless a range was asked for.
        ``"sequential"``: low = 0 unless a range was asked for. ``"constant"``: low = high, one colour, since
        a range would tell of differences that are not in the data.
    low, high
        The values at the ends of the colour bar, finite.
    table
        (256, 3) uint8, read-only. Of a diverging scale the colours from −limit to limit, the larger
        magnitude of low and high; `bar_indexes` tells which of them a colour bar shows.
    """

    kind: ScaleKind
    low: float
    high: float
    table: Bytes

    def indexes(self, values: Floats, kinds: Bytes) -> Bytes:
        """Return the table index of every cell, (rows, columns) uint8.

        Values outside the range get its ends. A cell whose kind is not VALUE gets the index of zero; the
        painter fills it by its kind.
        """
        if self.kind == "constant":
            return np.full(values.shape, ZERO_INDEX, np.uint8)
        shown = np.where(kinds == 0, values, 0.0)
        if self.kind == "diverging":
            limit = self._limit
            parts = np.divide(shown, limit)  # dividing, since 1 / limit overflows for tiny ranges
            np.clip(parts, self.low / limit, self.high / limit, out=parts)
            return np.rint(parts * 127.0 + ZERO_INDEX).astype(np.uint8)
        parts = np.divide(shown - self.low, self.high - self.low)
        np.clip(parts, 0.0, 1.0, out=parts)
        return np.rint(parts * 255.0).astype(np.uint8)

    @property
    def bar_indexes(self) -> tuple[int, int]:
        """The rows of the table at the lower and the upper end of the colour bar."""
        if self.kind != "diverging":
            return 0, 255
        low, high = (round(end / self._limit * 127.0 + ZERO_INDEX) for end in (self.low, self.high))
        return low, high

    @property
    def zero_place(self) -> float | None:
        """Where 0 is on the bar of a diverging scale, from 0 at its lower end to 1; None elsewhere."""
        if self.kind != "diverging" or not self.low < 0.0 < self.high:
            return None
        return -self.low / self._limit / (self.high / self._limit - self.low / self._limit)

    @property
    def _limit(self) -> float:
        return max(-self.low, self.high)

    def rgb_at(self, value: float) -> tuple[int, int, int]:
        """Return the colour of one finite value."""
        index = int(self.indexes(np.array([[value]]), np.zeros((1, 1), np.uint8))[0, 0])
        red, green, blue = self.table[index].tolist()
        return red, green, blue


def diverging_scale(values: Floats, limit: float | None = None, colors: str = DIVERGING[0]) -> ColorScale:
    """Return the scale of signed values: ±max |v| over all finite ones, white at 0.

    Parameters
    ----------
    values
        Any shape. NaN and infinities take no part.
    limit
        Use ±limit instead, for matrices that are compared on one range.
    colors
        Name of a diverging map.

    Returns
    -------
    ColorScale
        A constant scale when every finite value is the same, or there is none.
    """
    table = color_table(colors)
    if limit is not None and limit > 0:
        return ColorScale("diverging", -limit, limit, table)
    low, high = _finite_range(values)
    if low == high:
        return ColorScale("constant", low, high, _constant_table(_mid_color(low, table)))
    largest = max(-low, high)
    return ColorScale("diverging", -largest, largest, table)


def sequential_scale(values: Floats, high: float | None = None, colors: str = SEQUENTIAL[0]) -> ColorScale:
    """Return the scale of weights: 0 … max over all finite values, or 0 … ``high``.

    A constant scale when every finite value is the same, or there is none. ``colors`` names a sequential map.
    """
    table = color_table(colors)
    if high is not None and high > 0:
        return ColorScale("sequential", 0.0, high, table)
    low, largest = _finite_range(values)
    if low == largest or largest <= 0:
        color = table[ZERO_INDEX] if low > 0 else table[0]
        return ColorScale("constant", low, largest, _constant_table(color))
    return ColorScale("sequential", 0.0, largest, table)


def ranged_scale(kind: ScaleKind, low: float, high: float, colors: str) -> ColorScale:
    """Return the scale of a range that somebody asked for; values beyond it get the colours of its ends.

    A diverging one stays white at 0 and equally steep to both sides, so that a range of −1 … 3 shows only the
    paler blues.

    Raises
    ------
    ValueError
        If the range is not finite, or low is not below high.
    """
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ValueError(f"no range from {low} to {high}")
    return ColorScale(kind, low + 0.0, high + 0.0, color_table(colors))


def diverging_table() -> Bytes:
    """Return the colours of scores on the screen, blue – white – red, (256, 3), white at `ZERO_INDEX`."""
    return color_table(DIVERGING[0])


def sequential_table() -> Bytes:
    """Return the colours of weights on the screen, near-white to deep purple, (256, 3)."""
    return color_table(SEQUENTIAL[0])


def light_text_table(table: Bytes) -> NDArray[np.bool_]:
    """Return for every colour of a (k, 3) table whether white reads better on it than black.

    The better of pure black and pure white has a contrast of at least 4.58 on any colour.
    """
    darkness = relative_luminance(table) + 0.05
    return np.asarray(1.05 / darkness > darkness / 0.05)  # contrast with white > contrast with black


def relative_luminance(table: Bytes) -> Floats:
    """Return the WCAG relative luminance, 0 … 1, of every colour of a (k, 3) table."""
    parts = table.astype(np.float64) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _finite_range(values: Floats) -> tuple[float, float]:
    if not values.size:
        return 0.0, 0.0
    low, high = float(np.min(values)), float(np.max(values))
    if np.isfinite(low) and np.isfinite(high):
        return low + 0.0, high + 0.0  # − 0.0 becomes 0.0
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 0.0
    return float(finite.min()) + 0.0, float(finite.max()) + 0.0


def _mid_color(value: float, table: Bytes) -> Bytes:
    middle = ZERO_INDEX + (value > 0) * 64 - (value < 0) * 64
    return np.asarray(table[middle])


def _constant_table(color: Bytes) -> Bytes:
    return frozen(np.tile(color, (256, 1)))
