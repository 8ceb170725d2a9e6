"""Are these the model's own numbers? Its eager attention is asked for its weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, unexplained_share
from qkviz.capture.attention_call import eager_weights, scaled_scores

_MOST_IN_ROW = 1.05
"""A row of weights sums to 1 or, with a sink, to less; in bfloat16 it may come to this much more."""

Weights = dict[AttentionKind, list[Tensor]]
"""(heads, m, n) of every layer, in their order."""


def weights_of(outputs: Any) -> Weights:
    """Return the weights that a model of transformers gives when it is asked for its attentions.

    Those of the first text of the batch. What gave none is left out, so a model may give none at all; so is
    what somebody called attentions though its rows are no shares.
    """
    names = {
        "attentions": AttentionKind.ENCODER,
        "encoder_attentions": AttentionKind.ENCODER,
        "decoder_attentions": AttentionKind.DECODER,
        "cross_attentions": AttentionKind.CROSS,
    }
    found: Weights = {}
    for name, kind in names.items():
        given = [layer for layer in outputs.get(name) or () if isinstance(layer, Tensor) and layer.ndim == 4]
        if given and all(map(_are_weights, given)):
            found[kind] = [layer[0] for layer in given]
    return found


def largest_difference(layers: Sequence[CapturedLayer], theirs: Weights) -> float:
    """Return the largest difference between a weight of the layers and the model's own.

    Infinite if they are not as many, or not of the same shapes. One layer is computed at a time.
    """
    if sum(map(len, theirs.values())) != len(layers):
        return math.inf
    left = {kind: iter(weights) for kind, weights in theirs.items()}
    differences = [_difference(layer, next(left.get(layer.kind, iter(())), None)) for layer in layers]
    return max(differences, default=math.inf)


def unexplained(layer: CapturedLayer) -> float:
    """Return which share of a layer's masked scores is not scale·q·k, over all its heads."""
    if layer.bias is None and layer.soft_cap is None:
        return 0.0
    scaled = scaled_scores(layer.Q, layer.K, layer.scale)  # (heads, m, n)
    masked = scaled if layer.soft_cap is None else layer.soft_cap * torch.tanh(scaled / layer.soft_cap)
    masked = masked if layer.bias is None else masked + layer.bias
    allowed = layer.allowed()
    if allowed is not None:
        masked = masked.masked_fill(~allowed.to(masked.device), -math.inf)
    return unexplained_share(scaled.flatten(0, 1), masked.flatten(0, 1))


def _are_weights(given: Tensor) -> bool:
    return bool((given >= 0.0).all()) and bool((given.sum(dim=-1) < _MOST_IN_ROW).all())


def _difference(layer: CapturedLayer, theirs: Tensor | None) -> float:
    ours = eager_weights(
        layer.Q,
        layer.K,
        layer.scale,
        mask=layer.allowed(),
        soft_cap=layer.soft_cap,
        bias=layer.bias,
        sinks=layer.sinks,
    )
    if theirs is None or theirs.shape != ours.shape:
        return math.inf
    difference = float((ours - theirs).abs().max())
    return math.inf if math.isnan(difference) else difference
