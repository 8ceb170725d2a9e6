"""Boxes and lines that cover each other."""

from __future__ import annotations

from qkviz.figures.box_overlap import covers


def test_a_box_covers_what_it_meets_with_its_margin() -> None:
    box = (10.0, 10.0, 20.0, 20.0)
    assert not covers(box, 0.0, [(22.0, 10.0, 30.0, 20.0)])
    assert covers(box, 3.0, [(22.0, 10.0, 30.0, 20.0)])
    assert covers(box, 0.0, [], [(0.0, 0.0, 30.0, 30.0)])
    assert not covers(box, 0.0, [], [(0.0, 25.0, 30.0, 25.0)])
