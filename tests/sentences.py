"""Captures of several sentences by an encoder small enough to look through."""

from __future__ import annotations

import zlib

import torch
from torch import Tensor

from qkviz.attention.captured import Capture, CaptureCheck, CapturedText, CaptureWay, Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from tests.captures import FACTS

BANKS = (
    "She sat on the bank of the river",
    "We drove to the bank for cash",
    "A loan",
    "Bank or bank",
)
"""“bank” at the same place in two sentences, not at all in one, twice in one."""

D_MODEL, D_K, HEADS = 8, 4, 2


def sentence_capture(*sentences: str, layers: int = 3) -> Capture:
    """Return what an encoder of random numbers saw: one token a word between [CLS] and [SEP].

    In the first layer q, k and x follow from word and position alone, as in a real model; in every further
    one x has taken a part of the mean of its sentence.
    """
    return Capture(FACTS, tuple(sentence_text(sentence, layers) for sentence in sentences))


def sentence_text(sentence: str, layers: int = 3) -> CapturedText:
    """Return one sentence as the encoder saw it."""
    tokens = sentence_tokens(sentence)
    x = torch.stack([_embedding(token.raw, at) for at, token in enumerate(tokens)])  # (n, d_model)
    made = []
    for layer in range(layers):
        made.append(_layer(x, layer))
        x = x + 0.6 * x.mean(dim=0)
    return CapturedText(sentence, None, tokens, tuple(made), CaptureCheck(CaptureWay.INTERFACE, 0.0))


def sentence_tokens(sentence: str) -> tuple[Token, ...]:
    """Return [CLS], one token for each word between blanks, [SEP]."""
    tokens, at = [Token("[CLS]", "[CLS]", is_special=True)], 0
    for number, word in enumerate(sentence.split(" ")):
        tokens.append(Token(word, word.lower(), at, at + len(word), word=number))
        at += len(word) + 1
    end = len(sentence)
    return (*tokens, Token("[SEP]", "[SEP]", end, end, is_special=True))


def _layer(x: Tensor, layer: int) -> CapturedLayer:
    draw = torch.Generator().manual_seed(layer)
    w_q, w_k, w_v = 0.5 * torch.randn(3, HEADS, D_MODEL, D_K, generator=draw)
    # row by row: the bits of a product of matrices depend on how many rows there are
    q, k, v = (torch.stack([row @ w for row in x], dim=1) for w in (w_q, w_k, w_v))  # (heads, n, d_k)
    return CapturedLayer(AttentionKind.ENCODER, q, k, v, D_K**-0.5, X_q=x, X_k=x)


def _embedding(word: str, position: int) -> Tensor:
    of_word = torch.Generator().manual_seed(zlib.crc32(word.encode()))
    of_place = torch.Generator().manual_seed(position)
    return torch.randn(D_MODEL, generator=of_word) + 0.5 * torch.randn(D_MODEL, generator=of_place)
