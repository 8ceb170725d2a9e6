"""A head of a model in panels that were made for documents of any kind, by mouse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.document import Role
from qkviz.document.edits import ReplaceDocument
from qkviz.translate import Phrase
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.code_panel import CodePanel
from qkviz.ui.panels.embeddings_panel import EmbeddingsPanel
from qkviz.ui.panels.inspector_panel import InspectorPanel
from tests.captures import random_capture
from tests.presenters.heads import everything
from tests.ui import mouse, parts
from tests.ui.recording_dialogs import RecordingDialogs


def show(window: MainWindow, name: str) -> None:
    window.board.bring_to_front(name)
    QApplication.processEvents()


@pytest.fixture
def large(window: MainWindow) -> MainWindow:
    """Return the program with a head of 300 tokens."""
    capture = random_capture(layers=1, heads=1, tokens=300)
    parts.apply(window, ReplaceDocument(head_document(CapturedHead(capture)), Phrase("head")))
    return window


def test_the_inspector_shows_cap_bias_and_sink_and_loses_them_with_the_document(window: MainWindow) -> None:
    inspector = window.panels["inspector"]
    assert isinstance(inspector, InspectorPanel)
    terms = inspector._options.model_terms
    assert not terms.isVisibleTo(inspector)
    parts.apply(window, ReplaceDocument(everything(), Phrase("head")))
    assert terms.isVisibleTo(inspector)
    assert terms.text().splitlines()[2] == "sink: one more score of 1.00 in every row"
    window.commands.session.undo()  # type: ignore[union-attr]
    assert not terms.isVisibleTo(inspector)


def test_a_recorded_x_does_not_move_and_the_status_line_says_why(window: MainWindow) -> None:
    parts.apply(window, ReplaceDocument(everything(), Phrase("head")))
    show(window, "embeddings")
    panel = window.panels["embeddings"]
    assert isinstance(panel, EmbeddingsPanel)
    panel.fit()
    document = parts.snapshot(window).document
    start = parts.tip(panel.canvas, Role.QUERY, 2)
    mouse.drag(panel.canvas, start, start + QPointF(-40, 30))
    assert parts.snapshot(window).document is document
    assert "do not follow from x" in window.status.text
    assert not panel.hint.isVisibleTo(panel)


def test_a_large_head_is_saved_as_a_script_and_its_arrays(
    qtbot: QtBot, large: MainWindow, tmp_path: Path
) -> None:
    show(large, "code")
    code, dialogs = large.panels["code"], large.dialogs
    assert isinstance(code, CodePanel)
    assert isinstance(dialogs, RecordingDialogs)
    dialogs.save_to = tmp_path / "head.py"
    qtbot.mouseClick(code.save_button, Qt.MouseButton.LeftButton)
    assert "numpy.load(Path(__file__)" in dialogs.save_to.read_text(encoding="utf-8")
    trace = parts.snapshot(large).trace
    assert trace.Q is not None
    with np.load(tmp_path / "head.npz") as arrays:
        assert np.array_equal(arrays["Q"], trace.Q.numpy())
    qtbot.mouseClick(code.copy_button, Qt.MouseButton.LeftButton)
    assert "its large arrays are not" in large.status.text


def test_every_tip_of_a_crowd_can_still_be_taken(large: MainWindow) -> None:
    canvas = parts.plane_canvas(large)
    canvas.fit()
    before = parts.snapshot(large).trace.Q
    assert before is not None
    longest = int(before[:, :2].norm(dim=1).argmax())
    start = parts.tip(canvas, Role.QUERY, longest)
    mouse.drag(canvas, start, start + QPointF(-25, 15))
    after = parts.snapshot(large).trace.Q
    assert after is not None
    assert (after != before).any(dim=1).nonzero().tolist() == [[longest]]
    assert parts.snapshot(large).document.captured is not None
