"""Score functions side by side on the same queries and keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.inputs import DirectInputs
from qkviz.attention.options import AttentionOptions
from qkviz.attention.sampling import draw_queries_and_keys
from qkviz.attention.score_functions import Additive, Dot, ScaledDot, ScoreFunction, draw_additive
from qkviz.attention.trace import AttentionTrace, trace_attention

HIDDEN = 64
"""Width h of the additive function that is compared."""

TOKENS = 32
"""Queries, and keys, that are drawn."""

Scorer = Callable[[Tensor, Tensor], Tensor]
"""Q (m, d_k), K (n, d_k) → (m, n)."""


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """The same Q and K under the three functions."""

    d_k: int
    additive: AttentionTrace
    dot: AttentionTrace
    scaled_dot: AttentionTrace


def compare_drawn(d_k: int, seed: int) -> Comparison:
    """Compare on `TOKENS` queries and keys with independent N(0, 1) entries, drawn by ``seed``."""
    Q, K = draw_queries_and_keys(TOKENS, TOKENS, d_k, seed)
    return compare_score_functions(Q, K, seed)


def compare_score_functions(Q: Tensor, K: Tensor, seed: int) -> Comparison:
    """Compare on Q (m, d_k) and K (n, d_k); ``seed`` draws the additive function's parameters."""
    d_k = Q.shape[1]
    inputs = DirectInputs(Q, K, None)

    def traced(score: ScoreFunction) -> AttentionTrace:
        return trace_attention(inputs, AttentionOptions(score=score))

    return Comparison(d_k, traced(draw_additive(d_k, HIDDEN, seed)), traced(Dot()), traced(ScaledDot()))


def parameter_count(score: ScoreFunction) -> int:
    """Return how many numbers training would have to find: 2·d_k·h + h for the additive function, else 0."""
    if isinstance(score, Additive):
        return score.W_1.numel() + score.W_2.numel() + score.v.numel()
    return 0


def scorers(d_k: int, seed: int) -> Mapping[str, Scorer]:
    """Return what can be timed by its name: additive, dot, scaled_dot and distance.

    ``distance`` is the Euclidean ‖q − k‖, all of them at once in the fastest way that torch has.
    """
    scale = ScaledDot().default_scale(d_k)
    return {
        "additive": draw_additive(d_k, HIDDEN, seed).score,
        "dot": Dot().score,
        "scaled_dot": lambda Q, K: ScaledDot().score(Q, K).mul_(scale),
        "distance": torch.cdist,
    }
