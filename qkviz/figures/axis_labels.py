"""Which labels of an axis are shown, how wide, and whether they stand upright or lie on their side.

The plans are kept: a drag lays the same labels out for every frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
        Into how many lines a long label may be broken; 2 for large cells only.
    """

    turned: bool
    stride: int
    extent: float
    longest: float
    lines: int = 1


def widest(labels: Iterable[str], face: Face) -> float:
    """Return the width of the widest label, 0 for none."""
    return max((text_width(label, face) for label in labels), default=0.0)


@lru_cache(256)
def plan_rows(labels: tuple[str, ...], face: Face, pitch: float, room: float) -> LabelPlan:
    """Return the plan of row labels: always upright, at most ``room`` wide, thinned when rows are low."""
    lines = _lines_in(pitch, face)
    longest = min(_extent(labels, face, room, lines), room)
    return LabelPlan(False, max(1, math.ceil(line_height(face) / pitch)), longest, longest, lines)


def _broken(label: str, face: Face, room: float, lines: int) -> tuple[str, ...]:
    """Return a label in one line, or in two where it is too wide and has a place to break at."""
    if lines == 1 or text_width(label, face) <= room:
        return (label,)
    places = [at for at in range(1, len(label)) if _may_break(label[at - 1], label[at])]
    pairs = [(label[:at].rstrip(), label[at:]) for at in places]
    return min(pairs, key=lambda pair: widest(pair, face), default=(label,))


def _may_break(before: str, after: str) -> bool:
    """Say whether a line may end here: behind a blank, and between two Chinese characters."""
    return before == " " or ("\u3400" <= before <= "\u9fff" and "\u3400" <= after <= "\u9fff")


@lru_cache(256)
def plan_columns(labels: tuple[str, ...], face: Face, pitch: float, room: float) -> LabelPlan:
    """Return the plan of column labels for columns ``pitch`` wide and ``room`` pixels below them."""
    width, height = widest(labels, face), line_height(face)
    if width + GAP <= pitch:
        return LabelPlan(False, 1, height, width)
    if _narrowest(labels, face) + GAP <= pitch or pitch >= WIDE_CELL:
        return LabelPlan(False, 1, height + TIGHT * face.size, pitch - GAP, lines=2)
    upright, turned = math.ceil((width + GAP) / pitch), math.ceil(height / pitch)
    if upright <= 1.5 * turned:
        return LabelPlan(False, upright, height, width)
    lines = _lines_in(pitch, face)
    longest = min(_extent(labels, face, room, lines), room)
    return LabelPlan(True, turned, longest, longest, lines)


def _lines_in(pitch: float, face: Face) -> int:
    """Return how many lines of one label a cell has room for: 1 or 2."""
    return 2 if pitch >= 2 * TIGHT * face.size else 1


def _extent(labels: Sequence[str], face: Face, room: float, lines: int) -> float:
    """Return the width of the widest label, broken where it is wider than ``room``."""
    return max((widest(_broken(label, face, room, lines), face) for label in labels), default=0.0)


def _narrowest(labels: Sequence[str], face: Face) -> float:
    """Return the width of the widest label when each is broken that can be."""
    return _extent(labels, face, 0.0, 2)


@lru_cache(256)
def upright_pitch(labels: tuple[str, ...], face: Face, pitch: float) -> float:
    """Return ``pitch``, or the larger one of few columns at which their labels need not lie on their side."""
    if len(labels) > FEW_COLUMNS:
        return pitch
    needed = _narrowest(labels, face) + GAP
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
