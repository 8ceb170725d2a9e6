"""Matrices side by side: their columns, and what they have in common."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from qkviz.figures.fonts import load_fonts
from qkviz.figures.style import LIGHT
from qkviz.ui.items.matrix_fit import CellFit, Room, best_columns, drawn, laid_out, room_of_one, shared_fits
from tests.figures.examples import matrix_content


@pytest.fixture(autouse=True)
def fonts(qapp: QApplication) -> None:
    load_fonts()


LONG = ["a rather long label of a key", "another that is as long", "and a third one"]


def test_flat_matrices_stand_below_each_other_where_that_makes_larger_cells() -> None:
    flat = [matrix_content(np.zeros((2, 20)))] * 3
    columns, _fit = best_columns(flat, Room(600, 600, LIGHT, 1.0), 4)
    assert columns == 1


def test_few_small_matrices_stand_as_square_as_they_can() -> None:
    square = [matrix_content(np.eye(3))] * 4
    columns, _fit = best_columns(square, Room(560, 560, LIGHT, 1.0), 4)
    assert columns == 2


def test_matrices_of_one_shape_have_cells_and_labels_of_one_kind() -> None:
    wide = matrix_content(np.full((2, 3), -123.25), columns=LONG)
    narrow = matrix_content(np.full((2, 3), 0.5), columns=LONG)
    room = Room(230, 183, LIGHT, 1.0)
    free = [laid_out(content, room, CellFit()).pitch for content in (wide, narrow)]
    fits = shared_fits((wide, narrow), room, CellFit())
    layouts = [laid_out(one, room, fit) for one, fit in zip((wide, narrow), fits, strict=True)]
    assert layouts[0].pitch == layouts[1].pitch == min(free)
    assert layouts[0].column_plan.turned == layouts[1].column_plan.turned
    assert layouts[0].largest_number == layouts[1].largest_number


def test_matrices_of_other_shapes_do_not_make_cells_smaller() -> None:
    small, large = matrix_content(np.eye(2)), matrix_content(np.eye(20))
    room = Room(300, 300, LIGHT, 1.0)
    fit = shared_fits((small, large), room, CellFit())[0]
    assert laid_out(small, room, fit).pitch == laid_out(small, room, CellFit()).pitch


def test_words_leave_their_height_to_cells_that_need_it() -> None:
    content = replace(matrix_content(np.eye(3)), row_axis="query", column_axis="key", subtitle="symmetric")
    columns, fit = best_columns([content] * 4, Room(460, 370, LIGHT, 1.0), 4)
    room = room_of_one(4, columns, Room(460, 370, LIGHT, 1.0), 4)
    painted = drawn(content, room, fit)
    assert (painted.row_axis, painted.column_axis, painted.subtitle) == ("", "", "")
    _columns, roomy = best_columns([content] * 4, Room(900, 900, LIGHT, 1.0), 4)
    assert drawn(content, Room(448, 448, LIGHT, 1.0), roomy) is content


def test_a_subtitle_stays_where_the_width_is_what_lacks() -> None:
    content = replace(matrix_content(np.zeros((1, 4))), subtitle="symmetric")
    _columns, fit = best_columns([content], Room(200, 190, LIGHT, 1.0), 4)
    assert fit.low
    assert fit.with_subtitle


def test_huge_matrices_are_left_alone() -> None:
    huge = [matrix_content(np.zeros((200, 200)))] * 2
    assert shared_fits(huge, Room(300, 300, LIGHT, 1.0), CellFit()) == (CellFit(), CellFit())


def test_small_cells_take_the_room_of_the_axis_names() -> None:
    words = [f"word number {at}" for at in range(14)]
    two = [matrix_content(np.eye(14), rows=words, columns=words)] * 2
    whole = Room(501, 489, LIGHT, 1.0)
    columns, fit = best_columns(two, whole, 4)
    room = room_of_one(2, columns, whole, 4)
    assert room.height > 215  # not so low that the names would have to go
    assert fit.low
    named = max(laid_out(two[0], room_of_one(2, at, whole, 4), CellFit()).pitch for at in (1, 2))
    assert named < 8
    assert laid_out(two[0], room, fit).pitch >= named + 2
