"""Where the parts of a matrix picture lie, and what is under a point."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from qkviz.figures.axis_labels import fitted, shown_positions
from qkviz.figures.fonts import line_height, text_width
from qkviz.figures.matrix_layout import CellView, MatrixLayout
from qkviz.figures.natural_size import natural_pitch, natural_size
from qkviz.figures.style import LIGHT
from tests.figures.examples import matrix_content

ROOM = QRectF(0, 0, 400, 400)
SHAPES = [(1, 1), (2, 3), (3, 3), (3, 64), (64, 3), (24, 24), (64, 64), (512, 512)]


def layout_of(rows: int, columns: int, view: CellView | None = None, room: QRectF = ROOM) -> MatrixLayout:
    return MatrixLayout(matrix_content(np.arange(rows * columns).reshape(rows, columns)), room, LIGHT, view)


def test_every_corner_of_every_cell_belongs_to_its_cell() -> None:
    layout = layout_of(3, 3)
    for row in range(3):
        for column in range(3):
            left = layout.body.left() + column * layout.pitch
            top = layout.body.top() + row * layout.pitch
            for x in (left + 1, left + layout.pitch - 1):
                for y in (top + 1, top + layout.pitch - 1):
                    assert layout.cell_at(x, y) == (row, column)


def test_outside_the_cells_is_no_cell() -> None:
    layout = layout_of(3, 3)
    body = layout.body
    for x, y in ((body.left() - 1, body.center().y()), (body.center().x(), body.top() - 1)):
        assert layout.cell_at(x, y) is None
    for x, y in ((body.right() + 1, body.center().y()), (body.center().x(), body.bottom() + 1)):
        assert layout.cell_at(x, y) is None


def test_rows_go_down_and_columns_to_the_right() -> None:
    layout = layout_of(2, 3)
    first, last = layout.cell_rect(0, 0), layout.cell_rect(1, 2)
    assert last.left() - first.left() == pytest.approx(2 * layout.pitch)
    assert last.top() - first.top() == pytest.approx(layout.pitch)


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_cells_are_square_and_all_inside(rows: int, columns: int) -> None:
    layout = layout_of(rows, columns)
    assert layout.body.width() == pytest.approx(columns * layout.pitch)
    assert layout.body.height() == pytest.approx(rows * layout.pitch)
    assert ROOM.contains(layout.body)
    assert ROOM.contains(layout.bar)


def test_labels_that_are_too_many_are_refused_by_both_numbers() -> None:
    content = matrix_content(np.eye(4), rows=["a", "b", "c", "d", "e"])
    with pytest.raises(ValueError, match=r"5 row and 4 column labels for a 4×4 matrix"):
        MatrixLayout(content, ROOM, LIGHT)


def test_a_matrix_without_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="0×3"):
        MatrixLayout(matrix_content(np.zeros((0, 3))), ROOM, LIGHT)


def test_row_and_column_labels_are_found() -> None:
    layout = layout_of(3, 3)
    cell = layout.cell_rect(2, 1).center()
    assert layout.row_label_at(layout.body.left() - 12, cell.y()) == 2
    assert layout.column_label_at(cell.x(), layout.body.bottom() + 10) == 1
    assert layout.row_label_at(cell.x(), cell.y()) is None
    assert layout.column_label_at(cell.x(), cell.y()) is None


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
@pytest.mark.parametrize("label", ["x", "垫子", "m" * 60, "a brown puppy"])
def test_shown_labels_never_overlap(rows: int, columns: int, label: str) -> None:
    content = matrix_content(np.zeros((rows, columns)), rows=[label] * rows, columns=[label] * columns)
    layout = MatrixLayout(content, ROOM, LIGHT)
    face, plan = layout.faces.label, layout.column_plan
    lines = fitted(label, face, plan)
    width = max(text_width(line, face) for line in lines)
    along = line_height(face) * 0.95 * len(lines) if plan.turned else width
    positions = shown_positions(0, columns, columns, plan.stride, ())
    assert all((second - first) * layout.pitch >= along for first, second in pairwise(positions))
    assert layout.row_plan.stride * layout.pitch >= line_height(face) * 0.95 or rows == 1
    assert positions[0] == 0


def test_a_marked_position_is_shown_and_its_neighbours_step_back() -> None:
    assert shown_positions(0, 24, 24, 4, ()) == (0, 4, 8, 12, 16, 20)
    assert shown_positions(0, 24, 24, 4, (10,)) == (0, 4, 10, 16, 20)


def test_labels_stay_the_same_while_the_view_moves() -> None:
    before = set(shown_positions(3.0, 10, 40, 4, ()))
    after = set(shown_positions(4.0, 10, 40, 4, ()))
    assert before & after >= {4, 8, 12}


@pytest.mark.parametrize("point", [(0.2, 0.3), (0.9, 0.6), (0.5, 0.5)])
def test_zooming_keeps_what_is_under_the_pointer(point: tuple[float, float]) -> None:
    layout = layout_of(32, 32, CellView.whole(32, 32))
    x = layout.body.left() + point[0] * layout.body.width()
    y = layout.body.top() + point[1] * layout.body.height()
    row, column = layout.point_in_cells(x, y)
    zoomed = layout_of(32, 32, layout.view.zoomed(2.0, row, column))
    assert zoomed.pitch > 1.8 * layout.pitch
    near_row, near_column = zoomed.point_in_cells(x, y)
    # both pitches are whole pixels, so a cell may be off by what that rounds away
    assert abs(near_row - row) < 1.2
    assert abs(near_column - column) < 1.2


def test_a_view_never_leaves_the_matrix() -> None:
    view = CellView(-5.0, 30.0, 8.0, 8.0).within(16, 32)
    assert (view.first_row, view.first_column, view.rows, view.columns) == (0.0, 24.0, 8.0, 8.0)
    everything = CellView(2.0, 2.0, 99.0, 99.0).within(16, 32)
    assert everything == CellView.whole(16, 32)


def test_zooming_in_without_end_stops_at_two_cells() -> None:
    view = CellView.whole(8, 8)
    for _ in range(60):
        view = view.zoomed(1.25, 4.0, 4.0)
    assert view.columns == pytest.approx(2.0)


def test_a_flat_matrix_zoomed_in_shows_all_rows_that_have_room() -> None:
    layout = layout_of(3, 64, CellView.whole(3, 64).zoomed(4.0, 1.5, 32.0))
    assert layout.view.rows == 3.0
    assert layout.view.columns < 20


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
@pytest.mark.parametrize("label", ["x", "m" * 60])
def test_at_natural_size_the_cells_have_their_natural_size(rows: int, columns: int, label: str) -> None:
    content = matrix_content(np.zeros((rows, columns)), rows=[label] * rows, columns=[label] * columns)
    size, pitch = natural_size(content, LIGHT), natural_pitch(content, LIGHT)
    layout = MatrixLayout(
        content, QRectF(0, 0, size.width(), size.height()), LIGHT, pixel=1 / 64, largest_pitch=pitch
    )
    assert layout.pitch == pytest.approx(pitch, abs=0.05)


def test_cells_fall_on_whole_device_pixels() -> None:
    content = matrix_content(np.eye(5))
    for ratio in (1.0, 1.25, 1.5, 2.0):
        layout = MatrixLayout(content, QRectF(0, 0, 333, 377), LIGHT, pixel=1 / ratio)
        for length in (layout.pitch * ratio, layout.body.left() * ratio, layout.body.top() * ratio):
            assert length == pytest.approx(round(length), abs=1e-6)


def test_cells_per_pixel_says_how_many_share_one() -> None:
    assert layout_of(64, 64).cells_per_pixel == 1
    layout = layout_of(1024, 1024)
    assert layout.cells_per_pixel == math.ceil(1 / layout.pitch)
    assert layout.cells_per_pixel > 2


@pytest.mark.parametrize("size", [(60, 60), (30, 200), (200, 30), (1, 1)])
def test_hardly_any_room_is_no_error(size: tuple[int, int]) -> None:
    layout = layout_of(3, 3, room=QRectF(0, 0, *size))
    assert layout.pitch > 0
    layout.cell_at(5, 5)


def test_a_long_row_label_is_broken_at_a_blank_where_rows_are_high() -> None:
    content = matrix_content(np.eye(3), rows=["the cat’s colour", "x", "y"])
    layout = MatrixLayout(content, QRectF(0, 0, 280, 260), LIGHT)
    lines = fitted("the cat’s colour", layout.faces.label, layout.row_plan)
    assert lines == ("the cat’s", "colour")
    low = MatrixLayout(matrix_content(np.zeros((30, 3)), rows=["the cat’s colour"] * 30), ROOM, LIGHT)
    assert len(fitted("the cat’s colour", low.faces.label, low.row_plan)) == 1


def test_labels_get_the_room_that_cells_leave_over() -> None:
    labels = ["a-rather-long-label"] * 3
    flat = MatrixLayout(matrix_content(np.eye(3), columns=labels), QRectF(0, 0, 220, 600), LIGHT)
    assert fitted(labels[0], flat.faces.label, flat.column_plan) == (labels[0],)
    assert flat.column_labels_bottom < 600
    wide = MatrixLayout(matrix_content(np.eye(3), rows=labels), QRectF(0, 0, 700, 200), LIGHT)
    assert fitted(labels[0], wide.faces.label, wide.row_plan) == (labels[0],)
    assert wide.body.left() - wide.row_plan.extent > 0


def test_column_labels_of_two_words_stand_upright_in_two_lines() -> None:
    labels = ["black kitten", "brown puppy", "red car"]
    content = matrix_content(np.zeros((2, 3)), columns=labels)
    size = natural_size(content, LIGHT)
    layout = MatrixLayout(content, QRectF(0, 0, size.width(), size.height()), LIGHT, pixel=1 / 64)
    assert not layout.column_plan.turned
    assert fitted(labels[0], layout.faces.label, layout.column_plan) == ("black", "kitten")


def test_long_labels_are_shortened_before_cells_get_small() -> None:
    labels = ["Donaudampfschifffahrt"] * 4
    content = matrix_content(np.zeros((4, 4)), rows=labels, columns=labels)
    layout = MatrixLayout(content, QRectF(0, 0, 250, 225), LIGHT)
    assert layout.pitch >= 28
    assert fitted(labels[0], layout.faces.label, layout.column_plan)[0].endswith("…")
    assert layout.row_plan.extent >= 30


def test_at_natural_size_a_note_is_whole() -> None:
    parts = ["12 × masked", "3 × undefined", "3 × no key allowed", "rounded; exact sum 1.00"]
    content = replace(matrix_content(np.zeros((2, 2))), note=" · ".join(parts))
    size = natural_size(content, LIGHT)
    layout = MatrixLayout(content, QRectF(0, 0, size.width(), size.height()), LIGHT)
    assert " · ".join(layout.notes) == content.note
    assert all(text_width(line, layout.faces.small) <= size.width() - 20 for line in layout.notes)
    assert layout.column_labels_bottom + layout.axis_height + layout.foot <= size.height()
