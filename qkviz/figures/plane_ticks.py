"""The numbers along the axes of the plane: which ones, and where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from qkviz.figures.box_overlap import Box, Boxes, box_array, covers, touching
from qkviz.figures.fonts import Face, line_height, one_line, shortened, text_width
from qkviz.figures.plane_view import PlaneView, tick_decimals
from qkviz.presenters.number_format import format_number

FRAME_GAP = 7.0
"""From the edge of the plane: 4 pixels within the frame of a lit plane."""

GONE, BACK = 1.0, 8.0
"""Pixels up to which a number or name counts as covered: one in sight, one that would come back."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number or a name beside an axis: its text and its place as left, top, right, bottom."""

    text: str
    box: Box


def grid_multiples(plane: QRectF, view: PlaneView, origin: QPointF) -> tuple[range, range]:
    """Return which multiples of the grid step are in sight, across and up."""
    step = view.grid_step / view.units_per_pixel
    return (
        range(
            math.ceil((plane.left() - origin.x()) / step), math.floor((plane.right() - origin.x()) / step) + 1
        ),
        range(
            math.ceil((origin.y() - plane.bottom()) / step), math.floor((origin.y() - plane.top()) / step) + 1
        ),
    )


def ticks_of(plane: QRectF, view: PlaneView, origin: QPointF, face: Face) -> tuple[Tick, ...]:
    """Return the numbers along both axes; along the nearest edge for an axis out of sight."""
    across, up = grid_multiples(plane, view, origin)
    decimals, height = tick_decimals(view.grid_step), line_height(face)
    pixels = view.grid_step / view.units_per_pixel
    texts = {k: format_number(k * view.grid_step, decimals) for k in {*across, *up} if k}
    widths = {k: text_width(text, face) for k, text in texts.items()}
    widest = max((widths[k] for k in across if k), default=0.0)
    stride = max(1, math.ceil((widest + 8.0) / pixels))
    top = min(max(origin.y() + 3.0, plane.top() + FRAME_GAP), plane.bottom() - FRAME_GAP - height)
    ticks: list[Tick] = []
    for k in across:
        if k and k % stride == 0:
            left = origin.x() + k * pixels - widths[k] / 2
            if plane.left() + FRAME_GAP <= left and left + widths[k] <= plane.right() - FRAME_GAP:
                ticks.append(Tick(texts[k], (left, top, left + widths[k], top + height)))
    for k in up:
        middle = origin.y() - k * pixels
        if k and plane.top() + FRAME_GAP + height / 2 <= middle <= plane.bottom() - FRAME_GAP - height / 2:
            right = min(
                max(origin.x() - 5.0, plane.left() + FRAME_GAP + widths[k]), plane.right() - FRAME_GAP
            )
            ticks.append(Tick(texts[k], (right - widths[k], middle - height / 2, right, middle + height / 2)))
    return tuple(ticks)


def uncovered(ticks: Sequence[Tick], taken: Boxes, shown: Sequence[Tick] | None) -> tuple[Tick, ...]:
    """Return the ticks that nothing in ``taken`` covers.

    ``shown`` are those of the frame before, if there is one: a hidden one comes back only when it is well
    clear again, so that it does not flicker.
    """
    if not ticks:
        return ()
    kept = ticks if shown is None else shown
    margins = np.array([[GONE if tick in kept else BACK] for tick in ticks])
    wide = box_array([tick.box for tick in ticks]) + margins * (-1, -1, 1, 1)
    clear = ~touching(wide, box_array(taken)).any(axis=1)
    return tuple(ticks[number] for number in np.flatnonzero(clear).tolist())


def name_places(
    plane: QRectF, origin: QPointF, names: tuple[str, str], face: Face, tick: float
) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
    """Return for both axes the places of the name, the most wanted first; none for an axis out of sight.

    At the positive end, on either side of the axis, then at the negative end. ``tick`` is the height of the
    numbers, which stand below the horizontal axis and left of the vertical one.
    """
    across, up = (shortened(one_line(name), face, plane.width() / 2) for name in names)
    height = line_height(face)
    along: list[Tick] = []
    if across and plane.top() + 2 * height < origin.y() < plane.bottom():
        width = text_width(across, face)
        right, left = plane.right() - FRAME_GAP, plane.left() + FRAME_GAP
        above, below = origin.y() - 3.0, origin.y() + tick + 5.0 + height
        along = [
            Tick(across, (start, bottom - height, start + width, bottom))
            for start in (right - width, left)
            for bottom in (above, below)
            if bottom <= plane.bottom() - FRAME_GAP
        ]
    upward: list[Tick] = []
    width = text_width(up, face)
    if up and plane.left() < origin.x() < plane.right() - width - FRAME_GAP:
        upward = [
            Tick(up, (start, top, start + width, top + height))
            for top in (plane.top() + FRAME_GAP, plane.bottom() - FRAME_GAP - height)
            for start in (origin.x() + 7.0, origin.x() - 7.0 - width)
            if start >= plane.left() + FRAME_GAP
        ]
    return tuple(along), tuple(upward)


def clear_name(
    places: Sequence[Tick],
    taken: Boxes,
    lines: Boxes,
    thin_lines: Boxes,
    shown: Sequence[Tick] | None,
) -> Tick | None:
    """Return the first place of an axis name that nothing covers, if need be one under a thin line.

    It leaves the place of the frame before (one of ``shown``) only when that is covered or a more wanted one
    is well clear.
    """
    strong = box_array(lines)
    for avoided in (np.concatenate([strong, box_array(thin_lines)]), strong):
        for place in places:
            margin = GONE if shown is None or place in shown else BACK
            if not covers(place.box, margin, taken, avoided):
                return place
    return None
