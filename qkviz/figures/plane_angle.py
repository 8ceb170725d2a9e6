"""The arc of the angle between q and k, and where its size can be written."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from qkviz.figures.box_overlap import Box
from qkviz.presenters.plane import PairContent

ARC_RADIUS, LEAST_ARC = 28.0, 12.0


def arc_radius(lengths: list[float]) -> float:
    """Return the radius between arrows of these lengths in pixels, 0 when there is no room."""
    radius = min([ARC_RADIUS, *(0.62 * length for length in lengths)])
    return radius if radius >= LEAST_ARC else 0.0


def angle_places(origin: QPointF, radius: float, pair: PairContent, width: float, height: float) -> list[Box]:
    """Return the places for the angle's text, the most wanted first.

    Beyond the middle of the arc; else outside, beside the arm of q or k, where the arms leave no room.
    """
    start, span = pair.angle_start, pair.angle_span or 0.0
    turn = math.copysign(math.pi / 2, span or 1.0)
    boxes: list[Box] = []

    def add(from_origin: float, along: float, away: float, direction: float) -> None:
        """Add the box that begins ``away`` pixels in ``direction`` from a point of the ray ``along``."""
        reach = away + abs(math.cos(direction)) * width / 2 + abs(math.sin(direction)) * height / 2
        x = origin.x() + from_origin * math.cos(along) + reach * math.cos(direction)
        y = origin.y() - from_origin * math.sin(along) - reach * math.sin(direction)
        boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    middle = start + span / 2
    for away in (3.0, 7.0, 11.0, 16.0, 22.0):
        add(radius, middle, away, middle)
    for arm, outwards in ((start + span, start + span + turn), (start, start - turn)):
        for share in (1.0, 1.4, 1.8):
            add(share * radius, arm, 7.0, outwards)
    return boxes
