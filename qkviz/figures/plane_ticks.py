"""The numbers along the axes of the plane: which ones, and where."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from qkviz.figures.fonts import Face, line_height, one_line, shortened, text_width
from qkviz.figures.plane_view import PlaneView, tick_decimals
from qkviz.presenters.number_format import format_number

Box = tuple[float, float, float, float]


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
    top = min(max(origin.y() + 3.0, plane.top() + 2.0), plane.bottom() - height)
    ticks: list[Tick] = []
    for k in across:
        if k and k % stride == 0:
            left = origin.x() + k * pixels - widths[k] / 2
            if plane.left() + 2.0 <= left and left + widths[k] <= plane.right() - 2.0:
                ticks.append(Tick(texts[k], (left, top, left + widths[k], top + height)))
    for k in up:
        middle = origin.y() - k * pixels
        if k and plane.top() + height / 2 <= middle <= plane.bottom() - height / 2:
            right = min(max(origin.x() - 5.0, plane.left() + 3.0 + widths[k]), plane.right() - 3.0)
            ticks.append(Tick(texts[k], (right - widths[k], middle - height / 2, right, middle + height / 2)))
    return tuple(ticks)


def axis_names_of(plane: QRectF, origin: QPointF, names: tuple[str, str], face: Face) -> tuple[Tick, ...]:
    """Return the names of the axes at their ends; none for an axis out of sight."""
    across, up = (shortened(one_line(name), face, plane.width() / 2) for name in names)
    height = line_height(face)
    placed: list[Tick] = []
    if across and plane.top() + 2 * height < origin.y() < plane.bottom():
        right, bottom = plane.right() - 4.0, origin.y() - 3.0
        placed.append(Tick(across, (right - text_width(across, face), bottom - height, right, bottom)))
    if up and plane.left() < origin.x() < plane.right() - text_width(up, face) - 9.0:
        left, top = origin.x() + 7.0, plane.top() + 3.0
        placed.append(Tick(up, (left, top, left + text_width(up, face), top + height)))
    return tuple(placed)
