"""Captures of no model: random queries, keys and values, for whatever shows or saves heads."""

from __future__ import annotations

import torch

from qkviz.attention.captured import Capture, CaptureCheck, CapturedText, CaptureWay, ModelFacts, Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, WeightsLayer
from qkviz.attention.masks import CausalMask, Mask, NoMask

NO_MASK = NoMask()

WORDS = ("She", "sat", "on", "the", "bank", "of", "river", "and", "watched", "water")
"""The words behind the first one of every text, over and over."""

FACTS = ModelFacts(
    name="random-model",
    architecture="RandomModel",
    source="/models/random",
    licence="Apache-2.0",
    sha256="0" * 64,
)


def random_capture(
    layers: int = 2, heads: int = 3, tokens: int = 5, seed: int = 0, *, key_heads: int | None = None
) -> Capture:
    """Return a capture of one text by an encoder.

    Parameters
    ----------
    layers, heads, key_heads
        As many; a key head for every head if None.
    tokens
        In all, at least 4: [CLS], a word of two tokens ("play", "·ing"), other words, [SEP].
    seed
        The same seed gives the same numbers.
    """
    return Capture(FACTS, (random_text(layers, heads, tokens, seed, key_heads=key_heads),))


def random_text(
    layers: int = 2, heads: int = 3, tokens: int = 5, seed: int = 0, *, key_heads: int | None = None
) -> CapturedText:
    """Return one text as an encoder of random numbers saw it; parameters as those of `random_capture`."""
    draw = torch.Generator().manual_seed(seed)
    text, shown = random_tokens(tokens)
    made = tuple(
        random_layer(draw, heads, tokens, tokens, key_heads=heads if key_heads is None else key_heads)
        for _layer in range(layers)
    )
    return CapturedText(text, None, shown, made, CaptureCheck(CaptureWay.INTERFACE, 0.0, (0.0,) * layers))


def random_cross_text(heads: int = 2, queries: int = 3, keys: int = 5, seed: int = 0) -> CapturedText:
    """Return a text through one layer each of an encoder, a decoder (causal) and cross-attention."""
    draw = torch.Generator().manual_seed(seed)
    text, shown = random_tokens(keys)
    decoder = tuple(Token(f"d{at + 1}", f"d{at + 1}", word=at) for at in range(queries))
    made = (
        random_layer(draw, heads, keys, keys),
        random_layer(draw, heads, queries, queries, AttentionKind.DECODER, CausalMask()),
        random_layer(draw, heads, queries, keys, AttentionKind.CROSS),
    )
    check = CaptureCheck(CaptureWay.INTERFACE, 0.0, (0.0, 0.0, 0.0))
    return CapturedText(text, None, shown, made, check, decoder_tokens=decoder)


def random_weights_text(layers: int = 2, heads: int = 3, tokens: int = 5, seed: int = 0) -> CapturedText:
    """Return a text as a model saw it that tells its weights only."""
    draw = torch.Generator().manual_seed(seed)
    text, shown = random_tokens(tokens)
    weights = torch.randn(layers, heads, tokens, tokens, generator=draw).softmax(-1)
    made = tuple(WeightsLayer(AttentionKind.ENCODER, one) for one in weights)
    return CapturedText(text, None, shown, made, CaptureCheck(CaptureWay.WEIGHTS))


def random_layer(
    draw: torch.Generator,
    heads: int,
    queries: int,
    keys: int,
    kind: AttentionKind = AttentionKind.ENCODER,
    mask: Mask = NO_MASK,
    *,
    key_heads: int | None = None,
    d_k: int = 4,
) -> CapturedLayer:
    """Return one call of attention of normally distributed numbers, float32; d_v = d_k, d_model = 2 d_k."""
    shared = heads if key_heads is None else key_heads
    X_q = torch.randn(queries, 2 * d_k, generator=draw)
    return CapturedLayer(
        kind,
        Q=2.0 * torch.randn(heads, queries, d_k, generator=draw),
        K=torch.randn(shared, keys, d_k, generator=draw),
        V=torch.randn(shared, keys, d_k, generator=draw),
        scale=d_k**-0.5,
        mask=mask,
        X_q=X_q,
        X_k=torch.randn(keys, 2 * d_k, generator=draw) if kind is AttentionKind.CROSS else X_q,
    )


def random_tokens(count: int) -> tuple[str, tuple[Token, ...]]:
    """Return a text and its tokens: [CLS], "play", "·ing", one token for each further word, [SEP]."""
    words = [WORDS[at % len(WORDS)] for at in range(count - 4)]
    tokens = [
        Token("[CLS]", "[CLS]", is_special=True),
        Token("play", "play", 0, 4, word=0),
        Token("·ing", "##ing", 4, 7, word=0),
    ]
    text = "playing"
    for number, word in enumerate(words, start=1):
        start = len(text) + 1
        tokens.append(Token(word, word.lower(), start, start + len(word), word=number))
        text = f"{text} {word}"
    return text, (*tokens, Token("[SEP]", "[SEP]", len(text), len(text), is_special=True))
