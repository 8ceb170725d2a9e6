"""Lesson 3 by hand: every try by mouse and keys, noticed when it is done and not before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.matrices import MatrixName
from qkviz.attention.projection_modes import ProjectionMode
from qkviz.document.document import Role
from qkviz.document.drag_mode import DragMode
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.embeddings_panel import EmbeddingsPanel
from qkviz.ui.panels.plane_panel import PlanePanel
from qkviz.ui.panels.projections_panel import ProjectionsPanel
from tests.ui import mouse, parts
from tests.ui.lesson_hand import done_tries as done
from tests.ui.lesson_hand import remark

OpenWindow = Callable[..., MainWindow]

WORDS, PROJECTION, ONE_WAY, SWAPPED = "words", "projection", "one-way", "swapped"
CAT, SIT, MAT = range(3)


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(3)


def projections(window: MainWindow) -> ProjectionsPanel:
    panel = window.panels["projections"]
    assert isinstance(panel, ProjectionsPanel)
    return panel


def embeddings(window: MainWindow) -> PlaneCanvas:
    panel = window.panels["embeddings"]
    assert isinstance(panel, EmbeddingsPanel)
    return panel.canvas


def choose(window: MainWindow, mode: ProjectionMode, qtbot: QtBot) -> None:
    """Click on a card and wait for the change to end."""
    card = projections(window).cards[mode]
    mouse.click(card, QPointF(card.rect().center()))
    qtbot.waitUntil(lambda: not projections(window).is_moving, timeout=5_000)


def drag_to(canvas: PlaneCanvas, role: Role, index: int, x: float, y: float) -> None:
    layout = canvas.layout_now()
    assert layout is not None
    mouse.drag(canvas, parts.tip(canvas, role, index), layout.to_pixels(x, y))


def test_it_opens_with_its_panels_on_unrelated_words_and_nothing_done(window: MainWindow) -> None:
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "plane", "embeddings", "matrices", "projections"}
    assert parts.snapshot(window).trace.scores[CAT, MAT].item() == 0.0
    assert done(window) == []


def test_moving_a_word_under_the_identity_changes_both_directions_alike(window: MainWindow) -> None:
    drag_to(embeddings(window), Role.QUERY, MAT, 0.5, 0.9)
    assert done(window) == []  # 1.9
    drag_to(embeddings(window), Role.QUERY, MAT, 0.8, 1.4)
    assert done(window) == [WORDS]
    scores = parts.snapshot(window).trace.scores
    assert scores[CAT, MAT].item() == scores[MAT, CAT].item()
    both = f"{scores[CAT, MAT].item():.2f}"
    assert f"cat→mat {both}, mat→cat {both}" in remark(window, WORDS)


def test_the_same_score_by_moving_q_alone_does_not_count(window: MainWindow) -> None:
    drag_to(parts.plane_canvas(window), Role.QUERY, CAT, -1.0, 2.0)
    assert parts.snapshot(window).trace.scores[CAT, MAT].item() > 2
    assert done(window) == []


def test_a_word_can_be_moved_by_keys(window: MainWindow) -> None:
    canvas = embeddings(window)
    mouse.click(canvas, parts.tip(canvas, Role.QUERY, MAT))
    assert canvas.focused_tip == (Role.QUERY, MAT)
    for _press in range(3):
        QTest.keyClick(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QApplication.processEvents()
    # choosing x·mat has pinned (mat, mat); the try asks for the score whatever is pinned
    assert done(window) == [WORDS]


def test_another_w_q_moves_the_queries_not_at_right_angles_and_no_key(window: MainWindow) -> None:
    panel = window.panels["plane"]
    assert isinstance(panel, PlanePanel)
    button = panel.drag_chooser.button(DragMode.PROJECTION)
    mouse.click(button, QPointF(button.rect().center()))
    before = parts.snapshot(window).trace
    drag_to(panel.canvas, Role.QUERY, CAT, -1.5, -1.0)
    after = parts.snapshot(window).trace
    assert done(window) == [PROJECTION]
    assert after.Q[CAT].tolist() == pytest.approx([-1.5, -1.0], abs=0.05)
    moved = (after.Q - before.Q).norm(dim=1)
    assert (moved > 1e-9).tolist() == [True, True, False]  # x·mat is at right angles to x·cat
    assert "along with it: q·sit." in panel.hint.text()
    assert after.K is not None
    assert bool((after.K == before.K).all())
    assert after.X_q is before.X_q


def test_the_head_made_by_hand_looks_one_way_and_swapped_the_other(window: MainWindow, qtbot: QtBot) -> None:
    canvas = parts.matrix_canvas(window, MatrixName.SCORES)
    mouse.click(canvas, parts.cell_point(canvas, CAT, MAT))  # was pinned: lets go
    assert not projections(window).cards[ProjectionMode.BY_HAND].isEnabled()
    mouse.click(canvas, parts.cell_point(canvas, CAT, MAT))
    choose(window, ProjectionMode.BY_HAND, qtbot)
    assert done(window) == [ONE_WAY]
    scores = parts.snapshot(window).trace.scores
    assert scores[CAT, MAT].item() == pytest.approx(4, abs=1e-12)
    assert scores[MAT, CAT].item() == pytest.approx(-4, abs=1e-12)
    choose(window, ProjectionMode.SWAPPED, qtbot)
    assert done(window) == [ONE_WAY, SWAPPED]
    assert parts.snapshot(window).trace.scores.tolist() == scores.T.tolist()


@pytest.mark.parametrize(
    "mode",
    [ProjectionMode.TIED, ProjectionMode.HEAD_1, ProjectionMode.HEAD_2, ProjectionMode.HEAD_3],
)
def test_no_other_card_does_a_try_by_itself(window: MainWindow, qtbot: QtBot, mode: ProjectionMode) -> None:
    choose(window, mode, qtbot)
    assert done(window) == []


def test_a_card_is_chosen_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    card = projections(window).cards[ProjectionMode.BY_HAND]
    card.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(card, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not projections(window).is_moving, timeout=5_000)
    assert done(window) == [ONE_WAY]


def test_the_answer_says_what_the_cards_show(window: MainWindow, qtbot: QtBot) -> None:
    lesson = parts.commands(window).course.current
    numbers = lesson.fixed_numbers
    for mode, query, key, name in (
        (ProjectionMode.BY_HAND, CAT, MAT, "there"),
        (ProjectionMode.BY_HAND, MAT, CAT, "back"),
        (ProjectionMode.TIED, CAT, MAT, "tied"),
        (ProjectionMode.TIED, MAT, CAT, "tied"),
    ):
        choose(window, mode, qtbot)
        shown = parts.snapshot(window).trace.scores[query, key].item()
        assert shown == pytest.approx(numbers[name], abs=1e-12)
    for number, mode, favourite in (
        (1, ProjectionMode.HEAD_1, MAT),
        (2, ProjectionMode.HEAD_2, SIT),
        (3, ProjectionMode.HEAD_3, CAT),
    ):
        choose(window, mode, qtbot)
        row = parts.snapshot(window).trace.weights[MAT].tolist()
        assert row[favourite] == pytest.approx(numbers[f"head_{number}"], abs=1e-12) == max(row)


def test_another_language_in_the_middle_keeps_what_is_done(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, ProjectionMode.BY_HAND, qtbot)
    window.appearance.toggle_language()
    QApplication.processEvents()
    assert done(window) == [ONE_WAY]
    assert projections(window).cards[ProjectionMode.BY_HAND].text() == "手工制作"
    assert projections(window).cards[ProjectionMode.BY_HAND].isChecked()
