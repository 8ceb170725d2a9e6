"""Where everything in the picture of a matrix lies, from measured text; and which cell is under a point."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from qkviz.figures.axis_labels import LabelPlan, plan_columns, plan_rows, upright_pitch
from qkviz.figures.fonts import line_height
from qkviz.figures.matrix_parts import (
    BAR_GAP,
    BAR_WIDTH,
    MatrixFaces,
    bar_extent,
    checked_shape,
    foot_height,
    head_height,
    legend_entries,
    limit_texts,
    note_lines,
)
from qkviz.figures.matrix_view import CellView
from qkviz.figures.style import FigureStyle
from qkviz.presenters.matrix import MatrixContent

__all__ = ["CellView", "MatrixLayout", "Window"]

MARGIN = 10.0
"""Room round the outermost ink, for outlines and the frame of a lit matrix."""

LABEL_GAP = 9.0
COLUMN_LABEL_GAP = 6.0
LONGEST_LABEL = 132.0
LABEL_SHARE = 0.24
"""Of the whole width or height, at most this part goes to labels; a long one must not squeeze the cells."""

LARGEST_PITCH = 64.0
SMALLEST_BAR = 44.0


GAPPED_CELLS, GAPPED_PITCH = 256, 14.0
"""Up to so many cells, and from this size on, the cells are tiles with a gap between them."""

NUMBERED_CELLS, NUMBERED_PITCH = 4000, 24.0
"""At most so many numbers are drawn, and only in cells of this size."""

LARGEST_NUMBER = 16
"""Size of the type of numbers in large cells."""

LEAST_PITCH, LEAST_LABEL = 28.0, 34.0
"""Labels are shortened, though not below this length, where cells would else be smaller than this."""


@dataclass(frozen=True, slots=True)
class Window:
    """Whole cells in sight, also those that are cut: ranges of rows and columns, the last ones excluded."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def cells(self) -> tuple[slice, slice]:
        """The same as indexes of an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


class MatrixLayout:
    """The places of one matrix picture in ``rect``; cells are square.

    Row labels stand left of the cells, column labels below, the colour bar to the right, the title above.

    Parameters
    ----------
    content
        What is drawn.
    rect
        The room, in the painter's coordinates.
    style
        Gives the font families.
    view
        The cells in sight; None shows all.
    pixel
        Size of a device pixel in the painter's coordinates; edges of cells fall on whole ones.
    largest_pitch
        Cells do not grow beyond this, so that neighbours can be given cells of one size; None leaves it to
        the layout.
    least_notes
        Lines that are kept for notes even while there is none.
    largest_number
        Numbers are in no larger type, so that neighbours can have one size; 0 leaves them out.

    Attributes
    ----------
    body
        The cells in sight.
    pitch
        Distance from cell to cell.
    gap
        Empty room between two cells, part of the pitch.
    view
        The cells really in sight.
    bar
        The colour bar without its numbers.

    Raises
    ------
    ValueError
        If labels and cells differ in number, or there is no cell.
    """

    def __init__(
        self,
        content: MatrixContent,
        rect: QRectF,
        style: FigureStyle,
        view: CellView | None = None,
        pixel: float = 1.0,
        largest_pitch: float | None = None,
        least_notes: int = 0,
        largest_number: int = LARGEST_NUMBER,
    ) -> None:
        self.largest_number = largest_number
        self.rows, self.columns = checked_shape(content)
        self.rect, self.pixel = rect, pixel
        self.faces = faces = MatrixFaces.of(style)
        self.limits = limit_texts(content)
        room = rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        self.legend = legend_entries(content, faces, room.width())
        self.axis_height = line_height(faces.axis) + 3.0 if content.column_axis else 0.0
        self.axis_width = line_height(faces.axis) + 4.0 if content.row_axis else 0.0
        self.head = head_height(content, faces)

        asked = (view or CellView.whole(self.rows, self.columns)).within(self.rows, self.columns)
        label_room = min(LONGEST_LABEL, max(40.0, LABEL_SHARE * room.width()))
        height_each = room.height() / asked.rows
        bar = bar_extent(self.limits, faces)
        least = LEAST_PITCH if largest_pitch is None else min(LEAST_PITCH, largest_pitch)
        free = room.width() - self.axis_width - LABEL_GAP - bar
        label_room = _room_beside(free, asked.columns * least, label_room)
        self.row_plan = plan_rows(content.row_labels, faces.label, height_each, label_room)
        left = left_of(self.row_plan, self.axis_width)
        width = max(1.0, room.width() - left - bar)
        # cells that share pixels are told of in a note of their own
        crowded = max(asked.rows, asked.columns) * pixel > min(room.width(), room.height())
        self.notes = note_lines(content.note, faces, room.width())
        self.foot = notes = foot_height(self.legend, max(least_notes, len(self.notes)) + crowded, faces)
        free = room.height() - self.head - COLUMN_LABEL_GAP - self.axis_height - notes
        label_room = min(LONGEST_LABEL, max(40.0, LABEL_SHARE * room.height()))
        label_room = _room_beside(free, asked.rows * least, label_room)

        if largest_pitch is None:
            largest_pitch = upright_pitch(content.column_labels, faces.label, LARGEST_PITCH)
        largest = largest_pitch if view is None else math.inf
        pitch = min(largest, width / asked.columns)
        for _attempt in range(2):  # lower cells are narrower, and labels may then have to lie on their side
            self.column_plan = plan_columns(content.column_labels, faces.label, pitch, label_room)
            below = COLUMN_LABEL_GAP + self.column_plan.extent + self.axis_height + notes
            height = max(1.0, room.height() - self.head - below)
            pitch = min(largest, width / asked.columns, height / asked.rows)
        self.pitch = self._whole_pixels(max(pitch, pixel / 64))
        self.view = CellView(
            asked.first_row,
            asked.first_column,
            max(asked.rows, height / self.pitch),
            max(asked.columns, width / self.pitch),
        ).within(self.rows, self.columns)

        body_width, body_height = self.view.columns * self.pitch, self.view.rows * self.pitch
        # labels get what the cells leave over
        spare_width, spare_height = max(0.0, width - body_width), max(0.0, height - body_height)
        row_room = min(LONGEST_LABEL, self.row_plan.extent + spare_width)
        spare_width += self.row_plan.extent
        self.row_plan = plan_rows(content.row_labels, faces.label, self.pitch, row_room)
        left, spare_width = left_of(self.row_plan, self.axis_width), spare_width - self.row_plan.extent
        column_room = min(LONGEST_LABEL, self.column_plan.extent + spare_height)
        self.column_plan = plan_columns(content.column_labels, faces.label, self.pitch, column_room)

        self.body = QRectF(
            self._snapped(room.left() + left + spare_width / 2),
            self._snapped(room.top() + self.head),  # on top, so that the titles of neighbours are level
            body_width,
            body_height,
        )
        tiles = self.rows * self.columns <= GAPPED_CELLS and self.pitch >= GAPPED_PITCH
        self.gap = max(pixel, self._snapped(min(3.0, 0.05 * self.pitch))) if tiles else 0.0
        self.bar = QRectF(
            self.body.right() - self.gap + BAR_GAP,
            self.body.top(),
            BAR_WIDTH,
            max(body_height - self.gap, SMALLEST_BAR),
        )
        self.shows_numbers = (
            self.pitch >= NUMBERED_PITCH and self.view.rows * self.view.columns <= NUMBERED_CELLS
        )

    @property
    def cells_per_pixel(self) -> int:
        """How many cells, along one side, share a device pixel; 1 when every cell has one of its own."""
        return max(1, math.ceil(self.pixel / self.pitch - 1e-6))

    @property
    def bottom(self) -> float:
        """Lower edge of everything drawn, with a margin; what is below it is empty."""
        return min(self.rect.bottom(), self.column_labels_bottom + self.axis_height + self.foot + 2 * MARGIN)

    @property
    def column_labels_bottom(self) -> float:
        """Lower edge of the column labels."""
        return self.body.bottom() - self.gap + COLUMN_LABEL_GAP + self.column_plan.extent

    def window(self) -> Window:
        """Return the cells in sight."""
        view = self.view
        return Window(
            math.floor(view.first_row + 1e-9),
            math.floor(view.first_column + 1e-9),
            min(self.rows, math.ceil(view.first_row + view.rows - 1e-9)),
            min(self.columns, math.ceil(view.first_column + view.columns - 1e-9)),
        )

    def cell_rect(self, row: float, column: float) -> QRectF:
        """Return the painted square of a cell, without the gap; it may lie outside ``body``."""
        return QRectF(
            self.body.left() + (column - self.view.first_column) * self.pitch,
            self.body.top() + (row - self.view.first_row) * self.pitch,
            self.pitch - self.gap,
            self.pitch - self.gap,
        )

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return (row, column) of the cell under a point; None outside the cells in sight."""
        row, column = self.row_at(y), self.column_at(x)
        return None if row is None or column is None else (row, column)

    def row_at(self, y: float) -> int | None:
        """Return the row at a height, None above and below the cells."""
        if not self.body.top() <= y < self.body.bottom():
            return None
        return min(int(self.point_in_cells(0.0, y)[0]), self.rows - 1)

    def column_at(self, x: float) -> int | None:
        """Return the column at an x, None left and right of the cells."""
        if not self.body.left() <= x < self.body.right():
            return None
        return min(int(self.point_in_cells(x, 0.0)[1]), self.columns - 1)

    def row_label_at(self, x: float, y: float) -> int | None:
        """Return the row whose label is under a point."""
        left = self.body.left() - LABEL_GAP - self.row_plan.extent - 4.0
        return self.row_at(y) if left <= x < self.body.left() else None

    def column_label_at(self, x: float, y: float) -> int | None:
        """Return the column whose label is under a point."""
        return self.column_at(x) if self.body.bottom() <= y < self.column_labels_bottom + 2.0 else None

    def point_in_cells(self, x: float, y: float) -> tuple[float, float]:
        """Return (row, column) of a point in cells and parts of cells, for zooming at it."""
        return (
            (y - self.body.top()) / self.pitch + self.view.first_row,
            (x - self.body.left()) / self.pitch + self.view.first_column,
        )

    def _snapped(self, length: float) -> float:
        return round(length / self.pixel) * self.pixel

    def _whole_pixels(self, pitch: float) -> float:
        """Return a pitch of whole device pixels, so that cells are of one size; small ones stay."""
        pixels = pitch / self.pixel
        return math.floor(pixels + 1e-6) * self.pixel if pixels >= 4 else pitch


def left_of(plan: LabelPlan, axis_width: float) -> float:
    """Return the width that row labels and the name of their axis take."""
    return axis_width + plan.extent + LABEL_GAP


def _room_beside(free: float, cells: float, wanted: float) -> float:
    """Return how long labels may be that share ``free`` with cells: ``wanted``, or what cells leave."""
    left = free - cells
    return max(LEAST_LABEL, left) if LEAST_LABEL <= left < wanted else wanted
