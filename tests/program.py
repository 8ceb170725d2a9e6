"""The program in a process of its own, with a story that acts in it like a user."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

_KNOWN = re.compile(r"^This plugin does not support (propagateSizeHints|raise|grabbing the keyboard)")
"""What the offscreen platform says of what it has not got."""

_STAGE = """
import json, os, sys, threading, time, traceback
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from qkviz.cli import main
from qkviz.ui.main_window import MainWindow

app = QApplication(["qkviz"])
deadline = time.monotonic() + 90

def tell(**what):
    print(json.dumps(what), flush=True)

def window():
    return next((one for one in app.topLevelWidgets() if isinstance(one, MainWindow)), None)

def is_shown():
    return window() is not None and window().isVisible()

def is_alive():
    return is_shown() and window().commands is not None

def is_asked():
    return app.activeModalWidget() is not None

def discard():
    from PySide6.QtTest import QTest
    box = app.activeModalWidget()
    QTest.mouseClick(box.button(box.StandardButton.Discard), Qt.MouseButton.LeftButton)

def settle():
    for _time in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        app.processEvents()

def advance():
    global condition
    try:
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited in vain in line {acts.gi_frame.f_lineno} of the story")
        if condition is None or condition():
            condition = next(acts)
    except StopIteration:
        clock.stop()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(70)

{story}

acts, condition = story(), None
clock = QTimer()
clock.timeout.connect(advance)
clock.start(4)
sys.exit(main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Ended:
    """What is left of a run: exit code, what the story told, and what the program complained of."""

    code: int
    told: dict[str, Any]
    errors: str

    def check(self) -> dict[str, Any]:
        """Return what was told, if the run was clean."""
        assert (self.code, self.errors) == (0, "")
        return self.told


@dataclass(frozen=True)
class Run:
    """One run to come.

    ``story`` is Python that defines ``story()``, a generator: it yields conditions to wait for.
    """

    story: str
    config: Path
    arguments: Sequence[str] = ()
    environment: Mapping[str, str] | None = None

    def start(self) -> subprocess.Popen[str]:
        """Start the process."""
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
        environment |= {"QKVIZ_CONFIG_DIR": str(self.config), "QKVIZ_STATE_DIR": f"{self.config}-state"}
        environment |= {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
        environment |= {"PYTHONFAULTHANDLER": "1", **(self.environment or {})}
        return subprocess.Popen(
            [sys.executable, "-c", _STAGE.replace("{story}", self.story), *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
            cwd=ROOT,
        )

    def ended(self) -> Ended:
        """Run it to its end."""
        return end_of(self.start())


def end_of(process: subprocess.Popen[str]) -> Ended:
    """Wait for a process, and return what is left of it."""
    try:
        out, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
    told: dict[str, Any] = {}
    for line in out.splitlines():
        told |= json.loads(line)
    complaints = [line for line in errors.splitlines() if line.strip() and not _KNOWN.match(line)]
    return Ended(process.returncode, told, "\n".join(complaints))


def all_ended(runs: Sequence[Run]) -> list[Ended]:
    """Run several, two at a time."""
    with ThreadPoolExecutor(2) as workers:
        return list(workers.map(Run.ended, runs))
