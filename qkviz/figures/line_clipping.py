"""Lines cut to the part in sight, since painters fail on coordinates of millions of pixels."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from qkviz.figures.box_overlap import Floats

Ends = tuple[float, float, float, float]
"""x, y of both ends."""


def points_inside(points: Floats, rect: QRectF) -> list[bool]:
    """Return for each of the points (n, 2) whether it lies in ``rect``."""
    x, y = points.T
    inside = (rect.left() <= x) & (x <= rect.right()) & (rect.top() <= y) & (y <= rect.bottom())
    return [bool(one) for one in inside]


def segment_inside(start: QPointF, end: QPointF, rect: QRectF) -> Ends | None:
    """Return the part of a segment that lies in ``rect``, None when there is none."""
    return _clipped(start.x(), start.y(), end.x() - start.x(), end.y() - start.y(), 0.0, 1.0, rect)


def segments_inside(start: QPointF, ends: Floats, rect: QRectF) -> Floats:
    """Return the parts (m, 4) of segments from one point to many (n, 2) that lie in ``rect``, in order."""
    least, most = (rect.left(), rect.top()), (rect.right(), rect.bottom())
    origin = np.array([start.x(), start.y()])
    steps = ends - origin
    with np.errstate(divide="ignore", invalid="ignore"):  # along an axis: no limit, or never inside
        sides = np.sort([(least - origin) / steps, (most - origin) / steps], axis=0)
    level = steps == 0.0
    within = (least <= origin) & (origin <= most)
    low = np.where(level, np.where(within, 0.0, np.inf), sides[0]).max(axis=1, initial=0.0)
    high = np.where(level, 1.0, sides[1]).min(axis=1, initial=1.0)
    seen = low <= high
    low, high, steps = low[seen, None], high[seen, None], steps[seen]
    parts: Floats = np.concatenate([origin + low * steps, origin + high * steps], axis=1)
    return parts


def line_inside(point: QPointF, right: float, down: float, rect: QRectF) -> Ends | None:
    """Return the part of an endless line that lies in ``rect``."""
    return _clipped(point.x(), point.y(), right, down, -math.inf, math.inf, rect)


def _clipped(
    x: float, y: float, right: float, down: float, low: float, high: float, rect: QRectF
) -> Ends | None:
    for start, step, least, most in (
        (x, right, rect.left(), rect.right()),
        (y, down, rect.top(), rect.bottom()),
    ):
        if step == 0.0:
            if not least <= start <= most:
                return None
            continue
        ends = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
    if low > high or not (math.isfinite(low) and math.isfinite(high)):
        return None
    return x + low * right, y + low * down, x + high * right, y + high * down
