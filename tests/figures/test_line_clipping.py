"""Many segments are cut as one is, and one is cut as geometry says."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from qkviz.figures.line_clipping import points_inside, segment_inside, segments_inside

RECT = QRectF(0.0, 0.0, 100.0, 50.0)


@pytest.mark.parametrize(
    ("start", "end", "inside"),
    [
        ((10, 10), (20, 30), (10, 10, 20, 30)),
        ((50, 25), (150, 25), (50, 25, 100, 25)),
        ((50, 25), (50, -75), (50, 25, 50, 0)),
        ((-50, 25), (150, 25), (0, 25, 100, 25)),
        ((-10, -10), (110, 110), (0, 0, 50, 50)),
        ((-10, 10), (-10, 40), None),
        ((10, 60), (90, 60), None),
        ((-20, 10), (10, -20), None),
        ((30, 20), (30, 20), (30, 20, 30, 20)),
        ((130, 20), (130, 20), None),
    ],
)
def test_a_segment_is_cut_at_the_edges(
    start: tuple[int, int], end: tuple[int, int], inside: tuple[int, ...] | None
) -> None:
    assert segment_inside(QPointF(*start), QPointF(*end), RECT) == inside
    found = segments_inside(QPointF(*start), np.array([end], float), RECT)
    assert found.tolist() == ([] if inside is None else [list(inside)])


def test_many_are_cut_as_each_alone_and_stay_in_order() -> None:
    generator = np.random.default_rng(4)
    for start in ((50.0, 25.0), (-30.0, 70.0), (0.0, 0.0)):
        ends = generator.uniform(-200, 200, size=(300, 2))
        ends[::7, 0], ends[::11, 1] = start[0], start[1]  # along the axes
        alone = [segment_inside(QPointF(*start), QPointF(*end), RECT) for end in ends.tolist()]
        expected = [part for part in alone if part is not None]
        assert 20 < len(expected) <= 300
        assert segments_inside(QPointF(*start), ends, RECT) == pytest.approx(np.array(expected), abs=1e-9)


def test_none_are_cut_to_none() -> None:
    assert segments_inside(QPointF(1.0, 1.0), np.empty((0, 2)), RECT).shape == (0, 4)


def test_points_are_inside_as_the_rectangle_says() -> None:
    points = np.random.default_rng(2).uniform(-50, 150, size=(200, 2))
    found = points_inside(points, RECT)
    assert found == [RECT.contains(QPointF(*point)) for point in points.tolist()]
    assert 0 < sum(found) < 200
