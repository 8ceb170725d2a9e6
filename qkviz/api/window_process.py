"""The process of a window opened from another: ``python -m qkviz.api.window_process FOLDER PARENT``."""

from __future__ import annotations

import os
import shutil
import sys
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from qkviz import __version__
from qkviz.api.document_window import DocumentWindow
from qkviz.api.window_elsewhere import CLOSE, DOCUMENT
from qkviz.document.files import SavedDocument, read_document, write_document
from qkviz.start_model import load_model_layer
from qkviz.translate import Refusal

_SETTLED_MS = 150
"""Changes that follow each other faster than this, as in a drag, are written once."""

_LOOK_MS = 200
"""How often the folder is asked for a request to close."""


class Mirror(QObject):
    """Writes what the window shows into the folder, and listens there.

    Parameters
    ----------
    shown
        The window.
    folder
        Of the process that opened it.
    """

    def __init__(self, shown: DocumentWindow, folder: Path) -> None:
        super().__init__(shown)
        self._shown = shown
        self._folder = folder
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.timeout.connect(self._write)
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._listen)
        self._clock.start(_LOOK_MS)
        shown.changed.connect(self._note)
        shown.closed.connect(self._finish)

    def _note(self) -> None:
        if not self._settled.isActive():
            self._settled.start(_SETTLED_MS)

    def _finish(self) -> None:
        self._clock.stop()
        if self._settled.isActive():
            self._settled.stop()
            self._write()

    def _write(self) -> None:
        if self._folder.is_dir():  # else nobody reads it any more
            write_document(SavedDocument(self._shown.document, self._shown.focus), self._folder / DOCUMENT)

    def _listen(self) -> None:
        request = self._folder / CLOSE
        if request.exists():
            request.unlink(missing_ok=True)
            self._shown.window.close()


def main(folder: Path, parent: int) -> int:
    """Show the document of ``folder`` until its window is closed, and return the exit code."""
    model = load_model_layer()  # on Windows torch comes before Qt
    saved = read_document(folder / DOCUMENT)
    app = QApplication(["qkviz"])
    app.setApplicationName("qkviz")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("qkviz")
    shown = DocumentWindow(saved.document, saved.focus, model, app)

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        shown.window.report_bug(f"{kind.__name__}: {error}", text)

    sys.excepthook = report
    Mirror(shown, folder)
    shown.wait()
    if os.name == "posix" and os.getppid() != parent:  # who opened the window is gone
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
    except Refusal as refusal:
        sys.exit(str(refusal))
