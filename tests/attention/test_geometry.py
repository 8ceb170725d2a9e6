"""Two vectors, above all the pairs that break naive formulas."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.geometry import ZeroVector, equal_score_line, pair_geometry
from tests.attention.strategies import numbers

properties = settings(deadline=None)


def test_a_pair_by_hand():
    pair = pair_geometry((3.0, 4.0), (10.0, 0.0))
    assert (pair.dot, pair.length_q, pair.length_k) == (30.0, 5.0, 10.0)
    assert pair.cosine == pytest.approx(0.6)
    assert pair.angle == pytest.approx(math.atan2(4, 3))
    assert pair.projection == pytest.approx(3.0)
    assert pair.foot == pytest.approx((3.0, 0.0))
    assert pair.zero is ZeroVector.NONE


@pytest.mark.parametrize(
    ("q", "k", "angle", "cosine"),
    [
        ((1.0, 0.0), (1.0, 0.0), 0.0, 1.0),
        ((1.0, 0.0), (0.0, 2.0), math.pi / 2, 0.0),
        ((1.0, 2.0), (-1.0, -2.0), math.pi, -1.0),
        ((-11.0, -20.0), (-5.5, -10.0), 0.0, 1.0),  # acos of its rounded cosine is NaN
        ((1e200, 0.0), (1e200, 1e200), math.pi / 4, math.sqrt(0.5)),
        ((1e-200, 0.0), (1e-200, 1e-200), math.pi / 4, math.sqrt(0.5)),
        ((1e200, 0.0), (1e-200, 1e-200), math.pi / 4, math.sqrt(0.5)),
        ((1.0, 0.0), (1.0, 1e-9), 1e-9, 1.0),  # acos of its cosine is 0
        ((-1.0, 0.0), (1.0, 1e-9), math.pi - 1e-9, -1.0),
        ((2.0,), (3.0,), 0.0, 1.0),
        ((2.0,), (-3.0,), math.pi, -1.0),
        ((1.0, 0.0, 0.0), (1.0, 0.0, 1e-9), 1e-9, 1.0),
        ((-11.0, -20.0, 7.0), (-5.5, -10.0, 3.5), 0.0, 1.0),
        ((1e200, 0.0, 0.0), (0.0, 0.0, 1e-200), math.pi / 2, 0.0),
    ],
)
def test_angle_and_cosine_of_difficult_pairs(q, k, angle, cosine):
    pair = pair_geometry(q, k)
    assert pair.angle == pytest.approx(angle, rel=1e-12, abs=1e-24)
    assert pair.cosine == pytest.approx(cosine, abs=1e-15)
    assert -1 <= pair.cosine <= 1


def test_projection_is_negative_against_the_key():
    pair = pair_geometry((-3.0, 4.0), (2.0, 0.0))
    assert pair.projection == pytest.approx(-3.0)
    assert pair.foot == pytest.approx((-3.0, 0.0))


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_projection_of_huge_and_tiny_vectors(size):
    pair = pair_geometry((3 * size, 4 * size), (0.0, 1 / size))
    assert pair.projection == pytest.approx(4 * size, rel=1e-14)
    assert pair.foot == pytest.approx((0.0, 4 * size), rel=1e-14)
    assert pair.length_q == pytest.approx(5 * size, rel=1e-14)


def test_a_zero_query_has_no_angle_but_a_foot():
    pair = pair_geometry((0.0, -0.0), (1.0, 2.0))
    assert pair.zero is ZeroVector.QUERY
    assert (pair.dot, pair.cosine, pair.angle) == (0.0, None, None)
    assert (pair.projection, pair.foot) == (0.0, (0.0, 0.0))


@pytest.mark.parametrize(("q", "zero"), [((1.0, 2.0), ZeroVector.KEY), ((0.0, 0.0), ZeroVector.BOTH)])
def test_nothing_is_projected_on_a_zero_key(q, zero):
    pair = pair_geometry(q, (0.0, 0.0))
    assert pair.zero is zero
    assert (pair.cosine, pair.angle, pair.projection, pair.foot) == (None, None, None, None)


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_beside_a_number_that_is_not_finite_everything_is_undefined(broken):
    for q, k in [((broken, 1.0), (1.0, 1.0)), ((1.0, 1.0), (1.0, broken))]:
        pair = pair_geometry(q, k)
        assert (pair.cosine, pair.angle, pair.projection, pair.foot) == (None, None, None, None)


def test_a_projection_too_long_for_a_float_is_infinite_not_an_error():
    pair = pair_geometry((1.7e308, 1.7e308), (1.0, 1.0))
    assert pair.projection == math.inf
    assert pair.angle == 0.0


def test_vectors_of_different_length_are_a_mistake_of_the_program():
    with pytest.raises(ValueError, match="zip"):
        pair_geometry((1.0, 2.0), (1.0,))


@properties
@given(st.integers(1, 5).flatmap(lambda d: st.tuples(*[st.lists(numbers, min_size=d, max_size=d)] * 2)))
def test_dot_is_lengths_times_cosine_and_length_times_projection(vectors):
    q, k = vectors
    pair = pair_geometry(q, k)
    if pair.cosine is not None:
        scale = pair.length_q * pair.length_k
        assert pair.dot == pytest.approx(scale * pair.cosine, abs=1e-13 * scale + 1e-300)
        assert pair.dot == pytest.approx(scale * math.cos(pair.angle), abs=1e-13 * scale + 1e-300)
        assert pair.dot == pytest.approx(pair.projection * pair.length_k, abs=1e-13 * scale + 1e-300)


@properties
@given(st.lists(numbers, min_size=2, max_size=2), st.lists(numbers, min_size=2, max_size=2))
def test_what_is_left_of_the_query_beside_its_foot_is_perpendicular_to_the_key(q, k):
    pair = pair_geometry(q, k)
    if pair.foot is not None:
        rest = [a - b for a, b in zip(q, pair.foot, strict=True)]
        across = rest[0] * k[0] + rest[1] * k[1]
        assert across == pytest.approx(0, abs=1e-14 * (1 + pair.length_q) * (1 + pair.length_k))


@properties
@given(st.lists(numbers, min_size=2, max_size=2), numbers, st.floats(-10, 10))
def test_every_point_of_the_equal_score_line_has_the_score(k, dot, along):
    line = equal_score_line(k, dot)
    if math.hypot(*k) > 1e-6:
        point = [p + along * d for p, d in zip(line.point, line.direction, strict=True)]
        reached = point[0] * k[0] + point[1] * k[1]
        assert reached == pytest.approx(dot, abs=1e-12 * (1 + abs(dot)))
        assert math.hypot(*line.direction) == pytest.approx(1.0)


def test_equal_score_line_by_hand():
    line = equal_score_line((0.0, 2.0), 3.0)
    assert line.point == pytest.approx((0.0, 1.5))
    assert line.direction == (-1.0, 0.0)


@pytest.mark.parametrize(
    ("k", "dot"),
    [
        ((0.0, 0.0), 0.0),
        ((0.0, 0.0), 1.0),
        ((math.inf, 0.0), 1.0),
        ((math.nan, 1.0), 1.0),
        ((1e-300, 0.0), 1e300),
    ],
)
def test_no_equal_score_line_for_a_zero_key_or_out_of_reach(k, dot):
    assert equal_score_line(k, dot) is None


def test_the_angle_grows_steadily_as_a_vector_turns():
    angles = [pair_geometry((1.0, 0.0), (math.cos(t / 50), math.sin(t / 50))).angle for t in range(158)]
    assert all(before < after for before, after in pairwise(angles))
