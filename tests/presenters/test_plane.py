"""The vector plane as content."""

from __future__ import annotations

import math

import pytest

from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Cosine
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector
from qkviz.presenters.plane import PlaneContent, plane_of, present_plane
from tests.presenters.examples import W_K, W_Q, X, cat_mat, direct, given, snapshot, with_options

TURN = math.tau


def content(document: Document, **focus: object) -> PlaneContent:
    return present_plane(snapshot(document, **focus))


def test_all_vectors_are_drawn_and_the_active_pair_last() -> None:
    shown = content(cat_mat(), query=0, key=2, step=3)
    assert [arrow.label for arrow in shown.arrows] == ["k·猫", "k·坐", "q·坐", "q·垫子", "k·垫子", "q·猫"]
    assert [arrow.active for arrow in shown.arrows] == [False] * 4 + [True] * 2
    q = shown.arrows[-1]
    assert (q.role, q.index, q.moved) == (Role.QUERY, 0, False)
    assert (q.x, q.y) == (pytest.approx(1.22), pytest.approx(0.43))
    assert shown.axis_labels == ("dimension 1", "dimension 2")
    assert shown.reach == pytest.approx(1.61)
    assert shown.lit


def test_the_pair_is_measured() -> None:
    shown = content(cat_mat(), query=0, key=2)
    assert shown.headline == "q·k = 0.83"
    assert [(part.name, part.text) for part in shown.readouts] == [
        ("θ", "53.2°"),
        ("‖q‖", "1.29"),
        ("‖k‖", "1.07"),
        ("cos θ", "0.60"),
        ("projection", "0.78"),
    ]
    assert shown.readouts[1].full == repr(math.hypot(1.22, 0.43))
    assert shown.pair is not None
    assert shown.pair.angle_text == "53°"
    assert shown.note == ""


def test_the_arc_goes_the_short_way_from_k_to_q() -> None:
    pair = content(direct([[-1.0, -1.0]], [[-1.0, 1.0]]), query=0, key=0).pair
    assert pair is not None
    assert pair.angle_start == pytest.approx(0.75 * math.pi)
    assert pair.angle_span == pytest.approx(math.pi / 2)
    assert (pair.angle_start + math.pi / 2) % TURN == pytest.approx(math.atan2(-1.0, -1.0) % TURN)


def test_the_foot_and_the_line_of_equal_scores() -> None:
    pair = content(direct([[3.0, 4.0]], [[2.0, 0.0]]), query=0, key=0).pair
    assert pair is not None
    assert pair.foot == (pytest.approx(3.0), pytest.approx(0.0))
    assert pair.equal_line is not None
    assert pair.equal_line.point == (pytest.approx(3.0), pytest.approx(0.0))
    assert [abs(part) for part in pair.equal_line.direction] == [pytest.approx(0.0), pytest.approx(1.0)]


@pytest.mark.parametrize(
    ("q", "k", "undefined", "note"),
    [
        ([0.0, 0.0], [1.0, 2.0], ["θ", "cos θ"], "q is the zero vector"),
        ([1.0, 2.0], [0.0, 0.0], ["θ", "cos θ", "projection"], "k is the zero vector"),
        ([0.0, 0.0], [0.0, 0.0], ["θ", "cos θ", "projection"], "q and k are zero vectors"),
    ],
)
def test_a_zero_vector_has_no_angle_and_says_so(
    q: list[float], k: list[float], undefined: list[str], note: str
) -> None:
    shown = content(direct([q], [k]), query=0, key=0)
    assert shown.headline == "q·k = 0.00"
    assert [part.name for part in shown.readouts if part.text == "undefined"] == undefined
    assert note in shown.note
    assert shown.pair is not None
    assert (shown.pair.angle_span, shown.pair.angle_text) == (None, "undefined")
    assert (shown.pair.foot is None) == (k == [0.0, 0.0])
    assert not any("NaN" in part.text for part in shown.readouts)


@pytest.mark.parametrize(
    ("k", "angle"), [([-2.0, -4.0], "180.0°"), ([1.0, 2.0], "0.0°"), ([-2.0, 1.0], "90.0°")]
)
def test_special_angles(k: list[float], angle: str) -> None:
    shown = content(direct([[1.0, 2.0]], [k]), query=0, key=0)
    assert shown.readouts[0].text == angle


def test_more_dimensions_say_how_much_of_the_score_the_plane_shows() -> None:
    shown = content(direct([[1.0, 2.0, 3.0]], [[1.0, 1.0, 1.0]]), query=0, key=0)
    assert shown.headline == "q·k = 6.00"
    assert shown.note == "The plane shows 2 of 3 dimensions, and 3.00 of q·k = 6.00."
    other = content(
        direct([[1.0, 2.0, 3.0]], [[1.0, 1.0, 1.0]]), query=0, key=0, plane=Plane.of_dimensions(3, 1, 2)
    )
    assert other.axis_labels == ("dimension 2", "dimension 3")
    assert "5.00 of q·k = 6.00" in other.note
    assert (other.arrows[-1].x, other.arrows[-1].y) == (2.0, 3.0)


def test_the_angle_of_long_vectors_is_the_true_one_not_the_drawn_one() -> None:
    shown = content(direct([[1.0, 0.0, 1.0]], [[1.0, 0.0, -1.0]]), query=0, key=0)
    assert shown.readouts[0].text == "90.0°"
    assert shown.pair is not None
    assert shown.pair.angle_span == 0.0


def test_one_dimension_lies_on_the_horizontal_axis() -> None:
    shown = content(direct([[-2.0]], [[3.0]]), query=0, key=0)
    assert [(arrow.x, arrow.y) for arrow in shown.arrows] == [(3.0, 0.0), (-2.0, 0.0)]
    assert shown.readouts[0].text == "180.0°"


def test_embeddings_are_drawn_grey_where_they_share_the_space() -> None:
    x, identity = matrix([[1.0, 2.0]], "X"), matrix([[1.0, 0.0], [0.0, 1.0]], "W")
    shown = content(Document(("a",), ("a",), ProjectedInputs(x, x, identity, identity)))
    assert [(arrow.role, arrow.label) for arrow in shown.arrows] == [
        (None, "x·a"),
        (Role.KEY, "k·a"),
        (Role.QUERY, "q·a"),
    ]
    assert all(arrow.role is not None for arrow in content(cat_mat()).arrows)


def test_cross_attention_draws_the_embeddings_of_both_sides() -> None:
    identity = matrix([[1.0]], "W")
    inputs = ProjectedInputs(matrix([[1.0]], "X"), matrix([[2.0]], "X"), identity, identity)
    shown = content(Document(("a",), ("b",), inputs))
    assert [arrow.label for arrow in shown.arrows][:2] == ["x·a", "x·b"]


def test_a_vector_moved_by_hand_is_marked() -> None:
    moved = MoveVector(Role.QUERY, 1, plane_of(snapshot(cat_mat())), 3.0, -1.0, gesture=1).apply(cat_mat())
    shown = content(moved, query=0, key=2)
    assert [arrow.label for arrow in shown.arrows if arrow.moved] == ["q·坐"]
    (arrow,) = (arrow for arrow in shown.arrows if arrow.moved)
    assert (arrow.x, arrow.y) == (pytest.approx(3.0), pytest.approx(-1.0))
    assert "moved by hand" in shown.note
    assert shown.reach == pytest.approx(3.0)


def test_without_a_pair_there_is_a_hint() -> None:
    shown = content(cat_mat())
    assert (shown.pair, shown.readouts) == (None, ())
    assert shown.headline == "Click a cell or a tip to choose a pair."


def test_given_scores_have_nothing_to_draw_and_say_why() -> None:
    shown = content(given([[1.0]]), query=0, key=0)
    assert (shown.arrows, shown.pair, shown.reach) == ((), None, 1.0)
    assert shown.note == "Only the scores of this document are given: there are no q and k to draw."


def test_another_score_function_is_named_beside_the_dot_product() -> None:
    shown = content(with_options(cat_mat(), Cosine()), query=0, key=2)
    assert shown.headline == "q·k = 0.83"
    assert shown.note == "The score is another function of q and k: cos(q, k) = 0.60."


def test_the_view_reaches_zero_vectors_too() -> None:
    assert content(direct([[0.0, 0.0]], [[0.0, 0.0]])).reach == 1.0


def test_the_projections_of_the_lesson_give_these_vectors() -> None:
    assert (len(X), len(W_Q), len(W_K)) == (3, 4, 4)
    keys = {arrow.label: (arrow.x, arrow.y) for arrow in content(cat_mat()).arrows}
    assert keys["k·坐"] == (pytest.approx(1.14), pytest.approx(-1.13))
    assert keys["q·垫子"] == (pytest.approx(1.61), pytest.approx(0.03))
