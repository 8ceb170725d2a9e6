"""What a drag moves, in words: the choice of it, and what has moved along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.trace import AttentionTrace
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.document.session import Snapshot
from qkviz.presenters.number_format import format_number
from qkviz.presenters.words import visible_token, visible_tokens
from qkviz.translate import _

ROUNDING = 1e-12
"""Relative to numbers above 1, absolute below; a vector that differs by less has not moved."""

NAMED = 5
"""At most so many vectors are named in a sentence."""


@dataclass(frozen=True, slots=True)
class DragChoice:
    """One thing that a drag can move: the word on its button, and what it does in a sentence."""

    mode: DragMode
    text: str
    tip: str


@dataclass(frozen=True, slots=True)
class DragModesContent:
    """The choices, the one in force, and why there is none (empty: there is)."""

    choices: tuple[DragChoice, ...]
    chosen: DragMode
    off_reason: str


def present_drag_modes(snapshot: Snapshot) -> DragModesContent:
    """Return what a drag in the plane of q and k can move."""
    document = snapshot.document
    off_reason = ""
    if isinstance(document.inputs, GivenScores):
        off_reason = _("Only the scores of this document are given: there is nothing to drag.")
    elif isinstance(document.inputs, DirectInputs) and document.inputs.X_q is not None:
        off_reason = _("q and k were recorded beside x: no projection between them is known.")
    elif not isinstance(document.inputs, ProjectedInputs):
        off_reason = _("This document starts at Q and K: nothing lies behind a vector.")
    choices = (
        DragChoice(
            DragMode.VECTOR,
            _("vector"),
            _("Only the dragged vector moves, as if x W had a small δ added; nothing else follows."),
        ),
        DragChoice(
            DragMode.EMBEDDING,
            _("embedding x"),
            _(
                "The x behind it moves by the least change that leads there, Δx = Δq W⁺; "
                "what else comes from x follows."
            ),
        ),
        DragChoice(
            DragMode.PROJECTION,
            _("projection W"),
            _("W_Q (for a key W_K) changes as little as it can, ΔW = xᵀΔq / ‖x‖²; every q (k) follows."),
        ),
    )
    return DragModesContent(choices, snapshot.focus.drag.fitting(document), off_reason)


def drag_note(snapshot: Snapshot) -> str:
    """Return what moves along with a drag, short enough for a narrow plane; empty where nothing does."""
    document = snapshot.document
    match snapshot.focus.drag.fitting(document):
        case DragMode.EMBEDDING if document.is_self_attention:
            return _("A drag moves x of the word: its row and column follow.")
        case DragMode.EMBEDDING:
            return _("A drag moves x: a query’s row or a key’s column follows.")
        case DragMode.PROJECTION:
            return _("A drag changes W_Q or W_K: all q or all k move.")
        case _:
            return ""


def moved_along(before: Snapshot, after: Snapshot, role: Role | None, index: int) -> str:
    """Return what a drag has changed, found by comparing: what was changed, who moved along, how many scores.

    Parameters
    ----------
    before, after
        At the start of the drag and now; documents with embeddings and the same tokens.
    role, index
        The vector in the hand; None when it is the embedding itself.

    Returns
    -------
    str
        Empty when nothing has changed, or the two cannot be compared.
    """
    start, end = before.document.inputs, after.document.inputs
    if not (isinstance(start, ProjectedInputs) and isinstance(end, ProjectedInputs)):
        return ""
    if before.trace.scores.shape != after.trace.scores.shape or start.W_Q.shape != end.W_Q.shape:
        return ""
    changed = _what_was_changed(after.document, start, end)
    if not changed:
        return ""
    others = _vectors_that_moved(after.document, before.trace, after.trace, role, index)
    scores = int(np.count_nonzero(_differs(before.trace.scores, after.trace.scores)))
    return _(
        "{changed}; along with it: {others}. {scores} of {all} scores changed.",
        changed=changed,
        others=_listed(others),
        scores=scores,
        all=after.trace.scores.numel(),
    )


def _what_was_changed(document: Document, start: ProjectedInputs, end: ProjectedInputs) -> str:
    for name, old, new in (("W_Q", start.W_Q, end.W_Q), ("W_K", start.W_K, end.W_K)):
        if old is not new:
            return _("{name} changed by {distance}", name=name, distance=_distance(old, new))
    for labels, old, new in (
        (document.queries, start.X_q, end.X_q),
        (document.keys, start.X_k, end.X_k),
    ):
        if old is not new:
            row = next(iter(_moved_rows(old, new)), None)
            if row is not None:
                name = f"x·{visible_token(labels[row], row)}"
                return _("{name} moved by {distance}", name=name, distance=_distance(old, new))
    return ""


def _vectors_that_moved(
    document: Document, before: AttentionTrace, after: AttentionTrace, role: Role | None, index: int
) -> list[str]:
    queries, keys = visible_tokens(document.queries), visible_tokens(document.keys)
    found: list[str] = []
    for letter, side, labels, old, new in (
        ("q", Role.QUERY, queries, before.Q, after.Q),
        ("k", Role.KEY, keys, before.K, after.K),
        ("v", None, keys, before.V, after.V),
    ):
        if old is None or new is None or old.shape != new.shape:
            continue
        in_hand = index if role is not None and side is role else None
        found += [f"{letter}·{labels[row]}" for row in _moved_rows(old, new) if row != in_hand]
    return found


def _listed(names: list[str]) -> str:
    if not names:
        return _("nothing else")
    if len(names) > NAMED:
        first = _(", ").join(names[: NAMED - 1])
        return _("{first} and {count} more", first=first, count=len(names) - NAMED + 1)
    return _(", ").join(names)


def _moved_rows(old: Matrix, new: Matrix) -> list[int]:
    return [int(row) for row in np.flatnonzero(_differs(old, new).any(axis=1))]


def _differs(old: Matrix, new: Matrix) -> NDArray[np.bool_]:
    """Return where two matrices differ by more than rounding: at right angles to x, W changes nothing."""
    same: NDArray[np.bool_] = np.isclose(
        old.numpy(), new.numpy(), rtol=ROUNDING, atol=ROUNDING, equal_nan=True
    )
    return np.logical_not(same)


def _distance(old: Matrix, new: Matrix) -> str:
    return format_number(float(np.linalg.norm(new.numpy() - old.numpy())))
