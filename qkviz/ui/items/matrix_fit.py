"""Matrices side by side: how many in a line, and what they share so that their cells look alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QRectF

from qkviz.figures.matrix_layout import LARGEST_NUMBER, MatrixLayout
from qkviz.figures.matrix_view import CellView
from qkviz.figures.paint_numbers import number_face
from qkviz.figures.style import FigureStyle
from qkviz.presenters.matrix import MatrixContent

SMALLEST_CANVAS = 120, 110

_LOW = 215
"""Height in pixels below which the names of the axes are left to the colours of labels and to the tips."""

_SMALL_CELL = 8.0
"""Pixels below which the names of the axes may go for larger cells, whatever the height."""

_MANY = 128
"""Matrices of more rows or columns have cells too small to be compared one by one."""

_WORTH_A_SUBTITLE = 2.0
"""Pixels by which cells must grow for the subtitles to go."""

_WORTH_A_LINE = 1.1
"""How many times larger cells must become for canvases that are not as square as they can be."""


class Room(NamedTuple):
    """Width and height of one canvas, its style and the size of a device pixel in it."""

    width: float
    height: float
    style: FigureStyle
    pixel: float


@dataclass(frozen=True, slots=True)
class CellFit:
    """What a canvas has in common with its neighbours.

    Attributes
    ----------
    low
        There is little height: no names of axes, no line kept for a note. None: as its own height says.
    with_subtitle
        False where the cells need its height.
    largest_pitch
        Size of a cell; None leaves it to the canvas.
    largest_number
        Size of the type in cells, 0 for no numbers.
    """

    low: bool | None = None
    with_subtitle: bool = True
    largest_pitch: float | None = None
    largest_number: int = LARGEST_NUMBER


def drawn(content: MatrixContent, room: Room, fit: CellFit) -> MatrixContent:
    """Return what is painted of ``content``: where there is little height the cells get that of words."""
    if not _is_low(room, fit):
        return content
    subtitle = content.subtitle if fit.with_subtitle else ""
    return replace(content, row_axis="", column_axis="", subtitle=subtitle)


def laid_out(content: MatrixContent, room: Room, fit: CellFit, view: CellView | None = None) -> MatrixLayout:
    """Return the places of what is painted of ``content``; a part in sight fills the room as it can."""
    return MatrixLayout(
        drawn(content, room, fit),
        QRectF(0, 0, room.width, room.height),
        room.style,
        view,
        room.pixel,
        largest_pitch=fit.largest_pitch,
        # a line is kept for a note, so that one that comes and goes with a drag does not make the cells jump
        least_notes=0 if _is_low(room, fit) else 1,
        largest_number=fit.largest_number if view is None else LARGEST_NUMBER,
    )


def best_columns(contents: Sequence[MatrixContent], whole: Room, spacing: int) -> tuple[int, CellFit]:
    """Return the number of columns in which the cells are largest, and what words they leave there."""
    number = len(contents)
    rooms = {columns: room_of_one(number, columns, whole, spacing) for columns in range(1, number + 1)}
    side = {columns: min(room.width, room.height) for columns, room in rooms.items()}
    squarest = max(rooms, key=lambda columns: side[columns])
    if _is_large(contents):
        return squarest, CellFit()
    ranked = []
    for columns, room in rooms.items():
        if columns != squarest and side[columns] <= min(SMALLEST_CANVAS):  # they might not all be in sight
            continue
        fit = CellFit(low=room.height < _LOW)
        pitches = _pitches(contents, room, fit)
        if not fit.low and min(pitches) < _SMALL_CELL:
            lower = CellFit(low=True)
            gained = _pitches(contents, room, lower)
            if min(gained) >= min(pitches) + _WORTH_A_SUBTITLE:
                fit, pitches = lower, gained
        if fit.low:
            without = replace(fit, with_subtitle=False)
            gained = _pitches(contents, room, without)
            if min(gained) >= min(pitches) + _WORTH_A_SUBTITLE:
                fit, pitches = without, gained
        handicap = 1.0 if columns == squarest else _WORTH_A_LINE
        ranked.append(((min(pitches) / handicap, sum(pitches), side[columns]), columns, fit))
    _rank, columns, fit = max(ranked, key=lambda entry: entry[0])
    return columns, fit


def room_of_one(number: int, columns: int, whole: Room, spacing: int) -> Room:
    """Return the room of each of ``number`` canvases in so many columns, whole pixels."""
    rows = math.ceil(number / columns)
    width = (whole.width - spacing * (columns - 1)) // columns
    height = (whole.height - spacing * (rows - 1)) // rows
    return whole._replace(width=max(width, SMALLEST_CANVAS[0]), height=max(height, SMALLEST_CANVAS[1]))


def shared_fits(contents: Sequence[MatrixContent], room: Room, fit: CellFit) -> tuple[CellFit, ...]:
    """Return ``fit`` with one size of cells and one of numbers for all matrices of one shape."""
    if _is_large(contents):
        return (fit,) * len(contents)
    by_shape: dict[tuple[int, ...], list[MatrixContent]] = {}
    for content in contents:
        by_shape.setdefault(content.values.shape, []).append(content)
    fits = {shape: _shared(alike, room, fit) for shape, alike in by_shape.items()}
    return tuple(fits[content.values.shape] for content in contents)


def _shared(alike: Sequence[MatrixContent], room: Room, fit: CellFit) -> CellFit:
    if len(alike) == 1:
        return fit
    layouts = [laid_out(content, room, fit) for content in alike]
    pitch = min(layout.pitch for layout in layouts)
    fit = replace(fit, largest_pitch=pitch)
    faces = []
    for content, layout in zip(alike, layouts, strict=True):
        if layout.pitch > pitch:
            layout = laid_out(content, room, fit)
        faces.append(number_face(layout, content, room.style, layout.window())[0])
    return replace(fit, largest_number=min(0 if face is None else face.size for face in faces))


def _pitches(contents: Sequence[MatrixContent], room: Room, fit: CellFit) -> list[float]:
    return [laid_out(content, room, fit).pitch for content in contents]


def _is_low(room: Room, fit: CellFit) -> bool:
    return room.height < _LOW if fit.low is None else fit.low


def _is_large(contents: Sequence[MatrixContent]) -> bool:
    return any(max(content.values.shape) > _MANY for content in contents)
