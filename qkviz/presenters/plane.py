"""The vector plane as content: arrows, the geometry of the active pair, and its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from qkviz.attention.geometry import pair_geometry
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.drag_modes import drag_note
from qkviz.presenters.lit_parts import lit_parts
from qkviz.presenters.moved import moved_rows
from qkviz.presenters.number_format import format_number
from qkviz.presenters.plane_pair import EqualLine, PairContent, pair_notes, pair_readouts, present_pair
from qkviz.presenters.readout import Readout
from qkviz.presenters.words import visible_token, visible_tokens
from qkviz.translate import _

__all__ = [
    "ArrowContent",
    "EqualLine",
    "PairContent",
    "PlaneContent",
    "Readout",
    "plane_of",
    "present_plane",
]


@dataclass(frozen=True, slots=True)
class ArrowContent:
    """One vector from the origin.

    Attributes
    ----------
    role
        QUERY or KEY; None for what cannot be dragged: an embedding x beside q and k.
    index
        Position of its token among its role, from 0.
    label
        ``"q·bank"``.
    x, y
        Where its tip is on the plane.
    active
        Part of the active pair: drawn strong, the others faint.
    moved
        Moved by hand away from what the projection gives.
    is_embedding
        Of the plane of embeddings: x of the query or key, which can be dragged there.
    """

    role: Role | None
    index: int
    label: str
    x: float
    y: float
    active: bool
    moved: bool
    is_embedding: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class PlaneContent:
    """Everything the vector plane shows.

    Attributes
    ----------
    arrows
        Faint ones first, the active pair last, so that it is painted on top.
    pair
        None when no pair is active.
    headline
        ``"q·k = 0.83"``; a hint when no pair is active.
    readouts
        θ, ‖q‖, ‖k‖, cos θ, projection of the active pair; empty without one.
    axis_labels
        Of the horizontal and the vertical axis.
    note
        What the plane cannot show by itself: what a drag moves besides the vector, how much of q·k lies in
        it, zero vectors, vectors moved by hand.
    lit
        Whether the step in hand speaks of the plane.
    reach
        Largest |coordinate| of any tip, > 0; what a view has to reach to show all.
    """

    arrows: tuple[ArrowContent, ...]
    pair: PairContent | None
    headline: str
    readouts: tuple[Readout, ...]
    axis_labels: tuple[str, str]
    note: str
    lit: bool
    reach: float


def present_plane(snapshot: Snapshot) -> PlaneContent:
    """Return the plane with the vectors of all tokens, the active pair worked out.

    A document of given scores has no vectors: the content is empty and its note says why.
    """
    trace, focus = snapshot.trace, snapshot.focus
    lit = "plane" in lit_parts(focus.step)
    if trace.Q is None or trace.K is None:
        note = _("Only the scores of this document are given: there are no q and k to draw.")
        return PlaneContent((), None, "", (), ("", ""), note, lit, 1.0)
    plane = plane_of(snapshot)
    arrows = _arrows(snapshot, plane)
    coordinates = [abs(number) for arrow in arrows for number in (arrow.x, arrow.y)]
    reach = max((number for number in coordinates if math.isfinite(number)), default=0.0)
    pair = focus.pair
    drawn: PairContent | None = None
    headline = _("Click a cell or a tip to choose a pair.")
    readouts: tuple[Readout, ...] = ()
    along = drag_note(snapshot)
    notes = [along] if along else []
    if pair is not None:
        q: list[float] = trace.Q[pair[0]].tolist()
        k: list[float] = trace.K[pair[1]].tolist()
        geometry = pair_geometry(q, k)
        drawn = present_pair(snapshot, plane, pair, geometry)
        headline = f"q·k = {format_number(geometry.dot)}"
        readouts = pair_readouts(geometry)
        notes += pair_notes(snapshot, plane, pair, geometry)
    return PlaneContent(
        arrows, drawn, headline, readouts, plane.axis_labels, " ".join(notes), lit, reach or 1.0
    )


def plane_of(snapshot: Snapshot) -> Plane:
    """Return the plane in force: the chosen one, else dimensions 1 and 2.

    Its coordinates are what an edit of a dragged tip speaks of.

    Raises
    ------
    Refusal
        If the document has no vectors.
    """
    if snapshot.focus.plane is not None:
        return snapshot.focus.plane
    return first_dimensions(matrix_of(snapshot.trace, MatrixName.Q).shape[1])


@lru_cache(maxsize=16)
def first_dimensions(d: int) -> Plane:
    """Return dimensions 1 and 2 of ``d``; always the same object, so that views can skip it."""
    return Plane.of_dimensions(d)


def _arrows(snapshot: Snapshot, plane: Plane) -> tuple[ArrowContent, ...]:
    document, trace, focus = snapshot.document, snapshot.trace, snapshot.focus
    assert trace.Q is not None  # asked before
    assert trace.K is not None
    queries, keys = visible_tokens(document.queries), visible_tokens(document.keys)
    faint = _embeddings(snapshot, plane)
    active: list[ArrowContent] = []
    for role, letter, labels, vectors, chosen, moved in (
        (Role.KEY, "k", keys, trace.K, focus.key, moved_rows(snapshot, Role.KEY)),
        (Role.QUERY, "q", queries, trace.Q, focus.query, moved_rows(snapshot, Role.QUERY)),
    ):
        for index, (x, y) in enumerate(plane.to_plane(vectors).tolist()):
            arrow = ArrowContent(
                role, index, f"{letter}·{labels[index]}", x, y, index == chosen, index in moved
            )
            (active if arrow.active else faint).append(arrow)
    return tuple(faint + active)


def _embeddings(snapshot: Snapshot, plane: Plane) -> list[ArrowContent]:
    """Return x of every token where it lives in the same space as q and k, d_model = d_k."""
    document, trace = snapshot.document, snapshot.trace
    if trace.X_q is None or trace.X_k is None or trace.X_q.shape[1] != plane.basis.shape[1]:
        return []
    sides = [(document.queries, trace.X_q)]
    if not document.is_self_attention:
        sides.append((document.keys, trace.X_k))
    return [
        ArrowContent(None, index, f"x·{visible_token(labels[index], index)}", x, y, False, False)
        for labels, X in sides
        for index, (x, y) in enumerate(plane.to_plane(X).tolist())
    ]
