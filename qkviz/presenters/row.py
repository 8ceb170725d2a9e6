"""The chosen query's row as content: its bars and its largest key."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName
from qkviz.attention.measures import largest_keys
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import cell_kinds
from qkviz.presenters.number_format import format_number
from qkviz.presenters.score_terms import sink_sentence
from qkviz.presenters.words import named_token, token_words, visible_tokens
from qkviz.translate import _


@dataclass(frozen=True, eq=False, slots=True)
class RowContent:
    """Everything the bar chart of one row shows.

    Attributes
    ----------
    query
        Index of the query, from 0.
    title
        ``query 3 “bank”``.
    key_labels
        One visible label for every key.
    scores, scaled, weights
        (n,) float64; may hold NaN and −∞, see `kinds`.
    kinds
        (n,) uint8 of `CellKind`, those of the weights.
    largest
        Indexes of the keys with the largest weight; several in a tie, none when no key has weight.
    sentence
        Who is looked at most, and the exact sum of the weights.
    """

    query: int
    title: str
    key_labels: tuple[str, ...]
    scores: NDArray[np.float64]
    scaled: NDArray[np.float64]
    weights: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    largest: tuple[int, ...]
    sentence: str


def present_row(snapshot: Snapshot) -> RowContent | None:
    """Return the chosen query's row; None when no row is chosen."""
    query = snapshot.focus.query
    if query is None:
        return None
    document, trace = snapshot.document, snapshot.trace
    return RowContent(
        query=query,
        title=named_token(Role.QUERY, document.queries[query], query),
        key_labels=visible_tokens(document.keys),
        scores=_own_copy(trace.scores[query].numpy()),
        scaled=_own_copy(trace.scaled[query].numpy()),
        weights=_own_copy(trace.weights[query].numpy()),
        kinds=cell_kinds(trace, MatrixName.WEIGHTS)[query],
        largest=largest_weights(snapshot, query),
        sentence=with_sink(snapshot, query, row_sentence(snapshot, query)),
    )


def with_sink(snapshot: Snapshot, query: int, sentence: str) -> str:
    """Add how much of the query's weight goes to no key, where the model has a sink."""
    more = sink_sentence(snapshot.trace, query)
    return _("{sentence} {more}", sentence=sentence, more=more) if more else sentence


def largest_weights(snapshot: Snapshot, query: int) -> tuple[int, ...]:
    """Return the keys with the largest weight of a row, several in a tie; none when no key has weight."""
    weights = snapshot.trace.weights[query]
    if not bool(weights.any()):
        return ()
    return largest_keys(weights)


def row_sentence(snapshot: Snapshot, query: int) -> str:
    """Return at which key a query looks most, ties and rows without weights named."""
    document, weights = snapshot.document, snapshot.trace.weights[query]
    word = token_words(Role.QUERY, document.queries, query)
    if bool(weights.isnan().any()):
        return _("The row of {query} holds what is not a number, so it has no weights.", query=word)
    largest = largest_weights(snapshot, query)
    if not largest:
        return _no_weights(snapshot, query, word)
    weight = format_number(float(weights[largest[0]]))
    key = token_words(Role.KEY, document.keys, largest[0])
    allowed = int((snapshot.trace.masked[query] > -math.inf).sum())
    if allowed == 1 and snapshot.trace.sink_weights is None:
        return _("{query} may look at {key} only, so it gets the whole weight.", query=word, key=key)
    if len(largest) == allowed > 1:
        return _(
            "{query} looks at all its {count} keys alike ({weight} each).",
            query=word,
            count=allowed,
            weight=weight,
        )
    if len(largest) > 1:
        return _(
            "A tie: {query} looks most at {count} keys alike ({weight} each), {key} first.",
            query=word,
            count=len(largest),
            weight=weight,
            key=key,
        )
    if snapshot.document.is_self_attention and largest[0] == query:
        return _("{query} looks most at itself ({weight}).", query=word, weight=weight)
    return _("{query} looks most at {key} ({weight}).", query=word, key=key, weight=weight)


def _no_weights(snapshot: Snapshot, query: int, word: str) -> str:
    if bool(snapshot.trace.undefined[query].any()):
        return _("{query} has no weights: its scores are undefined or masked.", query=word)
    if snapshot.trace.sink_weights is not None and not bool(snapshot.trace.no_key[query]):
        return _("{query} looks at no key: the sink takes all its weight.", query=word)
    return _("{query} has no weights: the mask leaves it no key.", query=word)


def _own_copy(values: NDArray[np.float64]) -> NDArray[np.float64]:
    copy = values.copy()
    copy.flags.writeable = False
    return copy
