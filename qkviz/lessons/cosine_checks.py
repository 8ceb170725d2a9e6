"""What notices that a try with lengths and cosines is done; see `checks`."""

# ruff: noqa: PLC0415 -- the score functions load torch, which reading a lesson file must not

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qkviz.lessons.cosine_numbers import cosine, dot
from qkviz.lessons.quantities import query_vector

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def length_beats_direction(now: Snapshot, start: AttentionTrace, *, query: int) -> bool:
    """Whether the key with the largest dot product is not the one with the largest cosine."""
    keys = range(now.trace.scores.shape[1])
    dots = [dot(now.trace, query, key) for key in keys]
    cosines = [cosine(now.trace, query, key) for key in keys]
    if any(map(math.isnan, (*dots, *cosines))):  # a zero vector has no direction
        return False
    return dots.index(max(dots)) != cosines.index(max(cosines))


def query_is_zero(now: Snapshot, start: AttentionTrace, *, query: int) -> bool:
    """Whether the query is the zero vector."""
    vector = query_vector(now.trace, query)
    return bool(vector) and not any(vector)


def cosine_chosen(now: Snapshot, start: AttentionTrace) -> bool:
    """Whether the document's score function is the cosine."""
    from qkviz.attention.score_functions import Cosine

    return isinstance(now.document.options.score, Cosine)
