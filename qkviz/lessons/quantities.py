"""Numbers that a lesson's texts can quote, each taken from a trace. No torch of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from qkviz.attention.geometry import pair_geometry

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
    "dimensions": lambda trace, query, key: len(query_vector(trace, query)),
}
"""Quantities by the names that lesson.toml uses."""
