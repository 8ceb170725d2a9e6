"""Numbers of a whole capture that a lesson's texts can quote: of a head, of a layer, between two texts."""

# ruff: noqa: PLC0415 -- what imports torch is imported where it is needed: lesson files are read without it

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from qkviz.lessons.capture_claims import CLAIM_QUANTITIES, PERCENT

if TYPE_CHECKING:
    from qkviz.attention.captured import Capture, CapturedText
    from qkviz.attention.head_measures import HeadMeasures

CaptureQuantity = Callable[..., float]
"""(capture, *, named positions from 0) → number. NaN means undefined."""


def query_cosine(capture: Capture, *, text: int, other: int, query: int, layer: int) -> float:
    """Return the cosine of the queries, of all heads together, that two texts have in the same place."""
    from qkviz.attention.contexts import WordPlace, word_cosines

    here, there = WordPlace(text, (query,)), WordPlace(other, (query,))
    return word_cosines(capture, here, there, layer, head=None)[layer].q


def next_probability(capture: Capture, *, text: int) -> float:
    """Return the probability of the likeliest next token; NaN where the model does not predict."""
    guesses = capture.texts[text].next_tokens
    return guesses[0].probability if guesses else math.nan


def of_head(measure: str, times: float = 1.0) -> CaptureQuantity:
    """Return the quantity "a measure of `HeadMeasures` of one head", multiplied."""

    def quantity(capture: Capture, *, text: int, layer: int, head: int) -> float:
        value: float | None = getattr(_measures(capture.texts[text], layer)[head], measure)
        return math.nan if value is None else times * value

    return quantity


def of_layer(measure: str, times: float = 1.0) -> CaptureQuantity:
    """Return the quantity "the mean of a measure of `HeadMeasures` over the heads of a layer", multiplied."""

    def quantity(capture: Capture, *, text: int, layer: int) -> float:
        values = [getattr(one, measure) for one in _measures(capture.texts[text], layer)]
        known = [value for value in values if value is not None]
        return times * sum(known) / len(known) if known else math.nan

    return quantity


CAPTURE_QUANTITIES: Mapping[str, CaptureQuantity] = {
    "texts": lambda capture: float(len(capture.texts)),
    "heads": lambda capture: float(sum(layer.heads for layer in capture.texts[0].layers)),
    "query_cosine": query_cosine,
    "next_probability": next_probability,
    "head_previous": of_head("previous"),
    "head_next": of_head("next"),
    "head_distance": of_head("distance"),
    "layer_distance": of_layer("distance"),
    "layer_entropy": of_layer("entropy", PERCENT),
    "layer_specials": of_layer("specials", PERCENT),
    **CLAIM_QUANTITIES,
}
"""Quantities by the names that lesson.toml uses; shares of all rows or of all weight in percent."""


@lru_cache(maxsize=256)
def _measures(text: CapturedText, layer: int) -> tuple[HeadMeasures, ...]:
    """Return the measures of the heads of a layer."""
    from qkviz.attention.head_measures import head_measures
    from qkviz.attention.head_overviews import head_trace

    called, tokens = text.layers[layer], (text.queries(layer), text.keys(layer))
    return tuple(
        head_measures(head_trace(text, layer, head), *tokens, called.kind) for head in range(called.heads)
    )
