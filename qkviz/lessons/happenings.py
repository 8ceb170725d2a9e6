"""What notices that a try is done which no document shows: a panel has done something, and told its numbers.

A panel emits ``happened(name, values)``; every try whose ``check`` is that name is asked. A new happening
is a new function here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Values = Mapping[str, float]


def diagonals_drawn(values: Values, *, draws: float) -> bool:
    """Whether at least so many pairs of random projections were drawn."""
    return values["draws"] >= draws


def score_functions_compared(values: Values, *, d_k: float) -> bool:
    """Whether the score functions were compared on vectors of at least this width."""
    return values["d_k"] >= d_k


def times_measured(values: Values, *, tokens: float) -> bool:
    """Whether the score functions were timed on at least so many tokens."""
    return values["tokens"] >= tokens


def scaling_sampled(values: Values, *, least_pairs: float, most_pairs: float) -> bool:
    """Whether dot products were sampled on a number of pairs within these limits."""
    return least_pairs <= values["pairs"] <= most_pairs


def copying_measured(values: Values, *, sequences: float) -> bool:
    """Whether the copy model was measured on at least so many fresh sequences."""
    return values["sequences"] >= sequences


HAPPENINGS: Mapping[str, Callable[..., bool]] = {
    happening.__name__: happening
    for happening in (
        diagonals_drawn,
        score_functions_compared,
        times_measured,
        scaling_sampled,
        copying_measured,
    )
}
"""Functions ``(values, *, parameters of the try) -> bool`` by the names that panels and lesson.toml use."""


def is_done_by(name: str, parameters: Mapping[str, float], values: Values) -> bool:
    """Return whether a try that waits for the happening ``name`` is done by one with these ``values``.

    Parameters
    ----------
    name, parameters
        The check of a `Try` and its named parameters.
    values
        What the panel told.
    """
    return HAPPENINGS[name](values, **parameters)
