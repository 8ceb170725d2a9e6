"""Labels beside points: readable, the same again, and steady."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.figures.box_overlap import Box
from qkviz.figures.label_placement import (
    LEGIBLE_OVERLAP,
    Obstacles,
    Placed,
    Wanted,
    clearest,
    place_labels,
)

ROOM = (0.0, 0.0, 400.0, 400.0)


def shared(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def wanted(points: list[tuple[int, int]], needed: int = 0) -> list[Wanted]:
    return [Wanted(i, x, y, 6.0, 44.0, 16.0, i < needed) for i, (x, y) in enumerate(points)]


def around(labels: list[Wanted]) -> Obstacles:
    return Obstacles(ROOM, [(w.x - 6, w.y - 6, w.x + 6, w.y + 6) for w in labels])


POINTS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=25)


@settings(max_examples=60, deadline=None)
@given(POINTS)
def test_no_label_hides_another_or_a_tip(points: list[tuple[int, int]]) -> None:
    labels = wanted(points)
    placed = place_labels(labels, around(labels), {})
    boxes = [place.box for place in placed.values()]
    for at, box in enumerate(boxes):
        area = (box[2] - box[0]) * (box[3] - box[1])
        others = boxes[:at] + boxes[at + 1 :]
        assert all(shared(box, other) <= LEGIBLE_OVERLAP * area for other in others)
        assert sum(shared(box, tip) for tip in around(labels).boxes) <= LEGIBLE_OVERLAP * area


@settings(max_examples=20, deadline=None)
@given(POINTS)
def test_the_same_points_give_the_same_places(points: list[tuple[int, int]]) -> None:
    labels = wanted(points)
    assert place_labels(labels, around(labels), {}) == place_labels(labels, around(labels), {})


def test_needed_labels_are_placed_even_in_a_crowd() -> None:
    labels = wanted([(200, 200)] * 12, needed=2)
    placed = place_labels(labels, around(labels), {})
    assert {0, 1} <= placed.keys()
    assert len(placed) < 12, "the others give way"


def test_a_label_keeps_its_side_while_its_point_moves() -> None:
    sides = set()
    before: dict[object, Placed] = {}
    for step in range(60):
        labels = wanted([(150 + step, 200), (215, 195)])
        before = place_labels(labels, around(labels), before)
        sides.add(before[0].candidate)
    assert len(sides) <= 2, "one change to get past the other point"


def test_labels_stay_in_the_room() -> None:
    for corner in ((2, 2), (398, 2), (2, 398), (398, 398)):
        labels = wanted([corner], needed=1)
        box = place_labels(labels, around(labels), {})[0].box
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= 400
        assert box[3] <= 400


def test_a_label_stands_nearer_to_its_own_point_than_to_another() -> None:
    labels = wanted([(200, 200), (216, 212)], needed=2)
    placed = place_labels(labels, around(labels), {})
    for label in labels:
        left, top, right, bottom = placed[label.key].box
        distances = [
            max(left - other.x, 0, other.x - right) + max(top - other.y, 0, other.y - bottom)
            for other in labels
        ]
        assert min(distances) == distances[labels.index(label)]


def test_nothing_wanted_is_nothing_placed() -> None:
    assert place_labels([], Obstacles(ROOM), {}) == {}


def test_the_clearest_box_covers_least() -> None:
    on_the_line, free = (0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)
    assert clearest([on_the_line, free], Obstacles(ROOM, lines=[(0.0, 5.0, 10.0, 5.0)])).box == free
    assert clearest([on_the_line, free], Obstacles(ROOM)).box == on_the_line


def test_the_clearest_box_stays_where_it_was_unless_it_gets_much_worse() -> None:
    first, second = (0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)
    before = Placed(second, 1)
    assert clearest([first, second], Obstacles(ROOM), before).box == second
    assert clearest([first, second], Obstacles(ROOM, [(20.0, 0.0, 30.0, 10.0)]), before).box == first
