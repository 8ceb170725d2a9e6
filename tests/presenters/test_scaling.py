"""Charts of a sample: the numbers of the sample, nothing else; words in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from qkviz.attention.sampling import DIMENSIONS, ScalingSample, sample_scaling
from qkviz.attention.variance_band import variance_band
from qkviz.presenters.scaling import present_scaling, thousands
from qkviz.translate import use_language


@pytest.fixture(scope="module")
def sample() -> ScalingSample:
    return sample_scaling(1000, 5, lambda share: None)


def series(chart, name):
    return next(one for one in chart.series if one.name == name)


def test_the_variance_stands_beside_the_line_and_its_band(sample):
    chart = present_scaling(sample, False).charts[0]
    assert series(chart, "measured").ys == tuple(sample.variance.tolist())
    assert series(chart, "the line dₖ").ys == tuple(map(float, DIMENSIONS))
    assert chart.x.logarithmic
    assert chart.y.logarithmic
    assert list(zip(chart.band.lows, chart.band.highs, strict=True)) == list(variance_band(DIMENSIONS, 1000))
    assert chart.y.low < min(chart.band.lows)
    assert max(chart.band.highs) < chart.y.high


def test_after_scaling_everything_is_divided_by_d_k_and_in_sight(sample):
    chart = present_scaling(sample, False).charts[1]
    for d, variance, scaled in zip(
        DIMENSIONS, sample.variance.tolist(), series(chart, "measured").ys, strict=True
    ):
        assert scaled == pytest.approx(variance / d)
    assert chart.y.low <= min(chart.band.lows)
    assert max(chart.band.highs) <= chart.y.high
    assert chart.y.share(1.0) == pytest.approx(0.5)


@pytest.mark.parametrize(("at", "mean"), [(2, "largest"), (3, "entropy"), (4, "gradient")])
def test_softmax_is_shown_with_and_without_the_division(sample, at, mean):
    chart = present_scaling(sample, False).charts[at]
    assert series(chart, "q·k").ys == tuple(getattr(sample.unscaled, mean).tolist())
    assert series(chart, "q·k / √dₖ").ys == tuple(getattr(sample.scaled, mean).tolist())
    assert all(0 <= chart.y.share(y) <= 1 for one in chart.series for y in one.ys)


def test_the_sentence_counts_the_points_inside(sample):
    content = present_scaling(sample, False)
    assert "11 of 11 points" in content.sentence
    variance = sample.variance.clone()
    variance[3] = 8.0 * 1.3  # the band for 1 000 pairs reaches to 1.22
    outside = present_scaling(replace(sample, variance=variance), False)
    assert "10 of 11 points" in outside.sentence


def test_the_note_has_the_numbers_of_trained_heads(sample):
    note = present_scaling(sample, False).note
    assert all(number in note for number in ("115", "32", "1.3 to 3.3"))
    trained = series(present_scaling(sample, False).charts[0], "trained heads")
    assert dict(zip(trained.xs, trained.ys, strict=True)) == {
        1: 1.7, 2: 3.5, 4: 7.5, 8: 16.8, 16: 42.5, 32: 115.0
    }  # fmt: skip


@pytest.mark.parametrize("is_sampling", [True, False])
def test_without_a_sample_the_charts_say_why_they_are_empty(is_sampling):
    content = present_scaling(None, is_sampling)
    assert {chart.empty for chart in content.charts} == {
        "Sampling …" if is_sampling else "Choose a number of pairs to sample."
    }
    assert not any(chart.series for chart in content.charts)


def test_chinese_has_no_english_left(sample):
    use_language("zh")
    content = present_scaling(sample, False)
    assert "个点中有 11 个" in content.sentence
    assert series(content.charts[0], "实测").ys


def test_a_variance_far_outside_keeps_the_chart_readable(sample):
    wild = replace(sample, variance=torch.tensor([9.0] * 11, dtype=torch.float64))
    chart = present_scaling(wild, False).charts[1]
    assert all(0 <= chart.y.share(y) <= 1 for one in chart.series for y in one.ys)


def test_thousands_are_set_apart():
    assert [thousands(count) for count in (100, 1000, 100_000)] == ["100", "1\u202f000", "100\u202f000"]
