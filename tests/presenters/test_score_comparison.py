"""Three columns of one comparison: shares that add up, one axis for all, the words and the times."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from qkviz.attention.comparison import compare_drawn, compare_score_functions
from qkviz.presenters.score_comparison import (
    present_comparison,
    present_times_by_tokens,
    present_times_by_width,
    times_sentence,
)


@dataclass(frozen=True)
class Times:
    sizes: tuple[int, ...]
    fixed: int
    of: Mapping[str, tuple[float, ...]]


TIMES = Times(
    (16, 32),
    64,
    {"additive": (1.0, 30.0), "dot": (0.01, 0.25), "scaled_dot": (0.02, 0.3), "distance": (0.05, 0.5)},
)


@pytest.mark.parametrize("d_k", [2, 16, 512])
def test_scores_share_both_axes_and_their_shares_add_up(d_k):
    contents = present_comparison(compare_drawn(d_k, seed=0))
    assert len({content.scores.x for content in contents}) == 1
    assert len({content.scores.y for content in contents}) == 1
    assert contents[0].weights.x.name == "rank"
    assert {content.scores.series[0].tone for content in contents} == {"muted"}
    for content in contents:
        assert sum(content.scores.series[0].ys) == pytest.approx(1.0)
        assert max(content.scores.series[0].ys) <= content.scores.y.high


def test_a_histogram_counts_what_it_says():
    comparison = compare_drawn(8, seed=2)
    chart = present_comparison(comparison)[1].scores
    scores = comparison.dot.scores.numpy().ravel()
    width = chart.series[0].xs[1] - chart.series[0].xs[0]
    for centre, share in zip(chart.series[0].xs, chart.series[0].ys, strict=True):
        inside = np.abs(scores - centre) < width / 2
        assert share == pytest.approx(inside.sum() / 1024)


def test_weights_fall_from_the_largest_and_add_up_to_one():
    comparison = compare_drawn(64, seed=0)
    for content, trace in zip(
        present_comparison(comparison),
        (comparison.additive, comparison.dot, comparison.scaled_dot),
        strict=True,
    ):
        means = content.weights.series[0].ys
        assert list(means) == sorted(means, reverse=True)
        assert sum(means) == pytest.approx(1.0)
        assert means[0] == pytest.approx(content.largest)
        assert means[0] == pytest.approx(trace.weights.max(1).values.mean().item())
        assert content.deviation == pytest.approx(trace.scaled.std(correction=0).item())


def test_the_words_are_parameters_and_spread():
    additive, dot, scaled = present_comparison(compare_drawn(64, seed=0))
    assert additive.lines[0] == "2·64·64 + 64 = 8256 parameters"
    assert dot.lines[0] == scaled.lines[0] == "no parameters"
    assert scaled.lines[1].endswith("of 32 keys")


def test_a_wide_dot_product_saturates_and_the_others_do_not():
    additive, dot, scaled = present_comparison(compare_drawn(512, seed=0))
    assert dot.largest > 0.9
    assert additive.largest < 0.2
    assert scaled.largest < 0.2


def test_equal_and_extreme_vectors_can_be_shown():
    for size in (0.0, 1e-150, 1e100):
        Q = torch.full((1, 2), size, dtype=torch.float64)
        for content in present_comparison(compare_score_functions(Q, Q, seed=0)):
            assert math.isfinite(content.scores.x.high)
            assert content.weights.series[0].ys == (1.0,)


def test_times_are_lines_on_axes_that_hold_them():
    chart = present_times_by_tokens(TIMES, "")
    assert chart.title == "Milliseconds per call, dₖ = 64"
    assert [one.name for one in chart.series] == [
        "Additive", "Dot product", "Scaled dot product", "Euclidean distance"
    ]  # fmt: skip
    assert all(0 <= chart.y.share(y) <= 1 for one in chart.series for y in one.ys)
    assert present_times_by_width(TIMES, "").title == "Milliseconds per call, n = 64"


def test_without_times_the_chart_says_what_to_do():
    assert present_times_by_tokens(None, "Measure.").empty == "Measure."


def test_the_sentence_compares_with_the_dot_product():
    assert times_sentence(TIMES) == (
        "At n = 32 here, now, on one thread: dot product 0.25 ms; scaled 1.2 times as long, "
        "Euclidean distance 2.0 times, additive 120 times."
    )
