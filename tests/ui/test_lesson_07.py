"""Lesson 7 by hand: the guess, and every try by mouse and keys; every number worked out apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.ui.main_window import MainWindow
from tests.ui import mouse, parts
from tests.ui.conftest import OpenWindow
from tests.ui.lesson_hand import done_tries, drag_tip, guess, lesson_text, nudge_tip, press_key, remark

CTRL = Qt.KeyboardModifier.ControlModifier

# the offscreen platform has no windows to order and no keyboard
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

CAT, SIT, MAT = range(3)

X = np.array([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]])
W_Q = np.array([[1.3, 0.6], [0.4, -0.5], [0.6, 0.4], [-0.2, 0.2]])
W_K = np.array([[0.9, 0.5], [-0.4, 0.9], [0.5, -0.6], [0.3, -0.2]])
Q, K = X @ W_Q, X @ W_K


def weights(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    powers = np.exp(Q @ K.T / math.sqrt(2))
    return powers / powers.sum(axis=1, keepdims=True)


def moved(window: MainWindow) -> tuple[np.ndarray, np.ndarray]:
    """Return Q and K of the lesson with what the hand has added."""
    inputs = parts.snapshot(window).document.inputs
    assert isinstance(inputs, ProjectedInputs)
    added = [
        0 if one is None else np.array(one.tolist()) for one in (inputs.query_offsets, inputs.key_offsets)
    ]
    return Q + added[0], K + added[1]


def shown(window: MainWindow, name: MatrixName) -> np.ndarray:
    """Return the numbers of a matrix on the screen."""
    content = parts.matrix_canvas(window, name).content
    assert content is not None
    return np.array(content.values)


def assert_the_weights_follow(window: MainWindow) -> np.ndarray:
    """The matrix on the screen is that of the vectors, computed apart."""
    expected = weights(*moved(window))
    assert shown(window, MatrixName.WEIGHTS) == pytest.approx(expected, abs=1e-12)
    return expected


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(7)


def test_it_opens_with_its_panels_and_nothing_done(window: MainWindow) -> None:
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "plane", "matrices", "steps", "inspector"}
    assert done_tries(window) == []
    assert_the_weights_follow(window)


def test_at_a_right_angle_the_score_is_0_and_the_weight_is_not(window: MainWindow) -> None:
    mat = K[MAT]
    clockwise = math.hypot(*Q[CAT]) * np.array([mat[1], -mat[0]]) / math.hypot(*mat)
    tilt = math.radians(4)
    short = clockwise @ np.array([[math.cos(tilt), math.sin(tilt)], [-math.sin(tilt), math.cos(tilt)]])
    drag_tip(window, Role.QUERY, CAT, *short, CTRL)
    assert done_tries(window) == []
    drag_tip(window, Role.QUERY, CAT, *clockwise, CTRL)
    assert done_tries(window) == ["perpendicular"]
    q, k = moved(window)
    assert np.linalg.norm(q[CAT]) == pytest.approx(np.linalg.norm(Q[CAT]), abs=1e-12)
    score, weight = q[CAT] @ k[MAT], assert_the_weights_follow(window)[CAT, MAT]
    assert score == pytest.approx(0.0, abs=0.05)
    assert weight > 0.1
    number = f"{score:.2f}".replace("-", "−").replace("−0.00", "0.00")
    assert f"Now the score is {number} and the weight {weight:.2f}." in remark(window, "perpendicular")


def test_q_cat_is_dragged_until_mat_is_its_favourite(window: MainWindow) -> None:
    drag_tip(window, Role.QUERY, CAT, 0.1, 0.3)
    assert done_tries(window) == []
    drag_tip(window, Role.QUERY, CAT, -0.3, 1.2)
    assert done_tries(window) == ["favourite"]
    after = assert_the_weights_follow(window)
    assert after[CAT].argmax() == MAT
    assert after[SIT:] == pytest.approx(weights(Q, K)[SIT:], abs=1e-12)  # "only the first row changes"


def test_k_mat_is_dragged_until_nobody_looks_at_it(window: MainWindow) -> None:
    before = shown(window, MatrixName.SCORES)
    drag_tip(window, Role.KEY, MAT, -2.0, 1.0)
    assert done_tries(window) == []
    drag_tip(window, Role.KEY, MAT, -3.0, -2.0)
    assert done_tries(window) == ["column"]
    after = assert_the_weights_follow(window)
    assert (after[:, MAT] < 0.1).all()
    assert after.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert (shown(window, MatrixName.SCORES)[:, :MAT] == before[:, :MAT]).all()


@pytest.mark.parametrize(
    ("name", "role", "index", "x", "y"),
    [
        ("perpendicular", Role.QUERY, CAT, 1.22, -0.37),
        ("favourite", Role.QUERY, CAT, -0.3, 1.2),
        ("column", Role.KEY, MAT, -3.0, -2.0),
    ],
)
def test_every_try_on_the_plane_by_arrow_keys(
    window: MainWindow, name: str, role: Role, index: int, x: float, y: float
) -> None:
    nudge_tip(window, role, index, x, y)
    assert name in done_tries(window)
    assert_the_weights_follow(window)


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_cell_mat_to_cat_is_walked_to_step_5(window: MainWindow, by: str) -> None:
    canvas = parts.matrix_canvas(window, MatrixName.SCORES)
    if by == "mouse":
        mouse.click(canvas, parts.cell_point(canvas, MAT, CAT))
    else:  # from cat → mat, which is pinned
        canvas.setFocus(Qt.FocusReason.TabFocusReason)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Left):
            press_key(window, key)
    assert parts.snapshot(window).focus.pair == (MAT, CAT)
    press_key(window, Qt.Key.Key_4)
    assert done_tries(window) == []
    press_key(window, Qt.Key.Key_5)
    assert done_tries(window) == ["backwards"]
    expected = weights(Q, K)
    there, back = f"{expected[CAT, MAT]:.2f}", f"{expected[MAT, CAT]:.2f}"
    assert there != back
    assert f"mat→cat {back}, cat→mat {there}" in remark(window, "backwards")
    assert back in window.panels["steps"].shown_text()


def test_step_5_of_another_cell_does_not_count(window: MainWindow) -> None:
    press_key(window, Qt.Key.Key_5)
    assert parts.snapshot(window).focus.step == 5
    assert done_tries(window) == []


@pytest.mark.parametrize(("language", "verdict"), [("en", "You guessed right."), ("zh", "猜对了。")])
def test_the_answer_after_a_right_guess_quotes_the_turned_query(
    open_window: OpenWindow, language: str, verdict: str
) -> None:
    window = open_window(7, language=language)
    assert verdict not in lesson_text(window)
    guess(window, 1)
    text = lesson_text(window)
    answer = text[text.index(verdict) :]
    mat = K[MAT]
    turned = Q.copy()  # clockwise, the nearer right angle
    turned[CAT] = math.hypot(*Q[CAT]) * np.array([mat[1], -mat[0]]) / math.hypot(*mat)
    assert turned[CAT] @ mat == pytest.approx(0.0, abs=1e-12)
    before, after = weights(Q, K)[CAT, MAT], weights(turned, K)[CAT, MAT]
    for number in ("0.00", f"{after:.2f}", f"{before:.2f}"):
        assert number in answer


def test_a_wrong_guess_gets_the_same_answer(window: MainWindow) -> None:
    guess(window, 0)
    assert "Not quite.\nAt a right angle the score is 0.00" in lesson_text(window)


def test_the_story_quotes_the_lessons_own_numbers(window: MainWindow) -> None:
    text = lesson_text(window)
    S = Q @ K.T
    assert f"cat→mat {S[CAT, MAT]:.2f}, mat→cat {S[MAT, CAT]:.2f}" in text
    assert f"both are {X[CAT] @ X[MAT]:.2f}" in text
    assert f"cat→mat gets {weights(Q, K)[CAT, MAT]:.2f}" in text
