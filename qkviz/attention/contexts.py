"""One word in several texts of a capture: its row in each, and how far its vectors turn between two."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import groupby

import torch
from torch import Tensor

from qkviz.attention.captured import Capture, CapturedText, Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, WeightsLayer
from qkviz.attention.trace import trace_attention


@dataclass(frozen=True, slots=True)
class WordPlace:
    """Where a word stands; 0-based.

    Parameters
    ----------
    text
        Number of the text in its capture.
    tokens
        Indexes of the word's tokens among the queries of a layer, at least one.
    """

    text: int
    tokens: tuple[int, ...]

    @property
    def query(self) -> int:
        """The token that asks for the word: its last one; in a causal model no other has seen all of it."""
        return self.tokens[-1]


@dataclass(frozen=True, slots=True)
class SharedWord:
    """A word as it was first typed, and in how many texts it stands."""

    word: str
    texts: int


@dataclass(frozen=True, eq=False, slots=True)
class WordRow:
    """What one head makes of the query of a word in one text; float64, a number for each of the n keys.

    Parameters
    ----------
    place
        Where the word stands.
    keys
        The tokens behind the numbers.
    scores
        (n,) q·k, before the scale; None for a model that tells its weights only.
    weights
        (n,)
    allowed
        (n,) bool; False where the mask forbids the key.
    """

    place: WordPlace
    keys: tuple[Token, ...]
    scores: Tensor | None
    weights: Tensor
    allowed: Tensor


@dataclass(frozen=True, slots=True)
class LayerCosines:
    """How the vectors of a word in two texts stand to each other in one layer.

    Parameters
    ----------
    layer
        0-based.
    q, k, x
        Cosines, −1 … 1; NaN beside a zero vector, which has no direction. None: the word has no such vector
        here, a key in cross-attention, or an x that was not kept.
    same_q
        Whether the two queries are the same bit by bit.
    """

    layer: int
    q: float
    k: float | None
    x: float | None
    same_q: bool


def words_of(text: CapturedText, layer: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the words behind the queries of a layer, as typed, with the indexes of their tokens.

    Special tokens are no words, nor is what has neither letter nor digit.
    """
    words = []
    numbered = enumerate(text.queries(layer))
    for (_segment, word), group in groupby(numbered, key=lambda pair: (pair[1].segment, pair[1].word)):
        members = tuple(group)
        spelling = _spelling(text, [token for _at, token in members])
        if word is not None and any(map(str.isalnum, spelling)):
            words.append((spelling, tuple(at for at, _token in members)))
    return tuple(words)


def shared_words(capture: Capture, layer: int) -> tuple[SharedWord, ...]:
    """Return the words that stand in at least two texts, upper and lower case alike.

    Those in most texts come first, of these the longest, for short words are seldom the interesting ones;
    then the one that is met first.
    """
    spellings: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text in capture.texts:
        found: dict[str, str] = {}
        for spelling, _tokens in words_of(text, layer):
            found.setdefault(spelling.casefold(), spelling)
        counts.update(found.keys())
        for folded, spelling in found.items():
            spellings.setdefault(folded, spelling)
    shared = [SharedWord(spellings[folded], count) for folded, count in counts.items() if count > 1]
    return tuple(sorted(shared, key=lambda one: (-one.texts, -len(one.word))))


def places_of(capture: Capture, layer: int, word: str) -> tuple[tuple[WordPlace, ...], ...]:
    """Return for every text all the places where ``word`` stands in it, upper and lower case alike."""
    folded = word.casefold()
    return tuple(
        tuple(
            WordPlace(number, tokens)
            for spelling, tokens in words_of(text, layer)
            if spelling.casefold() == folded
        )
        for number, text in enumerate(capture.texts)
    )


def word_row(capture: Capture, layer: int, head: int, place: WordPlace) -> WordRow:
    """Return the row of a word's query in one head (0-based); what the trace has beside it is not kept."""
    text = capture.texts[place.text]
    called = text.layers[layer]
    trace = trace_attention(called.inputs(head), called.options(head))
    row = place.query
    return WordRow(
        place=place,
        keys=text.keys(layer),
        scores=None if isinstance(called, WeightsLayer) else trace.scores[row].clone(),
        weights=trace.weights[row].clone(),
        allowed=trace.masked[row] > -math.inf,
    )


def word_cosines(
    capture: Capture, one: WordPlace, other: WordPlace, layer: int, head: int | None
) -> tuple[LayerCosines, ...]:
    """Return how far the vectors of a word turn between two places, in every layer.

    Parameters
    ----------
    layer
        Only layers of its kind are measured; in the others the word has no query.
    head
        Whose q and k; None: those of all heads of a layer, one behind the other. A layer without such a head
        is left out.

    Returns
    -------
    tuple of LayerCosines
        Empty for a model that tells its weights only.
    """
    first, second = capture.texts[one.text].layers, capture.texts[other.text].layers
    kind = first[layer].kind
    found = []
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        if a.kind is not kind or not isinstance(a, CapturedLayer) or not isinstance(b, CapturedLayer):
            continue
        if head is None or head < a.heads:
            found.append(_layer_cosines(number, (a, one.query), (b, other.query), head))
    return tuple(found)


def cosine(one: Tensor, other: Tensor) -> float:
    """Return the cosine of two vectors, −1 … 1, computed in float64; NaN if one of them has no direction."""
    a, b = one.double(), other.double()
    lengths = float(a.norm()) * float(b.norm())
    if lengths == 0.0 or not math.isfinite(lengths):
        return math.nan
    return min(max(float(a @ b) / lengths, -1.0), 1.0)


def _layer_cosines(
    number: int, one: tuple[CapturedLayer, int], other: tuple[CapturedLayer, int], head: int | None
) -> LayerCosines:
    q = [_query(layer, at, head) for layer, at in (one, other)]
    k = x = None
    if one[0].kind is not AttentionKind.CROSS:  # there the word's text has no keys
        k = cosine(*(_key(layer, at, head) for layer, at in (one, other)))
    if one[0].X_q is not None and other[0].X_q is not None:
        x = cosine(one[0].X_q[one[1]], other[0].X_q[other[1]])
    return LayerCosines(number, cosine(*q), k, x, same_q=torch.equal(*q))


def _query(layer: CapturedLayer, at: int, head: int | None) -> Tensor:
    return layer.Q[:, at].flatten() if head is None else layer.Q[head, at]  # (heads · d_k,) or (d_k,)


def _key(layer: CapturedLayer, at: int, head: int | None) -> Tensor:
    return layer.K[:, at].flatten() if head is None else layer.K[layer.key_head(head), at]


def _spelling(text: CapturedText, tokens: list[Token]) -> str:
    """Return what was typed for the tokens of one word; their labels where they stand for no typed text."""
    start, end = tokens[0].start, tokens[-1].end
    typed = text.pair if tokens[0].segment == 1 and text.pair is not None else text.text
    return typed[start:end].strip() if start < end else "".join(token.label for token in tokens)
