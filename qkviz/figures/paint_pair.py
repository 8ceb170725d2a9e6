"""The geometry of the active pair on the plane: angle, projection, perpendicular, equal-score line."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from qkviz.document.document import Role
from qkviz.figures.box_overlap import Box, box_array, touching
from qkviz.figures.fonts import ascent, draw_text, line_height, text_width
from qkviz.figures.line_clipping import segment_inside
from qkviz.figures.plane_layout import PlaneLayout
from qkviz.figures.plane_ticks import FRAME_GAP
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.plane import ArrowContent, PairContent
from qkviz.translate import _

APART, CLOSE = 7.0, 4.0
"""Least distance in pixels of the name of a line from other words: above and below, and more beside them."""

RIGHT_ANGLE = 7.0
"""Side of the square at the foot of the perpendicular, in pixels."""


def paint_pair(
    painter: QPainter,
    layout: PlaneLayout,
    pair: PairContent,
    arrows: Sequence[ArrowContent],
    style: FigureStyle,
) -> None:
    """Paint what lies below the arrows."""
    painter.save()
    if layout.equal_line is not None:
        color = QColor(mixed(style.query, style.surface, 0.55))
        painter.setPen(QPen(color, 1.25, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(*layout.equal_line))
    query, key = _tip(layout, arrows, Role.QUERY), _tip(layout, arrows, Role.KEY)
    if pair.foot is not None and query is not None and key is not None:
        _paint_projection(painter, layout, query, key, layout.to_pixels(*pair.foot), style)
    _paint_arc(painter, layout, pair, style)
    painter.restore()


def paint_pair_labels(painter: QPainter, layout: PlaneLayout, pair: PairContent, style: FigureStyle) -> None:
    """Write the angle and the name of the equal-score line."""
    painter.save()
    if layout.angle_box is not None:
        _paint_ground(painter, layout.angle_box, style)
        painter.setPen(QColor(style.text))
        face = layout.faces.readout
        draw_text(painter, layout.angle_box[0], layout.angle_box[1] + ascent(face), pair.angle_text, face)
    label = equal_line_label(layout)
    if label is not None:
        text, box = label
        painter.setPen(QColor(style.muted))
        draw_text(painter, box[0], box[1] + ascent(layout.faces.note), text, layout.faces.note)
    painter.restore()


def _paint_ground(painter: QPainter, box: Box, style: FigureStyle) -> None:
    """Interrupt the lines under a text."""
    ground = QColor(style.surface)
    ground.setAlphaF(0.85)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    room = QRectF(QPointF(box[0], box[1]), QPointF(box[2], box[3]))
    painter.drawRoundedRect(room.adjusted(-1.0, 1.0, 1.0, -1.0), 3.0, 3.0)


def equal_line_label(layout: PlaneLayout) -> tuple[str, Box] | None:
    """Return the words beside the equal-score line and their place, None where there is no room."""
    if layout.equal_line is None:
        return None
    text, face = _("same q·k"), layout.faces.note
    width, height = text_width(text, face), line_height(face)
    x1, y1, x2, y2 = layout.equal_line
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 3 * width:
        return None
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    away = 5.0 + abs(along_y) * width / 2 + abs(along_x) * height / 2
    boxes: list[Box] = []
    for share in (0.06, 0.94, 0.14, 0.86, 0.22, 0.78, 0.3, 0.7):
        for side in (1.0, -1.0):
            x = x1 + share * (x2 - x1) - side * along_y * away
            y = y1 + share * (y2 - y1) + side * along_x * away
            boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    room = layout.plane.adjusted(FRAME_GAP, FRAME_GAP, -FRAME_GAP, -FRAME_GAP)
    inside = [box for box in boxes if room.contains(QRectF(QPointF(*box[:2]), QPointF(*box[2:])))]
    # words beside other words would be read as one phrase
    apart = box_array(inside) + np.array((-APART - CLOSE, -CLOSE, APART + CLOSE, CLOSE))
    free = np.flatnonzero(~touching(apart, layout.taken()).any(axis=1))
    return (text, inside[free[0]]) if len(free) else None


def _tip(layout: PlaneLayout, arrows: Sequence[ArrowContent], role: Role) -> QPointF | None:
    for arrow, tip in zip(arrows, layout.tips, strict=True):
        if arrow.active and arrow.role is role:
            return tip
    return None


def _paint_projection(
    painter: QPainter, layout: PlaneLayout, query: QPointF, key: QPointF, foot: QPointF, style: FigureStyle
) -> None:
    """Paint the triangle origin – q – foot, the projection on k as a broad band, and the perpendicular."""
    origin = layout.origin
    near = layout.plane.adjusted(-50.0, -50.0, 50.0, 50.0)
    soft = QColor(style.query)
    soft.setAlphaF(0.09)
    if all(near.contains(point) for point in (query, foot)):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        painter.drawPolygon(QPolygonF([origin, query, foot]))
    band = segment_inside(origin, foot, near)
    if band is not None:
        pen = QPen(QColor(mixed(style.query, style.surface, 0.3)), 9.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QLineF(*band))
    beyond = _beyond(origin, key, foot)
    extension = segment_inside(beyond, foot, near)
    if extension is not None:
        color = QColor(mixed(style.key, style.surface, 0.6))
        painter.setPen(QPen(color, 1.25, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(*extension))
    perpendicular = segment_inside(query, foot, near)
    if perpendicular is not None:
        pen = QPen(QColor(style.query), 1.75)
        pen.setDashPattern([3.2, 2.4])
        painter.setPen(pen)
        painter.drawLine(QLineF(*perpendicular))
    _paint_right_angle(painter, origin, query, foot, style)


def _beyond(origin: QPointF, key: QPointF, foot: QPointF) -> QPointF:
    """Return the end of k's arrow that is next to the foot; the foot itself when it lies on the arrow."""
    along = QPointF.dotProduct(foot - origin, key - origin)
    if along < 0:
        return origin
    return key if along > QPointF.dotProduct(key - origin, key - origin) else foot


def _paint_right_angle(
    painter: QPainter, origin: QPointF, query: QPointF, foot: QPointF, style: FigureStyle
) -> None:
    up, back = query - foot, origin - foot
    up_length, back_length = math.hypot(up.x(), up.y()), math.hypot(back.x(), back.y())
    if min(up_length, back_length) < 2.5 * RIGHT_ANGLE:  # too small to be seen apart from the lines
        return
    up, back = up * (RIGHT_ANGLE / up_length), back * (RIGHT_ANGLE / back_length)
    color = QColor(style.muted)
    painter.setPen(QPen(color, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline([foot + up, foot + up + back, foot + back])


def _paint_arc(painter: QPainter, layout: PlaneLayout, pair: PairContent, style: FigureStyle) -> None:
    radius, origin = layout.arc_radius, layout.origin
    if pair.angle_span is None or not radius:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(style.text), 1.5))
    rect = QRectF(origin.x() - radius, origin.y() - radius, 2 * radius, 2 * radius)
    sixteenths = 16 * 180 / math.pi
    painter.drawArc(rect, round(pair.angle_start * sixteenths), round(pair.angle_span * sixteenths))
