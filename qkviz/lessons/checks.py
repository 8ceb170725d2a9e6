"""What notices that a try is done. Each check looks at what is on the screen, and at where the lesson began.

A check is called after every change, also in the middle of a drag, so it reads a few numbers and no more.
Comparisons are written so that NaN (a zero vector, damaged scores) is never taken for success.
"""

# ruff: noqa: PLC0415 -- what imports torch is imported where it is needed: lesson files are read without it

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from qkviz.lessons.capture_checks import head_chosen, layer_chosen, pinned_in, seen_in, sentence_chosen
from qkviz.lessons.copy_checks import copied_from_afar, only_head_off
from qkviz.lessons.cosine_checks import cosine_chosen, length_beats_direction, query_is_zero
from qkviz.lessons.normalizer_checks import (
    cold_softmax_above,
    hardmax_shares,
    score_at_most,
    sparsemax_keeps,
)
from qkviz.lessons.projection_checks import favourite_by_w_q, one_way, score_by_embedding
from qkviz.lessons.quantities import angle, key_vector, length_q, query_vector, score
from qkviz.lessons.scaling_numbers import weight_above

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot

STILL = 1e-9
"""A vector that moved less than this has not moved."""


def angle_near(
    now: Snapshot, start: AttentionTrace, *, query: int, key: int, degrees: float, within: float
) -> bool:
    """Whether query and key stand at ``degrees``, give or take ``within``."""
    return abs(angle(now.trace, query, key) - degrees) <= within


def angle_above(now: Snapshot, start: AttentionTrace, *, query: int, key: int, degrees: float) -> bool:
    """Whether the angle between query and key is wider than ``degrees``."""
    return angle(now.trace, query, key) > degrees


def score_above(now: Snapshot, start: AttentionTrace, *, query: int, key: int, limit: float) -> bool:
    """Whether the raw score is above ``limit``."""
    return score(now.trace, query, key) > limit


def same_score_elsewhere(
    now: Snapshot, start: AttentionTrace, *, query: int, key: int, distance: float, within: float
) -> bool:
    """Whether the query is at least ``distance`` away, the key where it was, and the score still the same."""
    return (
        math.dist(query_vector(now.trace, query), query_vector(start, query)) >= distance
        and math.dist(key_vector(now.trace, key), key_vector(start, key)) < STILL
        and abs(score(now.trace, query, key) - score(start, query, key)) <= within
    )


def stretched(
    now: Snapshot,
    start: AttentionTrace,
    *,
    query: int,
    key: int,
    factor: float,
    within: float,
    degrees: float,
) -> bool:
    """Whether the query is ``factor`` ± ``within`` times as long, hardly turned, and the key unmoved."""
    q, q_start = query_vector(now.trace, query), query_vector(start, query)
    turned = math.degrees(
        abs(math.remainder(math.atan2(q[1], q[0]) - math.atan2(q_start[1], q_start[0]), math.tau))
    )
    return (
        abs(length_q(now.trace, query, key) / length_q(start, query, key) - factor) <= within
        and turned < degrees
        and math.dist(key_vector(now.trace, key), key_vector(start, key)) < STILL
    )


def largest_weight(now: Snapshot, start: AttentionTrace, *, query: int, key: int) -> bool:
    """Whether the query gives this key more weight than any other."""
    weights = now.trace.weights[query].tolist()
    return all(weights[key] > other for at, other in enumerate(weights) if at != key)


def weights_below(now: Snapshot, start: AttentionTrace, *, key: int, limit: float) -> bool:
    """Whether every query gives the key less weight than ``limit``."""
    return all(weight < limit for weight in now.trace.weights[:, key].tolist())


def shape_is(now: Snapshot, start: AttentionTrace, *, queries: int, keys: int) -> bool:
    """Whether there are so many queries and keys."""
    return tuple(now.trace.scores.shape) == (queries, keys)


def looked_at(now: Snapshot, start: AttentionTrace, *, query: int, key: int, step: int) -> bool:
    """Whether the pair is pinned and the steps have come to ``step`` or beyond."""
    return now.focus.pair == (query, key) and now.focus.step >= step


def most_asymmetric_pinned(now: Snapshot, start: AttentionTrace) -> bool:
    """Whether the pinned pair is the one whose score differs most from that of its mirror image."""
    S, pair = now.trace.scores, now.focus.pair
    if pair is None or S.shape[0] != S.shape[1]:
        return False
    difference = (S - S.T).abs()
    return 0 < difference.max().item() <= difference[pair].item()


def opposite_signs(now: Snapshot, start: AttentionTrace, *, query: int, key: int, limit: float) -> bool:
    """Whether one token is drawn to another, score above ``limit``, that shuns it, score below −``limit``."""
    return score(now.trace, query, key) > limit and score(now.trace, key, query) < -limit


def favourite_by_projection(now: Snapshot, start: AttentionTrace, *, query: int, key: int) -> bool:
    """Whether the query looks most at the key thanks to other projections: X as it was, nothing moved."""
    from qkviz.attention.inputs import ProjectedInputs
    from qkviz.attention.matrix_changes import same_values

    inputs, before = now.document.inputs, start.inputs
    if not isinstance(inputs, ProjectedInputs) or not isinstance(before, ProjectedInputs):
        return False
    unmoved = inputs.query_offsets is None and inputs.key_offsets is None
    other = not (same_values(inputs.W_Q, before.W_Q) and same_values(inputs.W_K, before.W_K))
    return (
        unmoved
        and other
        and same_values(inputs.X_q, before.X_q)
        and largest_weight(now, start, query=query, key=key)
    )


def symmetric_but_not_weights(now: Snapshot, start: AttentionTrace, *, difference: float) -> bool:
    """Whether all scores are symmetric, and yet weights there and back differ by ``difference`` somewhere."""
    from qkviz.attention.measures import is_symmetric, largest_asymmetry

    S = now.trace.scores
    if S.shape[0] != S.shape[1] or not is_symmetric(S):
        return False
    return (largest_asymmetry(now.trace.weights) or 0.0) >= difference


def projections_tied(now: Snapshot, start: AttentionTrace) -> bool:
    """Whether W_K equals W_Q."""
    from qkviz.attention.inputs import ProjectedInputs
    from qkviz.attention.matrix_changes import same_values

    inputs = now.document.inputs
    return isinstance(inputs, ProjectedInputs) and same_values(inputs.W_Q, inputs.W_K)


def row_chosen(now: Snapshot, start: AttentionTrace, *, query: int) -> bool:
    """Whether the whole row of a query is chosen."""
    return now.focus.query == query and now.focus.key is None


CHECKS: Mapping[str, Callable[..., bool]] = {
    check.__name__: check
    for check in (
        angle_near,
        angle_above,
        score_above,
        same_score_elsewhere,
        stretched,
        largest_weight,
        weights_below,
        shape_is,
        looked_at,
        most_asymmetric_pinned,
        opposite_signs,
        favourite_by_projection,
        symmetric_but_not_weights,
        projections_tied,
        row_chosen,
        score_at_most,
        sparsemax_keeps,
        hardmax_shares,
        cold_softmax_above,
        length_beats_direction,
        query_is_zero,
        cosine_chosen,
        weight_above,
        favourite_by_w_q,
        one_way,
        score_by_embedding,
        layer_chosen,
        head_chosen,
        sentence_chosen,
        seen_in,
        pinned_in,
        only_head_off,
        copied_from_afar,
    )
}
"""Checks by the names that lesson.toml uses."""


def is_done(check: str, parameters: Mapping[str, float], now: Snapshot, start: AttentionTrace) -> bool:
    """Return what the named check says.

    A document that has lost the tokens or vectors a check speaks of has not done it.

    Parameters
    ----------
    check, parameters
        Of a `Try`.
    now
        What is on the screen.
    start
        The trace of the lesson's own document.
    """
    try:
        return CHECKS[check](now, start, **parameters)
    except (IndexError, ValueError):  # tokens removed; vectors of another length than at the start
        return False
