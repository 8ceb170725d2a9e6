"""What one run of the program leaves is what the next one starts with; what is damaged does no harm."""

from __future__ import annotations

import base64
import json
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.app import Program
from qkviz.ui.languages import speak
from qkviz.ui.main_window import MainWindow
from tests.program import Run, end_of
from tests.ui import mouse
from tests.ui.recording_dialogs import RecordingDialogs

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

_LOOK = """
def look():
    settle()
    from qkviz.translate import current_language
    now = window()
    focus = now.commands.session.snapshot.focus
    tell(
        window=now.geometry().getRect(),
        docks={
            name: [dock.in_sight, dock.isFloating(), dock.in_sight and dock.geometry().getRect()]
            for name, dock in now.docks.items()
        },
        tabs=sorted(dock.name for dock in now.tabifiedDockWidgets(now.docks["steps"])),
        language=current_language(),
        texts=[action.text() for action in now.menuBar().actions()],
        theme=now.settings_now().theme,
        ground=now.palette().window().color().name(),
        lesson=now.commands.course.current.number,
        labels=list(now.commands.session.snapshot.document.queries),
        matrices=[content.name.value for content in now.panels["matrices"].contents],
        progress=now.commands.course.progress.to_data(),
        said=now.status.text,
    )
"""

_CHANGE = (
    _LOOK
    + """
def story():
    yield is_alive
    from dataclasses import replace
    from qkviz.attention.matrices import MatrixName
    now = window()
    now.setGeometry(40, 50, 720, 610)
    now.menus.actions["language"].trigger()
    now.menus.actions["theme"].trigger()
    now.menus.actions["next_lesson"].trigger()
    panel = now.panels["lessons"]
    panel.guessed.emit(8, 0)
    focus = now.commands.session.snapshot.focus
    now.commands.look_at(replace(focus, matrices=(MatrixName.Q, MatrixName.WEIGHTS)))
    settle()
    now.docks["lessons"].close()
    now.docks["row"].show()
    now.tabifyDockWidget(now.docks["steps"], now.docks["row"])
    now.docks["inspector"].setFloating(True)
    now.docks["inspector"].setGeometry(300, 120, 290, 400)
    settle()
    now.resizeDocks([now.docks["plane"], now.docks["matrices"]], [280, 420], Qt.Orientation.Horizontal)
    look()
    now.menus.actions["quit"].trigger()
"""
)

_AGAIN = (
    _LOOK
    + """
def story():
    yield is_alive
    look()
    window().menus.actions["quit"].trigger()
"""
)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the settings that the tests of this file share."""
    return tmp_path_factory.mktemp("config")


@pytest.fixture(scope="module")
def left(config: Path) -> dict[str, Any]:
    """Return what a run looked like when it was closed."""
    return Run(_CHANGE, config, ["--lesson", "7", "--lang", "en", "--theme", "light"]).ended().check()


@pytest.fixture(scope="module")
def found(left: dict[str, Any], config: Path) -> dict[str, Any]:
    """Return what the next process looked like."""
    assert left
    return Run(_AGAIN, config).ended().check()


@pytest.mark.parametrize(
    "what", ["language", "texts", "theme", "ground", "lesson", "labels", "matrices", "progress"]
)
def test_a_new_process_starts_with_what_the_last_one_left(
    left: dict[str, Any], found: dict[str, Any], what: str
) -> None:
    assert found[what] == left[what]


def test_what_was_left_is_not_what_a_first_start_shows(left: dict[str, Any]) -> None:
    assert left["language"] == "zh"
    assert left["theme"] == "dark"
    assert left["lesson"] == 8
    assert left["matrices"] == ["q", "weights"]
    assert left["progress"]["guesses"].keys() == {"08-queries-times-keys"}
    assert left["docks"]["lessons"][0] is False
    assert left["docks"]["inspector"][1] is True


def test_the_window_comes_back_to_its_place(left: dict[str, Any], found: dict[str, Any]) -> None:
    assert found["window"] == left["window"] == [40, 50, 720, 610]


def test_a_floating_dock_comes_back_floating_where_it_was(
    left: dict[str, Any], found: dict[str, Any]
) -> None:
    assert found["docks"]["inspector"] == left["docks"]["inspector"] == [True, True, [300, 120, 290, 400]]


@pytest.mark.parametrize("name", ["lessons", "plane", "matrices", "steps", "row"])
def test_a_dock_comes_back_open_or_closed_where_it_was(
    left: dict[str, Any], found: dict[str, Any], name: str
) -> None:
    (visible, floating, before), (*now, after) = left["docks"][name], found["docks"][name]
    assert now == [visible, floating]
    if visible:
        assert max(abs(one - two) for one, two in zip(before, after, strict=True)) <= 1


def test_tabs_come_back_as_tabs(left: dict[str, Any], found: dict[str, Any]) -> None:
    assert found["tabs"] == left["tabs"] == ["row"]


def test_the_command_line_overrules_what_was_left(
    found: dict[str, Any], config: Path, tmp_path: Path
) -> None:
    assert found
    shutil.copytree(config, tmp_path / "copy")  # the other tests need it as it is
    told = (
        Run(_AGAIN, tmp_path / "copy", ["--lesson", "1", "--lang", "en", "--theme", "light"]).ended().check()
    )
    assert (told["lesson"], told["language"], told["theme"]) == (1, "en", "light")
    assert told["matrices"] == ["scores"]  # those of the lesson that was asked for


# two at once

_FIRST = """
def story():
    yield is_alive
    window().panels["lessons"].guessed.emit(1, 0)
    settle()
    tell(first=True)
    yield lambda: os.path.exists(os.environ["QKVIZ_TEST_SIGN"] + ".1")
    window().close()
"""

_SECOND = """
def story():
    yield is_alive
    window().panels["lessons"].guessed.emit(7, 0)
    settle()
    tell(second=True)
    yield lambda: os.path.exists(os.environ["QKVIZ_TEST_SIGN"] + ".2")
    window().close()
"""


Both = tuple[dict[str, Any], dict[str, Any], list[str]]


@pytest.fixture(scope="module")
def in_turn(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Let two programs run at once and close in turn; return the settings after each, and all files."""
    folder = tmp_path_factory.mktemp("two")
    config, sign = folder / "config", folder / "sign"
    environment = {"QKVIZ_TEST_SIGN": str(sign)}
    first = Run(_FIRST, config, ["--lesson", "1"], environment).start()
    second = Run(_SECOND, config, ["--lesson", "7"], environment).start()
    assert first.stdout is not None
    assert second.stdout is not None
    assert json.loads(first.stdout.readline()) == {"first": True}
    assert json.loads(second.stdout.readline()) == {"second": True}
    left = []
    for number, program in enumerate((first, second), start=1):
        Path(f"{sign}.{number}").touch()
        end_of(program).check()
        left.append(json.loads((config / "settings.json").read_text(encoding="utf-8")))
    return left[0], left[1], [path.name for path in config.iterdir()]


def test_two_programs_at_once_close_in_turn_and_the_last_one_holds(in_turn: Both) -> None:
    one, both, files = in_turn
    assert (one["lesson"], both["lesson"]) == (1, 7)
    assert files == ["settings.json"]


def test_progress_made_in_two_programs_at_once_is_all_kept(in_turn: Both) -> None:
    _one, both, _files = in_turn
    assert both["progress"]["guesses"].keys() == {"01-dot-product", "07-from-embedding-to-weight"}


# in one process: many starts with many kinds of damage

StartAgain = Callable[[Path], MainWindow]


@pytest.fixture
def start_again(qtbot: QtBot) -> Iterator[StartAgain]:
    """Return a function that starts the program with a file of settings, and waits for its lesson."""
    programs: list[Program] = []

    def start(path: Path) -> MainWindow:
        end_all()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        program = Program(app, path, dialogs=RecordingDialogs)
        programs.append(program)
        program.start()
        qtbot.waitUntil(lambda: program.window.commands is not None, timeout=20_000)
        QApplication.processEvents()
        program.finish()  # gives the hook for errors back
        return program.window

    def end_all() -> None:
        while programs:
            program = programs.pop()
            program.window.close()
            program.window.panels.clear()  # menus inside pyqtgraph's charts have no parent
            program.window.deleteLater()
            program.deleteLater()
        speak("en")  # what the settings chose is the whole application's
        mouse.settle()

    yield start
    end_all()


@pytest.fixture
def good(left: dict[str, Any], found: dict[str, Any], config: Path, tmp_path: Path) -> dict[str, Any]:
    """Return sound settings, as two processes have left them."""
    assert left
    assert found
    entries: dict[str, Any] = json.loads((config / "settings.json").read_text(encoding="utf-8"))
    return entries | {"lesson": 8, "language": "zh", "theme": "dark"}


def written(folder: Path, content: bytes) -> Path:
    path = folder / "settings.json"
    path.write_bytes(content)
    return path


def check_usable(window: MainWindow) -> None:
    """Fail unless everything of the window can be seen and reached."""
    screen = QGuiApplication.primaryScreen().availableGeometry()
    screen.adjust(-4, -4, 4, 4)  # the frame that the offscreen platform pretends to draw
    assert screen.contains(window.geometry())
    assert window.width() >= 200
    assert window.height() >= 120
    assert window.dialogs.shown == []  # type: ignore[attr-defined]
    for name, dock in window.docks.items():
        dock.toggleViewAction().trigger() if dock.isHidden() else None
        QApplication.processEvents()
        assert dock.isVisible(), name
        if dock.isFloating():
            assert screen.contains(dock.geometry()), name
    window.menus.actions["reset_layout"].trigger()
    QApplication.processEvents()
    inside = QRect(0, 0, window.width(), window.height())
    for name, dock in window.docks.items():
        assert dock.isHidden() or (not dock.isFloating() and inside.contains(dock.geometry())), name


def noise(length: int) -> bytes:
    """Return bytes of no meaning, always the same."""
    state, out = 12345, bytearray()
    for _byte in range(length):
        state = (1103515245 * state + 12345) % 2**31
        out.append(state >> 16 & 255)
    return bytes(out)


UNREADABLE = {
    "noise": lambda whole: noise(4096),
    "cut in the middle": lambda whole: whole[: len(whole) // 2],
    "cut at the end": lambda whole: whole[:-3],
    "empty": lambda whole: b"",
    "zeros": lambda whole: bytes(2048),
    "huge": lambda whole: b'{"theme": "dark", "unknown": "' + b"x" * 5_000_000 + b'"}',
    "a list": lambda whole: b"[1, 2, 3]",
    "deep": lambda whole: b"[" * 100_000,
    "not a number": lambda whole: whole.replace(b'"lesson": 8', b'"lesson": NaN'),
}


@pytest.mark.parametrize("damage", list(UNREADABLE))
def test_with_a_file_that_cannot_be_read_the_program_starts_as_the_first_time(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path, damage: str
) -> None:
    whole = json.dumps(good, indent=1, sort_keys=True).encode()
    content = UNREADABLE[damage](whole)
    window = start_again(written(tmp_path, content))
    check_usable(window)
    now = window.settings_now()
    assert (now.theme, now.lesson) == ("system", 1)
    assert (tmp_path / "settings.json.damaged").read_bytes() == content


def test_a_folder_in_place_of_the_file_does_no_harm(start_again: StartAgain, tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    window = start_again(tmp_path / "settings.json")
    check_usable(window)
    window.close()  # and saving cannot work either
    assert (tmp_path / "settings.json").is_dir()


BAD_FIELDS: dict[str, Any] = {
    "theme": "blue",
    "geometry": 7,
    "layout": ["AAAA"],
    "layout_version": True,
    "lesson": "eight",
    "matrices": "scores",
    "progress": [],
    "export_folder": None,
    "export": "png",
}
"""And the language, which offscreen falls back to English."""


@pytest.mark.parametrize("name", list(BAD_FIELDS))
def test_one_bad_field_takes_no_other_with_it(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path, name: str
) -> None:
    window = start_again(written(tmp_path, json.dumps(good | {name: BAD_FIELDS[name]}).encode()))
    now = window.settings_now()
    kept = {
        "theme": (now.theme, "dark"),
        "lesson": (now.lesson, 8),
        "language": (now.language, "zh"),
        "progress": ("08-queries-times-keys" in now.progress["guesses"], True),
    }
    for field, (value, expected) in kept.items():
        assert (value == expected) is (field != name), field
    check_usable(window)


def test_all_fields_bad_at_once_is_a_first_start(start_again: StartAgain, tmp_path: Path) -> None:
    window = start_again(written(tmp_path, json.dumps({**BAD_FIELDS, "language": "xx"}).encode()))
    check_usable(window)
    assert window.settings_now().lesson == 1


def re_versioned(layout: str) -> str:
    """Return a saved layout with another number of version: the second word of what Qt writes."""
    data = bytearray(base64.b64decode(layout))
    magic, version = struct.unpack(">II", data[:8])
    assert magic == 0xFF
    data[:8] = struct.pack(">II", magic, version + 1)
    return base64.b64encode(bytes(data)).decode()


BAD_LAYOUTS: dict[str, Callable[[str], str]] = {
    "of another version": re_versioned,
    "cut": lambda layout: layout[: len(layout) // 3],
    "noise": lambda layout: base64.b64encode(noise(300)).decode(),
    "no base64": lambda layout: "häßlich ☃",
}


@pytest.mark.parametrize("damage", list(BAD_LAYOUTS))
def test_a_layout_that_cannot_be_used_becomes_the_default_one(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path, damage: str
) -> None:
    bad = good | {"layout": BAD_LAYOUTS[damage](good["layout"])}
    window = start_again(written(tmp_path, json.dumps(bad).encode()))
    assert window.docks["lessons"].isVisible()
    assert not window.docks["inspector"].isFloating()
    check_usable(window)


def test_that_the_layout_could_not_be_used_is_still_said_when_the_lesson_is_there(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path
) -> None:
    window = start_again(written(tmp_path, json.dumps(good | {"layout": "AAAA"}).encode()))
    assert window.status.text == "保存的面板布局无法使用；现在是默认布局。"


def test_a_geometry_for_a_screen_that_is_gone_is_brought_into_view(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path
) -> None:
    place = (2900, 1700, 2900 + 799, 1700 + 599)
    geometry = struct.pack(">IHH4i4iiBBi4i", 0x1D9D0CB, 3, 0, *place, *place, 1, 0, 0, 3840, *place)
    bad = good | {"geometry": base64.b64encode(geometry).decode()}
    check_usable(start_again(written(tmp_path, json.dumps(bad).encode())))


def test_unknown_lessons_and_matrices_are_passed_over(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path
) -> None:
    bad = good | {"lesson": 4000, "matrices": ["scores", "hyperscores", ""]}
    window = start_again(written(tmp_path, json.dumps(bad).encode()))
    assert [content.name for content in window.panels["matrices"].contents] == ["scores"]
    assert window.settings_now().lesson == 1


def test_entries_of_a_later_version_are_kept_for_it(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path
) -> None:
    path = written(tmp_path, json.dumps(good | {"telescope": {"open": [1, 2]}}).encode())
    start_again(path).close()
    assert json.loads(path.read_text(encoding="utf-8"))["telescope"] == {"open": [1, 2]}


def test_nothing_creeps_in_ten_restarts(
    start_again: StartAgain, good: dict[str, Any], tmp_path: Path
) -> None:
    path = written(tmp_path, json.dumps(good).encode())
    places = []
    for _time in range(10):
        window = start_again(path)
        places.append(
            [window.geometry().getRect()]
            + [dock.geometry().getRect() for dock in window.docks.values() if dock.isVisible()]
        )
        window.close()
    for place in places[1:]:
        assert len(place) == len(places[0])
        for now, first in zip(place, places[0], strict=True):
            assert max(abs(one - two) for one, two in zip(now, first, strict=True)) <= 1
