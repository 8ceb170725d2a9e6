"""Choosing what a drag moves, by mouse and keys: the tip lands, the rest follows, and the words say so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.plane_panel import PlanePanel
from tests.ui import mouse, parts


def panel(window: MainWindow) -> PlanePanel:
    found = window.panels["plane"]
    assert isinstance(found, PlanePanel)
    return found


def choose(window: MainWindow, mode: DragMode) -> None:
    button = panel(window).drag_chooser.button(mode)
    mouse.click(button, QPointF(button.rect().center()))


def drag(window: MainWindow, role: Role, index: int, way: QPointF) -> None:
    canvas = panel(window).canvas
    start = parts.tip(canvas, role, index)
    mouse.drag(canvas, start, start + way)


def inputs(window: MainWindow) -> ProjectedInputs:
    found = parts.snapshot(window).document.inputs
    assert isinstance(found, ProjectedInputs)
    return found


@pytest.mark.parametrize("mode", list(DragMode))
@pytest.mark.parametrize("role", list(Role))
def test_the_tip_lies_under_the_hand_in_every_mode(window: MainWindow, mode: DragMode, role: Role) -> None:
    choose(window, mode)
    canvas = panel(window).canvas
    start = parts.tip(canvas, role, 0)
    mouse.drag(canvas, start, start + QPointF(-50, 35))
    assert (parts.tip(canvas, role, 0) - start - QPointF(-50, 35)).manhattanLength() < 2


def test_by_x_the_other_vector_of_the_word_moves_and_no_projection(window: MainWindow) -> None:
    choose(window, DragMode.EMBEDDING)
    before, trace = inputs(window), parts.snapshot(window).trace
    drag(window, Role.QUERY, 0, QPointF(-60, 45))
    after, now = inputs(window), parts.snapshot(window).trace
    assert after.W_Q is before.W_Q
    assert after.W_K is before.W_K
    assert after.query_offsets is None
    assert (now.X_q != trace.X_q).any(dim=1).tolist() == [True, False, False]
    assert (now.K != trace.K).any(dim=1).tolist() == [True, False, False]
    assert (now.V != trace.V).any(dim=1).tolist() == [True, False, False]
    said = panel(window).hint.text()
    assert said.startswith("x·cat moved by ")
    assert said.endswith("along with it: k·cat, v·cat. 5 of 9 scores changed.")


def test_by_the_projection_every_query_moves_and_no_word(window: MainWindow) -> None:
    choose(window, DragMode.PROJECTION)
    before, trace = inputs(window), parts.snapshot(window).trace
    drag(window, Role.KEY, 2, QPointF(-60, 45))
    after, now = inputs(window), parts.snapshot(window).trace
    assert after.X_q is before.X_q
    assert after.W_Q is before.W_Q
    assert after.W_K is not before.W_K
    assert (now.K != trace.K).any(dim=1).tolist() == [True, True, True]
    assert panel(window).hint.text().startswith("W_K changed by ")
    assert "along with it: k·cat, k·sit" in panel(window).hint.text()


@pytest.mark.parametrize("mode", [DragMode.EMBEDDING, DragMode.PROJECTION])
def test_one_undo_takes_the_drag_back_and_leaves_the_mode(window: MainWindow, mode: DragMode) -> None:
    choose(window, mode)
    before = parts.snapshot(window).document
    drag(window, Role.QUERY, 1, QPointF(40, -50))
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is before
    assert parts.snapshot(window).focus.drag is mode
    assert panel(window).drag_chooser.button(mode).isChecked()
    assert panel(window).hint.text().startswith("Drag a tip")


def test_the_distance_said_is_that_from_the_start_of_the_drag(window: MainWindow) -> None:
    choose(window, DragMode.EMBEDDING)
    before = inputs(window).X_q
    drag(window, Role.QUERY, 0, QPointF(-60, 45))
    moved = (inputs(window).X_q - before).norm().item()
    assert f"x·cat moved by {moved:.2f};" in panel(window).hint.text()


def test_the_words_do_not_move_the_plane_under_the_hand(window: MainWindow) -> None:
    choose(window, DragMode.PROJECTION)
    canvas = panel(window).canvas
    view, size = canvas.view, canvas.size()
    drag(window, Role.QUERY, 0, QPointF(-60, 45))
    QApplication.processEvents()
    assert (canvas.view, canvas.size()) == (view, size)


def test_the_mode_is_reached_and_chosen_by_keys_and_arrows_stay_with_the_steps(window: MainWindow) -> None:
    button = panel(window).drag_chooser.button(DragMode.EMBEDDING)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert parts.snapshot(window).focus.drag is DragMode.EMBEDDING
    step = parts.snapshot(window).focus.step
    QTest.keyClick(button, Qt.Key.Key_Right)
    assert parts.snapshot(window).focus.step == step + 1
    assert parts.snapshot(window).focus.drag is DragMode.EMBEDDING


def test_arrow_keys_move_the_tip_by_the_mode(window: MainWindow) -> None:
    choose(window, DragMode.EMBEDDING)
    canvas = panel(window).canvas
    mouse.click(canvas, parts.tip(canvas, Role.QUERY, 0))
    before = parts.snapshot(window).trace.Q[0].tolist()
    X = inputs(window).X_q
    QTest.keyClick(canvas, Qt.Key.Key_Up)
    layout = canvas.layout_now()
    assert layout is not None
    after = parts.snapshot(window).trace.Q[0].tolist()
    assert after == pytest.approx([before[0], before[1] + layout.view.grid_step / 10], abs=1e-9)
    assert inputs(window).X_q is not X


def test_a_document_without_embeddings_is_dragged_plainly_and_the_choice_comes_back(
    window: MainWindow,
) -> None:
    choose(window, DragMode.PROJECTION)
    direct = DirectInputs(matrix([[1.0, 0.5]], "Q"), matrix([[0.5, 1.0]], "K"))
    parts.show_document(window, Document(("a",), ("b",), direct))
    chooser = panel(window).drag_chooser
    assert chooser.button(DragMode.VECTOR).isChecked()
    assert not chooser.button(DragMode.PROJECTION).isEnabled()
    assert "starts at Q and K" in chooser.button(DragMode.PROJECTION).toolTip()
    panel(window).fit()
    drag(window, Role.QUERY, 0, QPointF(-30, 25))
    assert parts.snapshot(window).trace.Q[0].tolist() != [1.0, 0.5]
    window.menus.actions["undo"].trigger()
    window.menus.actions["undo"].trigger()
    assert chooser.button(DragMode.PROJECTION).isChecked()


def test_a_lost_rank_is_said_in_the_status_line_and_nothing_moves(window: MainWindow) -> None:
    x = matrix([[1.0, 0.5], [0.2, -1.0]], "X")
    flat = matrix([[1.0, 1.0], [1.0, 1.0]], "W_Q")
    document = Document(
        ("a", "b"), ("a", "b"), ProjectedInputs(x, x, flat, matrix([[1.0, 0], [0, 1]], "W_K"))
    )
    parts.show_document(window, document)
    panel(window).fit()
    choose(window, DragMode.EMBEDDING)
    drag(window, Role.QUERY, 0, QPointF(-30, 25))
    assert parts.snapshot(window).document is document
    assert "W_Q is 2 × 2 and has rank 1" in window.status.text


def test_a_zero_embedding_is_said_in_the_status_line_and_nothing_moves(window: MainWindow) -> None:
    x = matrix([[0.0, 0.0], [0.2, -1.0]], "X")
    eye = matrix([[1.0, 0.0], [0.0, 1.0]], "W")
    document = Document(("a", "b"), ("a", "b"), ProjectedInputs(x, x, eye, eye))
    parts.show_document(window, document)
    panel(window).fit()
    choose(window, DragMode.PROJECTION)
    drag(window, Role.QUERY, 0, QPointF(-30, 25))
    assert parts.snapshot(window).document is document
    assert "The embedding x of this word is zero" in window.status.text


def test_every_mode_has_a_tip_and_a_name_in_both_languages(window: MainWindow) -> None:
    chooser = panel(window).drag_chooser
    english = {mode: (chooser.button(mode).text(), chooser.button(mode).toolTip()) for mode in DragMode}
    names = {mode: chooser.button(mode).accessibleName() for mode in DragMode}
    window.appearance.toggle_language()
    QApplication.processEvents()
    for mode in DragMode:
        button = chooser.button(mode)
        assert button.toolTip()
        assert button.text() != english[mode][0]
        assert button.toolTip() != english[mode][1]
        assert button.accessibleName() != names[mode]


def test_two_drags_of_one_mode_are_two_steps_of_undo(window: MainWindow) -> None:
    choose(window, DragMode.PROJECTION)
    drag(window, Role.QUERY, 0, QPointF(-30, 25))
    between = parts.snapshot(window).document
    drag(window, Role.QUERY, 0, QPointF(20, 25))
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is between


def test_a_principal_plane_keeps_what_lies_outside_of_it(window: MainWindow) -> None:
    x = matrix([[1.0, 0.5, 0.3], [0.2, -1.0, 2.0], [0.4, 0.1, -0.7]], "X")
    W = matrix([[1.0, 0.2, 0.0], [0.0, 1.0, 0.3], [0.5, 0.0, 1.0]], "W_Q")
    labels = ("a", "b", "c")
    parts.show_document(window, Document(labels, labels, ProjectedInputs(x, x, W, W.T.contiguous())))
    choose(window, DragMode.EMBEDDING)
    trace = parts.snapshot(window).trace
    assert trace.Q is not None
    assert trace.K is not None
    plane = Plane.of_principal_directions(trace.Q, trace.K)
    commands = parts.commands(window)
    focus = parts.snapshot(window).focus
    commands.look_at(type(focus)(step=focus.step, plane=plane, drag=focus.drag))
    panel(window).fit()
    drag(window, Role.QUERY, 1, QPointF(-25, 30))
    after = parts.snapshot(window).trace.Q
    assert after is not None
    moved = after[1] - trace.Q[1]
    outside = moved - (plane.basis @ moved) @ plane.basis
    assert moved.norm().item() > 0.01
    assert outside.abs().max().item() < 1e-9
