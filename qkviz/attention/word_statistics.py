"""Where words look, over all texts of a capture: means over heads and over the rows of words."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from qkviz.attention.captured import Capture, CapturedText, Token
from qkviz.attention.head_measures import embedding_diagonal
from qkviz.attention.head_overviews import head_trace
from qkviz.attention.normalizers import is_largest


class KindWeights(NamedTuple):
    """What one word gets, on the average, from the words of a kind.

    Parameters
    ----------
    of_kind
        A word of the same kind, the asking word itself left out.
    of_others
        A word that is not of the kind.
    """

    of_kind: float
    of_others: float


@lru_cache(maxsize=256)
def layer_weights(text: CapturedText, layer: int) -> Tensor:
    """Return the weights of all heads of a layer (0-based), (heads, m, n)."""
    return torch.stack([head_trace(text, layer, head).weights for head in range(text.layers[layer].heads)])


def kind_weights(capture: Capture, layer: int, kind: Collection[str]) -> KindWeights:
    """Return where the words of a kind look, over all heads and texts.

    Parameters
    ----------
    kind
        Spellings in small letters. Rows with no key to look at on one side take no part in its mean.
    """
    own: list[Tensor] = []
    others: list[Tensor] = []
    for text in capture.texts:
        words = ~_special(text)
        asking = words & torch.tensor([_spelling(text, token) in kind for token in text.tokens])
        weights = layer_weights(text, layer).mean(dim=0)  # (n, n)
        for keys, found in ((asking, own), (words & ~asking, others)):
            pairs = asking.unsqueeze(1) & keys & ~torch.eye(len(words), dtype=torch.bool)  # (n, n)
            means = (weights * pairs).sum(dim=1) / pairs.sum(dim=1)  # (n,)
            found.append(means[pairs.any(dim=1)])
    return KindWeights(float(torch.cat(own).mean()), float(torch.cat(others).mean()))


def weight_on_itself(capture: Capture, layer: int) -> float:
    """Return the mean weight that a word gives itself, over all heads and texts."""
    return _mean_over_words(
        capture, lambda text: layer_weights(text, layer).diagonal(dim1=1, dim2=2).mean(dim=0)
    )


def diagonal_share(capture: Capture, layer: int) -> float:
    """Return the share of the rows, over all heads and texts, in which no key has more weight than itself."""

    def own(text: CapturedText) -> Tensor:
        weights = layer_weights(text, layer)  # (heads, n, n)
        largest = is_largest(weights.flatten(0, 1)).reshape(weights.shape)
        return largest.diagonal(dim1=1, dim2=2).double().mean(dim=0)

    return _mean_over_words(capture, own)


def embedding_diagonal_share(capture: Capture, layer: int) -> float:
    """Return the same share for XXᵀ, X being what comes into the layer; NaN where it was not kept."""

    def own(text: CapturedText) -> Tensor:
        share = embedding_diagonal(text.layers[layer], text.tokens)
        value = math.nan if share is None else share
        return torch.full((len(text.tokens),), value, dtype=torch.float64)

    return _mean_over_words(capture, own)


def _mean_over_words(capture: Capture, of_tokens: Callable[[CapturedText], Tensor]) -> float:
    """Return the mean, over the words of all texts, of what ``of_tokens`` says of each token (n,)."""
    return float(torch.cat([of_tokens(text)[~_special(text)] for text in capture.texts]).mean())


def _special(text: CapturedText) -> Tensor:
    return torch.tensor([token.is_special for token in text.tokens])


def _spelling(text: CapturedText, token: Token) -> str:
    return text.text[token.start : token.end].casefold()
