"""Unsaved work is kept while the program runs; what a killed program has left is offered at the next one."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.document.captured_head import CapturedHead, ChooseHead, head_document
from qkviz.document.document import Role
from qkviz.document.edits import RenameToken
from qkviz.document.files import SavedDocument, read_document, write_document
from qkviz.document.focus import Focus
from qkviz.ui import autosave
from qkviz.ui.autosave import Autosave
from qkviz.ui.dialogs.answers import RestoreAnswer
from qkviz.ui.left_work import LeftWork
from qkviz.ui.main_window import MainWindow
from tests.captures import random_capture
from tests.document.documents import cross_attention, self_attention, worked_example
from tests.document.random_documents import described
from tests.program import Run, end_of
from tests.ui.conftest import OpenWindow
from tests.ui.parts import apply, show_document, snapshot
from tests.ui.recording_dialogs import RecordingDialogs

WORK = SavedDocument(worked_example(), Focus(step=2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "状态" / "autosave"


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!.]*.qkviz")) if folder.is_dir() else []


def write_now(autosave: Autosave, qtbot: QtBot) -> None:
    """Write what waits, without waiting for its time."""
    autosave._timer.stop()
    autosave._write()
    qtbot.waitUntil(lambda: autosave._task is None, timeout=10_000)


def left_by_another(folder: Path, saved: SavedDocument, name: str, file: str | None = None) -> Path:
    """Write what a killed program leaves: a kept file, and the lock of a process that is no more."""
    folder.mkdir(parents=True, exist_ok=True)
    note = {"name": name, "file": file}
    path = folder / f"{name}.qkviz"
    write_document(SavedDocument(saved.document, saved.focus, {"autosave": note}), path)
    return path


def test_kept_work_is_left_alone_while_its_program_runs_and_gone_when_it_is_forgotten(
    folder: Path, qtbot: QtBot
) -> None:
    mine, another = Autosave(folder), Autosave(folder)
    mine.keep(WORK, "a", None)
    write_now(mine, qtbot)
    assert len(kept_in(folder)) == 1
    assert another.left_work() is None
    mine.forget()
    assert list(folder.iterdir()) == []


def test_only_the_newest_state_is_written_and_one_file_is_used(folder: Path, qtbot: QtBot) -> None:
    autosave = Autosave(folder)
    for document in (self_attention(), cross_attention(), worked_example()):
        autosave.keep(SavedDocument(document), "a", None)
    write_now(autosave, qtbot)
    first = kept_in(folder)
    assert read_document(first[0]).document.queries == ("q1", "q2")
    autosave.keep(SavedDocument(cross_attention()), "a", None)
    write_now(autosave, qtbot)
    assert kept_in(folder) == first
    assert read_document(first[0]).document.queries == ("a", "b")
    autosave.forget()


def test_it_is_written_in_time_by_itself(folder: Path, qtbot: QtBot) -> None:
    autosave = Autosave(folder)
    autosave.keep(WORK, "a", None)
    qtbot.waitUntil(lambda: bool(kept_in(folder)), timeout=8000)
    autosave.forget()


def test_forgetting_in_the_middle_of_a_write_leaves_nothing(folder: Path) -> None:
    autosave = Autosave(folder)
    autosave.keep(WORK, "a", None)
    autosave._timer.stop()
    autosave._write()
    autosave.forget()
    QApplication.processEvents()
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told_and_does_no_harm(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").write_bytes(b"")
    autosave = Autosave(tmp_path / "file" / "autosave")
    autosave.keep(WORK, "a", None)
    with qtbot.waitSignal(autosave.failed):
        autosave._timer.stop()
        autosave._write()
    assert autosave.left_work() is None
    autosave.forget()


def test_left_work_is_found_newest_first_and_damaged_work_is_passed_over(folder: Path) -> None:
    for seconds, name in ((100, "old"), (200, "new"), (300, "damaged")):
        path = left_by_another(folder, WORK, name, "/x/a.qkviz")
        os.utime(path, (seconds, seconds))
    (folder / "damaged.qkviz").write_bytes(b"{")
    left = Autosave(folder).left_work()
    assert left is not None
    assert (left.name, left.file, left.seconds) == ("new", Path("/x/a.qkviz"), 200)
    assert described(left.saved.document) == described(WORK.document)
    assert (left.saved.focus, left.saved.extra) == (Focus(step=2), {})
    assert (folder / "damaged.qkviz").exists()  # a newer program may read it


def test_two_starts_at_once_are_not_offered_the_same(folder: Path) -> None:
    left_by_another(folder, WORK, "a")
    one = Autosave(folder).left_work()
    assert isinstance(one, LeftWork)
    assert Autosave(folder).left_work() is None
    one.leave()
    two = Autosave(folder).left_work()
    assert two is not None
    two.discard()
    assert list(folder.iterdir()) == []


def test_what_a_killed_program_has_left_half_written_goes_after_a_day(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in (".half-x.qkviz", "alone.lock", ".new-x.qkviz", "new.lock"):
        (folder / name).write_bytes(b"")
        if "new" not in name:
            os.utime(folder / name, (100, 100))
    assert Autosave(folder).left_work() is None
    assert {path.name for path in folder.iterdir()} == {".new-x.qkviz", "new.lock"}


# in the window


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return where the windows of these tests keep their work."""
    return tmp_path / "state" / "autosave"


def kept_soon(state: Path, qtbot: QtBot) -> Path:
    qtbot.waitUntil(lambda: bool(kept_in(state)), timeout=8000)
    return kept_in(state)[0]


def test_unsaved_work_of_the_window_is_kept_until_it_is_undone_or_saved(
    window: MainWindow, state: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    apply(window, RenameToken(Role.QUERY, 0, "dog"))
    kept = kept_soon(state, qtbot)
    assert described(read_document(kept).document) == described(snapshot(window).document)
    window.menus.actions["undo"].trigger()
    assert list(state.iterdir()) == []
    window.menus.actions["redo"].trigger()
    kept_soon(state, qtbot)
    assert isinstance(window.dialogs, RecordingDialogs)
    window.dialogs.save_to = tmp_path / "a.qkviz"
    window.menus.actions["save"].trigger()
    assert list(state.iterdir()) == []


def test_closing_leaves_nothing(window: MainWindow, state: Path, qtbot: QtBot) -> None:
    apply(window, RenameToken(Role.QUERY, 0, "dog"))
    kept_soon(state, qtbot)
    window.close()
    assert list(state.iterdir()) == []


def test_a_large_capture_is_left_out_of_what_is_kept_and_told_once(
    window: MainWindow, state: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = random_capture(2, 3, 5)
    size = capture.nbytes
    assert size == 2 * (3 * 3 * 5 * 4 + 5 * 8) * 4  # two layers of Q, K, V (3, 5, 4) and one X (5, 8)
    monkeypatch.setattr(autosave, "LARGEST_CAPTURE", size)
    show_document(window, head_document(CapturedHead(capture)))
    kept = kept_soon(state, qtbot)
    assert described(read_document(kept).document) == described(snapshot(window).document)
    assert "MB" not in window.status.text
    monkeypatch.setattr(autosave, "LARGEST_CAPTURE", size - 1)
    apply(window, ChooseHead(1, 2))
    qtbot.waitUntil(lambda: "The capture has 0 MB" in window.status.text, timeout=8000)
    qtbot.waitUntil(lambda: read_document(kept).document.captured is None, timeout=8000)
    shown = replace(snapshot(window).document, captured=None)
    assert described(read_document(kept).document) == described(shown)
    apply(window, ChooseHead(0, 0))
    assert snapshot(window).document.captured is not None  # nothing is missing in the window


def offered(window: MainWindow, answer: RestoreAnswer) -> list[str]:
    """Offer what is left, answer, and return what was asked."""
    assert isinstance(window.dialogs, RecordingDialogs)
    assert window.documents is not None
    window.dialogs.restoring = answer
    window.documents.offer_left_work()
    QApplication.processEvents()
    return window.dialogs.shown


def test_restored_work_is_modified_belongs_to_its_file_and_stays_kept(
    window: MainWindow, state: Path, tmp_path: Path
) -> None:
    before = snapshot(window).document
    path = left_by_another(state, WORK, "a.qkviz", str(tmp_path / "a.qkviz"))
    assert offered(window, RestoreAnswer.RESTORE) == ["restore a.qkviz?"]
    assert described(snapshot(window).document) == described(WORK.document)
    assert snapshot(window).focus.step == 2
    assert (window.windowTitle(), window.isWindowModified()) == ("a.qkviz[*] — qkviz", True)
    assert path.exists()  # the next crash finds it again
    window.menus.actions["save"].trigger()
    assert described(read_document(tmp_path / "a.qkviz").document) == described(WORK.document)
    assert list(state.iterdir()) == []
    window.menus.actions["undo"].trigger()
    assert snapshot(window).document is before


def test_restored_work_does_not_replace_a_file_unasked(
    window: MainWindow, state: Path, tmp_path: Path
) -> None:
    write_document(SavedDocument(cross_attention()), tmp_path / "a.qkviz")
    left_by_another(state, WORK, "a.qkviz", str(tmp_path / "a.qkviz"))
    offered(window, RestoreAnswer.RESTORE)
    assert isinstance(window.dialogs, RecordingDialogs)
    window.dialogs.agreeing = False
    window.menus.actions["save"].trigger()
    assert "Another program has changed a.qkviz" in window.dialogs.shown[-1]
    assert read_document(tmp_path / "a.qkviz").document.queries == ("a", "b")


@pytest.mark.parametrize("answer", [RestoreAnswer.DISCARD, RestoreAnswer.LATER])
def test_what_is_not_restored_is_deleted_or_asked_about_again(
    window: MainWindow, state: Path, answer: RestoreAnswer
) -> None:
    for seconds, name in ((100, "old"), (200, "new")):
        os.utime(left_by_another(state, WORK, name), (seconds, seconds))
    before = snapshot(window)
    asked = offered(window, answer)
    if answer is RestoreAnswer.DISCARD:
        assert asked == ["restore new?", "restore old?"]
        assert kept_in(state) == []
    else:
        assert asked == ["restore new?"]
        assert offered(window, RestoreAnswer.LATER) == ["restore new?"] * 2
    assert snapshot(window) is before


# real programs

_WORK = """
from pathlib import Path
from dataclasses import replace
from qkviz.document.document import Role
from qkviz.document.edits import RenameToken

def kept():
    folder = Path(os.environ["QKVIZ_STATE_DIR"]) / "autosave"
    return sorted(folder.glob("[!.]*.qkviz")) if folder.is_dir() else []

def story():
    yield is_alive
    commands = window().commands
    commands.apply(RenameToken(Role.QUERY, 0, os.environ["QKVIZ_TEST_WORD"]))
    commands.look_at(replace(commands.session.snapshot.focus, step=4, query=2, key=1))
    yield lambda: any(os.environ["QKVIZ_TEST_WORD"].encode() in file.read_bytes() for file in kept())
    tell(kept=True)
    yield lambda: False
"""

_NEXT = """
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

def questions():
    return [box for box in window().findChildren(QMessageBox) if box.isVisible()]

def story():
    yield is_alive
    yield lambda: bool(questions())
    box = questions()[0]
    button = next(one for one in box.buttons() if one.text().replace("&", "") == "Restore")
    text = box.text()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    focus = window().commands.session.snapshot.focus
    tell(
        asked=text,
        labels=list(window().commands.session.snapshot.document.queries),
        focus=[focus.step, focus.query, focus.key],
        modified=window().isWindowModified(),
        more=len(questions()),
    )
    window().commands.undo()
    window().close()
"""

_QUIET = """
from PySide6.QtWidgets import QMessageBox
def story():
    yield is_alive
    settle()
    tell(asked=len(window().findChildren(QMessageBox)))
    window().close()
"""


def test_after_a_kill_the_next_start_offers_the_unsaved_work_and_another_program_is_left_alone(
    tmp_path: Path,
) -> None:
    def environment(word: str) -> dict[str, str]:
        return {"QKVIZ_STATE_DIR": str(tmp_path / "状态"), "QKVIZ_TEST_WORD": word}

    lesson = ["--lesson", "7", "--lang", "en"]
    killed, living = (
        Run(_WORK, tmp_path / word, lesson, environment(word)).start() for word in ("killed", "living")
    )
    for program in (killed, living):
        assert program.stdout is not None
        assert json.loads(program.stdout.readline()) == {"kept": True}
    killed.kill()
    killed.wait()
    end_of(killed)
    try:
        arguments = ["--lesson", "1", "--lang", "en"]
        told = Run(_NEXT, tmp_path / "next", arguments, environment("")).ended().check()
        assert told["asked"].startswith(
            "qkviz did not end properly. “From embedding to weight in six steps” of 20"
        )
        assert told["labels"] == ["killed", "sit", "mat"]
        assert told["focus"] == [4, 2, 1]
        assert (told["modified"], told["more"]) == (True, 0)
        # restored and then undone on purpose: nothing is left to offer but the work of the living program
        told = Run(_QUIET, tmp_path / "last", arguments, environment("")).ended().check()
        assert told == {"asked": 0}
    finally:
        living.kill()
        end_of(living)


_OPEN = """
def story():
    yield is_alive
    settle()
    snapshot = window().commands.session.snapshot
    tell(
        title=window().windowTitle(), labels=list(snapshot.document.queries), step=snapshot.focus.step,
        modified=window().isWindowModified(), recent=list(window().settings_now().recent),
    )
    window().close()
"""


def test_a_file_named_on_the_command_line_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "矩阵 '一'.qkviz"
    write_document(WORK, path)
    told = Run(_OPEN, tmp_path / "config", ["--lang", "en", str(path)]).ended().check()
    assert told == {
        "title": f"{path.name}[*] — qkviz",
        "labels": ["q1", "q2"],
        "step": 2,
        "modified": False,
        "recent": [str(path)],
    }


def test_windows_of_one_process_keep_their_work_apart(
    open_window: OpenWindow, state: Path, qtbot: QtBot
) -> None:
    windows = [open_window(7), open_window(8)]
    for window in windows:
        apply(window, RenameToken(Role.QUERY, 0, "dog"))
    qtbot.waitUntil(lambda: len(kept_in(state)) == 2, timeout=8000)
    windows[0].close()
    assert len(kept_in(state)) == 1
