"""Numbers that a lesson's texts can quote, each taken from a trace. No torch of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from qkviz.attention.geometry import pair_geometry
from qkviz.lessons.cosine_numbers import COSINE_QUANTITIES
from qkviz.lessons.normalizer_quantities import NORMALIZER_QUANTITIES
from qkviz.lessons.scaling_numbers import SCALING_QUANTITIES

if TYPE_CHECKING:
    from qkviz.attention.geometry import PairGeometry
    from qkviz.attention.trace import AttentionTrace

Quantity = Callable[["AttentionTrace", int, int], float]
"""(trace, query, key) → number. IndexError when the trace has no such query or key; NaN means undefined."""


def score(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the raw score of the pair."""
    return trace.scores[query, key].item()


def scaled(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the scaled score of the pair."""
    return trace.scaled[query, key].item()


def weight(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the weight that the query gives the key."""
    return trace.weights[query, key].item()


def embedding_product(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the entry of XXᵀ; NaN for a document without embeddings."""
    if trace.X_q is None or trace.X_k is None:
        return math.nan
    return (trace.X_q[query] @ trace.X_k[key]).item()


def query_vector(trace: AttentionTrace, query: int) -> list[float]:
    """Return the query as it is drawn; empty for a document of given scores."""
    return [] if trace.Q is None else trace.Q[query].tolist()


def key_vector(trace: AttentionTrace, key: int) -> list[float]:
    """Return the key as it is drawn; empty for a document of given scores."""
    return [] if trace.K is None else trace.K[key].tolist()


def geometry(trace: AttentionTrace, query: int, key: int) -> PairGeometry:
    """Return the geometry of the pair."""
    return pair_geometry(query_vector(trace, query), key_vector(trace, key))


def angle(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the angle between query and key in degrees; NaN beside a zero vector."""
    radians = geometry(trace, query, key).angle
    return math.nan if radians is None else math.degrees(radians)


def projection(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the signed length of the query's shadow on the key; NaN on a zero key."""
    shadow = geometry(trace, query, key).projection
    return math.nan if shadow is None else shadow


def length_q(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the length of the query."""
    return geometry(trace, query, key).length_q


def length_k(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the length of the key."""
    return geometry(trace, query, key).length_k


def query_entry(at: int) -> Quantity:
    """Return the quantity "entry ``at`` of the query"."""
    return lambda trace, query, key: query_vector(trace, query)[at]


def key_entry(at: int) -> Quantity:
    """Return the quantity "entry ``at`` of the key"."""
    return lambda trace, query, key: key_vector(trace, key)[at]


def asymmetry(trace: AttentionTrace, query: int, key: int) -> float:
    """Return max |S − Sᵀ|; NaN where it has no value."""
    from qkviz.attention.measures import largest_asymmetry  # noqa: PLC0415  it imports torch

    value = largest_asymmetry(trace.scores)
    return math.nan if value is None else value


def wins_of_diagonal(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the number of rows of the scores in which the diagonal is the largest."""
    from qkviz.attention.measures import diagonal_wins  # noqa: PLC0415  it imports torch

    return float(diagonal_wins(trace.scores)[0])


def rank_of_itself(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the rank of the query's own score in its row; NaN without one."""
    from qkviz.attention.diagonal import ranks_of_itself  # noqa: PLC0415  it imports torch

    rank = ranks_of_itself(trace.scores)[query]
    return math.nan if rank is None else float(rank)


def wins_without_projections(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the number of rows of XXᵀ in which the diagonal is the largest."""
    from qkviz.attention.without_projections import trace_without_projections  # noqa: PLC0415  as above

    plain = trace_without_projections(trace)
    return math.nan if plain is None else wins_of_diagonal(plain, query, key)


def drawn_wins(tied: bool) -> Quantity:
    """Return the quantity "rows that the diagonal wins, on the average of the first draws of the panel"."""

    def quantity(trace: AttentionTrace, query: int, key: int) -> float:
        from qkviz.attention.diagonal import draw_diagonals  # noqa: PLC0415  it imports torch

        if trace.X_q is None or trace.Q is None:
            return math.nan
        drawn = draw_diagonals(trace.X_q, trace.Q.shape[1], draws=1000, seed=1)
        return (drawn.tied if tied else drawn.independent).double().mean().item()

    return quantity


QUANTITIES: dict[str, Quantity] = {
    "score": score,
    "scaled": scaled,
    "weight": weight,
    "xxt": embedding_product,
    "angle": angle,
    "projection": projection,
    "length_q": length_q,
    "length_k": length_k,
    "q_1": query_entry(0),
    "q_2": query_entry(1),
    "k_1": key_entry(0),
    "k_2": key_entry(1),
    "queries": lambda trace, query, key: trace.scores.shape[0],
    "keys": lambda trace, query, key: trace.scores.shape[1],
    "cells": lambda trace, query, key: trace.scores.numel(),
    "embedding_dimensions": lambda trace, query, key: math.nan if trace.X_q is None else trace.X_q.shape[1],
    **COSINE_QUANTITIES,
    **NORMALIZER_QUANTITIES,
    **SCALING_QUANTITIES,
    "asymmetry": asymmetry,
    "wins_of_diagonal": wins_of_diagonal,
    "wins_without_projections": wins_without_projections,
    "drawn_wins": drawn_wins(tied=False),
    "drawn_wins_tied": drawn_wins(tied=True),
    "rank_of_itself": rank_of_itself,
    "dimensions": lambda trace, query, key: len(query_vector(trace, query)),
}
"""Quantities by the names that lesson.toml uses."""
