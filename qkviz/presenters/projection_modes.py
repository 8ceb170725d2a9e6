"""The cards of the ways to choose W_Q and W_K, each with the scores that it leads to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.attention.matrix_changes import same_values
from qkviz.attention.projection_modes import ProjectionMode, Projections, mode_projections, on_the_way
from qkviz.attention.trace import AttentionTrace, trace_attention
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import cell_kinds
from qkviz.presenters.color_scales import diverging_scale
from qkviz.presenters.words import quoted_token
from qkviz.translate import Phrase, Refusal, _

MOST_QUERIES = 6
"""More are not told one by one."""

LARGEST_PICTURE = 4096
"""Cells; larger matrices would make the cards slow and are not seen at this size."""


@dataclass(frozen=True, eq=False, slots=True)
class ModeCard:
    """One way to choose the projections.

    Attributes
    ----------
    mode
        Which one.
    title, text
        Its name, and what it does in a few words; why it cannot be chosen, when it cannot.
    chosen
        Whether the projections of the document are these, or on the way to them.
    off_reason
        Why it cannot be chosen; empty when it can.
    picture
        The scores QKᵀ it leads to as colours, (m, n, 3) uint8, one range for all cards; None where there are
        none.
    """

    mode: ProjectionMode
    title: str
    text: str
    chosen: bool
    off_reason: str
    picture: NDArray[np.uint8] | None


@dataclass(frozen=True, eq=False, slots=True)
class ProjectionsContent:
    """The cards; without any, the reason (else empty)."""

    cards: tuple[ModeCard, ...]
    reason: str


def present_projection_modes(
    snapshot: Snapshot, going_to: ProjectionMode | None = None
) -> ProjectionsContent:
    """Return the cards for a document.

    Parameters
    ----------
    snapshot
        What is on the screen.
    going_to
        The mode that the projections are just moving to; its card counts as chosen.
    """
    inputs = snapshot.document.inputs
    if not isinstance(inputs, ProjectedInputs):
        return ProjectionsContent((), _("This document has no W_Q and W_K to choose."))
    goals: dict[ProjectionMode, Projections] = {}
    reasons: dict[ProjectionMode, str] = {}
    for mode in ProjectionMode:
        try:
            goals[mode] = mode_projections(mode, inputs, snapshot.focus.pair)
        except Refusal as refusal:
            reasons[mode] = str(refusal)
    chosen = _chosen(inputs, goals) if going_to is None else {going_to}
    pictures = _pictures(snapshot, inputs, goals)
    cards = tuple(
        ModeCard(
            mode,
            str(mode_title(mode)),
            reasons.get(mode) or _mode_text(mode, snapshot),
            mode in chosen,
            reasons.get(mode, ""),
            pictures.get(mode),
        )
        for mode in ProjectionMode
    )
    return ProjectionsContent(cards, "")


def mode_title(mode: ProjectionMode) -> Phrase:
    """Return the name of a mode."""
    if mode.seed is not None:
        return Phrase("Head {number}", number=mode.seed)
    match mode:
        case ProjectionMode.TIED:
            return Phrase("Tied")
        case ProjectionMode.BY_HAND:
            return Phrase("Made by hand")
        case ProjectionMode.SWAPPED:
            return Phrase("Roles swapped")
    return Phrase("Identity")


def _mode_text(mode: ProjectionMode, snapshot: Snapshot) -> str:
    if mode.seed is not None:
        return _("W_Q and W_K drawn at random, seed {seed}", seed=mode.seed)
    match mode:
        case ProjectionMode.TIED:
            return _("W_K = W_Q, that of head 1: QKᵀ stays symmetric")
        case ProjectionMode.SWAPPED:
            return _("W_Q ⇄ W_K: the new QKᵀ is this one transposed")
        case ProjectionMode.BY_HAND:
            words = _pair_words(snapshot)
            if words is None:
                return _("one word looks at another, and that one not back")
            return _("{query} looks at {key}, and {key} not back", query=words[0], key=words[1])
    inputs = snapshot.document.inputs
    assert isinstance(inputs, ProjectedInputs)  # asked before
    if inputs.W_Q.shape[0] == inputs.W_Q.shape[1]:
        return _("q = k = x, so QKᵀ = XXᵀ")
    return _("q = k = the first {d_k} numbers of x", d_k=inputs.d_k)


def _pair_words(snapshot: Snapshot) -> tuple[str, str] | None:
    document, pair = snapshot.document, snapshot.focus.pair
    if pair is None or pair[0] == pair[1]:
        return None
    return (
        quoted_token(document.queries[pair[0]], pair[0]),
        quoted_token(document.keys[pair[1]], pair[1]),
    )


def _chosen(inputs: ProjectedInputs, goals: dict[ProjectionMode, Projections]) -> set[ProjectionMode]:
    """Return the modes whose projections the document has; swapped, when they are another mode's in turn."""
    fixed = {mode: goal for mode, goal in goals.items() if mode is not ProjectionMode.SWAPPED}
    present = inputs.W_Q, inputs.W_K
    found: set[ProjectionMode] = {mode for mode, goal in fixed.items() if _same(present, goal)}
    if not found and any(_same((inputs.W_K, inputs.W_Q), goal) for goal in fixed.values()):
        found = {ProjectionMode.SWAPPED}
    return found


def _same(one: Projections, other: Projections) -> bool:
    return same_values(one[0], other[0]) and same_values(one[1], other[1])


def _pictures(
    snapshot: Snapshot, inputs: ProjectedInputs, goals: dict[ProjectionMode, Projections]
) -> dict[ProjectionMode, NDArray[np.uint8]]:
    document = snapshot.document
    if inputs.m * inputs.n > LARGEST_PICTURE:
        return {}
    traces: dict[ProjectionMode, AttentionTrace] = {
        mode: trace_attention(on_the_way(inputs, goal, 1.0), document.options) for mode, goal in goals.items()
    }
    values = {mode: trace.scores.numpy() for mode, trace in traces.items()}
    scale = diverging_scale(np.stack(list(values.values())).reshape(-1, inputs.n))
    return {
        mode: scale.table[scale.indexes(scores, cell_kinds(traces[mode], MatrixName.SCORES))]
        for mode, scores in values.items()
    }


def favourites(snapshot: Snapshot) -> str:
    """Return who looks most at whom, for every query of a small document; empty for a large one."""
    document, weights = snapshot.document, snapshot.trace.weights
    if len(document.queries) > MOST_QUERIES or not bool(weights.isfinite().all()):
        return ""
    parts = [
        f"{_word(document, row)} → {quoted_token(document.keys[at], at)}"
        for row, at in enumerate(weights.argmax(dim=1).tolist())
    ]
    return _("Each looks most at: {pairs}", pairs=_(", ").join(parts))


def _word(document: Document, index: int) -> str:
    return quoted_token(document.queries[index], index)
