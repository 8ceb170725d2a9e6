"""What is said of trained models, as numbers: function words, pronouns, what special tokens carry."""

# ruff: noqa: PLC0415 -- what imports torch is imported where it is needed: lesson files are read without it

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from qkviz.attention.captured import Capture, CapturedText, Token

_ARTICLES_AND_LINKS = "a an the this that every and because when not too did had was"
_PREPOSITIONS = "about at for from in into of on over to"
_PRONOUNS = "I we she he it her his"

FUNCTION_WORDS = frozenset(f"{_ARTICLES_AND_LINKS} {_PREPOSITIONS} {_PRONOUNS}".casefold().split())
"""Those of the recorded texts; every other word of them counts as a content word."""


def content_weight(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a function word gives a content word, over all heads and texts."""
    return _mean_weight(capture, layer, to_function=False)


def function_weight(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a function word gives another function word, likewise."""
    return _mean_weight(capture, layer, to_function=True)


def heads_preferring(capture: Capture, *, text: int, query: int, key: int, other: int) -> float:
    """Return how many heads of all layers give ``key`` more weight than ``other`` in the row of a query."""
    layers = range(len(capture.texts[text].layers))
    return sum(
        heads_preferring_in(capture, text=text, layer=layer, query=query, key=key, other=other)
        for layer in layers
    )


def heads_preferring_in(
    capture: Capture, *, text: int, layer: int, query: int, key: int, other: int
) -> float:
    """Return the same number for the heads of one layer."""
    row = _weights(capture.texts[text], layer)[:, query]  # (heads, n)
    return float((row[:, key] > row[:, other]).sum())


def specials_carried(capture: Capture, *, text: int, layer: int) -> float:
    """Return the percentage of Σ w_ij ‖v_j‖ that comes from special tokens, on the average of heads and rows.

    Rows are those of words.
    """
    from qkviz.attention.head_overviews import viewed_head
    from qkviz.attention.head_views import CellValue, HeadView

    seen = capture.texts[text]
    special = [token.is_special for token in seen.tokens]
    words = [not one for one in special]
    shares = []
    for head in range(seen.layers[layer].heads):
        carried = viewed_head(seen, layer, head, HeadView(CellValue.CARRIED)).matrix[words]  # (words, n)
        shares.append(float((carried[:, special].sum(1) / carried.sum(1)).mean()))
    return 100 * sum(shares) / len(shares)


def words(capture: Capture, *, text: int) -> float:
    """Return the number of tokens of a text that are not special; in the recorded texts each is a word."""
    return float(sum(not token.is_special for token in capture.texts[text].tokens))


def even_distance(capture: Capture, *, text: int) -> float:
    """Return how many tokens away a word of a text would look on average if it looked evenly at all words."""
    n = words(capture, text=text)
    return (n**2 - 1) / (3 * n)  # mean of |i − j| over all pairs


def itself(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a word gives itself, over all heads and texts."""
    return _mean_over_words(capture, lambda text: _weights(text, layer).diagonal(dim1=1, dim2=2).mean(0))


def diagonal(capture: Capture, *, layer: int) -> float:
    """Return the percentage of rows of words, over all heads and texts, in which no key beats the word."""
    from qkviz.attention.normalizers import is_largest

    def own(text: CapturedText) -> Tensor:
        weights = _weights(text, layer)  # (heads, n, n)
        largest = is_largest(weights.flatten(0, 1)).reshape(weights.shape)
        return largest.diagonal(dim1=1, dim2=2).double().mean(0)

    return 100 * _mean_over_words(capture, own)


def plain_diagonal(capture: Capture, *, layer: int) -> float:
    """Return the same percentage for the scores XXᵀ, X being what comes into the layer; NaN without X."""
    import torch

    from qkviz.attention.head_measures import embedding_diagonal

    def own(text: CapturedText) -> Tensor:
        share = embedding_diagonal(text.layers[layer], text.tokens)
        value = math.nan if share is None else share
        return torch.full((len(text.tokens),), value, dtype=torch.float64)

    return 100 * _mean_over_words(capture, own)


def over_layers(
    quantity: Callable[..., float], choose: Callable[[list[float]], float]
) -> Callable[..., float]:
    """Return the quantity "the smallest, or the largest, of a quantity of a layer"."""
    return lambda capture: choose(
        [quantity(capture, layer=layer) for layer in range(len(capture.texts[0].layers))]
    )


CLAIM_QUANTITIES: Mapping[str, Callable[..., float]] = {
    one.__name__: one
    for one in (
        content_weight,
        function_weight,
        heads_preferring,
        heads_preferring_in,
        specials_carried,
        words,
        even_distance,
        itself,
    )
} | {
    "diagonal_least": over_layers(diagonal, min),
    "diagonal_most": over_layers(diagonal, max),
    "plain_diagonal_least": over_layers(plain_diagonal, min),
    "plain_diagonal_most": over_layers(plain_diagonal, max),
}
"""For `capture_quantities.CAPTURE_QUANTITIES`."""


def _mean_weight(capture: Capture, layer: int, *, to_function: bool) -> float:
    """Return the mean, over all function words as queries, of what one key of a kind gets on the average."""
    import torch

    found: list[Tensor] = []
    for text in capture.texts:
        words = torch.tensor([not token.is_special for token in text.tokens])
        function = words & torch.tensor([_spelling(text, token) in FUNCTION_WORDS for token in text.tokens])
        kind = function if to_function else words & ~function  # (n,)
        pairs = function.unsqueeze(1) & kind & ~torch.eye(len(words), dtype=torch.bool)  # (n, n), no self
        rows = pairs.any(dim=1)
        weights = _weights(text, layer).mean(dim=0)  # (n, n)
        found.append(((weights * pairs).sum(dim=1) / pairs.sum(dim=1))[rows])
    return float(torch.cat(found).mean())


def _mean_over_words(capture: Capture, of_tokens: Callable[[CapturedText], Tensor]) -> float:
    """Return the mean, over the words of all texts, of what ``of_tokens`` says of each token (n,)."""
    import torch

    found = [of_tokens(text)[[not token.is_special for token in text.tokens]] for text in capture.texts]
    return float(torch.cat(found).mean())


def _spelling(text: CapturedText, token: Token) -> str:
    return text.text[token.start : token.end].casefold()


@lru_cache(maxsize=256)
def _weights(text: CapturedText, layer: int) -> Tensor:
    """Return the weights of all heads of a layer, (heads, m, n)."""
    import torch

    from qkviz.attention.head_overviews import head_trace

    return torch.stack([head_trace(text, layer, head).weights for head in range(text.layers[layer].heads)])
