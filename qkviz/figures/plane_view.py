"""Which part of the plane is in sight, and where its grid lines lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF

CLOSEST, WIDEST = 1e-9, 1e7
"""Limits of the units that a pixel may stand for."""

FITTED_SHARE = 0.74
"""Part of half the shorter side that the longest coordinate takes when fitted; the rest is for labels."""

LEAST_GRID = 46.0
"""Least distance of two grid lines, in pixels."""


@dataclass(frozen=True, slots=True)
class PlaneView:
    """A window on the plane with equal scale on both axes.

    Attributes
    ----------
    center_x, center_y
        The point in the middle of the picture.
    units_per_pixel
        More than 0.
    """

    center_x: float
    center_y: float
    units_per_pixel: float

    @classmethod
    def fitted(cls, reach: float, rect: QRectF) -> PlaneView:
        """Return the view around the origin in which coordinates up to ``reach`` lie inside ``rect``."""
        half = max(1.0, min(rect.width(), rect.height()) / 2)
        return cls(0.0, 0.0, _limited(reach / (FITTED_SHARE * half)))

    def zoomed(self, factor: float, x: float, y: float) -> PlaneView:
        """Return the view ``factor`` times as close, with the point (x, y) staying where it is."""
        units = _limited(self.units_per_pixel / factor)
        kept = units / self.units_per_pixel
        return PlaneView(x - (x - self.center_x) * kept, y - (y - self.center_y) * kept, units)

    def panned(self, right: float, down: float) -> PlaneView:
        """Return the view after its picture was dragged by so many pixels."""
        return replace(
            self,
            center_x=self.center_x - right * self.units_per_pixel,
            center_y=self.center_y + down * self.units_per_pixel,
        )

    @property
    def grid_step(self) -> float:
        """Distance of two grid lines: 1, 2 or 5 times a power of ten."""
        least = LEAST_GRID * self.units_per_pixel
        power = 10.0 ** math.floor(math.log10(least))
        return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def _limited(units_per_pixel: float) -> float:
    return min(max(units_per_pixel, CLOSEST), WIDEST)


def tick_decimals(step: float) -> int:
    """Return how many decimals tell the multiples of a grid step apart."""
    return max(0, -math.floor(math.log10(step) + 1e-9))
