"""Places for labels beside points: greedy, the same for the same picture, steady while a point is dragged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

# direction of the label's middle from the point, most wanted first; right and above reads best
DIRECTIONS = np.array(
    [
        (1, -0.45),
        (-1, -0.45),
        (1, 0.6),
        (-1, 0.6),
        (0, -1),
        (0, 1),
        (1, -1.4),
        (-1, -1.4),
        (1, 1.5),
        (-1, 1.5),
    ]
)
DISTANCES = (1.0, 15.0)
"""Gaps between point and label that are tried, in pixels."""

TIP_COST, LABEL_COST, OUTSIDE_COST, SOFT_COST = 8.0, 6.0, 20.0, 2.0
LINE_COST = 9.0
"""Cost of a pixel of line under a label, in square pixels of overlap."""

WISH_COST = 9.0
STEADY_GAIN = 130.0
"""A label leaves its old side only for a place better by this much, so that it does not flicker."""

LEGIBLE_OVERLAP = 0.12
"""Part of a label that may lie under another one or under a tip."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One label to be placed.

    Attributes
    ----------
    key
        Tells the label from others and stays the same from frame to frame.
    x, y, radius
        The point and the size of its handle, in pixels.
    width, height
        Size of the text.
    needed
        Drawn even where it overlaps something.
    """

    key: object
    x: float
    y: float
    radius: float
    width: float
    height: float
    needed: bool


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What labels keep away from.

    Attributes
    ----------
    room
        Where labels have to stay.
    boxes
        What they must not cover.
    soft_boxes
        What they had better not cover.
    lines
        Segments they had better not lie on: x, y of both ends.
    """

    room: Box
    boxes: Sequence[Box] = ()
    soft_boxes: Sequence[Box] = ()
    lines: Sequence[Box] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a label is drawn, and which of the candidate places that is."""

    box: Box
    candidate: int


def place_labels(
    wanted: Sequence[Wanted], obstacles: Obstacles, before: Mapping[object, Placed]
) -> dict[object, Placed]:
    """Return the place of every label that can be read, by key.

    Parameters
    ----------
    wanted
        The most important first; it takes its place first.
    obstacles
        What is in the way; the handles of ``wanted`` are in the way by themselves.
    before
        The places of the last frame.
    """
    if not wanted:
        return {}
    numbers = np.array([(w.x, w.y, w.radius, w.width, w.height) for w in wanted])
    boxes = _candidates(numbers)  # (labels, candidates, 4)
    areas = numbers[:, 3] * numbers[:, 4]
    outside = areas[:, None] - _overlap(boxes, _boxes([obstacles.room]))
    hard = _overlap(boxes, _tip_boxes(numbers)) * (TIP_COST / LABEL_COST)
    hard += _overlap(boxes, _boxes(obstacles.boxes))
    cost = OUTSIDE_COST * outside + SOFT_COST * _overlap(boxes, _boxes(obstacles.soft_boxes))
    cost += LINE_COST * _crossed(boxes, _boxes(obstacles.lines)) + WISH_COST * np.arange(boxes.shape[1])
    for row, label in enumerate(wanted):
        old = before.get(label.key)
        if old is not None:
            cost[row, old.candidate] -= STEADY_GAIN
    placed: dict[object, Placed] = {}
    for row, label in enumerate(wanted):
        best = int(np.argmin(cost[row] + LABEL_COST * hard[row]))
        covered = hard[row, best] > LEGIBLE_OVERLAP * areas[row] or outside[row, best] > 0.5 * areas[row]
        if covered and not label.needed:
            continue
        left, top, right, bottom = boxes[row, best].tolist()
        placed[label.key] = Placed((left, top, right, bottom), best)
        hard += _overlap(boxes, boxes[row, best][None])  # from now on in the way of all that follow
    return placed


def clearest(candidates: Sequence[Box], obstacles: Obstacles) -> Box:
    """Return the box that covers least, the first of equally good ones."""
    boxes = _boxes(candidates)[None]
    cost = LABEL_COST * _overlap(boxes, _boxes(obstacles.boxes))
    cost += SOFT_COST * _overlap(boxes, _boxes(obstacles.soft_boxes))
    cost += LINE_COST * _crossed(boxes, _boxes(obstacles.lines)) + WISH_COST * np.arange(len(candidates))
    return candidates[int(np.argmin(cost))]


def _boxes(boxes: Sequence[Box]) -> Floats:
    return np.array(boxes, float).reshape(-1, 4)


def _tip_boxes(numbers: Floats) -> Floats:
    x, y, radius = numbers[:, 0], numbers[:, 1], numbers[:, 2]
    return np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)


def _candidates(numbers: Floats) -> Floats:
    """Return the boxes that are tried for labels given as (x, y, radius, width, height), (n, k, 4)."""
    x, y, radius, width, height = (column[:, None] for column in numbers.T)
    across, down = np.tile(DIRECTIONS, (len(DISTANCES), 1)).T
    reach = radius + np.repeat(DISTANCES, len(DIRECTIONS))
    center_x = x + across * (reach + 3.0 + width / 2)
    # straight above or below there is the handle to clear; beside it the label only rises a little
    center_y = y + down * (reach + height / 2) * np.where(across == 0, 1.0, 0.62)
    return np.stack(
        [center_x - width / 2, center_y - height / 2, center_x + width / 2, center_y + height / 2], axis=2
    )


def _overlap(boxes: Floats, others: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the area it shares with ``others`` (m, 4), summed over them."""
    if not len(others):
        return np.zeros(boxes.shape[:2])
    each = boxes[:, :, None]
    width = np.minimum(each[..., 2], others[:, 2]) - np.maximum(each[..., 0], others[:, 0])
    height = np.minimum(each[..., 3], others[:, 3]) - np.maximum(each[..., 1], others[:, 1])
    shared: Floats = (np.maximum(width, 0) * np.maximum(height, 0)).sum(axis=2)
    return shared


def _crossed(boxes: Floats, lines: Floats) -> Floats:
    """Return for each of ``boxes`` (n, k, 4) the length of ``lines`` (m, 4) that runs through it."""
    if not len(lines):
        return np.zeros(boxes.shape[:2])
    start, span = lines[:, :2], lines[:, 2:] - lines[:, :2]
    safe = np.where(np.abs(span) < 1e-9, 1e-9, span)
    near, far = (boxes[:, :, None, :2] - start) / safe, (boxes[:, :, None, 2:] - start) / safe
    enter = np.maximum(np.minimum(near, far).max(axis=3), 0.0)
    leave = np.minimum(np.maximum(near, far).min(axis=3), 1.0)
    length: Floats = (np.maximum(leave - enter, 0.0) * np.hypot(span[:, 0], span[:, 1])).sum(axis=2)
    return length
