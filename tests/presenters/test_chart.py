"""Charts as content: axes, the numbers under the pointer, the words for those who cannot see them."""

from __future__ import annotations

import pytest

from qkviz.presenters.chart import (
    ChartBand,
    ChartContent,
    ChartSeries,
    linear_axis,
    logarithmic_axis,
    powers_of_ten,
)

CHART = ChartContent(
    "variance",
    logarithmic_axis("dₖ", 1.0, 100.0, (1.0, 10.0, 100.0)),
    linear_axis("", 0.0, 2.0, 2),
    (
        ChartSeries("line", "muted", (1.0, 10.0, 100.0), (1.0, 1.0, 1.0), "dashed"),
        ChartSeries("measured", "query", (1.0, 100.0), (0.9, 1.1234), "points"),
    ),
    ChartBand("band", "query", (1.0, 10.0, 100.0), (0.5, 0.6, 0.7), (1.5, 1.4, 1.3)),
)


def test_a_logarithmic_axis_gives_equal_room_to_equal_ratios():
    axis = logarithmic_axis("n", 1.0, 10_000.0, ())
    assert [axis.share(value) for value in (1.0, 10.0, 100.0, 10_000.0)] == pytest.approx([0, 0.25, 0.5, 1])


def test_a_linear_axis_has_ticks_at_equal_steps():
    assert linear_axis("", -50.0, 50.0, 2).ticks == ((-50.0, "−50"), (0.0, "0"), (50.0, "50"))


@pytest.mark.parametrize("value", [0.0, -5.0, 1e300, -1e300])
def test_nothing_is_painted_miles_away(value):
    assert -1.0 <= logarithmic_axis("", 1.0, 10.0, ()).share(value) <= 2.0
    assert -1.0 <= linear_axis("", 0.0, 1.0).share(value) <= 2.0


def test_the_readout_is_that_of_the_nearest_number():
    assert CHART.readout(0.9) == (100.0, ("dₖ = 100", "line: 1", "measured: 1.123", "band: 0.7 … 1.3"))
    assert CHART.readout(0.45) == (10.0, ("dₖ = 10", "line: 1", "band: 0.6 … 1.4"))


def test_an_empty_chart_has_no_readout_but_words():
    empty = ChartContent("times", CHART.x, CHART.y, empty="Measure first.")
    assert empty.readout(0.5) is None
    assert empty.spoken() == "times. Measure first."


def test_a_chart_is_told_by_the_ends_of_its_series():
    assert CHART.spoken() == "variance. line: 1 … 1. measured: 0.9 … 1.123"


def test_powers_of_ten_include_the_ends():
    assert powers_of_ten(0.01, 100.0) == pytest.approx((0.01, 0.1, 1.0, 10.0, 100.0))
    assert powers_of_ten(0.4, 2500.0) == pytest.approx((1.0, 10.0, 100.0, 1000.0))
