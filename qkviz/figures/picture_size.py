"""How large an exported picture is: pixels, and how many of them an inch has."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.figures.figure import Figure, figure_size
from qkviz.translate import Refusal

SCREEN_DPI = 96.0
"""Pixels of the natural size in an inch; SVG counts alike."""

MM_PER_INCH = 25.4
LARGEST_SIDE, LARGEST_AREA = 30_000, 300_000_000


@dataclass(frozen=True, slots=True)
class PictureSize:
    """A size in pixels at a resolution; together they say the size on paper.

    Raises
    ------
    Refusal
        If there is no pixel, or more than fit into memory.
    """

    width: int
    height: int
    dpi: float = SCREEN_DPI

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not 1.0 <= self.dpi <= 10_000.0:
            raise Refusal(
                "A picture of {width} × {height} pixels at {dpi} dpi cannot be made; all must be positive.",
                width=self.width,
                height=self.height,
                dpi=f"{self.dpi:g}",
            )
        if max(self.width, self.height) > LARGEST_SIDE or self.width * self.height > LARGEST_AREA:
            raise Refusal(
                "A picture of {width} × {height} pixels is too large; a side has at most {side}, "
                "the whole at most {area} million pixels.",
                width=self.width,
                height=self.height,
                side=LARGEST_SIDE,
                area=LARGEST_AREA // 1_000_000,
            )

    @classmethod
    def millimetres(cls, width: float, height: float, dpi: float) -> PictureSize:
        """Return the size of a picture that is so large on paper."""
        return cls(_pixels(width, dpi), _pixels(height, dpi), dpi)

    @classmethod
    def natural(cls, figure: Figure, dpi: float = SCREEN_DPI) -> PictureSize:
        """Return the size at which text is as large on paper as the screen's 96 dpi have it."""
        size = figure_size(figure)
        return cls(round(size.width() * dpi / SCREEN_DPI), round(size.height() * dpi / SCREEN_DPI), dpi)

    @property
    def width_mm(self) -> float:
        """Width on paper."""
        return self.width / self.dpi * MM_PER_INCH

    @property
    def height_mm(self) -> float:
        """Height on paper."""
        return self.height / self.dpi * MM_PER_INCH


def _pixels(millimetres: float, dpi: float) -> int:
    return round(min(max(millimetres / MM_PER_INCH * dpi, 0.0), 1e9))
