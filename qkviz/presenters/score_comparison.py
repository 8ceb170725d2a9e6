"""Three score functions side by side: distributions of scores and of weights, parameters, and time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.comparison import HIDDEN, Comparison, parameter_count
from qkviz.attention.measures import effective_keys, score_variance
from qkviz.attention.saturation import mean_largest_weight
from qkviz.attention.trace import AttentionTrace
from qkviz.presenters.axis_limits import round_limit
from qkviz.presenters.chart import (
    ChartAxis,
    ChartContent,
    ChartSeries,
    linear_axis,
    logarithmic_axis,
    powers_of_ten,
)
from qkviz.presenters.number_format import format_factor, format_number
from qkviz.presenters.runs import Run
from qkviz.translate import N_, _

BINS = 41
"""Bins of scores from −limit to limit; odd, so that one of them stands on 0."""

NAMES = {
    "additive": N_("Additive"),
    "dot": N_("Dot product"),
    "scaled_dot": N_("Scaled dot product"),
    "distance": N_("Euclidean distance"),
}
FORMULAS = {"additive": "vᵀ tanh(q W₁ + k W₂)", "dot": "q · k", "scaled_dot": "q · k / √dₖ"}
TONES = {"additive": "good", "dot": "plain", "scaled_dot": "muted", "distance": "good"}
"""Of the lines of time: none is that of queries or of keys. The distance is dashed."""


@dataclass(frozen=True, slots=True)
class FunctionContent:
    """One score function.

    Attributes
    ----------
    heading, lines
        Its name with the formula, and what there is to say about it, a line each.
    scores, weights
        The distribution of the scores, and the weights of a row from the largest down.
    deviation, largest
        Standard deviation of the scores, and the mean largest weight of a row.
    """

    heading: tuple[Run, ...]
    lines: tuple[str, ...]
    scores: ChartContent
    weights: ChartContent
    deviation: float
    largest: float


def present_comparison(comparison: Comparison) -> tuple[FunctionContent, ...]:
    """Return additive, dot and scaled dot; scores on one axis and weights on one axis for all of them."""
    traces = {
        "additive": comparison.additive,
        "dot": comparison.dot,
        "scaled_dot": comparison.scaled_dot,
    }
    scores = {name: _finite(trace) for name, trace in traces.items()}
    limit = round_limit(max(float(np.abs(values).max(initial=0.0)) for values in scores.values()))
    shares = {name: _shares(values, limit) for name, values in scores.items()}
    top = round_limit(max(float(values.max(initial=0.0)) for values in shares.values()))
    return tuple(_present(name, trace, shares[name], limit, top) for name, trace in traces.items())


def _finite(trace: AttentionTrace) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = trace.scaled.numpy()
    return scores[np.isfinite(scores)]


def _shares(scores: NDArray[np.float64], limit: float) -> NDArray[np.float64]:
    """Return which part of the scores lies in each of the bins from −limit to limit."""
    counts, _edges = np.histogram(scores, BINS, (-limit, limit))
    return counts / max(len(scores), 1)


def _present(
    name: str, trace: AttentionTrace, shares: NDArray[np.float64], limit: float, top: float
) -> FunctionContent:
    deviation = math.sqrt(score_variance(trace.scaled) or 0.0)
    largest = mean_largest_weight(trace.weights)
    keys = float(effective_keys(trace.weights).mean())
    n = trace.weights.shape[1]
    count = parameter_count(trace.options.score)
    parameters = _("no parameters")
    if count:
        d_k = trace.Q.shape[1] if trace.Q is not None else 0
        parameters = _("{product} = {count} parameters", product=f"2·{d_k}·{HIDDEN} + {HIDDEN}", count=count)
    lines = (
        parameters,
        _("spread over {keys} of {n} keys", keys=format_number(keys, 1), n=n),
    )
    return FunctionContent(
        heading=(Run(_(NAMES[name]), "strong"), Run(f"  {FORMULAS[name]}", "muted")),
        lines=lines,
        scores=_histogram(shares, limit, top, deviation),
        weights=_profile(trace, largest),
        deviation=deviation,
        largest=largest,
    )


def _histogram(shares: NDArray[np.float64], limit: float, top: float, deviation: float) -> ChartContent:
    edges = np.histogram_bin_edges((), BINS, (-limit, limit))
    centres = tuple(((edges[1:] + edges[:-1]) / 2).tolist())
    return ChartContent(
        _("Scores, deviation {deviation}", deviation=format_number(deviation)),
        linear_axis("", -limit, limit, 2),
        _share_axis(top),
        (ChartSeries("", "muted", centres, tuple(shares.tolist()), "bars"),),
    )


def _share_axis(top: float) -> ChartAxis:
    return ChartAxis("", 0.0, top, ((0.0, "0"), (top, f"{format_factor(100 * top)}%")))


def _profile(trace: AttentionTrace, largest: float) -> ChartContent:
    sorted_rows = np.sort(trace.weights.numpy(), axis=1)[:, ::-1]
    means = sorted_rows.mean(axis=0)
    n = len(means)
    ranks = tuple(float(rank) for rank in range(1, n + 1))
    ticks = tuple((float(rank), str(rank)) for rank in sorted({1, max(n // 2, 1), n}))
    return ChartContent(
        _("Weights by rank, largest {largest}", largest=format_number(largest)),
        ChartAxis(_("rank"), 0.5, n + 0.5, ticks),
        linear_axis("", 0.0, 1.0, 2),
        (ChartSeries("", "weight", ranks, tuple(means.tolist()), "bars"),),
    )


class MeasuredTimes(Protocol):
    """Milliseconds of a call by function, at growing sizes."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """What grows."""

    @property
    def fixed(self) -> int:
        """What stays."""

    @property
    def of(self) -> Mapping[str, tuple[float, ...]]:
        """Times by function, one for each size."""


def present_times_by_tokens(times: MeasuredTimes | None, empty: str) -> ChartContent:
    """Return the chart of times against the number of tokens; ``empty`` is said while there are none."""
    fixed = "" if times is None else f"dₖ = {times.fixed}"
    return _time_chart("n", times, fixed, empty)


def present_times_by_width(times: MeasuredTimes | None, empty: str) -> ChartContent:
    """Return the chart of times against d_k."""
    fixed = "" if times is None else f"n = {times.fixed}"
    return _time_chart("dₖ", times, fixed, empty)


def _time_chart(name: str, times: MeasuredTimes | None, fixed: str, empty: str) -> ChartContent:
    if times is None:
        return ChartContent(_("Milliseconds per call"), logarithmic_axis(name, 1, 512, ()),
                            logarithmic_axis("", 0.001, 1.0, ()), empty=empty)  # fmt: skip
    xs = tuple(float(size) for size in times.sizes)
    series = tuple(
        ChartSeries(_(NAMES[key]), TONES[key], xs, values, "dashed" if key == "distance" else "line")
        for key, values in times.of.items()
    )
    lowest, highest = _ends([time for values in times.of.values() for time in values])
    return ChartContent(
        _("Milliseconds per call, {fixed}", fixed=fixed),
        logarithmic_axis(name, xs[0], xs[-1], xs, room=1.1),
        logarithmic_axis("", lowest, highest, powers_of_ten(lowest, highest)),
        series,
    )


def _ends(times: Sequence[float]) -> tuple[float, float]:
    """Return powers of ten around ``times``."""
    low = 10.0 ** math.floor(math.log10(max(min(times), 1e-6)))
    return low, max(10.0 ** math.ceil(math.log10(max(*times, 1e-6))), 10 * low)


def times_sentence(times: MeasuredTimes) -> str:
    """Return how much longer the others take than the dot product at the largest number of tokens."""
    last = {name: values[-1] for name, values in times.of.items()}
    return _(
        "At n = {tokens} here, now, on one thread: dot product {dot} ms; scaled {scaled} times as long, "
        "Euclidean distance {distance} times, additive {additive} times.",
        tokens=times.sizes[-1],
        dot=format_number(last["dot"]),
        scaled=format_number(last["scaled_dot"] / last["dot"], 1),
        distance=format_number(last["distance"] / last["dot"], 1),
        additive=format_number(last["additive"] / last["dot"], 0),
    )
