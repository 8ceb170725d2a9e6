"""Calls of attention as layers to look at: one text, all heads, nothing kept twice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor

from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, Layer, mask_of
from qkviz.attention.masks import Mask, NoMask
from qkviz.capture.attention_call import AttentionCall

_CROSS = ("cross", "encoder_attn", "encdec", "enc_dec")
"""What attention of a decoder at an encoder is called in transformers, one of these in its name."""


_NO_SCORE = -1e9
"""Models forbid with this, with 10³⁰ below zero, or with the lowest number there is."""


def kind_of(place: str, *, has_decoder: bool) -> AttentionKind:
    """Tell whose queries look at whose keys from the name of the module."""
    name = place.lower()
    if not has_decoder or "decoder" not in name:
        return AttentionKind.ENCODER
    return AttentionKind.CROSS if any(word in name for word in _CROSS) else AttentionKind.DECODER


class LayerMaker:
    """Makes layers of the calls of one run, of the first text in its batch.

    What two layers have in common, a mask or a position bias, they share as one object.

    Parameters
    ----------
    has_decoder
        Whether the model has an encoder and a decoder.
    """

    def __init__(self, *, has_decoder: bool) -> None:
        self._has_decoder = has_decoder
        self._made: dict[tuple[int, tuple[int, int]], tuple[Tensor, Mask, Tensor | None]] = {}
        self._masks: list[tuple[Tensor, Mask]] = []

    def layer(self, call: AttentionCall) -> CapturedLayer:
        """Return a call as a layer; its tensors are those of the call, or parts of them."""
        query, key = call.query[0], call.key[0]  # (heads, m, d_k), (key_heads, n, d_k)
        shape = (query.shape[1], key.shape[1])
        kind = kind_of(call.place, has_decoder=self._has_decoder)
        mask, mask_bias = self._split(call.mask, shape)
        _all, bias = self._split(call.position_bias, shape)
        entering = None if kind is AttentionKind.CROSS or call.entering is None else call.entering[0]
        return CapturedLayer(
            kind=kind,
            Q=own(query),
            K=own(key),
            V=None if call.value is None else own(call.value[0]),
            scale=call.scale,
            mask=mask,
            soft_cap=call.soft_cap,
            bias=mask_bias if bias is None else bias if mask_bias is None else bias + mask_bias,
            sinks=call.sinks,
            X_q=entering,
            X_k=entering,
        )

    def _split(self, added: Tensor | None, shape: tuple[int, int]) -> tuple[Mask, Tensor | None]:
        """Return what a mask forbids and what it adds, as `split_mask` does; once for each mask."""
        if added is None:
            return NoMask(), None
        known = self._made.get((id(added), shape))
        if known is None:  # the tensor itself is kept beside, or another one may get its id
            allowed, bias = split_mask(added[0] if added.ndim == 4 else added, shape)
            known = added, self._named(allowed), bias
            self._made[id(added), shape] = known
        return known[1], known[2]

    def _named(self, allowed: Tensor | None) -> Mask:
        if allowed is None:
            return NoMask()
        for cells, mask in self._masks:
            if torch.equal(cells, allowed):
                return mask
        self._masks.append((allowed, mask_of(allowed.cpu())))
        return self._masks[-1][1]


def split_mask(added: Tensor, shape: tuple[int, int]) -> tuple[Tensor | None, Tensor | None]:
    """Split what a model adds to its scores into what it forbids and what it prefers.

    Parameters
    ----------
    added
        Broadcasts to (heads, m, n). Bool, True allows; or floats, of which the lowest of their type forbid.
    shape
        m and n.

    Returns
    -------
    Tensor or None
        (m, n) bool, what some head may look at; None: everything.
    Tensor or None
        (heads or 1, m, n), what is added to the rest, −inf where only this head may not look; None: nothing.
    """
    added = added.reshape(1, *added.shape) if added.ndim < 3 else added
    added = added.expand(added.shape[0], *shape)
    forbidden = forbidden_by(added)
    by_all = forbidden.all(dim=0)
    zero = torch.zeros((), dtype=torch.float32 if added.dtype is torch.bool else added.dtype)
    bias = torch.where(forbidden, -math.inf, zero if added.dtype is torch.bool else added)
    bias = bias.masked_fill_(by_all, 0.0)
    return (~by_all if bool(by_all.any()) else None), (bias if bool(bias.any()) else None)


def forbidden_by(added: Tensor) -> Tensor:
    """Return where a mask, or masked scores, forbid: not True, or lower than any score of a model."""
    if added.dtype is torch.bool:
        return ~added
    return added <= max(torch.finfo(added.dtype).min / 2, _NO_SCORE)


def on_cpu(layers: Sequence[Layer]) -> Iterator[Layer]:
    """Yield the layers with their tensors on the CPU; what they shared they go on sharing."""
    moved: dict[int, Tensor] = {}

    def to_cpu(tensor: Tensor) -> Tensor:
        return moved.setdefault(id(tensor), tensor.cpu())

    for layer in layers:
        values = {field.name: getattr(layer, field.name) for field in fields(layer)}
        moving: dict[str, Any] = {name: to_cpu(it) for name, it in values.items() if isinstance(it, Tensor)}
        yield replace(layer, **moving)


def own(part: Tensor) -> Tensor:
    """Return a tensor that keeps no other in memory: a copy of a part of a larger one."""
    return part.clone() if part.untyped_storage().nbytes() > part.nbytes else part
