"""A measure of heads by layer: the mean of the heads, and from the least to the largest."""

from __future__ import annotations

from qkviz.attention.captured import CapturedText
from qkviz.attention.captured_layers import AttentionKind
from qkviz.attention.head_measures import HeadMeasure
from qkviz.presenters.axis_limits import round_limit
from qkviz.presenters.chart import ChartAxis, ChartBand, ChartContent, ChartSeries, linear_axis
from qkviz.presenters.head_words import MEASURE_NAMES, has_several_kinds, kind_name
from qkviz.presenters.heads import FoundHeads
from qkviz.translate import _

MOST_TICKS = 12

UPPER_ENDS = {HeadMeasure.SYMMETRY: 2.0}
"""Shares end at 1, distances have no end."""

TONES = {AttentionKind.ENCODER: "weight", AttentionKind.DECODER: "query", AttentionKind.CROSS: "key"}


def present_layer_chart(text: CapturedText, found: FoundHeads, measure: HeadMeasure) -> ChartContent:
    """Return one measure against the layers, as far as whole layers are known.

    With several kinds of layers each kind is a line of its own, without a band.
    """
    known = _by_layer(text, found, measure)
    means = {layer: sum(values) / len(values) for layer, values in known.items()}
    if has_several_kinds(text):
        series = [
            _line(kind_name(kind), tone, {at: means[at] for at in means if text.layers[at].kind is kind})
            for kind, tone in TONES.items()
        ]
        band = None
    else:
        series = [_line(_("mean of the heads"), "weight", means)]
        xs = tuple(float(layer + 1) for layer in known)
        lows, highs = tuple(map(min, known.values())), tuple(map(max, known.values()))
        band = ChartBand(_("least to largest"), "weight", xs, lows, highs) if known else None
    if measure is HeadMeasure.DIAGONAL:
        embeddings = {layer: share for layer, share in found.embeddings.items() if share is not None}
        series.append(_line("XXᵀ", "muted", embeddings))
    largest = max((value for values in known.values() for value in values), default=1.0)
    high = round_limit(largest) if measure is HeadMeasure.DISTANCE else UPPER_ENDS.get(measure, 1.0)
    return ChartContent(
        title=_(MEASURE_NAMES[measure]),
        x=_layer_axis(len(text.layers)),
        y=linear_axis("", 0.0, high),
        series=tuple(one for one in series if one.xs),
        band=band,
        empty=_("This measure has no value for these heads.")
        if len(found.measures) == sum(layer.heads for layer in text.layers)
        else _("The heads are being computed."),
    )


def _by_layer(text: CapturedText, found: FoundHeads, measure: HeadMeasure) -> dict[int, tuple[float, ...]]:
    layers: dict[int, tuple[float, ...]] = {}
    for number, layer in enumerate(text.layers):
        places = [(number, head) for head in range(layer.heads)]
        if all(place in found.measures for place in places):
            values = tuple(
                value for place in places if (value := found.measures[place].value(measure)) is not None
            )
            if values:
                layers[number] = values
    return layers


def _line(name: str, tone: str, values: dict[int, float]) -> ChartSeries:
    return ChartSeries(name, tone, tuple(float(layer + 1) for layer in values), tuple(values.values()))


def _layer_axis(layers: int) -> ChartAxis:
    step = -(-layers // MOST_TICKS)  # rounded up
    ticks = tuple((float(layer), str(layer)) for layer in range(1, layers + 1, step))
    return ChartAxis(_("layer"), 0.5, layers + 0.5, ticks)
