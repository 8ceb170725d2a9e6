"""How much boxes and lines of a picture cover each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def box_array(boxes: Sequence[Box]) -> Floats:
    """Return boxes or lines as an array (n, 4)."""
    return np.array(boxes, float).reshape(-1, 4)


def shared_area(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0.0 and height > 0.0 else 0.0


def covers(box: Box, margin: float, boxes: Sequence[Box], lines: Sequence[Box] = ()) -> bool:
    """Say whether a box, made wider by ``margin`` on every side, meets any of ``boxes`` or of ``lines``."""
    wide = (box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin)
    return any(shared_area(wide, other) > 0.0 for other in boxes) or bool(
        crossed(box_array([wide])[None], box_array(lines)).any()
    )


def overlap(boxes: Floats, others: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the area it shares with ``others`` (m, 4), summed over them."""
    if not len(others):
        return np.zeros(boxes.shape[:2])
    each = boxes[:, :, None]
    width = np.minimum(each[..., 2], others[:, 2]) - np.maximum(each[..., 0], others[:, 0])
    height = np.minimum(each[..., 3], others[:, 3]) - np.maximum(each[..., 1], others[:, 1])
    shared: Floats = (np.maximum(width, 0) * np.maximum(height, 0)).sum(axis=2)
    return shared


def crossed(boxes: Floats, lines: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the length of ``lines`` (m, 4) that runs through it."""
    if not len(lines):
        return np.zeros(boxes.shape[:2])
    x, y = lines[:, 0], lines[:, 1]
    right, down = lines[:, 2] - x, lines[:, 3] - y
    safe_right = np.where(np.abs(right) < 1e-9, 1e-9, right)
    safe_down = np.where(np.abs(down) < 1e-9, 1e-9, down)
    each = boxes[:, :, None]
    left_at, right_at = (each[..., 0] - x) / safe_right, (each[..., 2] - x) / safe_right
    top_at, bottom_at = (each[..., 1] - y) / safe_down, (each[..., 3] - y) / safe_down
    enter = np.maximum(np.minimum(left_at, right_at), np.minimum(top_at, bottom_at))
    leave = np.minimum(np.maximum(left_at, right_at), np.maximum(top_at, bottom_at))
    inside = np.maximum(np.minimum(leave, 1.0) - np.maximum(enter, 0.0), 0.0)
    length: Floats = inside @ np.hypot(right, down)
    return length
