"""From the start of the process to the first painted window, beside a bare window with menus and docks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from benchmarks.table import Row, median

RUNS = 5

_BARE = """
import sys, time
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow
class Window(QMainWindow):
    def event(self, event):
        handled = super().event(event)
        if event.type() == QEvent.Type.Paint:
            print(time.time()); sys.stdout.flush(); QApplication.quit()
        return handled
app = QApplication([])
window = Window()
for name in ("File", "Edit", "View", "Lessons", "Help"):
    menu = window.menuBar().addMenu(name)
    for number in range(6):
        menu.addAction(f"{name} {number}")
window.addToolBar("tools").addAction("Undo")
for number in range(6):
    dock = QDockWidget(f"dock {number}", window)
    dock.setWidget(QLabel("loading"))
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
window.resize(1440, 900)
window.show()
app.exec()
"""

_OURS = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qkviz.app import Program
from qkviz.settings import settings_path
app = QApplication([])
program = Program(app, settings_path())
def painted():
    print(time.time()); print("torch" in sys.modules); sys.stdout.flush()
    program.window.close(); app.quit()
program.window.painted.connect(painted)
program.start()
app.exec()
program.finish()
"""


def rows() -> list[Row]:
    """Start both in turn, and compare the medians."""
    _first_paint(_BARE), _first_paint(_OURS)  # fills the caches of the disk
    bare, ours, torch_was_there = [], [], False
    for _run in range(RUNS):
        bare.append(_first_paint(_BARE)[0])
        time_of_ours, torch_there = _first_paint(_OURS)
        ours.append(time_of_ours)
        torch_was_there |= torch_there
    a, b = median(ours), median(bare)
    goal = "≤ 2 × the time of a"
    return [
        Row("first paint", a, b, "bare window with menus and docks", goal, a <= 2 * b),
        Row("torch imported before it (0 or 1)", float(torch_was_there), None, "", "0", not torch_was_there),
    ]


def _first_paint(code: str) -> tuple[float, bool]:
    """Return the milliseconds until the first paint, and whether torch was imported by then."""
    import time

    with tempfile.TemporaryDirectory() as folder:
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "QKVIZ_CONFIG_DIR": folder}
        begun = time.time()
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
    words = done.stdout.split()
    return 1000 * (float(words[0]) - begun), "True" in words[1:]
