"""One call of attention inside a model, and its weights in the model's own arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False, slots=True)
class AttentionCall:
    """What went into one call of attention. b texts, m queries, n keys.

    Parameters
    ----------
    place
        Name of the module it happened in ("encoder.layers.0.self_attn").
    query
        (b, heads, m, d_k), before it was multiplied by any number.
    key, value
        (b, key_heads, n, d_k), likewise, and (b, key_heads, n, d_v).
    scale
        What their product was multiplied by.
    mask
        Broadcasts to (b, heads, m, n): bool, True allows; or floats to be added.
    soft_cap, position_bias, sinks
        See `AttentionOptions`; the bias broadcasts to (b, heads, m, n), there is one sink for each head.
    entering
        (b, m, d_model), what came into the layer; None: nobody saw it.
    """

    place: str
    query: Tensor
    key: Tensor
    value: Tensor | None
    scale: float
    mask: Tensor | None = None
    soft_cap: float | None = None
    position_bias: Tensor | None = None
    sinks: Tensor | None = None
    entering: Tensor | None = None


TakeCall = Callable[[AttentionCall], None]
"""Told of every call of attention, in their order; it may raise, which ends the run."""


def scaled_scores(query: Tensor, key: Tensor, scale: float) -> Tensor:
    """Return scale·q·k (…, heads, m, n) in the order of operations that models have."""
    return (query @ repeated(key, query.shape[-3]).transpose(-1, -2)).mul_(scale)


def eager_weights(
    query: Tensor,
    key: Tensor,
    scale: float,
    *,
    mask: Tensor | None = None,
    soft_cap: float | None = None,
    bias: Tensor | None = None,
    sinks: Tensor | None = None,
) -> Tensor:
    """Return the weights (…, heads, m, n) as transformers' eager attention computes them, bit by bit.

    `trace_attention` is what is shown. This is for telling whether the numbers are the model's own: the same
    operations in the same order and precision, so that an exact capture differs by 0 and not by roundings.
    """
    scores = scaled_scores(query, key, scale)
    if soft_cap is not None:
        scores = scores.div_(soft_cap).tanh_().mul_(soft_cap)
    if bias is not None:  # what the watcher saw beside scale·q·k is kept in float64, to come out exactly
        scores = (scores + bias).to(scores.dtype)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill_(~mask, lowest) if mask.dtype is torch.bool else scores.add_(mask)
    if sinks is not None:
        sink = sinks.to(scores.dtype).reshape(-1, 1, 1).expand(*scores.shape[:-1], 1)
        scores = torch.cat((scores, sink), dim=-1)
        scores = scores - scores.max(dim=-1, keepdim=True).values
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
    return weights if sinks is None else weights[..., :-1]


def repeated(shared: Tensor, heads: int) -> Tensor:
    """Return (…, heads, n, d) of (…, key_heads, n, d): query heads next to each other share a key head."""
    groups = heads // shared.shape[-3]
    return shared if groups == 1 else shared.repeat_interleave(groups, dim=-3)
