"""The vector plane as content: arrows, the geometry of the active pair, and its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.document.document import Role
from qkviz.presenters.readout import Readout

__all__ = ["ArrowContent", "EqualLine", "PairContent", "PlaneContent", "Readout"]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ArrowContent:
    """One vector from the origin.

    Attributes
    ----------
    role
        QUERY or KEY; None for an embedding x, which cannot be dragged.
    index
        Position of its token among its role, from 0.
    label
        ``"q·bank"``.
    x, y
        Where its tip is on the plane.
    active
        Part of the active pair: drawn strong, the others faint.
    moved
        Moved by hand away from what the projection gives.
    """

    role: Role | None
    index: int
    label: str
    x: float
    y: float
    active: bool
    moved: bool


@dataclass(frozen=True, slots=True)
class EqualLine:
    """The line of all q with the same q·k, on the plane: a point of it and its unit direction."""

    point: Point
    direction: Point


@dataclass(frozen=True, slots=True)
class PairContent:
    """The drawn geometry of the active pair.

    Attributes
    ----------
    query, key
        Indexes from 0.
    angle_start, angle_span
        Radians, counter-clockwise from the x axis; the arc from k's direction to q's, |span| ≤ π.
        Span is None where the arc cannot be drawn: a vector is zero on the plane.
    angle_text
        ``"53°"``, or "undefined". With more than two dimensions it is the true angle, not the drawn one.
    foot
        Foot of the perpendicular from q's tip on k's line; None when k is zero.
    equal_line
        None when k is zero on the plane.
    """

    query: int
    key: int
    angle_start: float
    angle_span: float | None
    angle_text: str
    foot: Point | None
    equal_line: EqualLine | None


@dataclass(frozen=True, eq=False, slots=True)
class PlaneContent:
    """Everything the vector plane shows.

    Attributes
    ----------
    arrows
        Faint ones first, the active pair last, so that it is painted on top.
    pair
        None when no pair is active.
    headline
        ``"q·k = 0.83"``; a hint when no pair is active.
    readouts
        θ, ‖q‖, ‖k‖, cos θ, projection of the active pair; empty without one.
    axis_labels
        Of the horizontal and the vertical axis.
    note
        What the plane cannot show by itself: how much of q·k lies in it, zero vectors, vectors moved by hand.
    lit
        Whether the step in hand speaks of the plane.
    reach
        Largest |coordinate| of any tip, > 0; what a view has to reach to show all.
    """

    arrows: tuple[ArrowContent, ...]
    pair: PairContent | None
    headline: str
    readouts: tuple[Readout, ...]
    axis_labels: tuple[str, str]
    note: str
    lit: bool
    reach: float
