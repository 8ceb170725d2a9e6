"""The Code panel: it shows the document's script, copies it and saves it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.normalizers import Sparsemax
from qkviz.document.edits import DrawProjections, SetNormalizer
from qkviz.presenters.code import script_of
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.code_panel import CodePanel
from tests.ui.recording_dialogs import RecordingDialogs


@pytest.fixture
def code(window: MainWindow) -> CodePanel:
    """Return the open Code panel of the window."""
    window.board.bring_to_front("code")
    QApplication.processEvents()
    panel = window.panels["code"]
    assert isinstance(panel, CodePanel)
    return panel


def test_it_shows_the_script_of_the_document(window: MainWindow, code: CodePanel) -> None:
    assert window.commands is not None
    assert code.view.toPlainText() == script_of(window.commands.session.snapshot.document)


def test_it_follows_an_edit_and_its_undo(window: MainWindow, code: CodePanel) -> None:
    assert window.commands is not None
    before = code.view.toPlainText()
    window.commands.apply(SetNormalizer(Sparsemax()))
    assert "sparsemax" in code.view.toPlainText()
    window.commands.undo()
    assert code.view.toPlainText() == before


def test_an_experiment_stays_chosen_while_the_document_changes(window: MainWindow, code: CodePanel) -> None:
    assert window.commands is not None
    code.choice.setFocus()
    code.choice.setCurrentIndex(2)
    code.choice.activated.emit(2)
    shown = code.view.toPlainText()
    assert "torch.nn.Linear" in shown
    window.commands.apply(DrawProjections(3))
    assert code.view.toPlainText() == shown


def test_copy_puts_the_whole_script_on_the_clipboard(
    qtbot: QtBot, window: MainWindow, code: CodePanel
) -> None:
    qtbot.mouseClick(code.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == code.view.toPlainText()


def test_save_writes_the_script(qtbot: QtBot, window: MainWindow, code: CodePanel, tmp_path: Path) -> None:
    dialogs = window.dialogs
    assert isinstance(dialogs, RecordingDialogs)
    dialogs.save_to = tmp_path / "注意力.py"
    qtbot.mouseClick(code.save_button, Qt.MouseButton.LeftButton)
    assert dialogs.save_to.read_text(encoding="utf-8") == code.view.toPlainText()
    assert str(dialogs.save_to) in window.status.text


def test_the_language_of_the_comments_follows_the_window(window: MainWindow, code: CodePanel) -> None:
    window.appearance.toggle_language()
    assert any("一" <= character <= "鿿" for character in code.view.toPlainText())
