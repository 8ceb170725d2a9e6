"""How much boxes and lines of a picture cover each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Boxes = Sequence[Box] | Floats
"""Several boxes or lines; as an array (n, 4)."""


def box_array(boxes: Boxes) -> Floats:
    """Return boxes or lines as an array (n, 4), the same one where it is an array already."""
    return np.asarray(boxes, float).reshape(-1, 4)


def shared_area(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0.0 and height > 0.0 else 0.0


def covers(box: Box, margin: float, boxes: Boxes, lines: Boxes = ()) -> bool:
    """Say whether a box, made wider by ``margin`` on every side, meets any of ``boxes`` or of ``lines``."""
    wide = box_array([box]) + np.array((-margin, -margin, margin, margin))
    return bool(touching(wide, box_array(boxes)).any() or (_lengths_inside(wide, box_array(lines)) > 0).any())


def touching(boxes: Floats, others: Floats) -> Bools:
    """Return (n, m) whether each of ``boxes`` (n, 4) shares some area with each of ``others`` (m, 4)."""
    left, top, right, bottom = boxes.T[:, :, None]
    across = (left < others[:, 2]) & (others[:, 0] < right)
    met: Bools = across & (top < others[:, 3]) & (others[:, 1] < bottom)
    return met


def overlap(boxes: Floats, others: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the area it shares with ``others`` (m, 4), summed over them."""
    shared = np.zeros(boxes.shape[:2])
    row, near = touching(_hulls(boxes), others).nonzero()  # most are far from most
    each, other = boxes[row], others[near, None]
    width = np.minimum(each[..., 2], other[..., 2]) - np.maximum(each[..., 0], other[..., 0])
    height = np.minimum(each[..., 3], other[..., 3]) - np.maximum(each[..., 1], other[..., 1])
    np.add.at(shared, row, np.maximum(width, 0) * np.maximum(height, 0))
    return shared


def crossed(boxes: Floats, lines: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the length of ``lines`` (m, 4) that runs through it."""
    length = np.zeros(boxes.shape[:2])
    row, near = (_lengths_inside(_hulls(boxes)[:, None], lines) > 0.0).nonzero()
    np.add.at(length, row, _lengths_inside(boxes[row], lines[near, None]))
    return length


def _hulls(boxes: Floats) -> Floats:
    """Return the box (n, 4) around each row of ``boxes`` (n, k, 4)."""
    hulls: Floats = np.concatenate([boxes[..., :2].min(axis=1), boxes[..., 2:].max(axis=1)], axis=1)
    return hulls


def _lengths_inside(boxes: Floats, lines: Floats) -> Floats:
    """Return how much of each line (…, 4) runs through the box (…, 4) beside it."""
    x, y = lines[..., 0], lines[..., 1]
    right, down = lines[..., 2] - x, lines[..., 3] - y
    safe_right = np.where(np.abs(right) < 1e-9, 1e-9, right)
    safe_down = np.where(np.abs(down) < 1e-9, 1e-9, down)
    left_at, right_at = (boxes[..., 0] - x) / safe_right, (boxes[..., 2] - x) / safe_right
    top_at, bottom_at = (boxes[..., 1] - y) / safe_down, (boxes[..., 3] - y) / safe_down
    enter = np.maximum(np.minimum(left_at, right_at), np.minimum(top_at, bottom_at))
    leave = np.minimum(np.maximum(left_at, right_at), np.maximum(top_at, bottom_at))
    inside = np.maximum(np.minimum(leave, 1.0) - np.maximum(enter, 0.0), 0.0)
    length: Floats = inside * np.hypot(right, down)
    return length
