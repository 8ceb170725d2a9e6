"""The colour maps on offer: ordered by lightness, told apart by colour-blind eyes too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qkviz.translate import N_

Bytes = NDArray[np.uint8]

ZERO_INDEX = 128
"""Table index of the value 0 on a diverging scale; 1 and 255 are its ends, so that both sides are equal."""


@dataclass(frozen=True, slots=True)
class ColorMap:
    """A row of `COLOR_MAPS`.

    Attributes
    ----------
    name
        What it is called in a file and on a command line.
    label
        English; translated where it is shown.
    kind
        ``"diverging"`` for numbers of both signs, white at 0; ``"sequential"`` for weights.
    source
        Its name in the package ``cmap``.
    first, last
        The part of the source that is used, 0 to 1. ``first`` above ``last`` turns it round.
    """

    name: str
    label: str
    kind: Literal["diverging", "sequential"]
    source: str
    first: float = 0.0
    last: float = 1.0


COLOR_MAPS = (
    ColorMap("red-blue", N_("Blue – white – red"), "diverging", "colorbrewer:RdBu_r", 0.1, 0.9),
    ColorMap("vik", N_("Vik: blue – white – brown"), "diverging", "crameri:vik", 0.08, 0.92),
    ColorMap("purple-orange", N_("Purple – white – orange"), "diverging", "colorbrewer:PuOr_r", 0.08, 0.92),
    ColorMap("broc", N_("Broc: blue – white – olive"), "diverging", "crameri:broc", 0.16, 0.84),
    ColorMap("purples", N_("Purples, light to dark"), "sequential", "colorbrewer:Purples"),
    ColorMap("viridis", N_("Viridis, dark to light"), "sequential", "viridis"),
    ColorMap("cividis", N_("Cividis, dark to light"), "sequential", "cividis"),
    ColorMap("batlow", N_("Batlow, dark to light"), "sequential", "crameri:batlow"),
    ColorMap("greys", N_("Greys, light to dark"), "sequential", "crameri:grayC", 1.0, 0.1),
)
"""The first of each kind is what the screen uses."""

DIVERGING = tuple(row.name for row in COLOR_MAPS if row.kind == "diverging")
SEQUENTIAL = tuple(row.name for row in COLOR_MAPS if row.kind == "sequential")


@cache
def color_table(name: str) -> Bytes:
    """Return the 256 colours of a map from low to high, (256, 3), read-only, the same array every time.

    Raises
    ------
    KeyError
        If no map has this name.
    """
    row = {row.name: row for row in COLOR_MAPS}[name]
    if row.name == DIVERGING[0]:
        return _even_table()
    from cmap import Colormap  # noqa: PLC0415  not needed before the first matrix, so not before first paint

    source = Colormap(row.source)
    if row.kind == "sequential":
        return frozen(255.0 * _colors(source(np.linspace(row.first, row.last, 256))))
    share = ((np.arange(256) - ZERO_INDEX) / 127.0).clip(-1.0, 1.0)
    middle = (row.first + row.last) / 2
    colors = 255.0 * _colors(source(middle + share * (row.last - row.first) / 2))
    # zero is white on every map; what that takes fades out towards the ends
    colors += (255.0 - colors[ZERO_INDEX]) * (1.0 - np.abs(share))[:, None]
    return frozen(colors.clip(0.0, 255.0))


def frozen(colors: NDArray[np.float64] | Bytes) -> Bytes:
    """Return colours from 0 to 255 as a table that nobody can write into."""
    table = np.rint(colors).astype(np.uint8)
    table.flags.writeable = False
    return table


def _colors(found: object) -> NDArray[np.float64]:
    return np.asarray(found, np.float64)[:, :3]


def _even_table() -> Bytes:
    """Return blue – white – red, white at `ZERO_INDEX`, even in sRGB to both ends."""
    from cmap import Colormap  # noqa: PLC0415  as above

    eleven = 255.0 * Colormap("colorbrewer:RdBu_r").lut(11)[:, :3]
    blue, white, red = eleven[1], np.full(3, 255.0), eleven[9]  # the ends proper are nearly black
    share = ((np.arange(256) - ZERO_INDEX) / 127.0).clip(-1.0, 1.0)[:, None]
    return frozen(np.where(share < 0, white + (blue - white) * -share, white + (red - white) * share))
