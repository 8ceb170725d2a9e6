"""Lines cut to the part in sight, since painters fail on coordinates of millions of pixels."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF

Ends = tuple[float, float, float, float]
"""x, y of both ends."""


def segment_inside(start: QPointF, end: QPointF, rect: QRectF) -> Ends | None:
    """Return the part of a segment that lies in ``rect``, None when there is none."""
    return _clipped(start.x(), start.y(), end.x() - start.x(), end.y() - start.y(), 0.0, 1.0, rect)


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
