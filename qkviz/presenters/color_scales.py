"""Values to colours: one range, one table of 256 colours, and an index into it for every cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
ScaleKind = Literal["diverging", "sequential", "constant"]

ZERO_INDEX = 128
"""Table index of the value 0 on a diverging scale; 1 and 255 are its ends, so that both sides are equal."""


@dataclass(frozen=True, eq=False, slots=True)
class ColorScale:
    """A range of values and its colours.

    Attributes
    ----------
    kind
        ``"diverging"``: low = −high, white at 0. ``"sequential"``: low = 0, light at 0. ``"constant"``: low =
        high, one colour, since a range would tell of differences that are not in the data.
    low, high
        The values at the ends of the colour bar, finite.
    table
        (256, 3) uint8, read-only, from low to high. A colour bar is this table drawn from its last row down.
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
            parts = np.divide(shown, self.high)  # dividing, since 1 / high overflows for tiny ranges
            np.clip(parts, -1.0, 1.0, out=parts)
            return np.rint(parts * 127.0 + ZERO_INDEX).astype(np.uint8)
        parts = np.divide(shown, self.high)
        np.clip(parts, 0.0, 1.0, out=parts)
        return np.rint(parts * 255.0).astype(np.uint8)

    def rgb_at(self, value: float) -> tuple[int, int, int]:
        """Return the colour of one finite value."""
        index = int(self.indexes(np.array([[value]]), np.zeros((1, 1), np.uint8))[0, 0])
        red, green, blue = self.table[index].tolist()
        return red, green, blue


def diverging_scale(values: Floats, limit: float | None = None) -> ColorScale:
    """Return the scale of signed values: ±max |v| over all finite ones, white at 0.

    Parameters
    ----------
    values
        Any shape. NaN and infinities take no part.
    limit
        Use ±limit instead, for matrices that are compared on one range.

    Returns
    -------
    ColorScale
        A constant scale when every finite value is the same, or there is none.
    """
    if limit is not None and limit > 0:
        return ColorScale("diverging", -limit, limit, diverging_table())
    low, high = _finite_range(values)
    if low == high:
        return ColorScale("constant", low, high, _constant_table(_mid_color(low)))
    largest = max(-low, high)
    return ColorScale("diverging", -largest, largest, diverging_table())


def sequential_scale(values: Floats, high: float | None = None) -> ColorScale:
    """Return the scale of weights: 0 … max over all finite values, or 0 … ``high``.

    A constant scale when every finite value is the same, or there is none.
    """
    if high is not None and high > 0:
        return ColorScale("sequential", 0.0, high, sequential_table())
    low, largest = _finite_range(values)
    if low == largest or largest <= 0:
        color = sequential_table()[ZERO_INDEX] if low > 0 else sequential_table()[0]
        return ColorScale("constant", low, largest, _constant_table(color))
    return ColorScale("sequential", 0.0, largest, sequential_table())


@cache
def diverging_table() -> Bytes:
    """Return blue – white – red, (256, 3), white at `ZERO_INDEX`, even in sRGB to both ends."""
    from cmap import Colormap  # noqa: PLC0415  not needed before the first matrix, so not before first paint

    eleven = 255.0 * Colormap("colorbrewer:RdBu_r").lut(11)[:, :3]
    blue, white, red = eleven[1], np.full(3, 255.0), eleven[9]  # the ends proper are nearly black
    share = ((np.arange(256) - ZERO_INDEX) / 127.0).clip(-1.0, 1.0)[:, None]
    colors = np.where(share < 0, white + (blue - white) * -share, white + (red - white) * share)
    return _frozen(colors)


@cache
def sequential_table() -> Bytes:
    """Return near-white to deep purple, (256, 3)."""
    from cmap import Colormap  # noqa: PLC0415  as above

    return _frozen(255.0 * Colormap("colorbrewer:Purples").lut(256)[:, :3])


def text_is_light(rgb: tuple[int, int, int]) -> bool:
    """Say whether white reads better than black on ``rgb`` (WCAG relative luminance).

    The better of pure black and pure white has a contrast of at least 4.58 on any colour.
    """
    return bool(light_text_table(np.array([rgb], np.uint8))[0])


def light_text_table(table: Bytes) -> NDArray[np.bool_]:
    """Return for every colour of a (k, 3) table whether its text is white."""
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


def _mid_color(value: float) -> Bytes:
    middle = ZERO_INDEX + (value > 0) * 64 - (value < 0) * 64
    return np.asarray(diverging_table()[middle])


def _constant_table(color: Bytes) -> Bytes:
    return _frozen(np.tile(color, (256, 1)))


def _frozen(colors: Floats | Bytes) -> Bytes:
    table = np.rint(colors).astype(np.uint8)
    table.flags.writeable = False
    return table
