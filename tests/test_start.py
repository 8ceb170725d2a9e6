"""Starting and quitting, each in a process of its own: the window first, torch later, and a clean end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.program import Ended, Run, all_ended

FIRST_PAINT = """
painted, later = {}, set()
SLOW = {"torch", "numpy", "pyqtgraph", "safetensors", "ziamath", "importlib.metadata"}

class Painting(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, MainWindow):
            watched.painted.connect(first_paint_is_over)
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            name = watched.objectName() or type(watched).__name__
            if window().commands is None:
                painted.setdefault(name, sorted(SLOW & sys.modules.keys()))
            else:
                later.add(type(watched).__name__)
        return False

def first_paint_is_over():
    tell(first=dict(painted), said=window().docks["plane"].widget().text())

painting = Painting()
app.installEventFilter(painting)

def story():
    yield is_alive
    yield lambda: {"PlaneCanvas", "MatrixCanvas"} <= later
    tell(
        torch="torch" in sys.modules,
        title=window().windowTitle(),
        labels=list(window().commands.session.snapshot.document.queries),
    )
    app.removeEventFilter(painting)
    window().close()
"""


def test_the_window_is_painted_before_slow_imports_and_the_lesson_follows(tmp_path: Path) -> None:
    told = Run(FIRST_PAINT, tmp_path, ["--lesson", "7", "--lang", "en"]).ended().check()
    first = told["first"]
    parts = {"main-window", "QMenuBar", "StatusLine", "toolbar", "dock-plane", "dock-matrices", "dock-steps"}
    assert parts <= first.keys()
    assert not any(first.values()), first
    assert told["said"] == "Loading …"
    assert told["torch"]
    assert told["title"].endswith("— qkviz")
    assert told["labels"] == ["cat", "sit", "mat"]


# ten runs, and quitting at any moment

_BEFORE = """
QTimer.singleShot(0, app.quit)
def story():
    yield lambda: False
"""

_AT_THE_PAINT = """
class Painting(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, MainWindow):
            app.removeEventFilter(self)
            tell(torch="torch" in sys.modules)
            QTimer.singleShot(0, watched.close)
        return False

painting = Painting()
app.installEventFilter(painting)
def story():
    yield lambda: False
"""

_DURING = """
import atexit

def threads():
    return [thread.name for thread in threading.enumerate() if thread.name == "qkviz task"]

atexit.register(lambda: tell(at_the_end=threads()))  # a process must not end inside an import

def is_loading():
    return is_shown() and threads() and "torch" in sys.modules

def story():
    yield is_loading
    tell(alive=is_alive())
    window().menus.actions["quit"].trigger()
"""

_AS_IT_COMES = """
def story():
    yield is_alive
    window().close()
"""

_USE = """
def story():
    yield is_alive
    from PySide6.QtTest import QTest
    from qkviz.document.document import Role
    from tests.ui import mouse
    from tests.ui.parts import commands, plane_canvas, snapshot, tip
    canvas, before = plane_canvas(window()), snapshot(window()).document
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-30, 25))
    assert snapshot(window()).document is not before
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Space, Qt.Key.Key_3):
        QTest.keyClick(window(), key)
    for name in ("undo", "redo", "language", "theme", "fit", "next_lesson", "lock_range"):
        window().menus.actions[name].trigger()
        settle()
    window().docks["row"].show()
    window().docks["steps"].setFloating(True)
    window().docks["lessons"].close()
    settle()
    tell(used=True)
    %s
    yield is_asked  # the drag is not saved
    discard()
"""

MOMENTS = {
    "before the first paint": _BEFORE,
    "at the first paint": _AT_THE_PAINT,
    "while torch is loading": _DURING,
    "as the lesson comes": _AS_IT_COMES,
    "after use, by the menu": _USE % 'window().menus.actions["quit"].trigger()',
    "after use, by closing": _USE % "window().close()",
    "after use, while playing": _USE % 'window().menus.actions["play"].trigger(); window().close()',
    "after use, by the application": _USE % "app.quit()",
    "after use, in the middle of a drag": _USE
    % "mouse.press(canvas, start); mouse.move(canvas, start, start + QPointF(40, 0)); window().close()",
    "after use, with every dock floating": _USE
    % "[dock.setFloating(True) for dock in window().docks.values()]; settle(); window().close()",
}


@pytest.fixture(scope="module")
def quitting(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Ended, Path]]:
    """Return how each run ended, and the folder of its settings."""
    folders = {moment: tmp_path_factory.mktemp("config") for moment in MOMENTS}
    runs = [Run(story, folders[moment], ["--lesson", "7"]) for moment, story in MOMENTS.items()]
    ends = all_ended(runs)
    return {moment: (end, folders[moment]) for moment, end in zip(MOMENTS, ends, strict=True)}


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_quitting_is_clean_at_any_moment(quitting: dict[str, tuple[Ended, Path]], moment: str) -> None:
    end, folder = quitting[moment]
    told = end.check()
    if moment.startswith("after use"):
        assert told["used"]
    if moment == "at the first paint":
        assert told == {"torch": False}
    if moment == "while torch is loading":
        assert told == {"alive": False, "at_the_end": []}
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    assert settings["layout"]
    assert settings["lesson"] == (8 if moment.startswith("after use") else 7)


# no torch

_BROKEN = """
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise {error}
        return None

sys.meta_path.insert(0, Broken())
def says_so():
    return is_shown() and "PyTorch" in window().docks["plane"].widget().text()

def story():
    yield says_so
    for name in ("theme", "reset_layout", "theme_system"):
        window().menus.actions[name].trigger()
        settle()
    tell(
        said=sorted({{dock.widget().text() for dock in window().docks.values() if dock.isVisible()}}),
        on=sorted(name for name, action in window().menus.actions.items() if action.isEnabled()),
    )
    window().menus.actions["quit"].trigger()
"""


@pytest.mark.parametrize(
    "error",
    [
        'ImportError("libtorch_cpu.so: cannot open shared object file")',
        'OSError("[WinError 1114] c10.dll")',
        'ModuleNotFoundError("No module named torch")',
    ],
)
def test_without_torch_the_window_stays_and_says_why(tmp_path: Path, error: str) -> None:
    end = Run(_BROKEN.format(error=error), tmp_path, ["--lang", "en"]).ended()
    reason = error.split('"')[1]
    assert end.code == 0
    assert end.told["said"] == [f"PyTorch cannot be loaded: {reason}"]
    assert "quit" in end.told["on"]
    assert "next_lesson" not in end.told["on"]
    assert end.errors.splitlines()[0] == "qkviz: the model layer did not load"
