"""The story of the program: drag a vector, watch QKᵀ change, step through it, take it back."""

from __future__ import annotations

import math

import pytest
import torch
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from qkviz.attention.inputs import ProjectedInputs
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.plane_panel import PlanePanel
from tests.ui import mouse


def plane_canvas(window: MainWindow) -> PlaneCanvas:
    panel = window.panels["plane"]
    assert isinstance(panel, PlanePanel)
    return panel.canvas


def tip(canvas: PlaneCanvas, role: Role, index: int) -> QPointF:
    layout, content = canvas.layout_now(), canvas.content
    assert layout is not None
    assert content is not None
    arrow = next(arrow for arrow in content.arrows if (arrow.role, arrow.index) == (role, index))
    return layout.to_pixels(arrow.x, arrow.y)


def snapshot(window: MainWindow) -> Snapshot:
    assert window.commands is not None
    return window.commands.session.snapshot


def test_a_dragged_query_goes_to_the_place_of_the_mouse(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-60, 45))
    assert (tip(canvas, Role.QUERY, 0) - start - QPointF(-60, 45)).manhattanLength() < 2


def test_dragging_a_query_changes_exactly_its_row_of_scores(window: MainWindow) -> None:
    canvas, before = plane_canvas(window), snapshot(window).trace.scores
    start = tip(canvas, Role.QUERY, 1)
    mouse.drag(canvas, start, start + QPointF(40, -70))
    after = snapshot(window).trace.scores
    changed = (after != before).nonzero().tolist()
    assert changed == [[1, 0], [1, 1], [1, 2]]


def test_dragging_a_key_changes_exactly_its_column_of_scores(window: MainWindow) -> None:
    canvas, before = plane_canvas(window), snapshot(window).trace.scores
    start = tip(canvas, Role.KEY, 2)
    mouse.drag(canvas, start, start + QPointF(-50, -20))
    changed = (snapshot(window).trace.scores != before).nonzero().tolist()
    assert changed == [[0, 2], [1, 2], [2, 2]]


def test_the_matrices_show_what_an_independent_computation_gives(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    start = tip(canvas, Role.QUERY, 2)
    mouse.drag(canvas, start, start + QPointF(-90, -60))
    document = snapshot(window).document
    assert isinstance(document.inputs, ProjectedInputs)
    inputs = document.inputs
    assert inputs.query_offsets is not None
    Q = inputs.X_q @ inputs.W_Q + inputs.query_offsets
    K = inputs.X_k @ inputs.W_K
    expected = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(3, dtype=torch.float64))
    shown = next(content for content in window.panels["matrices"].contents if content.name == "weights")
    assert torch.allclose(torch.from_numpy(shown.values.copy()), expected, atol=1e-12, rtol=0)


def test_steps_and_status_say_the_number_of_the_model(window: MainWindow) -> None:
    assert window.commands is not None
    window.commands.go_to_step(3)
    canvas = plane_canvas(window)
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(30, 60))
    query, key = snapshot(window).focus.pair or (-1, -1)
    score = f"{snapshot(window).trace.scores[query, key].item():.2f}".replace("-", "−")
    assert score in window.panels["steps"].shown_text()
    assert f"q·k {score}" in window.status.text
    assert canvas.content is not None
    assert canvas.content.headline == f"q·k = {score}"


def test_one_undo_takes_the_whole_drag_back(window: MainWindow) -> None:
    before, canvas = snapshot(window).document, plane_canvas(window)
    start = tip(canvas, Role.KEY, 0)
    mouse.drag(canvas, start, start + QPointF(70, 70))
    assert snapshot(window).document is not before
    window.menus.actions["undo"].trigger()
    assert snapshot(window).document is before
    assert not window.menus.actions["undo"].isEnabled()


def test_redo_brings_the_drag_back(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    start = tip(canvas, Role.KEY, 0)
    mouse.drag(canvas, start, start + QPointF(70, 70))
    moved = snapshot(window).document
    window.menus.actions["undo"].trigger()
    window.menus.actions["redo"].trigger()
    assert snapshot(window).document is moved


def test_a_trembling_click_chooses_and_moves_nothing(window: MainWindow) -> None:
    before, canvas = snapshot(window).document, plane_canvas(window)
    start = tip(canvas, Role.QUERY, 1)
    mouse.press(canvas, start)
    mouse.move(canvas, start, start + QPointF(2, 1), steps=1)
    mouse.release(canvas, start + QPointF(2, 1))
    assert snapshot(window).document is before
    assert snapshot(window).focus.query == 1


def test_shift_snaps_to_the_grid(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    layout = canvas.layout_now()
    assert layout is not None
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-37, 41), Qt.KeyboardModifier.ShiftModifier)
    x, y = snapshot(window).trace.Q[0].tolist()
    assert x / layout.view.grid_step == pytest.approx(round(x / layout.view.grid_step), abs=1e-9)
    assert y / layout.view.grid_step == pytest.approx(round(y / layout.view.grid_step), abs=1e-9)


def test_control_turns_without_stretching(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    length = math.hypot(*snapshot(window).trace.Q[0].tolist())
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-120, 10), Qt.KeyboardModifier.ControlModifier)
    assert math.hypot(*snapshot(window).trace.Q[0].tolist()) == pytest.approx(length, rel=1e-12)
    assert snapshot(window).document.inputs.query_offsets is not None


def test_a_tip_dragged_onto_the_origin_can_be_dragged_away_again(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    layout = canvas.layout_now()
    assert layout is not None
    origin = layout.to_pixels(0.0, 0.0)
    for _round in range(2):
        mouse.drag(canvas, tip(canvas, Role.QUERY, 2), origin, Qt.KeyboardModifier.ShiftModifier)
        assert snapshot(window).trace.Q[2].tolist() == [0.0, 0.0]
        mouse.drag(canvas, origin, origin + QPointF(80, -30))
        assert snapshot(window).trace.Q[2].norm() > 0.1


def test_arrow_keys_nudge_the_tip_that_tab_has_reached(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    mouse.click(canvas, tip(canvas, Role.QUERY, 0))
    before = snapshot(window).trace.Q[0].tolist()
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    layout = canvas.layout_now()
    assert layout is not None
    after = snapshot(window).trace.Q[0].tolist()
    assert after == pytest.approx([before[0] + layout.view.grid_step / 5, before[1]], abs=1e-12)
    window.menus.actions["undo"].trigger()  # two presses in a row are one step
    assert snapshot(window).trace.Q[0].tolist() == before


def test_escape_gives_the_keys_back_to_the_steps(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    mouse.click(canvas, tip(canvas, Role.QUERY, 0))
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    step, document = snapshot(window).focus.step, snapshot(window).document
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert snapshot(window).focus.step == step + 1
    assert snapshot(window).document is document


def test_the_view_does_not_follow_a_drag(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    view = canvas.view
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(200, 0))
    assert canvas.view == view
