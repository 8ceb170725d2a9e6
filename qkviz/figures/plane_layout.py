"""Where everything on the vector plane lies: tips, labels, numbers; and which tip is under a point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from qkviz.document.document import Role
from qkviz.figures.box_overlap import Box, Floats, box_array
from qkviz.figures.fonts import line_height, text_width
from qkviz.figures.label_placement import Obstacles, Placed, clearest, place_labels
from qkviz.figures.line_clipping import line_inside, points_inside, segment_inside, segments_inside
from qkviz.figures.plane_angle import angle_places, arc_radius
from qkviz.figures.plane_labels import TipLabel, tip_labels
from qkviz.figures.plane_parts import PlaneFaces, handle_radius, is_beside, is_dot, plane_rect
from qkviz.figures.plane_ticks import FRAME_GAP, Tick, clear_name, name_places, ticks_of, uncovered
from qkviz.figures.plane_view import PlaneView
from qkviz.figures.style import FigureStyle
from qkviz.presenters.plane import ArrowContent, PlaneContent

__all__ = ["PlaneLayout", "PlaneView", "handle_radius", "plane_rect"]

PICK_MARGIN = 7.0
"""The area in which a handle is taken is wider than the handle by this."""

ACTIVE_BONUS = 4.0

HANDLE_ROOM = 9.0
"""Half the side of what is kept free round a tip, in pixels."""

AROUND = 20.0
"""Pixels round the plane in which a tip, partly in sight, still counts."""


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
    readouts, is_beside
        Where headline, numbers and note are written; beside the plane, or below it.
    labels
        Where each of ``tip_labels`` is drawn, by its key; those that cannot be read have no place.
    is_near
        For every tip whether some of its handle may be in sight.
    ticks, axis_names
        The numbers and names along the axes that no tip and no label covers.
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
        self.is_beside = is_beside(rect, style)
        corner = self.plane.topRight() if self.is_beside else self.plane.bottomLeft()
        self.readouts = QRectF(corner, rect.bottomRight())
        self.faces = PlaneFaces.of(style)
        self._middle = self.plane.center()
        self._arrows = content.arrows
        self._points = self._in_pixels(content.arrows)
        self.tips = [QPointF(x, y) for x, y in self._points.tolist()]
        self._near = self.plane.adjusted(-AROUND, -AROUND, AROUND, AROUND)
        self.is_near = points_inside(self._points, self._near)
        self.origin = self.to_pixels(0.0, 0.0)
        self.arc_radius = self._arc_radius(content)
        self.equal_line = self._equal_line(content)
        self.axis_labels = content.axis_labels
        self.ticks: tuple[Tick, ...] = ()
        self.axis_names: tuple[Tick, ...] = ()
        self._all_ticks: tuple[Tick, ...] = ()
        self._name_places: tuple[tuple[Tick, ...], ...] = ()
        same = before if before is not None and before.shows_same_grid(self) else None
        self._places_along_axes(same)
        self._obstacles = self._what_is_in_the_way(content)
        self._angle: Placed | None = self._placed_angle(content, before._angle if before else None)
        self.angle_box = self._angle.box if self._angle else None
        self.tip_labels = self._wanted_labels()
        boxes = np.concatenate([self._obstacles.boxes, box_array([self.angle_box] if self.angle_box else [])])
        self.labels: dict[object, Placed] = place_labels(
            [label.wanted for label in self.tip_labels],
            replace(self._obstacles, boxes=boxes),
            before.labels if before else {},
        )
        labels = box_array([placed.box for placed in self.labels.values()])
        self._show_along_axes(np.concatenate([boxes, labels]), same)

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

    def taken(self) -> Floats:
        """Return the boxes (n, 4) of all that is written on the plane, and of the handles."""
        placed = [label.box for label in self.labels.values()]
        placed += [tick.box for tick in (*self.ticks, *self.axis_names)]
        placed += [self.angle_box] if self.angle_box else []
        handles = np.concatenate([self._points - HANDLE_ROOM, self._points + HANDLE_ROOM], axis=1)
        return np.concatenate([box_array(placed), handles])

    def _in_pixels(self, arrows: Sequence[ArrowContent]) -> Floats:
        """Return where the tips are painted, (n, 2)."""
        points = np.array([(arrow.x, -arrow.y) for arrow in arrows]).reshape(-1, 2)
        seen_from = self.view.center_x, -self.view.center_y
        middle = self._middle.x(), self._middle.y()
        pixels: Floats = (points - seen_from) / self.view.units_per_pixel + middle
        return pixels

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

    def _places_along_axes(self, before: PlaneLayout | None) -> None:
        """Find where numbers and names would stand if nothing else did; as before for the same grid."""
        if before is not None:
            self._all_ticks, self._name_places = before._all_ticks, before._name_places
            return
        tick, note = self.faces.tick, self.faces.note
        self._all_ticks = ticks_of(self.plane, self.view, self.origin, tick)
        self._name_places = name_places(self.plane, self.origin, self.axis_labels, note, line_height(tick))

    def _show_along_axes(self, taken: Floats, before: PlaneLayout | None) -> None:
        """Choose the numbers and names that are drawn: tips, labels and the angle come first."""
        shown = before.axis_names if before else None
        lines, thin = self._obstacles.lines, self._obstacles.thin_lines
        names = (clear_name(places, taken, lines, thin, shown) for places in self._name_places)
        self.axis_names = tuple(name for name in names if name is not None)
        taken = np.concatenate([taken, box_array([name.box for name in self.axis_names])])
        self.ticks = uncovered(self._all_ticks, taken, before.ticks if before else None)

    def _arc_radius(self, content: PlaneContent) -> float:
        """Return the radius of the angle's arc, 0 when there is no room or no angle."""
        if content.pair is None or content.pair.angle_span is None:
            return 0.0
        return arc_radius(
            [
                math.hypot(tip.x() - self.origin.x(), tip.y() - self.origin.y())
                for arrow, tip in zip(self._arrows, self.tips, strict=True)
                if arrow.active
            ]
        )

    def _placed_angle(self, content: PlaneContent, before: Placed | None) -> Placed | None:
        """Return where the angle is written."""
        pair = content.pair
        if pair is None or pair.angle_span is None or not self.arc_radius:
            return None
        width, height = text_width(pair.angle_text, self.faces.readout), line_height(self.faces.readout)
        shafts = [
            shaft
            for arrow, tip in zip(self._arrows, self.tips, strict=True)
            if arrow.active and (shaft := segment_inside(self.origin, tip, self.plane)) is not None
        ]
        # faint shafts may run under it: it has a ground of its own
        places = angle_places(self.origin, self.arc_radius, pair, width, height)
        return clearest(places, replace(self._obstacles, lines=shafts), before)

    def _equal_line(self, content: PlaneContent) -> Box | None:
        """Return the ends of the equal-score line within the plane."""
        line = content.pair.equal_line if content.pair else None
        if line is None:
            return None
        point = self.to_pixels(*line.point)
        return line_inside(point, line.direction[0], -line.direction[1], self.plane)

    def _what_is_in_the_way(self, content: PlaneContent) -> Obstacles:
        thin = [*([self.equal_line] if self.equal_line else []), *self._perpendicular(content)]
        has_shaft = [not is_dot(arrow, len(self._arrows)) for arrow in self._arrows]
        radii = np.array([handle_radius(arrow) for arrow in self._arrows]).reshape(-1, 1)
        handles = np.concatenate([self._points - radii, self._points + radii], axis=1)[self.is_near]
        room = self.plane.adjusted(FRAME_GAP, FRAME_GAP, -FRAME_GAP, -FRAME_GAP)
        return Obstacles(
            (room.left(), room.top(), room.right(), room.bottom()),
            handles,
            [tick.box for tick in (*self._all_ticks, *(places[0] for places in self._name_places if places))],
            segments_inside(self.origin, self._points[has_shaft], self._near),
            thin,
        )

    def _perpendicular(self, content: PlaneContent) -> list[Box]:
        """Return the dashed line from q to its foot on k, as far as it is in sight."""
        foot = content.pair.foot if content.pair else None
        if foot is None:
            return []
        at = self.to_pixels(*foot)
        return [
            line
            for arrow, tip in zip(self._arrows, self.tips, strict=True)
            if arrow.active and arrow.role is Role.QUERY
            if (line := segment_inside(tip, at, self._near)) is not None
        ]

    def _wanted_labels(self) -> tuple[TipLabel, ...]:
        arrows = zip(self._arrows, self.tips, self.is_near, strict=True)
        seen = [(arrow, tip) for arrow, tip, is_near in arrows if is_near]
        return tip_labels(seen, self.faces, self.plane.width())
