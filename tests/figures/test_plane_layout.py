"""Where things lie on the plane, and which tip is under a point."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from qkviz.document.document import Role
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, plane_rect
from qkviz.figures.plane_ticks import Tick, clear_name, uncovered
from qkviz.figures.plane_view import tick_decimals
from qkviz.figures.style import LIGHT
from qkviz.presenters.plane import PlaneContent
from tests.figures.examples import plane_content

ROOM = QRectF(0, 0, 420, 520)
CAT_SIT_MAT_Q = [(1.22, 0.43), (0.84, 0.98), (1.60, 0.02)]
CAT_SIT_MAT_K = [(0.83, 0.92), (1.13, -1.12), (0.32, 1.02)]


def layout_of(content: PlaneContent, view: PlaneView | None = None, room: QRectF = ROOM) -> PlaneLayout:
    return PlaneLayout(content, room, view or PlaneView.fitted(content.reach, plane_rect(room, LIGHT)), LIGHT)


finite = st.floats(-1e6, 1e6)


@given(finite, finite)
def test_pixels_and_coordinates_are_each_others_inverse(x: float, y: float) -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)]), PlaneView(3.0, -2.0, 0.01))
    pixel = layout.to_pixels(x, y)
    back = layout.to_plane(pixel.x(), pixel.y())
    assert back == pytest.approx((x, y), rel=1e-9, abs=1e-9)


def test_both_axes_have_one_scale_and_up_is_up() -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)]), room=QRectF(0, 0, 800, 400))
    origin, right, up = layout.to_pixels(0, 0), layout.to_pixels(1, 0), layout.to_pixels(0, 1)
    assert right.x() - origin.x() == pytest.approx(origin.y() - up.y())
    assert origin.y() > up.y()


@pytest.mark.parametrize("reach", [1e-6, 0.7, 3.0, 1e6])
def test_a_fitted_view_shows_every_tip(reach: float) -> None:
    content = plane_content([(reach, reach), (-reach, 0.1 * reach)], [(0.0, -reach)])
    layout = layout_of(content)
    assert all(layout.plane.contains(tip) for tip in layout.tips)


def test_zooming_keeps_the_point_under_the_pointer() -> None:
    content = plane_content([(1, 0)], [(0, 1)])
    view = PlaneView(0.3, -0.2, 0.01)
    before = layout_of(content, view).to_pixels(0.8, 0.5)
    after = layout_of(content, view.zoomed(1.7, 0.8, 0.5)).to_pixels(0.8, 0.5)
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()))


def test_panning_moves_the_picture_with_the_hand() -> None:
    content = plane_content([(1, 0)], [(0, 1)])
    view = PlaneView(0.3, -0.2, 0.01)
    before, after = layout_of(content, view), layout_of(content, view.panned(30, -12))
    assert after.origin.x() - before.origin.x() == pytest.approx(30)
    assert after.origin.y() - before.origin.y() == pytest.approx(-12)


def test_zooming_without_end_stays_a_view() -> None:
    view = PlaneView(0.0, 0.0, 0.01)
    for _ in range(400):
        view = view.zoomed(1.5, 0.1, 0.1)
    assert view.units_per_pixel > 0
    assert math.isfinite(view.grid_step)
    for _ in range(800):
        view = view.zoomed(1 / 1.5, 0.1, 0.1)
    assert math.isfinite(view.center_x)
    assert len(layout_of(plane_content([(1, 0)], [(0, 1)]), view).ticks) < 60


@pytest.mark.parametrize("units", [1e-6, 0.0031, 0.01, 0.7, 123.0])
def test_grid_steps_are_round_and_far_enough_apart(units: float) -> None:
    step = PlaneView(0, 0, units).grid_step
    lead = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(lead - nice) for nice in (1, 2, 5, 10)) < 1e-6
    assert 46 * (1 - 1e-9) <= step / units <= 2.5 * 46 * (1 + 1e-9)


def test_ticks_have_as_many_decimals_as_tell_them_apart() -> None:
    assert [tick_decimals(step) for step in (0.05, 0.1, 0.5, 1.0, 2.0, 50.0)] == [2, 1, 1, 0, 0, 0]
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K))
    texts = [tick.text for tick in layout.ticks]
    assert "0.5" in texts
    assert "−1.0" in texts
    assert "0.0" not in texts


def test_every_handle_is_found_within_twelve_pixels_and_more() -> None:
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 2)))
    tip = layout.to_pixels(*CAT_SIT_MAT_K[1])
    for angle in range(0, 360, 30):
        x, y = tip.x() + 12 * math.cos(angle), tip.y() + 12 * math.sin(angle)
        assert layout.tip_at(x, y) == (Role.KEY, 1)
    assert layout.tip_at(tip.x() + 40, tip.y() + 40) is None


def test_the_nearer_of_two_handles_is_taken() -> None:
    content = plane_content([(1.0, 0.0), (1.08, 0.0)], [(0.0, 1.0)], pair=None)
    layout = layout_of(content)
    first, second = layout.to_pixels(1.0, 0.0), layout.to_pixels(1.08, 0.0)
    assert layout.tip_at(first.x() - 2, first.y()) == (Role.QUERY, 0)
    assert layout.tip_at(second.x() + 2, second.y()) == (Role.QUERY, 1)


def test_of_handles_on_one_point_the_topmost_is_taken_which_is_the_active_one() -> None:
    content = plane_content([(1.0, 1.0), (1.0, 1.0)], [(1.0, 1.0)], pair=(1, 0))
    layout = layout_of(content)
    tip = layout.to_pixels(1.0, 1.0)
    top = content.arrows[-1]
    assert layout.tip_at(tip.x(), tip.y()) == (top.role, top.index)
    assert top.active


def test_a_zero_vector_can_be_taken_at_the_origin() -> None:
    layout = layout_of(plane_content([(0.0, 0.0)], [(1.0, 1.0)]))
    assert layout.tip_at(layout.origin.x() + 3, layout.origin.y()) == (Role.QUERY, 0)


def test_embeddings_cannot_be_taken() -> None:
    layout = layout_of(plane_content([(1, 0)], [(0, 1)], embeddings=[(-1.0, -1.0)]))
    tip = layout.to_pixels(-1.0, -1.0)
    assert layout.tip_at(tip.x(), tip.y()) is None


def test_no_label_lies_on_a_tip_or_on_another_label() -> None:
    layout = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 2)))
    boxes = [QRectF(b[0], b[1], b[2] - b[0], b[3] - b[1]) for b in (p.box for p in layout.labels.values())]
    assert len(boxes) == 6
    for at, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[at + 1 :])
        assert not any(box.contains(tip) for tip in layout.tips)
        assert layout.plane.contains(box)


def test_a_long_label_is_shortened_and_stays_inside() -> None:
    content = plane_content([(1.0, 1.0)], [(-1.0, 1.0)])
    arrows = tuple(
        type(arrow)(arrow.role, arrow.index, "q·" + "m" * 60, arrow.x, arrow.y, arrow.active, arrow.moved)
        for arrow in content.arrows
    )
    layout = layout_of(PlaneContent(arrows, content.pair, "", (), ("", ""), "", False, content.reach))
    assert len(layout.tip_labels) == 2
    assert all(label.text.endswith("…") for label in layout.tip_labels)
    for placed in layout.labels.values():
        assert layout.plane.left() <= placed.box[0]
        assert placed.box[2] <= layout.plane.right()


def test_a_moved_vector_keeps_the_grid_and_another_view_does_not() -> None:
    view = PlaneView(0, 0, 0.01)
    one = layout_of(plane_content([(1, 0)], [(0, 1)]), view)
    moved = layout_of(plane_content([(0.7, 0.3)], [(0, 1)]), view)
    assert moved.shows_same_grid(one)
    assert not layout_of(plane_content([(1, 0)], [(0, 1)]), view.panned(1, 0)).shows_same_grid(one)


def test_there_is_no_arc_for_a_zero_vector() -> None:
    layout = layout_of(plane_content([(0.0, 0.0)], [(1.0, 1.0)]))
    assert layout.arc_radius == 0.0
    assert layout.angle_box is None


def test_the_plane_does_not_move_when_a_pair_is_chosen() -> None:
    with_pair = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=(0, 0)))
    without = layout_of(plane_content(CAT_SIT_MAT_Q, CAT_SIT_MAT_K, pair=None))
    assert with_pair.plane == without.plane
    assert with_pair.origin == without.origin


def boxes_of(layout: PlaneLayout) -> list[QRectF]:
    """Return what is written near the tips, and the tips themselves."""
    boxes = [placed.box for placed in layout.labels.values()]
    boxes += [layout.angle_box] if layout.angle_box else []
    rects = [QRectF(b[0], b[1], b[2] - b[0], b[3] - b[1]) for b in boxes]
    return rects + [QRectF(tip.x() - 6, tip.y() - 6, 12, 12) for tip in layout.tips]


def along_axes(layout: PlaneLayout) -> list[QRectF]:
    ticks = [*layout.ticks, *layout.axis_names]
    return [QRectF(t.box[0], t.box[1], t.box[2] - t.box[0], t.box[3] - t.box[1]) for t in ticks]


@settings(max_examples=40, deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2))
def test_numbers_and_names_of_the_axes_give_way_to_tips_labels_and_the_angle(
    q_x: float, q_y: float, k_x: float, k_y: float
) -> None:
    layout = layout_of(plane_content([(q_x, q_y), (1.6, 0.02)], [(k_x, k_y)]), PlaneView(0, 0, 0.0125))
    for written in along_axes(layout):
        assert not any(written.intersects(box) for box in boxes_of(layout))


def test_an_axis_name_under_a_tip_moves_and_returns() -> None:
    view = PlaneView(0, 0, 0.01)

    def layout(x: float, before: PlaneLayout | None) -> PlaneLayout:
        return PlaneLayout(plane_content([(x, 0.1)], [(0, 1)], pair=None), ROOM, view, LIGHT, before)

    def place(layout: PlaneLayout) -> tuple[float, ...]:
        return next(name.box for name in layout.axis_names if name.text == "dimension 1")

    far = layout(0.5, None)
    assert place(far)[2] == pytest.approx(far.plane.right() - 7)
    covered = layout(1.6, far)
    assert place(covered) != place(far)
    assert place(layout(0.5, covered)) == place(far)


def test_a_name_comes_back_only_when_its_place_is_well_clear() -> None:
    home, other = Tick("x", (100, 0, 140, 14)), Tick("x", (0, 0, 40, 14))
    near, off = (143, 0, 150, 14), (149, 0, 160, 14)
    assert clear_name((home, other), [near], [], [], (home,)) == home
    assert clear_name((home, other), [near], [], [], (other,)) == other
    assert clear_name((home, other), [off], [], [], (other,)) == home
    assert clear_name((home,), [(120, 0, 130, 14)], [], [], (home,)) is None
    assert clear_name((home, other), [], [(0, 7, 200, 7)], [], None) is None
    assert clear_name((home, other), [], [], [(90, 7, 200, 7)], None) == other
    assert clear_name((home, other), [], [], [(0, 7, 200, 7)], None) == home


def test_a_number_comes_back_only_when_its_place_is_well_clear() -> None:
    ticks = (Tick("1", (100, 0, 110, 14)), Tick("2", (200, 0, 210, 14)))
    near = (113, 0, 120, 14)
    assert uncovered(ticks, [near], None) == ticks
    assert uncovered(ticks, [near], ticks) == ticks
    assert uncovered(ticks, [near], ticks[1:]) == ticks[1:]
    assert uncovered(ticks, [(109, 0, 120, 14)], ticks) == ticks[1:]


def test_what_is_written_keeps_four_pixels_from_the_frame() -> None:
    frame = ROOM.adjusted(3, 3, -3, 0)  # of a lit plane
    view = PlaneView(0, 0, 0.01)
    for tip in ((2.05, 2.1), (-2.05, 2.1), (2.05, -2.1), (-2.05, -2.1), (0.0, 2.1)):
        layout = layout_of(plane_content([tip], [(1, 0)]), view)
        for placed in layout.labels.values():
            box = placed.box
            assert box[0] >= frame.left() + 4
            assert box[1] >= frame.top() + 4
            assert box[2] <= frame.right() - 4
        for written in along_axes(layout):
            assert frame.adjusted(4, 4, -4, 0).contains(written)


def named(layout: PlaneLayout, labels: dict[tuple[Role | None, int], str]) -> list[str]:
    """Return the texts of the labels after the arrows were given other names."""
    arrows = tuple(
        replace(arrow, label=labels.get((arrow.role, arrow.index), arrow.label)) for arrow in layout._arrows
    )
    content = PlaneContent(arrows, None, "", (), ("", ""), "", False, 1.0)
    return [label.text for label in PlaneLayout(content, ROOM, layout.view, LIGHT).tip_labels]


def test_tips_on_one_point_have_one_label() -> None:
    layout = layout_of(plane_content([(1.0, 0.5)], [(1.0, 0.5)], embeddings=[(1.0, 0.505)], pair=None))
    assert [label.text for label in layout.tip_labels] == ["q, k, x · 0"]
    assert len(layout.labels) == 1
    (box,) = (placed.box for placed in layout.labels.values())
    tip = layout.to_pixels(1.0, 0.5)
    assert max(box[0] - tip.x(), tip.x() - box[2], box[1] - tip.y(), tip.y() - box[3]) < 12
    other_words = {(Role.QUERY, 0): "q·cat", (Role.KEY, 0): "k·mat", (None, 0): "x·cat"}
    assert named(layout, other_words) == ["x·cat, k·mat, q·cat"]


def test_tips_three_pixels_apart_have_a_label_each() -> None:
    view = PlaneView(0, 0, 0.01)
    together = layout_of(plane_content([(1.0, 0.0)], [(1.019, 0.0)]), view)
    apart = layout_of(plane_content([(1.0, 0.0)], [(1.03, 0.0)]), view)
    assert [len(layout.labels) for layout in (together, apart)] == [1, 2]


def test_numbers_stand_beside_a_plane_that_would_be_a_flat_strip_and_below_a_square_one() -> None:
    wide, square = QRectF(0, 0, 1035, 301), QRectF(0, 0, 420, 520)
    assert plane_rect(wide, LIGHT) == QRectF(0, 0, 825, 301)
    assert plane_rect(square, LIGHT).width() == 420
    for room in (wide, square):
        layout = layout_of(plane_content([(1, 0)], [(0, 1)]), room=room)
        assert not layout.readouts.intersects(layout.plane)
        assert layout.readouts.united(layout.plane) == room


def test_of_a_crowd_the_pair_and_the_longest_are_named() -> None:
    ring = [(math.cos(at / 10), math.sin(at / 10)) for at in range(150)]
    long = [(2.0 * math.cos(at), 2.0 * math.sin(at)) for at in range(12)]
    layout = layout_of(plane_content([*ring, *long], ring, pair=(3, 5)))
    named = {(label.arrow.role, label.arrow.index) for label in layout.tip_labels}
    assert {(Role.QUERY, 3), (Role.KEY, 5)} <= named
    assert {(Role.QUERY, 150 + at) for at in range(12)} <= named
    assert layout.tip_at(layout.tips[-1].x(), layout.tips[-1].y()) is not None
