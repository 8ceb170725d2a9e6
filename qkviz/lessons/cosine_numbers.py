"""Numbers of a pair under dot product, scaled dot product and cosine, whichever the document uses."""

# ruff: noqa: PLC0415 -- the score functions load torch, which reading a lesson file must not

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace


def dot(trace: AttentionTrace, query: int, key: int) -> float:
    """Return q·k; NaN for a document without vectors."""
    from qkviz.attention.score_functions import Dot

    if trace.Q is None or trace.K is None:
        return math.nan
    return Dot().score(trace.Q, trace.K)[query, key].item()


def scaled_dot(trace: AttentionTrace, query: int, key: int) -> float:
    """Return q·k / √dₖ; NaN for a document without vectors."""
    from qkviz.attention.score_functions import ScaledDot

    if trace.Q is None:
        return math.nan
    return dot(trace, query, key) * ScaledDot().default_scale(trace.Q.shape[1])


def cosine(trace: AttentionTrace, query: int, key: int) -> float:
    """Return cos(q, k); NaN beside a zero vector and for a document without vectors."""
    from qkviz.attention.score_functions import Cosine

    if trace.Q is None or trace.K is None:
        return math.nan
    return Cosine().score(trace.Q, trace.K)[query, key].item()


def cosine_ceiling(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the largest weight that softmax can give one of n keys by their cosines: e / (e + (n − 1)/e).

    Reached when one key has cosine 1 and all others have −1.
    """
    n = trace.scores.shape[1]
    return math.e / (math.e + (n - 1) / math.e)


COSINE_QUANTITIES: Mapping[str, Callable[[AttentionTrace, int, int], float]] = {
    "dot": dot,
    "scaled_dot": scaled_dot,
    "cosine": cosine,
    "cosine_ceiling": cosine_ceiling,
}
"""Quantities by the names that lesson.toml uses."""
