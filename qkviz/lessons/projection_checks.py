"""What notices that a try with projections is done: by other words, by another W_Q, or by a whole head."""

# ruff: noqa: PLC0415  torch comes with the attention package; a lesson file can be read without it

from __future__ import annotations

from typing import TYPE_CHECKING

from qkviz.lessons.quantities import score

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def score_by_embedding(now: Snapshot, start: AttentionTrace, *, query: int, key: int, limit: float) -> bool:
    """Whether the score came above ``limit`` by other embeddings: projections as they were, nothing moved."""
    same = _unchanged(now, start)
    return {"W_Q", "W_K", "offsets"} <= same and "X" not in same and score(now.trace, query, key) > limit


def favourite_by_w_q(now: Snapshot, start: AttentionTrace, *, query: int, key: int) -> bool:
    """Whether the query looks most at the key by another W_Q alone; nothing else was changed."""
    same = _unchanged(now, start)
    weights = now.trace.weights[query].tolist()
    return (
        {"X", "W_K", "offsets"} <= same
        and "W_Q" not in same
        and all(weights[key] > other for at, other in enumerate(weights) if at != key)
    )


def one_way(now: Snapshot, start: AttentionTrace, *, query: int, key: int) -> bool:
    """Whether a token looks most at another, which looks least at it; X as it was, nothing moved."""
    if not {"X", "offsets"} <= _unchanged(now, start):
        return False
    there, back = now.trace.weights[query].tolist(), now.trace.weights[key].tolist()
    return all(there[key] > other for at, other in enumerate(there) if at != key) and all(
        back[query] < other for at, other in enumerate(back) if at != query
    )


def _unchanged(now: Snapshot, start: AttentionTrace) -> frozenset[str]:
    """Return which of X, W_Q, W_K are as at the start, and "offsets" when nothing was moved by hand."""
    from qkviz.attention.inputs import ProjectedInputs
    from qkviz.attention.matrix_changes import same_values

    inputs, before = now.document.inputs, start.inputs
    if not isinstance(inputs, ProjectedInputs) or not isinstance(before, ProjectedInputs):
        return frozenset()
    found = {
        "X": same_values(inputs.X_q, before.X_q) and same_values(inputs.X_k, before.X_k),
        "W_Q": same_values(inputs.W_Q, before.W_Q),
        "W_K": same_values(inputs.W_K, before.W_K),
        "offsets": inputs.query_offsets is None and inputs.key_offsets is None,
    }
    return frozenset(name for name, holds in found.items() if holds)
