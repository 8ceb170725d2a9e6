"""Round ends of axes: never below the largest value, never without a size."""

import math

import pytest

from qkviz.presenters.axis_limits import round_limit, round_limit_above


@pytest.mark.parametrize(
    ("largest", "limit"),
    [
        (0.0, 1.0),
        (0.3, 0.5),
        (0.5, 0.5),
        (0.51, 1.0),
        (1.0, 1.0),
        (1.3, 2.0),
        (7.0, 10.0),
        (70.1, 100.0),
        (1e6, 1e6),
        (2e-5, 2e-5),
        (3e-7, 5e-7),
    ],
)
def test_a_limit_is_round_and_not_below(largest, limit):
    assert round_limit(largest) == pytest.approx(limit)


@pytest.mark.parametrize("largest", [5e-324, 1e-310, 1e300, 1.7976931348623157e308])
def test_the_limit_of_extreme_values_keeps_bars_finite(largest):
    limit = round_limit(largest)
    assert math.isfinite(largest / limit)
    assert largest <= limit


@pytest.mark.parametrize(("largest", "limit"), [(0.0, 5.0), (5.0, 5.0), (5.1, 10.0), (23.0, 50.0)])
def test_a_limit_has_a_least_value(largest, limit):
    assert round_limit_above(largest, 5.0) == pytest.approx(limit)
