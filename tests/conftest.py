"""What holds for every test: no screen, one torch thread, no real dialog, nothing left behind."""

from __future__ import annotations

import os

# both before the first Qt import; a test that wants the xcb platform starts a process of its own
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import torch  # before Qt: on Windows its libraries do not load once Qt is there

torch.set_num_threads(1)  # small matrices are 10 to 30 times slower on two busy threads

import gc
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyqtgraph
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import (
    QApplication,
    QColorDialog,
    QDialog,
    QFileDialog,
    QInputDialog,
    QMenu,
    QMessageBox,
)

from qkviz.translate import use_language

# by default moves above 100 a second are dropped, and a fast synthetic drag leaves everything where it was
pyqtgraph.setConfigOption("mouseRateLimit", -1)

_MODAL_CALLS = [
    (QDialog, ["exec"]),
    (QFileDialog, ["exec", "getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory"]),
    (QMessageBox, ["exec", "about", "aboutQt", "critical", "information", "question", "warning"]),
    (QInputDialog, ["exec", "getDouble", "getInt", "getItem", "getText"]),
    (QColorDialog, ["exec", "getColor"]),
    (QMenu, ["exec"]),
]


class ModalCall(AssertionError):
    """A test reached a call that would wait for a person."""


def _refusing(call: str) -> Callable[..., None]:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise ModalCall(f"{call} would block the run")

    return refuse


@pytest.fixture(autouse=True, scope="session")
def no_modal_calls() -> Iterator[None]:
    """Make everything that blocks until somebody clicks fail at once."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, names in _MODAL_CALLS:
            for name in names:
                patch.setattr(owner, name, _refusing(f"{owner.__name__}.{name}"))
        yield


@pytest.fixture(autouse=True, scope="session")
def one_application(qapp: QApplication) -> None:
    """Have the application of the widgets from the start: what needs less would make a lesser one."""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Start every test in English, whatever the one before left."""
    use_language("en")
    yield
    use_language("en")


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the settings of the person who runs the tests out of them, and of the processes they start."""
    folder = tmp_path / "config"
    monkeypatch.setenv("QKVIZ_CONFIG_DIR", str(folder))
    monkeypatch.setenv("QKVIZ_STATE_DIR", str(tmp_path / "state"))
    return folder


@pytest.fixture(autouse=True)
def same_excepthook() -> Iterator[None]:
    """Fail a test that swaps the hook by which pytest-qt hears of errors inside Qt's virtual methods."""
    before = sys.excepthook
    yield
    after = sys.excepthook
    sys.excepthook = before
    assert after is before, f"the test left {after} as sys.excepthook"


def _windows() -> dict[int, str]:
    """Return the C++ address and a description of every top-level widget that is ours to close."""
    if QApplication.instance() is None:
        return {}
    return {
        shiboken6.getCppPointer(widget)[0]: f"{type(widget).__name__} {widget.windowTitle()!r}"
        for widget in QApplication.topLevelWidgets()
        if widget.metaObject().className() != "QTipLabel"  # Qt keeps its one tool tip
    }


def _deliver_deletions() -> None:
    if QApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


@pytest.fixture(autouse=True)
def no_window_left() -> Iterator[None]:
    """Fail a test after which a new top-level widget is still there."""
    before = _windows()
    yield
    _deliver_deletions()
    if _windows().keys() - before.keys():
        gc.collect()  # a cycle through Python may hold the last reference
        _deliver_deletions()
    left = [text for address, text in _windows().items() if address not in before]
    assert not left, f"left on the screen: {left}"


@pytest.fixture
def display() -> Iterator[str]:
    """Start an X server of our own on a free display, and return its name."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not installed (Debian: xvfb); make test installs it where it may")
    ours, its = os.pipe()
    process = subprocess.Popen(
        [server, "-displayfd", str(its), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[its],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(its)
    try:
        with os.fdopen(ours) as answer:
            number = answer.readline().strip()  # comes when the server is ready; empty if it has failed
        assert number, f"Xvfb ended with {process.wait()}"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()
