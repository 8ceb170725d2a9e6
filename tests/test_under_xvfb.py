"""The main story once in a real window of a real X server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import Run

_STORY = """
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

def story():
    yield is_alive
    import torch
    from qkviz.document.document import Role
    from tests.ui import mouse
    from tests.ui.parts import plane_canvas, snapshot, tip
    now = window()
    yield lambda: now.windowHandle().isExposed()
    now.activateWindow()  # there is no window manager that would do it
    yield now.isActiveWindow
    canvas, before = plane_canvas(now), snapshot(now)
    yield lambda: canvas.layout_now() is not None and canvas.isVisible()
    QCursor.setPos(1590, 990)  # off the window: the pointer of the server would hover
    yield lambda: snapshot(now).focus.hover is None
    now.commands.go_to_step(3)
    start = tip(canvas, Role.QUERY, 0)
    end = start + QPointF(-60, 45)
    aim, pixel = canvas.layout_now().to_plane(end.x(), end.y()), canvas.view.units_per_pixel
    picture = now.screen().grabWindow(now.winId()).toImage()
    mouse.drag(canvas, start, end)
    settle()
    after = snapshot(now)
    document, trace = after.document, after.trace
    query, key = after.focus.pair
    score = f"{float(trace.Q[query] @ trace.K[key]):.2f}".replace("-", chr(0x2212))
    tell(
        platform=app.platformName(),
        off=max(abs(one - two) for one, two in zip(trace.Q[0].tolist(), aim)) / pixel,
        changed=(trace.scores != before.trace.scores).nonzero().tolist(),
        score=score,
        status=now.status.text,
        steps=now.panels["steps"].shown_text(),
        headline=canvas.content.headline,
        weights=now.panels["matrices"].contents[-1].values.tolist(),
        expected=torch.softmax(trace.Q @ trace.K.T / 2 ** 0.5, 1).tolist(),
        repainted=now.screen().grabWindow(now.winId()).toImage() != picture,
        undo=now.menus.actions["undo"].text(),
    )
    now.menus.actions["undo"].trigger()
    settle()
    tell(restored=snapshot(now).document is before.document, more=now.menus.actions["undo"].isEnabled())
    QTest.keyClick(now.windowHandle(), Qt.Key.Key_Escape)  # gives the keys back to the steps
    QTest.keyClick(now.windowHandle(), Qt.Key.Key_Right)
    tell(step=snapshot(now).focus.step)
    now.menus.actions["quit"].trigger()
"""


def test_dragging_stepping_and_undoing_in_a_real_window(display: str, tmp_path: Path) -> None:
    environment = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    told = Run(_STORY, tmp_path, ["--lesson", "7", "--lang", "en"], environment).ended().check()
    assert told["platform"] == "xcb"
    assert told["off"] < 1  # pixels
    assert told["changed"] == [[0, 0], [0, 1], [0, 2]]
    assert told["repainted"]
    assert f"q·k {told['score']}" in told["status"]
    assert told["score"] in told["steps"]
    assert told["headline"] == f"q·k = {told['score']}"
    for row, expected in zip(told["weights"], told["expected"], strict=True):
        assert row == pytest.approx(expected, abs=1e-12)
    assert told["undo"].startswith("Undo: ")
    assert told["restored"]
    assert not told["more"]
    assert told["step"] == 4
