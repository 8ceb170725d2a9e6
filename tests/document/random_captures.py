"""Random heads of random captures: every type of layer, of number and of sharing between layers."""

from __future__ import annotations

import json
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from qkviz.attention.captured import (
    Capture,
    CaptureCheck,
    CapturedText,
    CaptureWay,
    ModelFacts,
    NextToken,
    Token,
)
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, Layer, WeightsLayer
from qkviz.document.captured_head import CapturedHead
from qkviz.translate import Phrase
from tests.attention.strategies import masks

sizes = st.integers(1, 3)
texts = st.text(st.characters(), max_size=5).filter(lambda text: json.loads(json.dumps(text)) == text)
"""Lone surrogates too, for a user may paste them; but no pair of them, which JSON takes for one letter."""

any_float = st.floats()
dtypes = st.sampled_from([torch.float64, torch.float32, torch.float16, torch.bfloat16])

plain_values = st.integers() | any_float | texts
phrases = st.recursive(
    st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True), plain_values, max_size=2).map(
        lambda values: _phrase("At {{once}}", values)
    ),
    lambda inner: inner.map(lambda phrase: Phrase("It says: {inner} 好", inner=phrase)),
    max_leaves=2,
)


def _phrase(beginning: str, values: dict[str, Any]) -> Phrase:
    return Phrase(beginning + "".join(f" {{{name}}}" for name in values), **values)


@st.composite
def tensors(draw: st.DrawFn, *shape: int) -> Tensor:
    """Draw numbers of any type; of any kind, NaN and infinities among them."""
    values = draw(st.lists(any_float, min_size=1, max_size=3))
    count = max(1, torch.Size(shape).numel())
    flat = torch.tensor((values * count)[:count], dtype=torch.float64)
    return flat.to(draw(dtypes)).reshape(shape)


@st.composite
def tokens(draw: st.DrawFn, count: int) -> tuple[Token, ...]:
    one = st.builds(
        Token, texts, texts, st.integers(0, 9), st.integers(0, 9), st.none() | st.integers(0, 9),
        st.booleans(), st.booleans(), st.integers(0, 1),
    )  # fmt: skip
    return tuple(draw(st.lists(one, min_size=count, max_size=count)))


@st.composite
def layers(draw: st.DrawFn, kind: AttentionKind, m: int, n: int, before: list[Layer]) -> Layer:
    """Draw a layer; it may share tensors with one before it."""
    key_heads, d_k, d_v, d_model = (draw(sizes) for _ in range(4))
    heads = key_heads * draw(st.integers(1, 2))
    if draw(st.integers(0, 3)) == 0:
        return WeightsLayer(kind, draw(tensors(heads, m, n)))
    shared = [one for one in before if isinstance(one, CapturedLayer) and one.shape == (m, n)]
    old = draw(st.sampled_from(shared)) if shared and draw(st.booleans()) else None
    mask = draw(masks(m, n))
    bias = (
        old.bias
        if old and heads == old.heads
        else draw(st.none() | tensors(draw(st.sampled_from([1, heads])), m, n))
    )
    X_q = old.X_q if old else draw(st.none() | tensors(m, d_model))
    if m == n and draw(st.booleans()):
        X_k = X_q
    else:
        X_k = None if X_q is None else draw(tensors(n, X_q.shape[1]))
    return CapturedLayer(
        kind, draw(tensors(heads, m, d_k)), draw(tensors(key_heads, n, d_k)),
        draw(st.none() | tensors(key_heads, n, d_v)), draw(any_float), mask,
        draw(st.none() | any_float), bias, draw(st.none() | tensors(heads)), X_q, X_k,
    )  # fmt: skip


@st.composite
def captured_texts(draw: st.DrawFn) -> CapturedText:
    n, m = draw(sizes), draw(st.integers(0, 3))
    shapes = {AttentionKind.ENCODER: (n, n), AttentionKind.DECODER: (m, m), AttentionKind.CROSS: (m, n)}
    made: list[Layer] = []
    kinds = list(AttentionKind) if m else [AttentionKind.ENCODER]
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3)):
        made.append(draw(layers(kind, *shapes[kind], made)))
    check = CaptureCheck(
        draw(st.sampled_from(CaptureWay)), draw(st.none() | any_float),
        tuple(draw(st.lists(any_float, max_size=2))), tuple(draw(st.lists(phrases, max_size=2))),
    )  # fmt: skip
    guesses = tuple(draw(st.lists(st.builds(NextToken, texts, any_float), max_size=2)))
    off = draw(st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=2))
    pair = draw(st.none() | texts)
    return CapturedText(draw(texts), pair, draw(tokens(n)), tuple(made), check, draw(tokens(m)), guesses, off)


@st.composite
def captured_heads(draw: st.DrawFn) -> CapturedHead:
    """Draw a head of a capture of one or two texts."""
    facts = ModelFacts(*(draw(texts) for _ in range(5)), draw(st.booleans()), draw(st.none() | phrases))
    capture = Capture(facts, tuple(draw(st.lists(captured_texts(), min_size=1, max_size=2))))
    text = draw(st.integers(0, len(capture.texts) - 1))
    layer = draw(st.integers(0, len(capture.texts[text].layers) - 1))
    head = draw(st.integers(0, capture.texts[text].layers[layer].heads - 1))
    before = draw(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)))
    return CapturedHead(capture, text, layer, head, before)


def shared_tensors(captured: CapturedHead) -> list[int]:
    """Return a number for each tensor of all layers; the same for the same object."""
    names = ("Q", "K", "V", "bias", "sinks", "X_q", "X_k", "weights")
    seen: dict[int, int] = {}
    found = [
        getattr(layer, name, None)
        for text in captured.capture.texts
        for layer in text.layers
        for name in names
    ]
    return [seen.setdefault(id(tensor), len(seen)) for tensor in found if tensor is not None]
