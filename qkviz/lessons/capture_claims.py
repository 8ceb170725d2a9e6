"""What is said of trained models, as numbers: function words, pronouns, what special tokens carry."""

# ruff: noqa: PLC0415 -- what imports torch is imported where it is needed: lesson files are read without it

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.captured import Capture

_ARTICLES_AND_LINKS = "a an the this that every and because when not too did had was"
_PREPOSITIONS = "about at for from in into of on over to"
_PRONOUNS = "I we she he it her his"

FUNCTION_WORDS = frozenset(f"{_ARTICLES_AND_LINKS} {_PREPOSITIONS} {_PRONOUNS}".casefold().split())
"""Those of the recorded texts; every other word of them counts as a content word."""

PERCENT = 100.0


def content_weight(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a function word gives a content word, over all heads and texts."""
    from qkviz.attention.word_statistics import kind_weights

    return kind_weights(capture, layer, FUNCTION_WORDS).of_others


def function_weight(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a function word gives another function word, likewise."""
    from qkviz.attention.word_statistics import kind_weights

    return kind_weights(capture, layer, FUNCTION_WORDS).of_kind


def heads_preferring(capture: Capture, *, text: int, query: int, key: int, other: int) -> float:
    """Return how many heads of all layers give ``key`` more weight than ``other`` in the row of a query."""
    from qkviz.attention.word_statistics import layer_weights

    seen = capture.texts[text]
    rows = (layer_weights(seen, layer)[:, query] for layer in range(len(seen.layers)))  # (heads, n) each
    return float(sum((row[:, key] > row[:, other]).sum().item() for row in rows))


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
    return PERCENT * sum(shares) / len(shares)


def words(capture: Capture, *, text: int) -> float:
    """Return the number of tokens of a text that are not special; in the recorded texts each is a word."""
    return float(sum(not token.is_special for token in capture.texts[text].tokens))


def even_distance(capture: Capture, *, text: int) -> float:
    """Return how many tokens away a word of a text would look on average if it looked evenly at all words."""
    n = words(capture, text=text)
    return (n**2 - 1) / (3 * n)  # mean of |i − j| over all pairs


def itself(capture: Capture, *, layer: int) -> float:
    """Return the mean weight that a word gives itself, over all heads and texts."""
    from qkviz.attention.word_statistics import weight_on_itself

    return weight_on_itself(capture, layer)


def diagonal(capture: Capture, *, layer: int) -> float:
    """Return the percentage of rows, over all heads and texts, in which no key beats the word itself."""
    from qkviz.attention.word_statistics import diagonal_share

    return PERCENT * diagonal_share(capture, layer)


def plain_diagonal(capture: Capture, *, layer: int) -> float:
    """Return the same percentage for the scores XXᵀ, X being what comes into the layer."""
    from qkviz.attention.word_statistics import embedding_diagonal_share

    return PERCENT * embedding_diagonal_share(capture, layer)


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
"""For `capture_quantities.CAPTURE_QUANTITIES`; shares in percent."""
