"""Places for labels beside points: greedy, the same for the same picture, steady while a point is dragged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qkviz.figures.box_overlap import Box, Boxes, Floats, box_array, crossed, overlap, shared_area

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

LABEL_COST, OUTSIDE_COST, SOFT_COST = 7.0, 20.0, 1.0
STRANGE_COST, STRANGE_DISTANCE = 2.0, 11.0
"""A label had better not stand within this distance of a handle that is not its own."""

LINE_COST, THIN_LINE_COST = 9.0, 2.0
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
    lines, thin_lines
        Segments they had better not lie on: x, y of both ends.
    """

    room: Box
    boxes: Boxes = ()
    soft_boxes: Boxes = ()
    lines: Boxes = ()
    thin_lines: Boxes = ()


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
        What is in the way, the handles at the points included.
    before
        The places of the last frame.
    """
    if not wanted:
        return {}
    numbers = np.array([(w.x, w.y, w.radius, w.width, w.height) for w in wanted])
    boxes = _candidates(numbers)  # (labels, candidates, 4)
    areas = numbers[:, 3] * numbers[:, 4]
    outside = areas[:, None] - overlap(boxes, box_array([obstacles.room]))
    boxes = _pushed_inside(boxes, obstacles.room)
    hard = overlap(boxes, box_array(obstacles.boxes))
    cost = OUTSIDE_COST * outside + SOFT_COST * overlap(boxes, box_array(obstacles.soft_boxes))
    cost += LINE_COST * crossed(boxes, box_array(obstacles.lines))
    cost += THIN_LINE_COST * crossed(boxes, box_array(obstacles.thin_lines)) + WISH_COST * np.arange(
        boxes.shape[1]
    )
    for row, label in enumerate(wanted):
        old = before.get(label.key)
        if old is not None:
            cost[row, old.candidate] -= STEADY_GAIN
    cost += LABEL_COST * hard + STRANGE_COST * _beside_other_points(boxes, numbers)
    order = np.argsort(cost, axis=1).tolist()
    costs, hards, places = cost.tolist(), hard.tolist(), boxes.tolist()
    outsides, rooms = outside.tolist(), areas.tolist()
    placed: dict[object, Placed] = {}
    for row, label in enumerate(wanted):
        best, best_cost, covered = 0, math.inf, 0.0
        for candidate in order[row]:
            if costs[row][candidate] >= best_cost:
                break  # those that follow cost more even where no other label is
            shared = sum(shared_area(places[row][candidate], other.box) for other in placed.values())
            if costs[row][candidate] + LABEL_COST * shared < best_cost:
                best, best_cost = candidate, costs[row][candidate] + LABEL_COST * shared
                covered = hards[row][candidate] + shared
        unreadable = covered > LEGIBLE_OVERLAP * rooms[row] or outsides[row][best] > 0.5 * rooms[row]
        if unreadable and not label.needed:
            continue
        left, top, right, bottom = places[row][best]
        placed[label.key] = Placed((left, top, right, bottom), best)
    return placed


def clearest(candidates: Sequence[Box], obstacles: Obstacles, before: Placed | None = None) -> Placed:
    """Return the place that covers least, the first of equally good ones; the one before if it will do."""
    boxes = box_array(candidates)[None]
    areas = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    cost = OUTSIDE_COST * (areas - overlap(boxes, box_array([obstacles.room])))
    cost += LABEL_COST * overlap(boxes, box_array(obstacles.boxes))
    cost += SOFT_COST * overlap(boxes, box_array(obstacles.soft_boxes))
    cost += THIN_LINE_COST * crossed(boxes, box_array(obstacles.thin_lines))
    cost += LINE_COST * crossed(boxes, box_array(obstacles.lines)) + WISH_COST * np.arange(len(candidates))
    if before is not None and before.candidate < len(candidates):
        cost[0, before.candidate] -= STEADY_GAIN
    best = int(np.argmin(cost))
    return Placed(candidates[best], best)


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


def _pushed_inside(boxes: Floats, room: Box) -> Floats:
    """Return the boxes moved into the room; one too large for it begins at its left or top."""
    left, top, right, bottom = room
    across = np.maximum(np.minimum(right - boxes[..., 2], 0.0), left - boxes[..., 0])
    down = np.maximum(np.minimum(bottom - boxes[..., 3], 0.0), top - boxes[..., 1])
    inside: Floats = boxes + np.stack([across, down, across, down], axis=2)
    return inside


def _beside_other_points(boxes: Floats, numbers: Floats) -> Floats:
    """Return how much of others' handles each box (n, k) nearly touches: it would be read as theirs."""
    x, y, radius = numbers[:, 0], numbers[:, 1], numbers[:, 2] + STRANGE_DISTANCE
    each = boxes[:, :, None]
    width = np.minimum(each[..., 2], x + radius) - np.maximum(each[..., 0], x - radius)
    height = np.minimum(each[..., 3], y + radius) - np.maximum(each[..., 1], y - radius)
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    own = np.arange(len(numbers))
    shared[own, :, own] = 0.0
    beside: Floats = shared.sum(axis=2)
    return beside
