"""The active pair on the plane: its angle, projection, line of equal scores, numbers and notes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qkviz.attention.geometry import PairGeometry, ZeroVector, equal_score_line
from qkviz.attention.matrices import MatrixName
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Dot, ScaledDot
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import cell_kinds, cell_text
from qkviz.presenters.matrix_texts import score_formula
from qkviz.presenters.moved import moved_rows
from qkviz.presenters.number_format import format_degrees, format_number, full_number
from qkviz.presenters.readout import Readout, readout
from qkviz.translate import _

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class EqualLine:
    """The line of all q with the same q·k, on the plane: a point of it and its unit direction."""

    point: Point
    direction: Point


@dataclass(frozen=True, slots=True)
class PairContent:
    """The drawn geometry of the active pair.

    Attributes
    ----------
    query, key
        Indexes from 0.
    angle_start, angle_span
        Radians, counter-clockwise from the x axis; the arc from k's direction to q's, |span| ≤ π.
        Span is None where the arc cannot be drawn: a vector is zero on the plane.
    angle_text
        ``"53°"``, or "undefined". With more than two dimensions it is the true angle, not the drawn one.
    foot
        Foot of the perpendicular from q's tip on k's line; None when k is zero.
    equal_line
        None when k is zero on the plane.
    """

    query: int
    key: int
    angle_start: float
    angle_span: float | None
    angle_text: str
    foot: Point | None
    equal_line: EqualLine | None


def present_pair(
    snapshot: Snapshot, plane: Plane, pair: tuple[int, int], geometry: PairGeometry
) -> PairContent:
    """Return what is drawn of the pair (query, key)."""
    trace = snapshot.trace
    assert trace.Q is not None  # asked before
    assert trace.K is not None
    q, k = trace.Q[pair[0]], trace.K[pair[1]]
    shadow_q: list[float] = plane.to_plane(q).tolist()
    shadow_k: list[float] = plane.to_plane(k).tolist()
    start, end = math.atan2(shadow_k[1], shadow_k[0]), math.atan2(shadow_q[1], shadow_q[0])
    can_draw_arc = geometry.angle is not None and any(shadow_q) and any(shadow_k)
    foot = None
    if geometry.foot is not None:
        foot_x, foot_y = plane.to_plane(q.new_tensor(geometry.foot)).tolist()
        foot = (foot_x, foot_y)
    # a drag changes the part in the plane only, so that part's dot product decides on equal scores
    line = equal_score_line(shadow_k, plane.in_plane_dot(q, k))
    return PairContent(
        query=pair[0],
        key=pair[1],
        angle_start=start,
        angle_span=math.remainder(end - start, math.tau) if can_draw_arc else None,
        angle_text=_("undefined") if geometry.angle is None else format_degrees(geometry.angle, 0),
        foot=foot,
        equal_line=None if line is None else EqualLine(line.point, line.direction),
    )


def pair_readouts(geometry: PairGeometry) -> tuple[Readout, ...]:
    """Return θ, ‖q‖, ‖k‖, cos θ and the projection; "undefined" where a zero vector has none."""
    return (
        _angle_readout(geometry.angle),
        readout("‖q‖", geometry.length_q),
        readout("‖k‖", geometry.length_k),
        _or_undefined("cos θ", geometry.cosine),
        _or_undefined(_("projection"), geometry.projection),
    )


def _angle_readout(angle: float | None) -> Readout:
    if angle is None:
        return Readout("θ", _("undefined"), _("undefined"))
    return Readout("θ", format_degrees(angle), f"{full_number(math.degrees(angle))}°")


def _or_undefined(name: str, value: float | None) -> Readout:
    return Readout(name, _("undefined"), _("undefined")) if value is None else readout(name, value)


def pair_notes(snapshot: Snapshot, plane: Plane, pair: tuple[int, int], geometry: PairGeometry) -> list[str]:
    """Return what the picture cannot say by itself, one sentence each."""
    trace = snapshot.trace
    assert trace.Q is not None  # asked before
    assert trace.K is not None
    notes = []
    match geometry.zero:
        case ZeroVector.BOTH:
            notes.append(_("q and k are zero vectors: their angle is undefined."))
        case ZeroVector.QUERY:
            notes.append(_("q is the zero vector: its angle is undefined."))
        case ZeroVector.KEY:
            notes.append(_("k is the zero vector: angle and projection are undefined."))
    d_k = plane.basis.shape[1]
    if d_k > 2:
        notes.append(
            _(
                "The plane shows 2 of {d_k} dimensions, and {part} of q·k = {whole}.",
                d_k=d_k,
                part=format_number(plane.in_plane_dot(trace.Q[pair[0]], trace.K[pair[1]])),
                whole=format_number(geometry.dot),
            )
        )
    if not isinstance(trace.options.score, Dot | ScaledDot):
        kind = cell_kinds(trace, MatrixName.SCORES)[pair]
        notes.append(
            _(
                "The score is another function of q and k: {name} = {value}.",
                name=score_formula(snapshot),
                value=cell_text(int(kind), float(trace.scores[pair])),
            )
        )
    if moved_rows(snapshot, Role.QUERY) or moved_rows(snapshot, Role.KEY):
        notes.append(_("Vectors moved by hand no longer follow from x."))
    return notes
