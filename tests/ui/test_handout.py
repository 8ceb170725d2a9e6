"""File ▸ Export handout… writes what is on the screen, as it was changed by hand."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qkviz.attention.normalizers import Sparsemax
from qkviz.document.edits import SetNormalizer
from qkviz.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow
from tests.ui.parts import apply, menu_entry
from tests.ui.recording_dialogs import RecordingDialogs

pytestmark = pytest.mark.skipif(  # un-skip: install poppler-utils
    shutil.which("pdftotext") is None, reason="poppler is not installed"
)


def dialogs(window: MainWindow) -> RecordingDialogs:
    assert isinstance(window.dialogs, RecordingDialogs)
    return window.dialogs


def text_of(path: Path) -> str:
    run = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=True, timeout=60)
    return re.sub(r"\s", "", run.stdout.decode())


def test_the_menu_writes_the_handout_of_the_document_on_the_screen(
    window: MainWindow, tmp_path: Path
) -> None:
    path = dialogs(window).save_to = tmp_path / "讲义.pdf"
    apply(window, SetNormalizer(Sparsemax()))
    menu_entry(window, "File", "Export handout").trigger()
    text = text_of(path)
    assert "Fromembeddingtoweightinsixsteps" in text
    assert "sparsemaxweights" in text
    assert "page6of6" in text
    assert str(path) in window.status.text


def test_its_keys_write_it_in_the_language_of_the_window(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window(8, language="zh")
    path = dialogs(window).save_to = tmp_path / "h.pdf"
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_H, modifiers)
    assert "先猜一猜" in text_of(path)


def test_a_cancelled_question_writes_nothing(window: MainWindow, tmp_path: Path) -> None:
    menu_entry(window, "File", "Export handout").trigger()
    assert [one.name for one in tmp_path.iterdir() if one.name != "config"] == []
    assert dialogs(window).shown == []


def test_a_failure_is_told(window: MainWindow, tmp_path: Path) -> None:
    dialogs(window).save_to = tmp_path / "no" / "h.pdf"
    menu_entry(window, "File", "Export handout").trigger()
    assert len(dialogs(window).shown) == 1
    assert "h.pdf could not be saved" in dialogs(window).shown[0]
