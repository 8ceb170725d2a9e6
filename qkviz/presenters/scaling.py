"""Why √d_k: what was measured on random pairs, as five charts and two sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qkviz.attention.sampling import DIMENSIONS, KEYS, ScalingSample
from qkviz.attention.variance_band import FAMILY_LEVEL, variance_band
from qkviz.presenters.axis_limits import round_limit
from qkviz.presenters.chart import (
    ChartAxis,
    ChartBand,
    ChartContent,
    ChartSeries,
    linear_axis,
    logarithmic_axis,
    powers_of_ten,
)
from qkviz.presenters.number_format import format_factor, format_number
from qkviz.translate import _

XS = tuple(float(d) for d in DIMENSIONS)

TRAINED_XS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TRAINED_VARIANCES = (1.7, 3.5, 7.5, 16.8, 42.5, 115.0)
"""Var(q·k) over the first 1 … 32 of the 32 dimensions of trained heads, all-MiniLM-L6-v2, measured once."""

TRAINED_DEVIATIONS = (1.3, 3.3)
"""Least and largest standard deviation of the scores of those heads after the division by √32."""


@dataclass(frozen=True, slots=True)
class ScalingContent:
    """Everything the panel shows.

    Attributes
    ----------
    charts
        Variance, variance after scaling, largest weight, entropy, gradient.
    sentence
        What was measured, and how it stands to the band.
    formula
        How the band is computed.
    note
        What trained heads do, in their own numbers.
    """

    charts: tuple[ChartContent, ...]
    sentence: str
    formula: str
    note: str


def present_scaling(sample: ScalingSample | None, is_sampling: bool) -> ScalingContent:
    """Return the charts of ``sample``; without one, empty charts that say whether one is on its way."""
    empty = _("Sampling …") if is_sampling else _("Choose a number of pairs to sample.")
    return ScalingContent(
        charts=(
            _variance_chart(sample, empty),
            _scaled_variance_chart(sample, empty),
            _softmax_chart(_("Largest of {keys} weights", keys=KEYS), sample, "largest", 1.0, empty),
            _softmax_chart(_("Entropy of the weights, nats"), sample, "entropy", 3.0, empty),
            _softmax_chart(_("Gradient of softmax, ‖∂w/∂s‖"), sample, "gradient", 0.4, empty),
        ),
        sentence="" if sample is None else _sentence(sample),
        formula=_(
            "Band: where chance alone puts the variance of N pairs. Its standard error is "
            "dₖ·√(2/(N − 1) + 6/(N·dₖ)); the band is wide enough to hold all {points} points in {level} of "
            "all samples.",
            points=len(DIMENSIONS),
            level=f"{100 * FAMILY_LEVEL:.1f}%",
        ),
        note=_(
            "Var = dₖ holds for independent entries with mean 0 and variance 1. In trained heads the entries "
            "vary together, and the variance is larger: in a small BERT {variance} at 32 dimensions. Divided "
            "by √32, the scores still have a standard deviation of {low} to {high}: training makes attention "
            "sharp on purpose.",
            variance=format_factor(TRAINED_VARIANCES[-1]),
            low=format_factor(TRAINED_DEVIATIONS[0]),
            high=format_factor(TRAINED_DEVIATIONS[1]),
        ),
    )


def inside_band(sample: ScalingSample) -> int:
    """Return at how many of the dimensions the measured variance lies within the band."""
    band = variance_band(DIMENSIONS, sample.pairs)
    variances = sample.variance.tolist()
    return sum(low <= variance <= high for variance, (low, high) in zip(variances, band, strict=True))


def _sentence(sample: ScalingSample) -> str:
    last = DIMENSIONS[-1]
    return _(
        "{pairs} pairs, seed {seed}. At dₖ = {d_k} Var(q·k) is {variance}, divided by √dₖ: {scaled}; softmax "
        "over {keys} keys gives its largest {unscaled_weight} without the division, {scaled_weight} with it. "
        "{inside} of {points} points within the band.",
        pairs=thousands(sample.pairs),
        seed=sample.seed,
        d_k=last,
        variance=format_factor(float(sample.variance[-1])),
        scaled=format_number(float(sample.variance[-1]) / last),
        keys=KEYS,
        unscaled_weight=format_number(float(sample.unscaled.largest[-1])),
        scaled_weight=format_number(float(sample.scaled.largest[-1])),
        inside=inside_band(sample),
        points=len(DIMENSIONS),
    )


def thousands(count: int) -> str:
    """Return a count with its thousands set apart by a narrow space: ``"10 000"``."""
    return f"{count:,}".replace(",", "\u202f")


def _variance_chart(sample: ScalingSample | None, empty: str) -> ChartContent:
    series = []
    band = None
    if sample is not None:
        band = _band(sample, (1.0,) * len(XS))
        series = [
            ChartSeries(_("the line dₖ"), "muted", XS, XS, "dashed"),
            ChartSeries(_("trained heads"), "plain", TRAINED_XS, TRAINED_VARIANCES, "crosses"),
            ChartSeries(_("measured"), "query", XS, tuple(sample.variance.tolist()), "points"),
        ]
    y = logarithmic_axis("", 0.4, 2500.0, powers_of_ten(1.0, 1000.0))
    return ChartContent("Var(q·k)", _d_k_axis(), y, tuple(series), band, empty)


def _scaled_variance_chart(sample: ScalingSample | None, empty: str) -> ChartContent:
    if sample is None:
        return ChartContent("Var(q·k / √dₖ)", _d_k_axis(), linear_axis("", 0.0, 2.0), empty=empty)
    scaled = tuple(variance / d for variance, d in zip(sample.variance.tolist(), DIMENSIONS, strict=True))
    band = _band(sample, XS)
    reach = round_limit(max(*(high - 1.0 for high in band.highs), *(abs(one - 1.0) for one in scaled)))
    low = max(1.0 - reach, 0.0)
    y = linear_axis("", low, 1.0 + reach) if low else linear_axis("", 0.0, math.ceil(1.0 + reach))
    series = (
        ChartSeries("1", "muted", XS, (1.0,) * len(XS), "dashed"),
        ChartSeries(_("measured"), "query", XS, scaled, "points"),
    )
    return ChartContent("Var(q·k / √dₖ)", _d_k_axis(), y, series, band, empty)


def _softmax_chart(
    title: str, sample: ScalingSample | None, mean: str, limit: float, empty: str
) -> ChartContent:
    series = []
    if sample is not None:
        for name, tone, means in (
            ("q·k", "key", sample.unscaled),
            ("q·k / √dₖ", "query", sample.scaled),
        ):
            series.append(ChartSeries(name, tone, XS, tuple(getattr(means, mean).tolist())))
    steps = 3 if limit == 3.0 else 4
    return ChartContent(title, _d_k_axis(), linear_axis("", 0.0, limit, steps), tuple(series), None, empty)


def _band(sample: ScalingSample, over: tuple[float, ...]) -> ChartBand:
    """Return the band of the variance, divided point by point."""
    limits = variance_band(DIMENSIONS, sample.pairs)
    lows = tuple(max(low / by, 1e-9) for (low, _high), by in zip(limits, over, strict=True))
    highs = tuple(high / by for (_low, high), by in zip(limits, over, strict=True))
    return ChartBand(_("band"), "query", XS, lows, highs)


def _d_k_axis() -> ChartAxis:
    return logarithmic_axis("dₖ", 1.0, XS[-1], XS, room=1.12)
