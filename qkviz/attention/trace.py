"""One attention head from embeddings to output, every stage kept. Nothing else here computes attention."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.inputs import AttentionInputs, DirectInputs, ProjectedInputs
from qkviz.attention.normalizers import rows_without_key, weights_beside_sink
from qkviz.attention.options import PLAIN_ATTENTION, AttentionOptions
from qkviz.attention.score_functions import Cosine
from qkviz.attention.shapes import shape_text
from qkviz.translate import Refusal


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """Everything that follows from inputs and options. m queries are rows, n keys are columns; float64."""

    inputs: AttentionInputs
    options: AttentionOptions
    X_q: Tensor | None  # (m, d_model)  embeddings behind the queries; None: nobody has them
    X_k: Tensor | None  # (n, d_model)  the same object as X_q in self-attention
    Q: Tensor | None  # (m, d_k)        queries, hand-made offsets included; None: the scores were given
    K: Tensor | None  # (n, d_k)        keys, hand-made offsets included
    V: Tensor | None  # (n, d_v)        values; None: the document has none
    scale: float  #                     what the scores are multiplied by
    scores: Tensor  # (m, n)            raw, before the scale
    scaled: Tensor  # (m, n)
    capped: Tensor  # (m, n)            the same object as scaled without a soft cap
    mask: Tensor  # (m, n)              0 allowed, −inf forbidden
    masked: Tensor  # (m, n)            capped + bias + mask; −inf: not allowed, or undefined
    weights: Tensor  # (m, n)           rows sum to 1, less what the sink takes
    sink_weights: Tensor | None  # (m,) what no key gets; None: the document has no sink
    undefined: Tensor  # (m, n) bool    cosine of a zero vector: NaN in the scores, no part in the weights
    no_key: Tensor  # (m,) bool         rows without an allowed key; their weights are zeros
    output: Tensor | None  # (m, d_v)   None without V


@torch.no_grad()
def trace_attention(inputs: AttentionInputs, options: AttentionOptions = PLAIN_ATTENTION) -> AttentionTrace:
    """Compute attention step by step.

    The tensors of the trace are new or those of ``inputs`` themselves; treat them as read-only.

    Raises
    ------
    Refusal
        If the mask, the bias or an additive score function does not fit the inputs.
    """
    X_q = X_k = Q = K = None

    # embeddings to queries, keys and values, and those to scores
    if isinstance(inputs, ProjectedInputs):
        X_q, X_k = inputs.X_q, inputs.X_k  # (m, d_model), (n, d_model)
        Q = moved_by_hand(X_q @ inputs.W_Q, inputs.query_offsets)  # (m, d_k)
        K = moved_by_hand(X_k @ inputs.W_K, inputs.key_offsets)  # (n, d_k)
        V = None if inputs.W_V is None else X_k @ inputs.W_V  # (n, d_v)
        scores = options.score.score(Q, K)  # (m, n)
        scale = options.score.default_scale(inputs.d_k)
    elif isinstance(inputs, DirectInputs):
        X_q, X_k = inputs.X_q, inputs.X_k  # recorded beside Q and K; nothing follows from them
        Q, K, V = inputs.Q, inputs.K, inputs.V  # (m, d_k), (n, d_k), (n, d_v)
        scores = options.score.score(Q, K)  # (m, n)
        scale = options.score.default_scale(inputs.d_k)
    else:
        V, scores, scale = inputs.V, inputs.scores, 1.0  # nobody knows the d_k of given scores

    # scores to weights
    if options.scale is not None:
        scale = options.scale
    scaled = scores * scale  # (m, n)
    cap = options.soft_cap
    capped = scaled if cap is None else cap * torch.tanh(scaled / cap)  # (m, n)
    biased = capped if options.bias is None else capped + fitting_bias(options.bias, scores)  # (m, n)
    mask = options.mask.additive(inputs.m, inputs.n)  # (m, n)
    masked = biased + mask  # (m, n)
    if Q is not None and isinstance(options.score, Cosine):
        undefined = scores.isnan()  # (m, n)
        masked.masked_fill_(undefined, -math.inf)
    else:
        undefined = torch.zeros_like(scores, dtype=torch.bool)  # (m, n); the NaN of given scores is theirs
    no_key = rows_without_key(masked)  # (m,)
    weights, sink_weights = weights_beside_sink(options.normalizer, masked, options.sink)  # (m, n), (m,)

    # weights to output: a mean of the values, one for each query
    output = None if V is None else weights @ V  # (m, d_v)

    stages = (scores, scaled, capped, mask, masked, weights, sink_weights, undefined, no_key, output)
    return AttentionTrace(inputs, options, X_q, X_k, Q, K, V, scale, *stages)


def moved_by_hand(vectors: Tensor, offsets: Tensor | None) -> Tensor:
    """Add the offsets (n, d_k) that the user made by dragging, if any, to the projected vectors (n, d_k)."""
    return vectors if offsets is None else vectors + offsets


def fitting_bias(bias: Tensor, scores: Tensor) -> Tensor:
    """Return the bias (m, n) if it fits the scores (m, n).

    Raises
    ------
    Refusal
        Naming both shapes, if it does not.
    """
    if bias.shape != scores.shape:
        raise Refusal(
            "The position bias is {bias}, but the scores are {scores}.",
            bias=shape_text(bias),
            scores=shape_text(scores),
        )
    return bias
