"""`qkviz.show` where people call it: in a script, at a prompt, in a notebook, each in a real process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import qkviz
from qkviz.api.window_elsewhere import DOCUMENT
from qkviz.document.files import SavedDocument, read_document, write_document
from tests.api.sessions import FUNCTIONS, ROOT, environment, kernel, prompt, wait_for

SHOW = """
import qkviz
w = qkviz.show(Q=[[1.0, 0.5], [0.25, 2.0]], K=[[1, 0], [0, 1], [1, 1]], tokens=["a", "b"]%s)
"""

ELSEWHERE = SHOW % ", block=False"

REFUSED = """
import sys, qkviz
try:
    %s
except qkviz.Refusal as refusal:
    print(refusal)
print("PySide6" in sys.modules)
"""

SCRIPT = """
import threading, time
import torch
import qkviz
threads = torch.get_num_threads()

def wait_for_window():
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    while QApplication.instance() is None:
        time.sleep(0.02)
    QTimer.singleShot(0, QApplication.instance(), start)

def start():
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    start.clock = QTimer(QApplication.instance())
    start.clock.timeout.connect(look)
    start.clock.start(20)

def look():
    from PySide6.QtWidgets import QApplication
    from qkviz.ui.main_window import MainWindow
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow) and window.commands is not None:
            act(window)

def act(window):
    %s

threading.Thread(target=wait_for_window, daemon=True).start()
Q = torch.tensor([[1.0, 0.5], [0.25, 2.0]], requires_grad=True)
w = qkviz.show(Q=Q, K=torch.eye(2).bfloat16(), tokens=["a", "b"]%s)
print(w.is_open, w.document.inputs.Q.tolist(), Q.tolist(), torch.get_num_threads() == threads)
"""

CHANGE_AND_CLOSE = """from qkviz.document.edits import EditableMatrix, SetCell
    from PySide6.QtWidgets import QMessageBox
    if not look.__dict__.get("changed"):
        look.changed = True
        print([name for name, dock in window.docks.items() if dock.isVisible()])
        print(window.windowTitle())
        window.commands.apply(SetCell(EditableMatrix.Q, 0, 0, 7.0))
        window.close()
    for box in QApplication.topLevelWidgets():
        if isinstance(box, QMessageBox) and box.isVisible():
            box.button(QMessageBox.StandardButton.Discard).click()
    """.replace("QApplication.top", "__import__('PySide6.QtWidgets').QtWidgets.QApplication.top")


CHANGED_ELSEWHERE = """
import os
from pathlib import Path
from qkviz.api import window_process
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from qkviz.document.edits import EditableMatrix, SetCell
from qkviz.ui.main_window import MainWindow

def look():
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QMessageBox) and one.isVisible():
            one.button(QMessageBox.StandardButton.Discard).click()
        elif isinstance(one, MainWindow) and one.commands is not None and one.isVisible():
            one.commands.apply(SetCell(EditableMatrix.Q, 0, 0, 7.0))
            one.close()

class Clocked(QApplication):
    def __init__(self, words):
        super().__init__(words)
        self.clock = QTimer(self)
        self.clock.timeout.connect(look)
        self.clock.start(20)

window_process.QApplication = Clocked
window_process.main(Path(os.environ["FOLDER"]), os.getppid())
"""

CLOSED_BY_TIMER = """
import threading
from qkviz.api.window_elsewhere import WindowElsewhere
start = WindowElsewhere.__init__

def remembered(self, *arguments):
    start(self, *arguments)
    threading.Timer(0.5, self.close).start()

WindowElsewhere.__init__ = remembered
w = qkviz.show(scores=[[1.0]])  # waits
print(type(w).__name__, w.is_open)
"""

FAILING = (
    ELSEWHERE
    + """
w._folder.joinpath("document.qkviz").write_bytes(b"")  # before the other process is so far
try:
    w.wait()
except RuntimeError as error:
    print(error)
"""
)


def ran(code: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    variables = environment(folder, **{"QT_QPA_PLATFORM": "offscreen", "PYTHONFAULTHANDLER": "1", **more})
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_script_goes_on_when_the_window_is_closed_and_has_what_the_user_changed(tmp_path: Path) -> None:
    script = ran(SCRIPT % (CHANGE_AND_CLOSE, ""), tmp_path)
    assert script.returncode == 0, script.stderr
    panels, title, last = script.stdout.splitlines()
    assert panels == "['plane', 'inspector', 'steps', 'matrices', 'row']"
    assert title == "Untitled[*] — qkviz"
    # what was given stays as it is, and so does the number of torch's threads
    assert last == "False [[7.0, 0.5], [0.25, 2.0]] [[1.0, 0.5], [0.25, 2.0]] True"


def test_ctrl_c_ends_the_wait_of_a_script(tmp_path: Path) -> None:
    interrupt = "import os, signal\n    start.clock.stop()\n    os.kill(os.getpid(), signal.SIGINT)"
    # a shell starts what it runs in the background with Ctrl+C ignored, and this run may be such a one
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    assert ran(heard + SCRIPT % (interrupt, ""), tmp_path).stderr.splitlines()[-1] == "KeyboardInterrupt"


def test_a_script_that_does_not_wait_has_a_window_in_another_process(tmp_path: Path) -> None:
    rest = "print(w.is_open, w.document.queries)\nw.close()\nw.wait()\nprint(w.is_open)"
    script = ran(ELSEWHERE + rest, tmp_path)
    assert (script.returncode, script.stderr) == (0, "")
    assert script.stdout == "True ('a', 'b')\nFalse\n"


def test_what_the_user_changes_in_the_other_process_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write_document(SavedDocument(qkviz.make_document(Q=[[1.0]], K=[[1.0]])), folder / DOCUMENT)
    window = ran(CHANGED_ELSEWHERE, tmp_path, FOLDER=str(folder))
    assert window.returncode == 0, window.stderr
    assert read_document(folder / DOCUMENT).document.inputs.Q.tolist() == [[7.0]]


def test_after_pictures_without_a_window_a_script_can_still_show_one(tmp_path: Path) -> None:
    picture = "import qkviz\nqkviz.heatmap([[1]])._repr_png_()\n"
    script = ran(picture + CLOSED_BY_TIMER, tmp_path)
    assert (script.returncode, script.stderr) == (0, "")
    assert script.stdout == "WindowElsewhere False\n"


def test_a_window_whose_process_fails_says_why(tmp_path: Path) -> None:
    script = ran(FAILING, tmp_path)
    assert "ended with 1: document.qkviz cannot be opened. It is empty." in script.stdout, script.stderr


def test_without_a_display_the_sentence_says_so(tmp_path: Path) -> None:
    script = ran(REFUSED % "qkviz.show(scores=[[1]])", tmp_path, QT_QPA_PLATFORM="", DISPLAY="")
    if sys.platform.startswith("linux"):
        assert script.stdout.startswith("There is no display to open a window on"), script.stderr


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("Q=[[1, 2]], K=[[1]]", "Q is 1 × 2, but K is 1 × 1: both need the same number of columns."),
        ("qkviz.make_document(scores=[[1]]), scale=2", "Give a document or matrices, not both."),
    ],
)
def test_wrong_matrices_are_refused_before_a_window_opens(tmp_path: Path, call: str, sentence: str) -> None:
    assert ran(REFUSED % f"qkviz.show({call})", tmp_path).stdout == f"{sentence}\nFalse\n"


def test_at_a_plain_prompt_the_window_lives_beside_it(tmp_path: Path, display: str) -> None:
    with prompt(environment(tmp_path, QT_QPA_PLATFORM="xcb", DISPLAY=display)) as side:
        side.run(SHOW % "")
        side.run(FUNCTIONS)
        assert side.value("type(w).__name__") == "'WindowHere'"
        wait_for(side, "has_session()")
        side.run("edit(7.0)")
        assert side.value("w.document.inputs.Q.tolist()") == "[[7.0, 0.5], [0.25, 2.0]]"
        side.run("w.close()")
        wait_for(side, "(discard(), w.is_open)[1]", "False")
        assert side.value("w.document.inputs.Q[0, 0].item()") == "7.0"
        assert side.end() == (0, "")


def test_in_a_notebook_with_gui_qt_the_window_is_in_the_kernel(tmp_path: Path, display: str) -> None:
    with kernel(environment(tmp_path, QT_QPA_PLATFORM="xcb", DISPLAY=display)) as side:
        side.run("%gui qt")
        side.run(SHOW % "")
        side.run(FUNCTIONS)
        assert side.value("type(w).__name__") == "'WindowHere'"
        wait_for(side, "has_session()")
        side.run("edit(7.0)")
        assert side.value("w.document.inputs.Q.tolist()") == "[[7.0, 0.5], [0.25, 2.0]]"
        side.run("w.close()")
        wait_for(side, "(discard(), w.is_open)[1]", "False")
        side.run((SHOW % "").replace("w = ", "again = "))  # a second one in the same process
        assert side.value("(again.is_open, w.document.inputs.Q[0, 0].item())") == "(True, 7.0)"
        side.run("again.close()")
        wait_for(side, "again.is_open", "False")


def test_in_a_notebook_without_gui_qt_the_window_is_in_another_process(tmp_path: Path, display: str) -> None:
    with kernel(environment(tmp_path, QT_QPA_PLATFORM="xcb", DISPLAY=display)) as side:
        side.run(SHOW % "")
        assert side.value("type(w).__name__") == "'WindowElsewhere'"
        assert side.value("__import__('sys').modules.get('PySide6')") == "None"
        assert side.value("(w.is_open, w.document.queries)") == "(True, ('a', 'b'))"
        side.run("w.close()")
        wait_for(side, "w.is_open", "False")
        assert side.value("w.document.inputs.Q.tolist()") == "[[1.0, 0.5], [0.25, 2.0]]"
        assert "image/png" in side.display("qkviz.heatmap([[1, 2]])")
        folder = Path(side.value("str(w._folder)").strip("'"))
        side.run("del w\nimport gc\ngc.collect()")
        assert not folder.exists()
