"""Where the user looks, and what is left of it when tokens vanish."""

from dataclasses import replace

import pytest

from qkviz.attention.matrices import MatrixName, available_matrices, matrix_of
from qkviz.attention.plane import Plane
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Role
from qkviz.document.focus import Cell, Focus, matrix_shape
from qkviz.translate import Refusal
from tests.document.documents import every_kind, given_scores, self_attention, worked_example


def test_a_pair_is_a_query_and_a_key():
    assert Focus(query=1, key=2).pair == (1, 2)
    assert Focus(query=0, key=0).pair == (0, 0)
    assert Focus(query=1).pair is None
    assert Focus().pair is None


def test_a_vector_comes_into_the_pair_and_the_other_one_stays():
    focus = Focus(query=1, key=2)
    assert focus.with_vector(Role.QUERY, 0).pair == (0, 2)
    assert focus.with_vector(Role.KEY, 0).pair == (1, 0)
    assert Focus(query=1).with_vector(Role.KEY, 3).pair == (0, 3)


def test_the_pinned_cell_moves_within_the_document():
    document = worked_example()
    last = (document.inputs.m - 1, document.inputs.n - 1)
    assert Focus(query=0, key=1).stepped(1, -1, document).pair == (1, 0)
    assert Focus(query=0, key=0).stepped(-1, -1, document).pair == (0, 0)
    assert Focus(query=last[0], key=last[1]).stepped(1, 1, document).pair == last
    assert Focus(query=1).stepped(1, 1, document).pair == (0, 0)


@pytest.mark.parametrize("step", [-1, 6])
def test_a_step_that_is_not_there_is_refused(step):
    with pytest.raises(Refusal, match=f"no step {step}; the steps go from 0 to 5"):
        Focus(step=step)


def test_a_focus_that_fits_is_itself():
    focus = Focus(3, 1, 2, Cell(MatrixName.SCORES, 1, 2), (MatrixName.Q,), Plane.of_dimensions(2))
    assert focus.fitting(worked_example()) is focus


@pytest.mark.parametrize(
    ("query", "key", "left"),
    [
        (2, 0, (None, None)),
        (1, 3, (1, None)),
        (5, 9, (None, None)),
        (-1, 0, (None, None)),
        (None, 3, (None, None)),
    ],
)
def test_a_vanished_query_takes_its_key_along_and_a_vanished_key_leaves_the_row(query, key, left):
    focus = Focus(query=query, key=key).fitting(worked_example())  # 2 queries, 3 keys
    assert (focus.query, focus.key) == left


@pytest.mark.parametrize(
    ("cell", "stays"),
    [
        (Cell(MatrixName.WEIGHTS, 1, 2), True),
        (Cell(MatrixName.WEIGHTS, 2, 2), False),
        (Cell(MatrixName.WEIGHTS, 1, 3), False),
        (Cell(MatrixName.Q, 1, 1), True),
        (Cell(MatrixName.Q, 1, 2), False),
        (Cell(MatrixName.X, 0, 0), False),  # the worked example has no X
    ],
)
def test_a_hovered_cell_stays_only_where_it_exists(cell, stays):
    assert Focus(hover=cell).fitting(worked_example()).hover == (cell if stays else None)


def test_a_plane_of_other_dimensions_goes():
    assert Focus(plane=Plane.of_dimensions(3)).fitting(worked_example()).plane is None
    assert Focus(plane=Plane.of_dimensions(2)).fitting(given_scores()).plane is None


def test_step_and_chosen_matrices_stay():
    focus = Focus(step=4, query=7, matrices=(MatrixName.X, MatrixName.OUTPUT)).fitting(given_scores())
    assert focus == Focus(step=4, matrices=(MatrixName.X, MatrixName.OUTPUT))


def test_equal_focuses_are_equal():
    plane = Plane.of_dimensions(2)
    assert Focus(1, 0, 2, plane=plane) == Focus(1, 0, 2, plane=plane)
    assert replace(Focus(), step=1) != Focus()


@pytest.mark.parametrize("document", [*every_kind(), self_attention(values=True)])
def test_shapes_are_those_of_the_trace(document):
    trace = trace_attention(document.inputs, document.options)
    for name in MatrixName:
        expected = tuple(matrix_of(trace, name).shape) if name in available_matrices(trace) else None
        assert matrix_shape(document, name) == expected, name
