"""The fonts, handles and rooms of the plane's picture."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from qkviz.figures.fonts import REGULAR, SEMIBOLD, Face, line_height
from qkviz.figures.style import FigureStyle
from qkviz.presenters.plane import ArrowContent

READOUT_PADDING = 14.0

NARROW_PLANE = 440.0
"""Width in pixels below which the numbers of the pair take two lines."""

COLUMN = 210.0
"""Width in pixels of headline and numbers beside a plane."""

WORTH = 1.1
"""They go there where that lets the plane show everything larger by this factor."""

CROWD = 200
"""With more arrows the faint ones are dots: so many shafts and rings would be one blot, and slow to paint."""

DOT = 2.5
"""Radius in pixels of such a dot."""

ACTIVE_HANDLE, FAINT_HANDLE, FIXED_HANDLE = 8.5, 6.0, 3.5
"""Radius of a handle in pixels: of the active pair, of the others, of what cannot be dragged."""


@dataclass(frozen=True, slots=True)
class PlaneFaces:
    """The fonts of the plane."""

    active: Face
    faint: Face
    tick: Face
    headline: Face
    readout: Face
    note: Face

    @classmethod
    def of(cls, style: FigureStyle) -> PlaneFaces:
        """Return the fonts in the families of a style."""
        families = style.font_family
        return cls(
            Face(14, SEMIBOLD, families),
            Face(13, REGULAR, families),
            Face(10, REGULAR, families),
            Face(26, SEMIBOLD, families),
            Face(13, REGULAR, families),
            Face(11, REGULAR, families),
        )


def readouts_height(style: FigureStyle, width: float) -> float:
    """Return the height of the headline, the numbers and the note below a plane of this width."""
    faces = PlaneFaces.of(style)
    numbers = readout_lines(width) * line_height(faces.readout)
    return line_height(faces.headline) + numbers + line_height(faces.note) + READOUT_PADDING


def readout_lines(width: float) -> int:
    """Return how many lines are kept for the numbers of the pair: two where one would not hold them."""
    return 2 if width < NARROW_PLANE else 1


def is_beside(rect: QRectF, style: FigureStyle) -> bool:
    """Say whether headline and numbers stand beside the plane: where its room is much wider than high."""
    below = min(rect.width(), rect.height() - readouts_height(style, rect.width()))
    beside = min(rect.width() - COLUMN, rect.height())
    return rect.width() - COLUMN >= rect.height() and beside > WORTH * below


def plane_rect(rect: QRectF, style: FigureStyle) -> QRectF:
    """Return the part of a picture's room that the plane takes; headline and numbers have the rest.

    It does not depend on the content, so that the plane does not move when a pair is chosen.
    """
    if is_beside(rect, style):
        return rect.adjusted(0.0, 0.0, -COLUMN, 0.0)
    return rect.adjusted(0.0, 0.0, 0.0, -min(readouts_height(style, rect.width()), rect.height() / 2))


def is_dot(arrow: ArrowContent, count: int) -> bool:
    """Say whether an arrow, one of ``count``, is painted as a dot; one moved by hand stays an arrow."""
    return count > CROWD and not arrow.active and not arrow.moved


def handle_radius(arrow: ArrowContent) -> float:
    """Return the radius in pixels of the round handle at an arrow's tip."""
    if arrow.role is None:
        return FIXED_HANDLE
    return ACTIVE_HANDLE if arrow.active else FAINT_HANDLE
