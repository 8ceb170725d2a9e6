"""Which labels of an axis are shown, how wide, and whether they stand upright or lie on their side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qkviz.figures.fonts import Face, line_height, shortened, text_width

GAP = 6.0
"""Least distance between two labels, in pixels."""

FEW_COLUMNS, LARGEST_UPRIGHT_PITCH = 6, 90.0
"""Up to so many columns become so wide for the sake of their labels."""

TIGHT = 1.1
"""Distance of the two lines of one label, in parts of the font's size."""

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
    lines
        Into how many lines a long label may be broken; 2 for high rows only.
    """

    turned: bool
    stride: int
    extent: float
    longest: float
    lines: int = 1


def widest(labels: Iterable[str], face: Face) -> float:
    """Return the width of the widest label, 0 for none."""
    return max((text_width(label, face) for label in labels), default=0.0)


def plan_rows(labels: Sequence[str], face: Face, pitch: float, room: float) -> LabelPlan:
    """Return the plan of row labels: always upright, at most ``room`` wide, thinned when rows are low."""
    lines = 2 if pitch >= 2 * TIGHT * face.size else 1
    widths = (widest(_broken(label, face, room, lines), face) for label in labels)
    longest = min(max(widths, default=0.0), room)
    return LabelPlan(False, max(1, math.ceil(line_height(face) / pitch)), longest, longest, lines)


def _broken(label: str, face: Face, room: float, lines: int) -> tuple[str, ...]:
    """Return a label in one line, or in two where it is too wide and has a blank to break at."""
    if lines == 1 or " " not in label or text_width(label, face) <= room:
        return (label,)
    words = label.split(" ")
    pairs = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(pairs, key=lambda pair: widest(pair, face))


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


def upright_pitch(labels: Sequence[str], face: Face, pitch: float) -> float:
    """Return ``pitch``, or the larger one of few columns at which their labels need not lie on their side."""
    if len(labels) > FEW_COLUMNS:
        return pitch
    needed = widest(labels, face) + GAP
    return math.ceil(needed) if pitch < needed <= LARGEST_UPRIGHT_PITCH else pitch


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


def fitted(label: str, face: Face, plan: LabelPlan) -> tuple[str, ...]:
    """Return the one or two lines of a label, shortened to its plan."""
    broken = _broken(label, face, plan.longest + 0.5, plan.lines)
    return tuple(shortened(line, face, plan.longest + 0.5) for line in broken)
