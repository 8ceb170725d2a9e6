"""The cards of projections: a smooth way made of true traces, one step of undo, and a clean stop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.projection_modes import ProjectionMode, mode_projections
from qkviz.document.document import Document, Role
from qkviz.document.session import Snapshot
from qkviz.ui.main_window import MainWindow
from qkviz.ui.motion import SWITCH, Motion, eased, wants_less_motion
from qkviz.ui.panels.projections_panel import ProjectionsPanel
from tests.ui import mouse, parts

OpenWindow = Callable[..., MainWindow]
Mode = ProjectionMode


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(3)


def panel(window: MainWindow) -> ProjectionsPanel:
    found = window.panels["projections"]
    assert isinstance(found, ProjectionsPanel)
    return found


def click(window: MainWindow, mode: Mode) -> None:
    card = panel(window).cards[mode]
    mouse.click(card, QPointF(card.rect().center()))


def wait(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel(window).is_moving, timeout=5_000)


def projections(snapshot: Snapshot) -> tuple[torch.Tensor, torch.Tensor]:
    inputs = snapshot.document.inputs
    assert isinstance(inputs, ProjectedInputs)
    return inputs.W_Q, inputs.W_K


def test_the_way_is_made_of_true_traces_of_the_projections_between(window: MainWindow, qtbot: QtBot) -> None:
    seen: list[Snapshot] = []
    parts.session(window).subscribe(seen.append)
    start = parts.snapshot(window)
    click(window, Mode.BY_HAND)
    wait(window, qtbot)
    steps = [one for one in seen if one.document is not start.document]
    assert len(steps) > 3  # smooth: not one jump
    goal = mode_projections(Mode.BY_HAND, start.document.inputs, (0, 2))
    first = projections(start)
    shares = []
    for step in steps:
        W_Q, W_K = projections(step)
        # where on the straight line; every entry says the same
        share = ((W_Q - first[0]).norm() / (goal[0] - first[0]).norm()).item()
        shares.append(share)
        assert torch.allclose(W_Q, torch.lerp(first[0], goal[0], share), rtol=0, atol=1e-12)
        assert torch.allclose(W_K, torch.lerp(first[1], goal[1], share), rtol=0, atol=1e-12)
        X = step.document.inputs.X_q
        assert torch.allclose(step.trace.scores, (X @ W_Q) @ (X @ W_K).T, rtol=0, atol=1e-12)
    assert shares == sorted(shares)
    assert projections(parts.snapshot(window))[0].tolist() == goal[0].tolist()


def test_the_whole_way_is_one_step_of_undo(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    wait(window, qtbot)
    assert str(parts.snapshot(window).undo_label) == "Projections: Head 2"
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is before
    assert panel(window).cards[Mode.IDENTITY].isChecked()


def test_undo_on_the_way_stops_it_at_its_beginning(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    assert panel(window).is_moving
    window.menus.actions["undo"].trigger()
    assert not panel(window).is_moving
    QApplication.processEvents()
    assert parts.snapshot(window).document is before


def test_a_drag_on_the_way_stops_it_where_it_is(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    canvas = parts.plane_canvas(window)
    start = parts.tip(canvas, Role.QUERY, 1)
    mouse.drag(canvas, start, start + QPointF(30, 30))
    dragged = parts.snapshot(window).document
    assert not panel(window).is_moving
    moved = (dragged.inputs.query_offsets, dragged.inputs.key_offsets)
    assert moved != (None, None)  # the tips were moving when one was taken
    QApplication.processEvents()
    assert parts.snapshot(window).document is dragged
    window.menus.actions["undo"].trigger()  # the drag
    window.menus.actions["undo"].trigger()  # the way as far as it came
    assert parts.snapshot(window).document is before


def test_looking_elsewhere_does_not_stop_it(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    parts.commands(window).go_to_step(5)
    assert panel(window).is_moving
    wait(window, qtbot)
    assert panel(window).cards[Mode.HEAD_2].isChecked()


def test_another_card_on_the_way_goes_there_from_where_it_is(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    click(window, Mode.HEAD_3)
    wait(window, qtbot)
    goal = mode_projections(Mode.HEAD_3, before.inputs, None)
    assert projections(parts.snapshot(window))[0].tolist() == goal[0].tolist()
    assert projections(parts.snapshot(window))[1].tolist() == goal[1].tolist()


def test_swapped_on_the_way_swaps_what_it_leads_to(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    click(window, Mode.SWAPPED)
    wait(window, qtbot)
    W_Q, W_K = mode_projections(Mode.HEAD_2, before.inputs, None)
    assert projections(parts.snapshot(window))[0].tolist() == W_K.tolist()
    assert projections(parts.snapshot(window))[1].tolist() == W_Q.tolist()


def test_a_closed_panel_is_at_the_end_at_once(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    window.docks["projections"].close()
    assert not panel(window).is_moving
    goal = mode_projections(Mode.HEAD_2, before.inputs, None)
    assert projections(parts.snapshot(window))[0].tolist() == goal[0].tolist()


def test_another_lesson_on_the_way_stops_it(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    parts.commands(window).open_lesson(8)
    document = parts.snapshot(window).document
    assert not panel(window).is_moving
    assert parts.snapshot(window).document is document
    assert document.lesson is not None
    assert document.lesson.startswith("08")


def test_closing_the_window_on_the_way_is_clean(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_2)
    qtbot.waitUntil(lambda: parts.snapshot(window).document is not before, timeout=5_000)
    window.close()
    assert not panel(window).is_moving


def test_with_less_motion_it_is_there_at_once(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    before = parts.snapshot(window).document
    click(window, Mode.HEAD_1)
    assert not panel(window).is_moving
    goal = mode_projections(Mode.HEAD_1, before.inputs, None)
    assert projections(parts.snapshot(window))[0].tolist() == goal[0].tolist()
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is before


def test_what_was_moved_by_hand_goes_back_along_the_way(window: MainWindow, qtbot: QtBot) -> None:
    canvas = parts.plane_canvas(window)
    start = parts.tip(canvas, Role.QUERY, 1)
    mouse.drag(canvas, start, start + QPointF(30, 30))
    click(window, Mode.HEAD_1)
    wait(window, qtbot)
    assert parts.snapshot(window).document.inputs.query_offsets is None


def test_a_card_that_is_chosen_already_changes_nothing(window: MainWindow, qtbot: QtBot) -> None:
    before = parts.snapshot(window).document
    click(window, Mode.IDENTITY)
    wait(window, qtbot)
    assert parts.snapshot(window).document is before
    assert parts.snapshot(window).undo_label is None
    assert panel(window).cards[Mode.IDENTITY].isChecked()


def test_keys_choose_a_card_and_arrows_stay_with_the_steps(window: MainWindow, qtbot: QtBot) -> None:
    card = panel(window).cards[Mode.HEAD_1]
    card.setFocus(Qt.FocusReason.TabFocusReason)
    step = parts.snapshot(window).focus.step
    QTest.keyClick(card, Qt.Key.Key_Right)
    assert parts.snapshot(window).focus.step == step + 1
    QTest.keyClick(card, Qt.Key.Key_Space)
    wait(window, qtbot)
    assert card.isChecked()


def test_a_document_without_projections_has_no_cards(window: MainWindow) -> None:
    direct = DirectInputs(matrix([[1.0, 0.5]], "Q"), matrix([[0.5, 1.0]], "K"))
    parts.show_document(window, Document(("a",), ("b",), direct))
    assert not any(card.isVisible() for card in panel(window).cards.values())
    parts.commands(window).go_to_step(5)
    said = [label.text() for label in panel(window).findChildren(QLabel) if label.isVisible()]
    assert said == ["This document has no W_Q and W_K to choose."]


def test_every_word_follows_the_language(window: MainWindow) -> None:
    english = {
        mode: (card.text(), card.accessibleDescription()) for mode, card in panel(window).cards.items()
    }
    window.appearance.toggle_language()
    QApplication.processEvents()
    for mode, card in panel(window).cards.items():
        assert card.text() != english[mode][0]
        if "=" not in english[mode][1]:
            assert card.accessibleDescription() != english[mode][1]


def test_the_share_rises_from_0_to_1_and_is_told_to_the_end(qtbot: QtBot, window: MainWindow) -> None:
    motion, told = Motion(window), []
    motion.moved.connect(told.append)
    motion.start()
    qtbot.waitUntil(lambda: not motion.is_running, timeout=5_000)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert told.count(1.0) == 1
    assert (eased(0.0), eased(0.5), eased(1.0)) == (0.0, 0.5, 1.0)


@pytest.mark.parametrize(("value", "wanted"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_the_switch_asks_for_less_motion(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool
) -> None:
    monkeypatch.setenv(SWITCH, value)
    assert wants_less_motion() is wanted
