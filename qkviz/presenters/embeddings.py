"""The plane of the embeddings: where every q, k and v comes from."""

from __future__ import annotations

import math

from qkviz.attention.geometry import pair_geometry
from qkviz.attention.inputs import DirectInputs, GivenScores
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.lit_parts import lit_parts
from qkviz.presenters.number_format import format_degrees, format_number, full_number
from qkviz.presenters.plane import ArrowContent, PlaneContent, first_dimensions
from qkviz.presenters.readout import Readout, readout
from qkviz.presenters.words import visible_tokens
from qkviz.translate import _


def present_embeddings(snapshot: Snapshot) -> PlaneContent:
    """Return the plane with x of every token; each can be dragged.

    With one X for both roles there is one arrow for each word, of the role QUERY. Content without arrows, for
    a document without embeddings, has a note that says why.
    """
    trace, focus, document = snapshot.trace, snapshot.focus, snapshot.document
    lit = "x" in lit_parts(focus.step)
    if trace.X_q is None or trace.X_k is None:
        note = (
            _("Only the scores of this document are given: there is no x to draw.")
            if isinstance(document.inputs, GivenScores)
            else _("This document starts at Q and K: there is no x to draw.")
        )
        return PlaneContent((), None, "", (), ("", ""), note, lit, 1.0)
    plane = embedding_plane_of(snapshot)
    queries, keys = visible_tokens(document.queries), visible_tokens(document.keys)
    if document.is_self_attention:
        chosen = {index for index in (focus.query, focus.key) if index is not None}
        arrows = _arrows(Role.QUERY, queries, plane, trace.X_q, chosen)
    else:
        arrows = _arrows(Role.KEY, keys, plane, trace.X_k, {focus.key})
        arrows += _arrows(Role.QUERY, queries, plane, trace.X_q, {focus.query})
    arrows.sort(key=lambda arrow: arrow.active)  # stable: the active ones last, painted on top
    coordinates = [abs(number) for arrow in arrows for number in (arrow.x, arrow.y)]
    reach = max((number for number in coordinates if math.isfinite(number)), default=0.0)
    is_recorded = isinstance(document.inputs, DirectInputs)
    headline = _("Click an x.") if is_recorded else _("Drag an x: q, k and v of the word follow.")
    readouts: tuple[Readout, ...] = ()
    if focus.pair is not None:
        x_q, x_k = trace.X_q[focus.pair[0]].tolist(), trace.X_k[focus.pair[1]].tolist()
        names = f"x·{queries[focus.pair[0]]}", f"x·{keys[focus.pair[1]]}"
        headline, readouts = _measured(names, x_q, x_k)
    notes = []
    if is_recorded:
        notes.append(_("x is what came into the layer; q and k were recorded beside it."))
    d_model = int(plane.basis.shape[1])
    if d_model > 2:
        notes.append(_("The plane shows 2 of {d_model} dimensions of x.", d_model=d_model))
    return PlaneContent(
        tuple(arrows), None, headline, readouts, plane.axis_labels, " ".join(notes), lit, reach or 1.0
    )


def embedding_plane_of(snapshot: Snapshot) -> Plane:
    """Return the plane of embeddings in force: the chosen one, else dimensions 1 and 2.

    The document must have embeddings.
    """
    if snapshot.focus.embedding_plane is not None:
        return snapshot.focus.embedding_plane
    assert snapshot.trace.X_q is not None
    return first_dimensions(int(snapshot.trace.X_q.shape[1]))


def _arrows(
    role: Role, labels: tuple[str, ...], plane: Plane, X: Matrix, chosen: set[int] | set[int | None]
) -> list[ArrowContent]:
    return [
        ArrowContent(role, index, f"x·{labels[index]}", x, y, index in chosen, False, is_embedding=True)
        for index, (x, y) in enumerate(plane.to_plane(X).tolist())
    ]


def _measured(names: tuple[str, str], x_q: list[float], x_k: list[float]) -> tuple[str, tuple[Readout, ...]]:
    """Return the dot product of two embeddings, an entry of XXᵀ, and what it consists of."""
    geometry = pair_geometry(x_q, x_k)
    headline = f"{names[0]} ⋅ {names[1]} = {format_number(geometry.dot)}"
    lengths = [readout(f"‖{names[0]}‖", geometry.length_q)]
    if names[0] != names[1]:
        lengths.append(readout(f"‖{names[1]}‖", geometry.length_k))
    if geometry.angle is None:
        undefined = _("undefined")
        return headline, (Readout("θ", undefined, undefined), *lengths)
    degrees = full_number(math.degrees(geometry.angle))
    return headline, (Readout("θ", format_degrees(geometry.angle), f"{degrees}°"), *lengths)
