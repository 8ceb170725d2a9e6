"""Places for labels beside points: greedy, the same for the same picture, and steady while a point is dragged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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

TIP_COST, LABEL_COST, OUTSIDE_COST, LINE_COST = 8.0, 6.0, 20.0, 2.5
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
    """What labels keep away from: boxes they must not cover, lines they should not, and the room they have."""

    room: Box
    boxes: Sequence[Box] = field(default=())
    lines: Sequence[Box] = field(default=())


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
    tips = _tip_boxes(wanted)
    lines = np.array(obstacles.lines, float).reshape(-1, 4)
    taken = [*obstacles.boxes]
    placed: dict[object, Placed] = {}
    for label in wanted:
        boxes = _candidates(label)
        area = label.width * label.height
        on_tips = _overlap(boxes, tips)
        on_labels = _overlap(boxes, np.array(taken, float).reshape(-1, 4))
        outside = area - _overlap(boxes, np.array([obstacles.room], float))
        cost = TIP_COST * on_tips + LABEL_COST * on_labels + OUTSIDE_COST * outside
        cost += LINE_COST * label.height * 0.25 * _crossed(boxes, lines) + WISH_COST * np.arange(len(boxes))
        old = before.get(label.key)
        if old is not None:
            cost[old.candidate] -= STEADY_GAIN
        best = int(np.argmin(cost))
        covered = on_tips[best] + on_labels[best]
        if not label.needed and (covered > LEGIBLE_OVERLAP * area or outside[best] > 0.5 * area):
            continue
        left, top, right, bottom = boxes[best].tolist()
        placed[label.key] = Placed((left, top, right, bottom), best)
        taken.append((left, top, right, bottom))
    return placed


def _tip_boxes(wanted: Sequence[Wanted]) -> Floats:
    points = np.array([(label.x, label.y, label.radius) for label in wanted])
    x, y, radius = points.T
    return np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)


def _candidates(label: Wanted) -> Floats:
    """Return the boxes that are tried, (k, 4)."""
    reach = label.radius + np.repeat(DISTANCES, len(DIRECTIONS))
    direction = np.tile(DIRECTIONS, (len(DISTANCES), 1))
    side = np.clip(direction[:, 0], -1, 1)
    center_x = label.x + side * (reach + 3.0 + label.width / 2)
    # straight above or below there is the handle to clear; beside it the label only rises a little
    clear = np.where(side == 0, reach + label.height / 2, (reach + label.height / 2) * 0.62)
    center_y = label.y + direction[:, 1] * clear
    half_width, half_height = label.width / 2, label.height / 2
    return np.stack(
        [center_x - half_width, center_y - half_height, center_x + half_width, center_y + half_height], axis=1
    )


def _overlap(boxes: Floats, others: Floats) -> Floats:
    """Return for each box (k, 4) the area it shares with all of ``others`` (n, 4)."""
    width = np.minimum(boxes[:, None, 2], others[:, 2]) - np.maximum(boxes[:, None, 0], others[:, 0])
    height = np.minimum(boxes[:, None, 3], others[:, 3]) - np.maximum(boxes[:, None, 1], others[:, 1])
    shared: Floats = (np.maximum(width, 0) * np.maximum(height, 0)).sum(axis=1)
    return shared


def _crossed(boxes: Floats, lines: Floats) -> Floats:
    """Return for each box the length of ``lines`` (n, 4: x, y of both ends) that runs through it."""
    start, span = lines[:, :2], lines[:, 2:] - lines[:, :2]
    safe = np.where(np.abs(span) < 1e-9, 1e-9, span)
    near = (boxes[:, None, :2] - start) / safe
    far = (boxes[:, None, 2:] - start) / safe
    enter = np.maximum(np.minimum(near, far).max(axis=2), 0.0)
    leave = np.minimum(np.maximum(near, far).min(axis=2), 1.0)
    length: Floats = (np.maximum(leave - enter, 0.0) * np.hypot(span[:, 0], span[:, 1])).sum(axis=1)
    return length
