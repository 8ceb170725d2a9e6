"""Where everything on the vector plane lies: tips, labels, numbers; and which tip is under a point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF

from qkviz.document.document import Role
from qkviz.figures.fonts import Face, line_height, shortened, text_width
from qkviz.figures.label_placement import Box, Obstacles, Placed, Wanted, clearest, place_labels
from qkviz.figures.line_clipping import line_inside, segment_inside
from qkviz.figures.plane_parts import PlaneFaces, handle_radius, plane_rect
from qkviz.figures.plane_ticks import Tick, axis_names_of, ticks_of
from qkviz.figures.plane_view import PlaneView
from qkviz.figures.style import FigureStyle
from qkviz.presenters.plane import ArrowContent, PlaneContent

__all__ = ["PlaneLayout", "PlaneView", "handle_radius", "plane_rect"]

PICK_MARGIN = 7.0
"""The area in which a handle is taken is wider than the handle by this."""

LABELLED = 20
"""At most so many labels."""

ACTIVE_BONUS = 4.0
ARC_RADIUS, LEAST_ARC = 38.0, 12.0


class PlaneLayout:
    """The places of one picture of the plane in ``rect``.

    Parameters
    ----------
    content
        What is drawn.
    rect
        The room for plane and readouts, in the painter's coordinates.
    view
        What part of the plane is in sight.
    style
        Gives the font families.
    before
        The layout of the last frame; labels stay on their side where they can.

    Attributes
    ----------
    plane
        The part of ``rect`` in which the plane is.
    labels
        Where the label of each arrow is drawn, by (role, index); arrows whose label cannot be read have none.
    """

    def __init__(
        self,
        content: PlaneContent,
        rect: QRectF,
        view: PlaneView,
        style: FigureStyle,
        before: PlaneLayout | None = None,
    ) -> None:
        self.rect, self.view = rect, view
        self.plane = plane_rect(rect, style)
        self.faces = PlaneFaces.of(style)
        self._middle = self.plane.center()
        self._arrows = content.arrows
        self.tips = [self.to_pixels(arrow.x, arrow.y) for arrow in content.arrows]
        self.origin = self.to_pixels(0.0, 0.0)
        self.arc_radius = self._arc_radius(content)
        self.equal_line = self._equal_line(content)
        self.axis_labels = content.axis_labels
        if before is not None and before.shows_same_grid(self):
            ticks, names = before.ticks, before.axis_names
        else:
            ticks = ticks_of(self.plane, self.view, self.origin, self.faces.tick)
            names = axis_names_of(self.plane, self.origin, self.axis_labels, self.faces.note)
        self.ticks: tuple[Tick, ...] = ticks
        self.axis_names: tuple[Tick, ...] = names
        self._obstacles = self._what_is_in_the_way(content)
        self.angle_box = self._angle_box(content)
        self.labels: dict[object, Placed] = self._placed_labels(before.labels if before else {})

    def shows_same_grid(self, other: PlaneLayout) -> bool:
        """Say whether a grid painted for this layout is right for the other one, so that it can be kept."""
        return (self.plane, self.view, self.axis_labels, self.faces) == (
            other.plane,
            other.view,
            other.axis_labels,
            other.faces,
        )

    def to_pixels(self, x: float, y: float) -> QPointF:
        """Return where a point of the plane is painted."""
        units = self.view.units_per_pixel
        return QPointF(
            self._middle.x() + (x - self.view.center_x) / units,
            self._middle.y() - (y - self.view.center_y) / units,
        )

    def to_plane(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the plane that is painted at a pixel."""
        units = self.view.units_per_pixel
        return (
            self.view.center_x + (x - self._middle.x()) * units,
            self.view.center_y - (y - self._middle.y()) * units,
        )

    def tip_at(self, x: float, y: float) -> tuple[Role, int] | None:
        """Return the (role, index) of the handle at a point; None where there is none that can be dragged.

        The nearest one whose area holds the point; of the active pair a handle counts as a little nearer, and
        of equally near ones the topmost is taken.
        """
        best: tuple[float, tuple[Role, int]] | None = None
        for arrow, tip in zip(self._arrows, self.tips, strict=True):
            distance = math.hypot(tip.x() - x, tip.y() - y)
            if arrow.role is None or distance > handle_radius(arrow) + PICK_MARGIN:
                continue
            rank = distance - (ACTIVE_BONUS if arrow.active else 0.0)
            if best is None or rank <= best[0]:
                best = rank, (arrow.role, arrow.index)
        return best[1] if best else None

    def _arc_radius(self, content: PlaneContent) -> float:
        """Return the radius of the angle's arc, 0 when there is no room or no angle."""
        if content.pair is None or content.pair.angle_span is None:
            return 0.0
        lengths = [
            math.hypot(tip.x() - self.origin.x(), tip.y() - self.origin.y())
            for arrow, tip in zip(self._arrows, self.tips, strict=True)
            if arrow.active
        ]
        radius = min([ARC_RADIUS, *(0.62 * length for length in lengths)])
        return radius if radius >= LEAST_ARC else 0.0

    def _angle_box(self, content: PlaneContent) -> Box | None:
        """Return where the angle is written: beyond the middle of its arc, or beside a narrow one."""
        pair = content.pair
        if pair is None or pair.angle_span is None or not self.arc_radius:
            return None
        width, height = text_width(pair.angle_text, self.faces.readout), line_height(self.faces.readout)
        start, span = pair.angle_start, pair.angle_span
        beside = math.copysign(0.5, span)
        boxes: list[Box] = []
        for direction in (start + span / 2, start + span + beside, start - beside):
            for extra in (0.0, 12.0, 26.0):
                # the box keeps clear of the arc: further out where it is broad in this direction
                reach = self.arc_radius + 4.0 + extra
                reach += abs(math.cos(direction)) * width / 2 + abs(math.sin(direction)) * height / 2
                x, y = (
                    self.origin.x() + reach * math.cos(direction),
                    self.origin.y() - reach * math.sin(direction),
                )
                boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
        shafts = [
            shaft
            for arrow, tip in zip(self._arrows, self.tips, strict=True)
            if arrow.active and (shaft := segment_inside(self.origin, tip, self.plane)) is not None
        ]
        return clearest(boxes, replace(self._obstacles, soft_boxes=(), lines=shafts, thin_lines=()))

    def _equal_line(self, content: PlaneContent) -> Box | None:
        """Return the ends of the equal-score line within the plane."""
        line = content.pair.equal_line if content.pair else None
        if line is None:
            return None
        point = self.to_pixels(*line.point)
        return line_inside(point, line.direction[0], -line.direction[1], self.plane)

    def _what_is_in_the_way(self, content: PlaneContent) -> Obstacles:
        near = self.plane.adjusted(-20.0, -20.0, 20.0, 20.0)
        shafts = [segment_inside(self.origin, tip, near) for tip in self.tips]
        thin = [self.equal_line]
        foot = content.pair.foot if content.pair else None
        if foot is not None:
            at = self.to_pixels(*foot)
            thin += [
                segment_inside(tip, at, near)
                for arrow, tip in zip(self._arrows, self.tips, strict=True)
                if arrow.active and arrow.role is Role.QUERY
            ]
        tips = [
            (tip.x() - radius, tip.y() - radius, tip.x() + radius, tip.y() + radius)
            for tip, radius in zip(self.tips, map(handle_radius, self._arrows), strict=True)
            if near.contains(tip)
        ]
        room = self.plane.adjusted(3.0, 3.0, -3.0, -3.0)
        return Obstacles(
            (room.left(), room.top(), room.right(), room.bottom()),
            [*tips, *(name.box for name in self.axis_names)],
            [tick.box for tick in self.ticks],
            [line for line in shafts if line is not None],
            [line for line in thin if line is not None],
        )

    def _placed_labels(self, before: Mapping[object, Placed]) -> dict[object, Placed]:
        wanted: list[Wanted] = []
        near = self.plane.adjusted(-20.0, -20.0, 20.0, 20.0)
        seen = [
            (arrow, tip) for arrow, tip in zip(self._arrows, self.tips, strict=True) if near.contains(tip)
        ][::-1]
        if len(seen) > LABELLED:  # the active pair and the longest: in the thick of many nothing can be read
            seen.sort(key=lambda pair: (not pair[0].active, -math.hypot(pair[0].x, pair[0].y)))
        for arrow, tip in seen[:LABELLED]:
            face = self.face_of(arrow)
            size = text_width(self.label_text(arrow), face), line_height(face)
            key = (arrow.role, arrow.index)
            wanted.append(Wanted(key, tip.x(), tip.y(), handle_radius(arrow), *size, arrow.active))
        boxes = [*self._obstacles.boxes, *([self.angle_box] if self.angle_box else [])]
        return place_labels(wanted, replace(self._obstacles, boxes=boxes), before)

    def face_of(self, arrow: ArrowContent) -> Face:
        """Return the font of an arrow's label."""
        return self.faces.active if arrow.active else self.faces.faint

    def label_text(self, arrow: ArrowContent) -> str:
        """Return the label of an arrow, shortened to a third of the plane's width."""
        return shortened(arrow.label, self.face_of(arrow), max(40.0, min(160.0, self.plane.width() / 3)))
