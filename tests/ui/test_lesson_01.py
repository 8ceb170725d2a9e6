"""Lesson 1 by hand: the guess, and every try by mouse and by keys; every number worked out apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt

from qkviz.document.document import Role
from qkviz.ui.main_window import MainWindow
from tests.ui import parts
from tests.ui.conftest import OpenWindow
from tests.ui.lesson_hand import done_tries, drag_tip, guess, lesson_text, nudge_tip, remark

CTRL = Qt.KeyboardModifier.ControlModifier

# the offscreen platform has no windows to order and no keyboard
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

A, B = np.array([1.2, 1.6]), np.array([2.4, 0.7])
B_ANGLE = math.degrees(math.atan2(0.7, 2.4))


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(1)


def vectors(window: MainWindow) -> tuple[np.ndarray, np.ndarray]:
    """Return a and b as the plane shows them."""
    content = parts.plane_canvas(window).content
    assert content is not None
    a, b = (next(arrow for arrow in content.arrows if arrow.role is role) for role in (Role.QUERY, Role.KEY))
    return np.array([a.x, a.y]), np.array([b.x, b.y])


def angle(a: np.ndarray, b: np.ndarray) -> float:
    return math.degrees(math.acos(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))


def shown_score(window: MainWindow) -> str:
    content = parts.plane_canvas(window).content
    assert content is not None
    return content.headline


def written(number: float) -> str:
    return f"{number:z.2f}".replace("-", "−")  # no minus before a zero


def turn(window: MainWindow, degrees_from_b: float) -> None:
    """Turn a by a drag with Ctrl, to an angle on its own side of b."""
    radians = math.radians(B_ANGLE + degrees_from_b)
    drag_tip(window, Role.QUERY, 0, 2.5 * math.cos(radians), 2.5 * math.sin(radians), CTRL)


def test_it_opens_with_its_panels_and_nothing_done(window: MainWindow) -> None:
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "plane", "steps"}
    assert done_tries(window) == []
    assert shown_score(window) == "q·k = 4.00"


def test_perpendicular_by_a_turn_with_ctrl(window: MainWindow) -> None:
    turn(window, 86.0)
    assert done_tries(window) == []
    turn(window, 90.0)
    assert done_tries(window) == ["perpendicular"]
    a, b = vectors(window)
    assert np.linalg.norm(a) == pytest.approx(2.0, abs=1e-12)  # turned, not stretched
    assert angle(a, b) == pytest.approx(90.0, abs=2.0)
    assert shown_score(window) == f"q·k = {written(a @ b)}"
    assert "At exactly 90° the dot product is 0" in remark(window, "perpendicular")


def test_opposite_by_a_turn_with_ctrl(window: MainWindow) -> None:
    turn(window, 168.0)
    assert done_tries(window) == []
    turn(window, 176.0)
    assert done_tries(window) == ["opposite"]
    a, b = vectors(window)
    assert a @ b == pytest.approx(-5.0, abs=0.05)  # −2 · 2.5, the lowest that these lengths allow
    assert a @ b > -5.0
    assert shown_score(window) == f"q·k = {written(a @ b)}"


def test_along_the_dotted_line_the_score_stays(window: MainWindow) -> None:
    along = np.array([0.28, -0.96])  # at right angles to b
    drag_tip(window, Role.QUERY, 0, *(A + 0.9 * along))
    assert done_tries(window) == []
    drag_tip(window, Role.QUERY, 0, *(A + 1.3 * along))
    assert done_tries(window) == ["line"]
    a, b = vectors(window)
    assert np.linalg.norm(a - A) == pytest.approx(1.3, abs=0.02)
    assert a @ b == pytest.approx(4.0, abs=0.1)
    assert b.tolist() == B.tolist()
    assert "within 0.1 of 4.00" in remark(window, "line")


def test_off_the_line_by_as_much_is_not_on_it(window: MainWindow) -> None:
    drag_tip(window, Role.QUERY, 0, *(A + 1.3 * np.array([0.28, -0.96]) + 0.08 * B / 2.5))  # 0.2 in score
    assert done_tries(window) == []


def test_twice_as_long_is_twice_the_score(window: MainWindow) -> None:
    drag_tip(window, Role.QUERY, 0, *(1.85 * A))
    assert done_tries(window) == []
    drag_tip(window, Role.QUERY, 0, *(2 * A))
    assert done_tries(window) == ["stretch"]
    a, b = vectors(window)
    assert np.linalg.norm(a) == pytest.approx(4.0, abs=0.2)
    assert a @ b == pytest.approx(8.0, abs=0.2)


def test_twice_as_long_with_another_b_does_not_count(window: MainWindow) -> None:
    drag_tip(window, Role.KEY, 0, 2.4, 0.9)
    drag_tip(window, Role.QUERY, 0, *(2 * A))
    assert done_tries(window) == []


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("perpendicular", -0.5, 1.7),
        ("opposite", -2.4, -0.7),
        ("line", 1.5, 0.6),
        ("stretch", 2.4, 3.2),
    ],
)
def test_every_try_by_arrow_keys_and_undone_in_one_step(
    window: MainWindow, name: str, x: float, y: float
) -> None:
    nudge_tip(window, Role.QUERY, 0, x, y)
    a, b = vectors(window)
    assert a.tolist() == pytest.approx([x, y], abs=0.06)
    assert name in done_tries(window)
    assert shown_score(window) == f"q·k = {written(a @ b)}"
    parts.commands(window).undo()
    assert vectors(window)[0].tolist() == A.tolist()
    assert name in done_tries(window)


SLID = A + 2.5 * np.array([-0.28, 0.96])
"""The tip that the answer speaks of."""


@pytest.mark.parametrize(("language", "verdict"), [("en", "You guessed right."), ("zh", "猜对了。")])
def test_the_answer_after_a_right_guess_quotes_the_slide(
    open_window: OpenWindow, language: str, verdict: str
) -> None:
    window = open_window(1, language=language)
    assert verdict not in lesson_text(window)
    guess(window, 1)
    text = lesson_text(window)
    assert verdict in text
    answer = text[text.index(verdict) :]
    shadow = SLID @ B / np.linalg.norm(B)
    assert (shadow, SLID @ B) == pytest.approx((1.6, 4.0), abs=1e-12)
    for number in (
        f"({SLID[0]:.2f}, {SLID[1]:.2f})",
        f"{np.linalg.norm(A):.2f}",
        f"{np.linalg.norm(SLID):.2f}",
        f"{angle(A, B):.1f}°",
        f"{angle(SLID, B):.1f}°",
        f"{shadow:.2f}",
        f"{SLID @ B:.2f}",
    ):
        assert number in answer


def test_a_wrong_guess_gets_the_same_answer(window: MainWindow) -> None:
    guess(window, 0)
    assert "Not quite.\nWith its tip at (0.50, 4.00)" in lesson_text(window)


def test_what_the_answer_says_can_be_seen_by_dragging_there(window: MainWindow) -> None:
    drag_tip(window, Role.QUERY, 0, *SLID)
    a, b = vectors(window)
    assert a.tolist() == pytest.approx(SLID.tolist(), abs=0.02)
    assert a @ b == pytest.approx(4.0, abs=0.06)
    assert done_tries(window) == ["line"]
