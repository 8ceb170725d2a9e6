"""A window in a process of its own, which is handed the document through a temporary file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.document.files import SavedDocument, read_document, write_document
from qkviz.translate import Refusal

if TYPE_CHECKING:
    from qkviz.document.document import Document
    from qkviz.document.focus import Focus

DOCUMENT, CLOSE, ERRORS = "document.qkviz", "close", "errors.txt"
"""Files of the folder: the document, rewritten after every change; a request to close; what went wrong."""

ROOT = Path(__file__).resolve().parent.parent.parent


class WindowElsewhere:
    """The handle of a window in another process; see `ShownWindow`.

    The window outlives this process: what its user has not saved is not lost with a notebook's kernel.

    Raises
    ------
    Refusal
        If no process can be started.
    """

    def __init__(self, document: Document, focus: Focus) -> None:
        if not sys.executable:
            raise Refusal("This Python does not know its own program, so no window can be started from it.")
        self._folder = Path(tempfile.mkdtemp(prefix="qkviz-"))
        self._document = document
        write_document(SavedDocument(document, focus), self._folder / DOCUMENT)
        self._stamp = _stamp(self._folder / DOCUMENT)
        self._process = _start(self._folder)
        alive = weakref.ref(self)
        threading.Thread(target=_outlast, args=(self._process, self._folder, alive), daemon=True).start()
        weakref.finalize(self, _clear, self._process, self._folder)

    def __repr__(self) -> str:
        return f"<qkviz window in process {self._process.pid}, {'open' if self.is_open else 'closed'}>"

    @property
    def document(self) -> Document:
        """What the window shows now; the last state once it is closed.

        Raises
        ------
        RuntimeError
            If the window's process has failed; says what it said.
        """
        self._check()
        path = self._folder / DOCUMENT
        stamp = _stamp(path)
        if stamp != self._stamp:
            self._document, self._stamp = read_document(path).document, stamp
        return self._document

    @property
    def is_open(self) -> bool:
        """Whether the window is there, or about to be."""
        return self._process.poll() is None

    def wait(self) -> None:
        """Block until the user has closed the window.

        Raises
        ------
        RuntimeError
            If the window's process has failed; says what it said.
        """
        self._process.wait()
        self._check()

    def close(self) -> None:
        """Ask the window to close."""
        (self._folder / CLOSE).touch()

    def _check(self) -> None:
        if self._process.poll():
            said = (self._folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip()
            raise RuntimeError(f"the process of the window ended with {self._process.returncode}: {said}")


def _start(folder: Path) -> subprocess.Popen[bytes]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with (folder / ERRORS).open("wb") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "qkviz.api.window_process", str(folder), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl+C at the prompt or in a notebook is not for the window
        )


def _stamp(path: Path) -> tuple[int, int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_ino, state.st_size


def _outlast(process: subprocess.Popen[bytes], folder: Path, handle: weakref.ref[WindowElsewhere]) -> None:
    """Wait for the process, so that it leaves no zombie, and clear up if nobody will ask any more."""
    process.wait()
    if handle() is None:
        shutil.rmtree(folder, ignore_errors=True)


def _clear(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Remove the folder, unless the window still writes into it; then its own end does."""
    if process.poll() is not None:
        shutil.rmtree(folder, ignore_errors=True)
