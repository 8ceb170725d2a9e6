"""What the lessons on score functions and on √d_k quote and notice: random vectors under each function."""

# ruff: noqa: PLC0415 -- what is imported inside needs torch, and a lesson file can be read without it

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.score_functions import ScoreFunction
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.document import Document
    from qkviz.document.session import Snapshot


def drawn_dot(document: Document, *, d_k: int, queries: int, keys: int, seed: int) -> Document:
    """Replace q and k by independent N(0, 1) vectors as the panel draws them, compared by the dot product."""
    from qkviz.attention.score_functions import Dot

    return _drawn(document, Dot(), d_k, queries, keys, seed)


def drawn_scaled_dot(document: Document, *, d_k: int, queries: int, keys: int, seed: int) -> Document:
    """Replace q and k likewise, compared by the scaled dot product."""
    from qkviz.attention.score_functions import ScaledDot

    return _drawn(document, ScaledDot(), d_k, queries, keys, seed)


def drawn_additive(document: Document, *, d_k: int, queries: int, keys: int, seed: int) -> Document:
    """Replace q and k likewise, compared by the additive function that the panel draws."""
    from qkviz.attention.comparison import HIDDEN
    from qkviz.attention.score_functions import draw_additive

    return _drawn(document, draw_additive(d_k, HIDDEN, seed), d_k, queries, keys, seed)


def score_by_dot(document: Document) -> Document:
    """Compare by the dot product, not divided."""
    from qkviz.attention.score_functions import Dot
    from qkviz.document.edits import SetScoreFunction

    return SetScoreFunction(Dot()).apply(document)


SCALING_CHANGES: Mapping[str, Callable[..., Document]] = {
    change.__name__: change for change in (drawn_dot, drawn_scaled_dot, drawn_additive, score_by_dot)
}
"""For `what_if.CHANGES`."""


def score_deviation(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the standard deviation of all scaled scores."""
    from qkviz.attention.measures import score_variance

    variance = score_variance(trace.scaled)
    return math.nan if variance is None else math.sqrt(variance)


def mean_largest(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the largest weight of a row, on the average of all rows."""
    from qkviz.attention.saturation import mean_largest_weight

    return mean_largest_weight(trace.weights)


def gradient_norm(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the Frobenius norm of the Jacobian of softmax, on the average of all rows."""
    from qkviz.attention.saturation import jacobian_norm

    return jacobian_norm(trace.weights).mean().item()


def parameters(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the number of parameters of the score function."""
    from qkviz.attention.comparison import parameter_count

    return parameter_count(trace.options.score)


SCALING_QUANTITIES: Mapping[str, Callable[[AttentionTrace, int, int], float]] = {
    one.__name__: one for one in (score_deviation, mean_largest, gradient_norm, parameters)
}
"""For `quantities.QUANTITIES`."""


def weight_above(now: Snapshot, start: AttentionTrace, *, query: int, key: int, limit: float) -> bool:
    """Whether the query gives the key more weight than ``limit``."""
    return now.trace.weights[query, key].item() > limit


def _drawn(
    document: Document, score: ScoreFunction, d_k: int, queries: int, keys: int, seed: int
) -> Document:
    from qkviz.attention.inputs import DirectInputs
    from qkviz.attention.options import AttentionOptions
    from qkviz.attention.sampling import draw_queries_and_keys

    Q, K = draw_queries_and_keys(queries, keys, d_k, seed)
    return replace(
        document,
        queries=tuple(str(number + 1) for number in range(queries)),
        keys=tuple(str(number + 1) for number in range(keys)),
        inputs=DirectInputs(Q, K, None),
        options=AttentionOptions(score=score),
    )
