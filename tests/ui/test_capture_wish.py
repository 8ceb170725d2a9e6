"""What a model was asked for belongs to the document it was asked for, whatever is done meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from qkviz.attention.captured import Capture
from qkviz.capture.model_desk import CaptureRequest
from qkviz.document.captured_head import CapturedHead, ChooseHead, ChooseText, head_document
from qkviz.document.document import Document
from qkviz.document.edits import ReplaceDocument
from qkviz.translate import Phrase
from qkviz.ui.capturing import Capturing
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.contexts_panel import ContextsPanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from tests.capture.tiny_folders import bert_folder
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import commands, snapshot

LONG = 60_000


def heads(window: MainWindow) -> HeadsPanel:
    panel = window.panels["heads"]
    assert isinstance(panel, HeadsPanel)
    return panel


def models(window: MainWindow) -> Capturing:
    assert window.models is not None
    return window.models


def captured(document: Document) -> CapturedHead:
    assert document.captured is not None
    return document.captured


def texts(window: MainWindow) -> list[str]:
    return [text.text for text in captured(snapshot(window).document).capture.texts]


def wait(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not models(window).is_running, timeout=LONG)


@pytest.fixture
def copying(open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    """Return a window with the copy model and three texts."""
    window = open_window(7)
    window.board.show_only(["heads", "contexts"])
    models(window).open_copy_model()
    wait(window, qtbot)
    contexts = window.panels["contexts"]
    assert isinstance(contexts, ContextsPanel)
    for text in ("moon wind", "wind moon"):
        contexts.text_added.emit(text)
        wait(window, qtbot)
    assert texts(window)[1:] == ["moon wind", "wind moon"]
    return window


def test_what_is_typed_for_one_text_does_not_replace_another(copying, qtbot) -> None:
    before = texts(copying)
    heads(copying).text_typed.emit("red fox", None)
    commands(copying).apply(ChooseText(0))
    wait(copying, qtbot)
    mouse.settle()
    assert texts(copying) == before
    assert captured(snapshot(copying).document).text == 0


def test_another_head_does_not_stop_the_text(copying, qtbot) -> None:
    heads(copying).text_typed.emit("red fox", None)
    commands(copying).apply(ChooseHead(1, 0))
    qtbot.waitUntil(lambda: texts(copying)[2] == "red fox", timeout=LONG)
    assert captured(snapshot(copying).document).layer == 1


def test_a_text_is_added_whichever_is_looked_at(copying, qtbot) -> None:
    contexts = copying.panels["contexts"]
    assert isinstance(contexts, ContextsPanel)
    contexts.text_added.emit("red fox")
    commands(copying).apply(ChooseText(0))
    qtbot.waitUntil(lambda: texts(copying)[3:] == ["red fox"], timeout=LONG)


def test_a_text_of_one_model_does_not_land_in_the_document_of_another(copying, qtbot, tmp_path) -> None:
    bert_folder(tmp_path / "tiny")
    models(copying).open_folder_at(tmp_path / "tiny")
    wait(copying, qtbot)
    heads(copying).text_typed.emit("the bank", None)
    commands(copying).undo()
    before = snapshot(copying)
    wait(copying, qtbot)
    mouse.settle()
    assert snapshot(copying).document is before.document
    assert snapshot(copying).redo_label is not None
    assert models(copying)._live().busy is None


def test_an_agreement_that_comes_too_late_is_refused(copying, qtbot) -> None:
    asked: list[CaptureRequest] = []
    models(copying)._read(
        CaptureRequest("red fox"), lambda taken: asked.append(CaptureRequest(taken.text.text)), _never
    )
    assert "another now" in copying.status.text
    mouse.settle()
    assert not asked


def _never(_asked: CapturedHead, _now: CapturedHead) -> bool:
    return False


def test_texts_of_other_weights_are_not_mixed_with_those_of_the_model(copying, qtbot) -> None:
    now = captured(snapshot(copying).document)
    older = Capture(replace(now.capture.model, sha256="0" * 64), now.capture.texts)
    document = head_document(CapturedHead(older, 0))
    commands(copying).apply(ReplaceDocument(document, Phrase("Open a document")))
    heads(copying).text_typed.emit("red fox", None)
    qtbot.waitUntil(lambda: "other weights of copy model" in copying.status.text, timeout=LONG)
    assert snapshot(copying).document is document


def test_a_head_switched_off_soon_after_typing_is_a_step_of_its_own(copying, qtbot) -> None:
    heads(copying).text_typed.emit("red fox", None)
    qtbot.waitUntil(lambda: texts(copying)[2] == "red fox", timeout=LONG)
    typed = snapshot(copying).document
    models(copying)._switch("red fox", frozenset({(0, 0)}))
    qtbot.waitUntil(lambda: snapshot(copying).document is not typed, timeout=LONG)
    commands(copying).undo()
    assert snapshot(copying).document is typed


def test_the_sentence_of_a_refused_text_goes_with_it(copying, qtbot) -> None:
    heads(copying).text_typed.emit("red dragon", None)
    box = heads(copying).page.sentence
    qtbot.waitUntil(lambda: box.text_field.is_refused, timeout=LONG)
    commands(copying).undo()
    assert not box.text_field.is_refused
    assert "dragon" not in box.status.text()


def test_the_sentence_of_a_refused_text_follows_the_language(copying, qtbot) -> None:
    heads(copying).text_typed.emit("red dragon", None)
    status = heads(copying).page.sentence.status
    qtbot.waitUntil(lambda: "does not know the word" in status.text(), timeout=LONG)
    copying.appearance.toggle_language()
    assert "不认识“dragon”" in status.text()


def test_a_folder_that_cannot_be_opened_is_no_problem_of_the_text(copying, qtbot, tmp_path) -> None:
    models(copying).open_folder_at(tmp_path / "nowhere")
    qtbot.waitUntil(lambda: "nowhere" in copying.status.text, timeout=LONG)
    box = heads(copying).page.sentence
    assert not box.text_field.is_refused
    assert "nowhere" not in box.status.text()
