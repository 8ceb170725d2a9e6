"""Records Q, K and V through transformers' own interface for attention functions.

Two registrations under one name. The second, of the mask, is what a causal model stands on: for a name
without one transformers gives no mask at all, and the model sees the future without a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

from qkviz.capture.attention_call import AttentionCall, TakeCall, eager_weights, repeated
from qkviz.capture.places import Places

NAME = "qkviz"
"""The attention implementation that records."""

_WITHOUT_EFFECT = frozenset(
    {
        "cache_position",
        "cu_seq_lens_k",
        "cu_seq_lens_q",
        "deterministic",
        "dropout",
        "is_causal",
        "layer_idx",
        "max_length_k",
        "max_length_q",
        "output_attentions",
        "output_hidden_states",
        "position_embeddings",
        "position_ids",
        "return_dict",
        "sliding_window",
        "token_type_ids",
        "use_cache",
    }
)
"""Arguments that a call may bring and that do not change the weights: a window, for one, is in the mask."""


@dataclass(eq=False, slots=True)
class Recorder:
    """Who is told of the calls during one run of a model."""

    take: TakeCall
    places: Places
    unknown: set[str] = field(default_factory=set)  # arguments that nobody here knows the effect of


_current: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Tell ``recorder`` of the calls that happen inside, in this thread."""
    token = _current.set(recorder)
    try:
        yield
    finally:
        _current.reset(token)


def register(transformers: Any) -> None:
    """Make the attention implementation `NAME` known to transformers, with its masks; again does no harm."""
    masks = transformers.masking_utils
    transformers.AttentionInterface.register(NAME, recorded_attention)
    transformers.AttentionMaskInterface.register(NAME, masks.ALL_MASK_ATTENTION_FUNCTIONS["eager"])


def recorded_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    softcap: float | None = None,
    position_bias: Tensor | None = None,
    s_aux: Tensor | None = None,
    **others: object,
) -> tuple[Tensor, Tensor]:
    """Compute attention from exactly the numbers that are recorded; transformers calls this for every layer.

    Parameters
    ----------
    query, key, value
        (b, heads, m, d_k), (b, key_heads, n, d_k), (b, key_heads, n, d_v).
    attention_mask, position_bias
        Added to the scaled scores; broadcast to (b, heads, m, n).
    s_aux
        (heads,), the sinks.

    Returns
    -------
    Tensor
        (b, m, heads, d_v), the output.
    Tensor
        (b, heads, m, n), the weights.
    """
    scale = query.shape[-1] ** -0.5 if scaling is None else float(scaling)
    if attention_mask is not None:
        attention_mask = attention_mask[..., : key.shape[-2]]
    recorder = _current.get()
    if recorder is not None:
        before = _scaled_before(module, scale)
        recorder.unknown |= {name for name, given in others.items() if given is not None} - _WITHOUT_EFFECT
        recorder.take(
            AttentionCall(
                recorder.places.name_of(module),
                query if before == 1.0 else query / before,
                key,
                value,
                scale * before,
                attention_mask,
                softcap,
                position_bias,
                None if s_aux is None else s_aux.detach(),
                recorder.places.entering(query.shape[0], query.shape[2]),
            )
        )
    weights = eager_weights(
        query, key, scale, mask=attention_mask, soft_cap=softcap, bias=position_bias, sinks=s_aux
    )
    output = weights @ repeated(value, query.shape[1])  # (b, heads, m, d_v)
    return output.transpose(1, 2).contiguous(), weights


def _scaled_before(module: nn.Module, scale: float) -> float:
    """Return what the query was multiplied by before it came; OPT does so, and then asks for a scale of 1."""
    own = getattr(module, "scaling", None)
    return own if scale == 1.0 and isinstance(own, float) and own > 0 else 1.0
