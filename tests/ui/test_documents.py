"""Documents in the window: open, save, what counts as modified, and the question before closing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document, Role
from qkviz.document.edits import RenameToken
from qkviz.document.files import SavedDocument, read_document, write_document
from qkviz.document.focus import Focus
from qkviz.settings import Settings
from qkviz.translate import Phrase
from qkviz.ui.dialogs.answers import CloseAnswer
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.document_commands import DocumentCommands
from qkviz.ui.main_window import MainWindow
from tests.document.documents import cross_attention, worked_example
from tests.document.random_documents import described
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import apply, commands, menu, menu_entry, plane_canvas, session, snapshot, tip
from tests.ui.recording_dialogs import RecordingDialogs

Modifier = Qt.KeyboardModifier


def documents(window: MainWindow) -> DocumentCommands:
    assert window.documents is not None
    return window.documents


def dialogs(window: MainWindow) -> RecordingDialogs:
    assert isinstance(window.dialogs, RecordingDialogs)
    return window.dialogs


def trigger(window: MainWindow, action: str) -> None:
    window.menus.actions[action].trigger()
    QApplication.processEvents()


def rename(window: MainWindow, text: str) -> None:
    apply(window, RenameToken(Role.QUERY, 0, text))


def shown(window: MainWindow) -> tuple[str, bool]:
    """Return the name in the title, and whether it has the mark of a modified document."""
    return window.windowTitle().removesuffix("[*] — qkviz"), window.isWindowModified()


def written(path: Path, document: Document | None = None, focus: Focus | None = None) -> Path:
    write_document(SavedDocument(document or worked_example(), focus or Focus()), path)
    return path


# save and open


def test_what_is_saved_by_the_menu_is_opened_by_the_menu(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "矩阵 '数据'"
    folder.mkdir()
    canvas = plane_canvas(window)
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-30, 25))
    focus = replace(snapshot(window).focus, step=3, query=1, key=2, matrices=(MatrixName.Q, MatrixName.XXT))
    commands(window).look_at(focus)
    made = snapshot(window).document
    dialogs(window).save_to = dialogs(window).open_from = folder / "我的 文档.qkviz"

    menu_entry(window, "File", "Save as").trigger()
    assert shown(window) == ("我的 文档.qkviz", False)
    trigger(window, "next_lesson")
    menu_entry(window, "File", "Open…").trigger()

    assert described(snapshot(window).document) == described(made)
    assert described(replace(snapshot(window).focus, hover=None)) == described(replace(focus, hover=None))
    assert shown(window) == ("我的 文档.qkviz", False)
    assert dialogs(window).shown == []


def test_keys_save_and_open(window: MainWindow, tmp_path: Path) -> None:
    dialogs(window).save_to = dialogs(window).open_from = tmp_path / "a.qkviz"
    rename(window, "dog")
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_S, Modifier.ControlModifier)
    rename(window, "horse")
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_S, Modifier.ControlModifier)  # asks no more
    dialogs(window).save_to = tmp_path / "b.qkviz"
    rename(window, "cow")
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_S, Modifier.ControlModifier | Modifier.ShiftModifier)
    assert read_document(tmp_path / "a.qkviz").document.queries[0] == "horse"
    assert read_document(tmp_path / "b.qkviz").document.queries[0] == "cow"
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_O, Modifier.ControlModifier)
    assert snapshot(window).document.queries[0] == "horse"
    assert shown(window) == ("a.qkviz", False)


def test_no_key_has_two_commands(window: MainWindow) -> None:
    keys = [key for action in window.menus.actions.values() for key in action.shortcuts()]
    texts = [key.toString(QKeySequence.SequenceFormat.PortableText) for key in keys]
    assert len(texts) == len(set(texts))


def test_undo_of_opening_brings_back_what_was_there_under_its_name(
    window: MainWindow, tmp_path: Path
) -> None:
    before = snapshot(window).document
    documents(window).open_path(written(tmp_path / "a.qkviz"))
    assert menu_entry(window, "Edit", "Undo").text() == "Undo: Open a.qkviz"
    trigger(window, "undo")
    assert snapshot(window).document is before
    assert shown(window) == ("From embedding to weight in six steps", False)
    trigger(window, "redo")
    assert shown(window) == ("a.qkviz", False)


def test_what_others_have_put_into_the_file_is_still_there_after_saving(
    window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "a.qkviz"
    write_document(SavedDocument(worked_example(), Focus(), {"telescope": [1]}), path)
    documents(window).open_path(path)
    rename(window, "x")
    trigger(window, "save")
    assert read_document(path).extra == {"telescope": [1]}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "a.qkviz cannot be opened. It is empty."),
        (b"\1\2\3", "a.qkviz cannot be opened. It is cut short: it ends within its own header."),
        (None, "a.qkviz cannot be opened: No such file or directory"),
    ],
)  # fmt: skip
def test_what_cannot_be_opened_is_one_sentence_and_the_document_stays(
    window: MainWindow, tmp_path: Path, content: bytes | None, problem: str
) -> None:
    rename(window, "dog")
    before = snapshot(window)
    if content is not None:
        (tmp_path / "a.qkviz").write_bytes(content)
    documents(window).open_path(tmp_path / "a.qkviz")
    assert dialogs(window).shown == [problem]
    assert snapshot(window) is before
    assert shown(window) == ("From embedding to weight in six steps", True)


def test_what_cannot_be_saved_stays_modified_and_the_old_file_stays(
    window: MainWindow, tmp_path: Path
) -> None:
    path = written(tmp_path / "a.qkviz")
    old = path.read_bytes()
    documents(window).open_path(path)
    rename(window, "x")
    path.chmod(0o444)
    trigger(window, "save")
    assert dialogs(window).shown == ["a.qkviz could not be saved. It is write-protected."]
    assert shown(window) == ("a.qkviz", True)
    assert path.read_bytes() == old


@pytest.mark.parametrize("agreed", [True, False])
def test_a_file_that_another_program_has_changed_is_not_replaced_unasked(
    window: MainWindow, tmp_path: Path, agreed: bool
) -> None:
    path = written(tmp_path / "a.qkviz")
    documents(window).open_path(path)
    rename(window, "mine")
    written(path, cross_attention())
    dialogs(window).agreeing = agreed
    trigger(window, "save")
    question = "Another program has changed a.qkviz since it was opened here. Replace it?"
    assert dialogs(window).shown == [question]
    assert (read_document(path).document.queries[0] == "mine") is agreed
    assert window.isWindowModified() is not agreed


# modified: the sequences of a document that is saved, changed, undone


def test_a_fresh_lesson_is_not_modified_whatever_is_looked_at(window: MainWindow) -> None:
    for action in ("next_step", "next_lesson", "theme", "language", "previous_lesson", "language", "fit"):
        trigger(window, action)
        assert not window.isWindowModified(), action
    commands(window).look_at(replace(snapshot(window).focus, query=0, key=1))
    assert not window.isWindowModified()


def test_the_mark_follows_undo_and_redo_through_the_saved_document(
    window: MainWindow, tmp_path: Path
) -> None:
    dialogs(window).save_to = tmp_path / "a.qkviz"
    marks = []
    for act in (
        "one",
        "two",
        save := "save",
        "three",
        "undo",
        "undo",
        "redo",
        "redo",
        "undo",
        "undo",
        "undo",
    ):
        trigger(window, act) if act in (save, "undo", "redo") else rename(window, act)
        marks.append(window.isWindowModified())
    #       one   two   save   three undo   undo  redo   redo  undo   undo  undo
    assert marks == [True, True, False, True, False, True, False, True, False, True, True]


def test_a_saved_state_that_undo_can_no_more_reach_stays_lost(window: MainWindow, tmp_path: Path) -> None:
    dialogs(window).save_to = tmp_path / "a.qkviz"
    rename(window, "one")
    trigger(window, "save")
    trigger(window, "undo")
    rename(window, "other")
    for action in ("undo", "redo"):
        trigger(window, action)
        assert window.isWindowModified()


def test_another_language_is_no_change_through_undo_and_redo(window: MainWindow, tmp_path: Path) -> None:
    dialogs(window).save_to = tmp_path / "a.qkviz"
    rename(window, "dog")
    trigger(window, "save")
    trigger(window, "language")
    assert snapshot(window).document.queries == ("dog", "坐", "垫子")
    marks = [window.isWindowModified()]
    for action in ("undo", "redo", "language", "undo", "language", "redo"):
        trigger(window, action)
        marks.append(window.isWindowModified())
    assert marks == [False, True, False, False, True, True, False]
    assert snapshot(window).document.queries == ("dog", "坐", "垫子")


def test_a_lesson_in_another_language_is_as_untouched_as_it_was(window: MainWindow) -> None:
    trigger(window, "next_lesson")
    trigger(window, "language")
    for action in ("undo", "redo", "language"):
        trigger(window, action)
        assert not window.isWindowModified(), action
    rename(window, "dog")
    trigger(window, "language")
    assert window.isWindowModified()


def test_each_document_keeps_its_file_through_undo_and_redo(window: MainWindow, tmp_path: Path) -> None:
    one, two = written(tmp_path / "one.qkviz"), written(tmp_path / "two.qkviz", cross_attention())
    documents(window).open_path(one)
    rename(window, "x")
    documents(window).open_path(two)
    rename(window, "y")
    names = [shown(window)]
    for action in ("undo", "undo", "undo", "undo", "redo", "redo", "redo", "redo"):
        trigger(window, action)
        names.append(shown(window))
    lesson = ("From embedding to weight in six steps", False)
    clean, changed = ("one.qkviz", False), ("one.qkviz", True)
    there = [("two.qkviz", True), ("two.qkviz", False), changed, clean, lesson]
    assert names == [*there, *there[:-1][::-1]]
    trigger(window, "undo")
    trigger(window, "undo")
    trigger(window, "save")  # goes where it belongs
    assert read_document(one).document.queries[0] == "x"
    assert read_document(two).document.queries[0] == "a"


def test_a_new_document_is_modified_until_it_is_saved(window: MainWindow, tmp_path: Path) -> None:
    documents(window).show_new(worked_example(), Focus(step=2), Phrase("Open {name}", name="q.npy"))
    assert shown(window) == ("Untitled", True)
    assert snapshot(window).focus.step == 2
    dialogs(window).save_to = tmp_path / "a.qkviz"
    trigger(window, "save")
    assert shown(window) == ("a.qkviz", False)


def test_a_name_with_the_sign_of_the_mark_is_shown_as_it_is(window: MainWindow, tmp_path: Path) -> None:
    documents(window).open_path(written(tmp_path / "a[*].qkviz"))
    assert window.windowTitle() == "a[*][*].qkviz[*] — qkviz"


# before closing


def test_nothing_unsaved_closes_without_a_question(window: MainWindow, tmp_path: Path) -> None:
    dialogs(window).save_to = tmp_path / "a.qkviz"
    rename(window, "dog")
    trigger(window, "save")
    rename(window, "cow")
    trigger(window, "undo")
    assert window.close()
    assert dialogs(window).shown == []


def test_cancel_keeps_the_window_and_it_asks_again(window: MainWindow) -> None:
    rename(window, "dog")
    before = snapshot(window)
    dialogs(window).closing = CloseAnswer.CANCEL
    for _time in range(2):
        trigger(window, "quit")
        assert window.isVisible()
    assert dialogs(window).shown == ["save From embedding to weight in six steps?"] * 2
    assert snapshot(window) is before
    trigger(window, "undo")
    assert not window.isWindowModified()
    rename(window, "cow")  # the window is alive
    assert window.isWindowModified()


def test_discard_closes_at_once(window: MainWindow) -> None:
    rename(window, "dog")
    dialogs(window).closing = CloseAnswer.DISCARD
    trigger(window, "quit")
    assert not window.isVisible()
    assert dialogs(window).shown == ["save From embedding to weight in six steps?"]


def test_save_saves_and_closes(window: MainWindow, tmp_path: Path) -> None:
    rename(window, "dog")
    dialogs(window).closing, dialogs(window).save_to = CloseAnswer.SAVE, tmp_path / "a.qkviz"
    window.close()
    assert not window.isVisible()
    assert read_document(tmp_path / "a.qkviz").document.queries[0] == "dog"
    assert window.settings_now().recent == (str(tmp_path / "a.qkviz"),)


def test_save_without_a_place_or_that_fails_keeps_the_window(window: MainWindow, tmp_path: Path) -> None:
    rename(window, "dog")
    dialogs(window).closing, dialogs(window).save_to = CloseAnswer.SAVE, None
    window.close()
    assert window.isVisible()
    dialogs(window).save_to = tmp_path / "no folder" / "a.qkviz"
    window.close()
    assert window.isVisible()
    assert dialogs(window).shown[-1] == "a.qkviz could not be saved: No such file or directory"
    assert window.isWindowModified()


class RealQuestions(RecordingDialogs):
    """Asks with the real boxes."""

    ask_save_changes = DialogService.ask_save_changes
    ask_restore = DialogService.ask_restore
    ask_open_path = DialogService.ask_open_path
    ask_whether = DialogService.ask_whether


def box_of(window: MainWindow) -> QMessageBox:
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(boxes) == 1
    return boxes[0]


@pytest.fixture
def asking(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """Return a window that asks with real boxes, with an unsaved change."""
    monkeypatch.setattr("tests.ui.conftest.RecordingDialogs", RealQuestions)
    window = open_window(7)
    rename(window, "dog")
    return window


@pytest.mark.parametrize("answer", ["Cancel", "Esc", "Discard", "Save"])
def test_the_real_question_is_asked_once_and_answered_by_mouse(
    asking: MainWindow, tmp_path: Path, answer: str, qtbot: QtBot
) -> None:
    dialogs(asking).save_to = tmp_path / "a.qkviz"
    asking.close()
    asking.close()  # impatient
    box = box_of(asking)
    assert box.text() == "Save the changes of “From embedding to weight in six steps” before closing?"
    if answer == "Esc":
        QTest.keyClick(box, Qt.Key.Key_Escape)
    else:
        button = box.button(getattr(QMessageBox.StandardButton, answer))
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    mouse.settle()
    assert asking.isVisible() is (answer in ("Cancel", "Esc"))
    assert (tmp_path / "a.qkviz").exists() is (answer == "Save")
    if asking.isVisible():
        dialogs(asking).save_to = tmp_path / "b.qkviz"
        trigger(asking, "save")  # so that the fixture can close it


def test_the_questions_are_in_chinese(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.ui.conftest.RecordingDialogs", RealQuestions)
    window = open_window(7, language="zh")
    rename(window, "狗")
    window.close()
    box = box_of(window)
    assert box.text() == "关闭之前保存对“从嵌入到权重：六步”的修改吗？"
    assert {button.text().split("(")[0].strip("& ") for button in box.buttons()} == {"保存", "丢弃", "取消"}
    QTest.mouseClick(box.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    mouse.settle()
    assert not window.isVisible()


def test_the_real_file_dialog_opens_what_is_chosen(asking: MainWindow, tmp_path: Path) -> None:
    path = written(tmp_path / "a.qkviz")
    trigger(asking, "open")
    dialog = next(one for one in asking.findChildren(QFileDialog) if one.isVisible())
    assert "qkviz document (*.qkviz)" in dialog.nameFilters()
    dialog.findChild(QLineEdit).setText(str(path))
    QTest.keyClick(dialog.findChild(QLineEdit), Qt.Key.Key_Return)
    mouse.settle()
    assert shown(asking) == ("a.qkviz", False)


# recent files


def test_recent_files_are_listed_opened_and_forgotten(open_window: OpenWindow, tmp_path: Path) -> None:
    one, two = written(tmp_path / "one & only.qkviz"), tmp_path / "two.qkviz"
    window = open_window(7, settings=Settings(language="en", recent=(str(one), str(tmp_path / "gone.qkviz"))))
    recent = window.menus.recent
    assert [action.text() for action in recent.actions()][:2] == ["one && only.qkviz", "gone.qkviz"]
    dialogs(window).save_to = two
    trigger(window, "save")
    assert [action.text() for action in recent.actions()][:2] == ["two.qkviz", "one && only.qkviz"]
    recent.actions()[1].trigger()
    assert shown(window) == ("one & only.qkviz", False)
    assert window.settings_now().recent == (str(one), str(two))
    recent.actions()[-1].trigger()
    assert window.settings_now().recent == ()
    assert not recent.isEnabled()
    assert recent in [action.menu() for action in menu(window, "File").actions()]


def test_files_of_one_name_are_told_apart(window: MainWindow, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        documents(window).open_path(written(tmp_path / folder / "a.qkviz"))
    texts = [action.text() for action in window.menus.recent.actions()[:2]]
    assert texts == [f"a.qkviz — {tmp_path / folder}" for folder in ("y", "x")]


def test_at_most_ten_are_remembered(window: MainWindow, tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{number}.qkviz") for number in range(12)]
    for path in paths:
        documents(window).open_path(path)
    assert documents(window).recent == tuple(paths[:1:-1])


# drop


def drop(window: QWidget, target: QWidget, urls: Sequence[QUrl]) -> bool:
    """Drop files on a widget as the system does: the events come to the window; tell if they were taken."""
    at = QPointF(target.mapTo(window, target.rect().center()))
    data = QMimeData()
    data.setUrls(urls)
    data.setText("\n".join(url.toString() for url in urls))
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Modifier.NoModifier)
    entered = QDragEnterEvent(at.toPoint(), *how)
    QCoreApplication.sendEvent(window.windowHandle(), entered)
    dropped = QDropEvent(at, *how)
    QCoreApplication.sendEvent(window.windowHandle(), dropped)
    QApplication.processEvents()
    return entered.isAccepted() and dropped.isAccepted()


def test_a_file_dropped_on_any_panel_is_opened(window: MainWindow, tmp_path: Path) -> None:
    for number, (name, dock) in enumerate(window.docks.items()):
        path = written(tmp_path / f"{number}.qkviz")
        dock.show()
        dock.raise_()
        QApplication.processEvents()
        assert drop(window, window.panels[name], [QUrl.fromLocalFile(str(path))]), name
        assert shown(window) == (path.name, False), name


@pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")
def test_a_file_dropped_on_a_floating_panel_is_opened(window: MainWindow, tmp_path: Path) -> None:
    dock = window.docks["inspector"]
    dock.show()
    dock.setFloating(True)
    mouse.settle()
    assert drop(dock, window.panels["inspector"], [QUrl.fromLocalFile(str(written(tmp_path / "a.qkviz")))])
    assert shown(window) == ("a.qkviz", False)


def test_a_dropped_link_opens_nothing(window: MainWindow) -> None:
    before = snapshot(window)
    drop(window, window.panels["plane"], [QUrl("https://example.org/a.qkviz")])
    assert session(window).snapshot is before
