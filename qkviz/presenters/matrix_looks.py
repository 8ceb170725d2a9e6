"""How a matrix is drawn where somebody chose it: colours, range, decimals. The screen has one look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from qkviz.attention.matrices import MatrixName
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_maps import DIVERGING, SEQUENTIAL
from qkviz.presenters.color_scales import (
    Bytes,
    ColorScale,
    Floats,
    diverging_scale,
    ranged_scale,
    sequential_scale,
)
from qkviz.presenters.number_format import LARGEST_DECIMALS, full_number
from qkviz.translate import Refusal, _

USUAL_DECIMALS = 2


@dataclass(frozen=True, slots=True)
class MatrixLooks:
    """What can be chosen for the picture of a matrix.

    Attributes
    ----------
    diverging, sequential
        Names of colour maps, for scores and for weights.
    range
        Low and high end of the colours; None for the matrix's own.
    decimals
        Digits after the point of the numbers in the cells.

    Raises
    ------
    Refusal
        If there is no such map, the range is not one, or the decimals are too many.
    """

    diverging: str = DIVERGING[0]
    sequential: str = SEQUENTIAL[0]
    range: tuple[float, float] | None = None
    decimals: int = USUAL_DECIMALS

    def __post_init__(self) -> None:
        for name, names in ((self.diverging, DIVERGING), (self.sequential, SEQUENTIAL)):
            if name not in names:
                raise Refusal(
                    "There is no colour map “{name}” here; there are {names}.",
                    name=name,
                    names=", ".join(names),
                )
        if self.range is not None:
            check_range(*self.range)
        if not 0 <= self.decimals <= LARGEST_DECIMALS:
            raise Refusal(
                "{count} decimals cannot be shown; take a number from 0 to {most}.",
                count=self.decimals,
                most=LARGEST_DECIMALS,
            )

    def scale(self, name: MatrixName, own: ColorScale, values: Floats, kinds: Bytes) -> ColorScale:
        """Return the colours of a matrix; ``own`` is the scale it has on the screen, alone or shared."""
        is_of_weights = name is MatrixName.WEIGHTS
        colors = self.sequential if is_of_weights else self.diverging
        if self.range is not None:
            return ranged_scale("sequential" if is_of_weights else "diverging", *self.range, colors)
        if colors in (DIVERGING[0], SEQUENTIAL[0]):
            return own
        if own.kind != "constant":
            return ranged_scale(own.kind, own.low, own.high, colors)
        shown = values[kinds == CellKind.VALUE]
        return (sequential_scale if is_of_weights else diverging_scale)(shown, colors=colors)

    def note(self, values: Floats, kinds: Bytes) -> str:
        """Return how many cells the range leaves out, empty for none; they have the colours of its ends."""
        if self.range is None:
            return ""
        slack = 1e-9 * (self.range[1] - self.range[0])  # a rounding error is not beyond
        low, high = self.range[0] - slack, self.range[1] + slack
        outside = int(np.count_nonzero((kinds == CellKind.VALUE) & ((values < low) | (values > high))))
        return _("beyond the colours: {count}", count=outside) if outside else ""


USUAL_LOOKS = MatrixLooks()
"""Those of the screen."""


def looks_from_data(data: object) -> MatrixLooks:
    """Return remembered looks; what cannot be read in ``data`` is as usual."""
    looks = USUAL_LOOKS
    if not isinstance(data, Mapping):
        return looks
    known: dict[str, Any] = {name: data[name] for name in ("diverging", "sequential") if name in data}
    if type(data.get("decimals")) is int:
        known["decimals"] = data["decimals"]
    match data.get("range"):
        case (int() | float() as low, int() | float() as high):
            known["range"] = float(low), float(high)
    for name, value in known.items():
        try:
            looks = replace(looks, **{name: value})
        except Refusal:
            continue
    return looks


def looks_to_data(looks: MatrixLooks) -> dict[str, object]:
    """Return ``looks`` as plain JSON."""
    return asdict(looks)


def check_range(low: float, high: float) -> None:
    """Refuse a range whose ends are not finite or not in order.

    Raises
    ------
    Refusal
        Naming both ends.
    """
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise Refusal(
            "The colours cannot go from {low} to {high}; the first number must be below the second.",
            low=full_number(low),
            high=full_number(high),
        )
