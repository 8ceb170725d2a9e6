"""Which labels of an axis are shown, how wide, and whether they stand upright or lie on their side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qkviz.figures.fonts import Face, line_height, shortened, text_width

GAP = 6.0
"""Least distance between two labels, in pixels."""

WIDE_CELL = 66.0
"""Cells from this width on keep their labels upright, shortened if need be."""


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """How the labels of one axis are drawn.

    Attributes
    ----------
    turned
        Read from below upwards; column labels only.
    stride
        Every how many-th label is drawn.
    extent
        Room across the axis, in pixels: width of row labels, height of column labels.
    longest
        Width to which a label is shortened.
    """

    turned: bool
    stride: int
    extent: float
    longest: float


def widest(labels: Iterable[str], face: Face) -> float:
    """Return the width of the widest label, 0 for none."""
    return max((text_width(label, face) for label in labels), default=0.0)


def plan_rows(labels: Sequence[str], face: Face, pitch: float, room: float) -> LabelPlan:
    """Return the plan of row labels: always upright, at most ``room`` wide, thinned when rows are low."""
    longest = min(widest(labels, face), room)
    return LabelPlan(False, max(1, math.ceil(line_height(face) / pitch)), longest, longest)


def plan_columns(labels: Sequence[str], face: Face, pitch: float, room: float) -> LabelPlan:
    """Return the plan of column labels for columns ``pitch`` wide and ``room`` pixels below them."""
    width, height = widest(labels, face), line_height(face)
    if width + GAP <= pitch or pitch >= WIDE_CELL:
        return LabelPlan(False, 1, height, min(width, pitch - GAP))
    upright, turned = math.ceil((width + GAP) / pitch), math.ceil(height / pitch)
    if upright <= 1.5 * turned:
        return LabelPlan(False, upright, height, width)
    longest = min(width, room)
    return LabelPlan(True, turned, longest, longest)


def shown_positions(
    first: float, count: float, total: int, stride: int, wanted: Iterable[int]
) -> tuple[int, ...]:
    """Return the positions whose labels are drawn, in order.

    Parameters
    ----------
    first, count
        The part of the axis in sight, in cells; a label is drawn where the middle of its cell is in sight.
    total
        Cells of the axis.
    stride
        Every how many-th; counted from 0, so that labels stay the same while the view moves.
    wanted
        Positions that are drawn in any case; their neighbours step back.
    """
    low, high = max(0, math.ceil(first - 0.5)), min(total - 1, math.floor(first + count - 0.5))
    forced = [position for position in dict.fromkeys(wanted) if low <= position <= high]
    kept: list[int] = []
    for position in forced:
        if all(abs(position - other) >= stride for other in kept):
            kept.append(position)
    forced = list(kept)
    regular = range(-(-low // stride) * stride, high + 1, stride)
    kept.extend(at for at in regular if all(abs(at - other) >= stride for other in forced))
    return tuple(sorted(kept))


def fitted(label: str, face: Face, plan: LabelPlan) -> str:
    """Return a label shortened to its plan."""
    return shortened(label, face, plan.longest + 0.5)
