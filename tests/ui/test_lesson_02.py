"""Lesson 2 by mouse and keys: every try is noticed when done and not before, and its answers are true."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qkviz.document.document import Role
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.compare import CompareView
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.compare_panel import ComparePanel
from qkviz.ui.panels.distribution_panel import DistributionPanel
from qkviz.ui.panels.measures_panel import MeasuresPanel
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import cell_point, commands, plane_canvas, snapshot, tip

LEFT = Qt.MouseButton.LeftButton

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

X = np.array([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]])


def compare_panel(window: MainWindow) -> ComparePanel:
    panel = window.panels["compare"]
    assert isinstance(panel, ComparePanel)
    return panel


def done(window: MainWindow) -> frozenset[str]:
    course = commands(window).course
    return course.progress.done(course.current)


def scores(window: MainWindow) -> np.ndarray:
    return np.array(snapshot(window).trace.scores.tolist())


def click(panel: ComparePanel, what: str) -> None:
    QTest.mouseClick({"draw": panel.draw_button, "tie": panel.tie_button}[what], LEFT)
    QApplication.processEvents()


def test_it_opens_with_the_sources_embeddings_and_nothing_done(open_window: OpenWindow) -> None:
    window = open_window(2)
    trace = snapshot(window).trace
    assert trace.X_q is not None
    assert trace.X_q.tolist() == X.tolist()
    assert done(window) == frozenset()
    assert set(window.panels) >= {"plane", "compare", "distribution", "measures"}


def test_the_cell_that_differs_most_from_its_mirror_image_is_found_by_a_click(
    open_window: OpenWindow,
) -> None:
    window = open_window(2)
    panel = compare_panel(window)
    S = scores(window)
    row, column = np.unravel_index(np.abs(S - S.T).argmax(), S.shape)
    mouse.click(panel.right, cell_point(panel.right, 1, 2))
    assert "mirror" not in done(window)
    mouse.click(panel.right, cell_point(panel.right, int(row), int(column)))
    assert "mirror" in done(window)
    assert panel.facts.texts()[2][3] == f"{S[row, column] - S[column, row]:.2f}".replace("-", "−")


def test_the_same_cell_is_found_with_the_arrow_keys(open_window: OpenWindow) -> None:
    window = open_window(2)
    panel = compare_panel(window)
    panel.right.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(panel.right, Qt.Key.Key_Left)  # from (1, 3) to (1, 2)
    assert snapshot(window).focus.pair == (0, 1)
    assert "mirror" in done(window)


def test_moving_q_of_mat_alone_changes_its_row_and_nothing_else(open_window: OpenWindow) -> None:
    window = open_window(2)
    before = scores(window)
    plane = plane_canvas(window)
    start = tip(plane, Role.QUERY, 2)
    layout = plane.layout_now()
    assert layout is not None
    mouse.drag(plane, start, QPointF(layout.to_pixels(-0.8, 0.4)))
    after = scores(window)
    assert after[2, 0] < -0.2
    assert after[0, 2] == before[0, 2] > 0.2
    assert (after[:2] == before[:2]).all()
    assert "jobs" in done(window)


def test_other_projections_are_drawn_until_mat_looks_most_at_cat(open_window: OpenWindow) -> None:
    window = open_window(2)
    panel = compare_panel(window)
    for _press in range(12):
        click(panel, "draw")
        if "learn" in done(window):
            break
        assert scores(window)[2].argmax() != 0
    assert scores(window)[2].argmax() == 0
    assert panel.facts.texts()[1][:4] == ["XXᵀ", "0.67", "0.67", "0.00"]  # X is what it was


def test_tying_gives_symmetric_scores_and_other_weights(open_window: OpenWindow) -> None:
    window = open_window(2)
    panel = compare_panel(window)
    QTest.mouseClick(panel.view_button(CompareView.WEIGHTS), LEFT)
    click(panel, "tie")
    assert "tie" in done(window)
    S = scores(window)
    assert pytest.approx(S.T, abs=1e-12) == S
    assert panel.facts.texts()[1][3] == "0.00"
    assert panel.facts.texts()[2][3] == "0.09"


def test_tying_after_a_drag_needs_the_vectors_put_back(open_window: OpenWindow) -> None:
    window = open_window(2)
    plane = plane_canvas(window)
    layout = plane.layout_now()
    assert layout is not None
    mouse.drag(plane, tip(plane, Role.QUERY, 2), QPointF(layout.to_pixels(-0.8, 0.4)))
    click(compare_panel(window), "tie")
    assert "tie" not in done(window)
    assert "put them back" in compare_panel(window).sentences.text()
    commands(window).reset_all()
    assert "tie" in done(window)


def test_the_numbers_of_the_answer() -> None:
    numbers = lesson_by_number(2).fixed_numbers
    W_Q = np.array([[1.3, 0.6], [0.4, -0.5], [0.6, 0.4], [-0.2, 0.2]])
    W_K = np.array([[0.9, 0.5], [-0.4, 0.9], [0.5, -0.6], [0.3, -0.2]])
    S, T = X @ W_Q @ W_K.T @ X.T, X @ W_Q @ W_Q.T @ X.T
    p = np.exp(T / np.sqrt(2))
    p /= p.sum(axis=1, keepdims=True)
    assert numbers["xxt"] == pytest.approx(0.67, abs=1e-12)
    assert (numbers["score"], numbers["back"]) == pytest.approx((S[0, 2], S[2, 0]), abs=1e-12)
    assert (numbers["most"], numbers["most_back"]) == pytest.approx((S[1, 0], S[0, 1]), abs=1e-12)
    assert numbers["tied_score"] == pytest.approx(T[0, 2], abs=1e-12) == pytest.approx(T[2, 0], abs=1e-12)
    assert (numbers["tied_weight"], numbers["tied_back"]) == pytest.approx((p[0, 2], p[2, 0]), abs=1e-12)
    assert abs(p[0, 2] - p[2, 0]) > 0.05  # "in general, no"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_language_may_change_in_the_middle(open_window: OpenWindow, language: str) -> None:
    window = open_window(2, language=language)
    panel = compare_panel(window)
    click(panel, "tie")
    before = panel.facts.texts()[2][1:]
    window.appearance.toggle_language()
    QApplication.processEvents()
    assert panel.facts.texts()[2][1:] == before
    assert panel.facts.texts()[0][0] == ("cat → mat" if language == "zh" else "猫 → 垫子")
    assert "tie" in done(window)


def test_distribution_and_measures_speak_of_the_same_scores(open_window: OpenWindow) -> None:
    window = open_window(2)
    distribution, measures = window.panels["distribution"], window.panels["measures"]
    assert isinstance(distribution, DistributionPanel)
    assert isinstance(measures, MeasuresPanel)
    variance = measures.rows["variance"].shown()[1]
    assert variance == f"{scores(window).var():.2f}"
    assert (
        f"QKᵀ: mean {scores(window).mean():.2f} · variance {variance}"
        in distribution.canvas.accessibleDescription()
    )
