"""What notices that a try with scores and normalisers is done; see `checks`."""

# ruff: noqa: PLC0415 -- the normalisers load torch, which reading a lesson file must not

from __future__ import annotations

from typing import TYPE_CHECKING

from qkviz.lessons.quantities import score

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def score_at_most(now: Snapshot, start: AttentionTrace, *, query: int, key: int, limit: float) -> bool:
    """Whether the raw score is ``limit`` or lower."""
    return score(now.trace, query, key) <= limit


def sparsemax_keeps(now: Snapshot, start: AttentionTrace, *, query: int, keys: int) -> bool:
    """Whether sparsemax would leave so many keys of the row with weight."""
    from qkviz.attention.normalizers import Sparsemax

    return int((Sparsemax().weights(now.trace.masked[query : query + 1]) > 0).sum()) == keys


def hardmax_shares(now: Snapshot, start: AttentionTrace, *, query: int) -> bool:
    """Whether hardmax would have to share the weight of the row."""
    from qkviz.attention.normalizers import Hardmax

    return int((Hardmax().weights(now.trace.masked[query : query + 1]) > 0).sum()) > 1


def cold_softmax_above(now: Snapshot, start: AttentionTrace, *, query: int, limit: float) -> bool:
    """Whether the document uses softmax with a temperature below 1, and a weight of the row is above it."""
    temperature = getattr(now.document.options.normalizer, "temperature", None)
    largest = now.trace.weights[query].max().item()
    return temperature is not None and temperature < 1.0 and largest > limit
