"""Unsaved work is kept on the disk while the program runs, for the case that it does not end well."""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import platformdirs
from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from qkviz.attention.captured import Capture
from qkviz.document.files import SUFFIX, SavedDocument, write_document
from qkviz.translate import Refusal
from qkviz.ui.background import Progress, Task
from qkviz.ui.left_work import NOTE, LeftWork, lock_of, read_left_work, time_of

_log = logging.getLogger(__name__)

_EVERY = 3000
"""Milliseconds of work that a crash costs at most."""

LARGEST_CAPTURE = 64 << 20
"""Bytes. A larger capture is not written every few seconds; the head that is shown is kept without it."""

_ABANDONED = 24 * 3600.0
"""Seconds after which what a killed process has left half-written goes."""


def autosave_folder() -> Path:
    """Return the folder of this user's unsaved work; ``QKVIZ_STATE_DIR`` names another place for it."""
    chosen = os.environ.get("QKVIZ_STATE_DIR")
    folder = Path(chosen) if chosen else platformdirs.user_state_path("qkviz", appauthor=False)
    return folder / "autosave"


class Autosave(QObject):
    """Keeps the newest unsaved state of one window in a file of its own.

    Every file has a lock that its program holds while it runs, so that programs running at once leave each
    other's alone, and a file whose lock is free was left by one that was killed.

    Parameters
    ----------
    folder
        Where the files are; made when it is needed.

    Signals
    -------
    failed
        The work could not be kept; carries the exception.
    left_out
        The work is kept without the capture it stands in, told once for each; carries its bytes.
    """

    failed = Signal(object)
    left_out = Signal(object)  # an int; as C++ has it, it would end at 2 GB

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._own: Path | None = None
        self._lock: QLockFile | None = None
        self._newest: SavedDocument | None = None
        self._left_out: Capture | None = None
        self._task: Task | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._write)

    def keep(self, saved: SavedDocument, name: str, file: Path | None) -> None:
        """Write ``saved`` soon; whatever comes until then is written in its place."""
        note = {"name": name, "file": None if file is None else str(file)}
        self._newest = replace(saved, extra={**saved.extra, NOTE: note})
        if not self._timer.isActive():
            self._timer.start()

    def forget(self) -> None:
        """Delete what is kept: there is nothing unsaved."""
        self._timer.stop()
        self._newest = None
        self._wait()
        if self._own is not None:
            self._own.unlink(missing_ok=True)
            self._own = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def left_work(self) -> LeftWork | None:
        """Return the newest work that a killed program has left; None if there is none that can be opened."""
        self._sweep()
        for kept in self._kept_files():
            lock = lock_of(kept)
            if not lock.tryLock(0):
                continue  # its program is running
            try:
                return read_left_work(kept, lock)
            except Refusal as refusal:
                _log.warning("unsaved work is not offered: %s", refusal)
                lock.unlock()
        return None

    def adopt(self, left: LeftWork) -> None:
        """Make left work this window's own: its file stays until the work is saved or given up."""
        self.forget()
        self._own, self._lock = left.kept, left.lock

    def _write(self) -> None:
        if self._task is not None:  # a slow disk: the newest state follows when it is done
            self._timer.start()
            return
        saved, self._newest = self._newest, None
        try:
            own = self._own_file()
        except OSError as error:
            self.failed.emit(error)
            return
        if saved is not None:
            self._task = Task(partial(_write_kept, self._without_large_capture(saved), own), self)
            self._task.finished.connect(self._written)
            self._task.failed.connect(self._not_written)
            self._task.start()

    def _without_large_capture(self, saved: SavedDocument) -> SavedDocument:
        captured = saved.document.captured
        if captured is None or (size := captured.capture.nbytes) <= LARGEST_CAPTURE:
            return saved
        if captured.capture is not self._left_out:
            self._left_out = captured.capture
            self.left_out.emit(size)
        return replace(saved, document=replace(saved.document, captured=None))

    def _own_file(self) -> Path:
        """Return the file of this window, locked.

        Raises
        ------
        OSError
            If the folder cannot be made or written to.
        """
        if self._own is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            own = self._folder / f"{uuid.uuid4().hex}{SUFFIX}"
            lock = lock_of(own)
            if not lock.tryLock(0):
                raise PermissionError(f"no lock in {self._folder}")
            self._own, self._lock = own, lock
        return self._own

    def _wait(self) -> None:
        if self._task is not None:
            self._task.wait(30.0)  # what it tells is heard later, and lets go of it
            self._task = None

    @Slot(object)
    def _written(self, _nothing: object) -> None:
        self._release()

    @Slot(object)
    def _not_written(self, error: object) -> None:
        self._release()
        self.failed.emit(error)

    def _release(self) -> None:
        """Let go of the task that has ended; it may be one that nobody waits for any more."""
        task = self.sender()
        if task is self._task:
            self._task = None
        if isinstance(task, Task):
            task.wait(1.0)  # its thread may still be inside `emit`, which fails on a deleted sender
            task.deleteLater()

    def _kept_files(self) -> list[Path]:
        """Return the files of other windows, the newest first."""
        files = [file for file in self._files() if not file.name.startswith(".")]
        others = [file for file in files if file.suffix == SUFFIX and file != self._own]
        return sorted(others, key=time_of, reverse=True)

    def _sweep(self) -> None:
        """Delete what killed programs have left half-written, and old locks of nothing."""
        for file in self._files():
            lonely = file.suffix == ".lock" and not file.with_suffix(SUFFIX).exists()
            if (file.name.startswith(".") or lonely) and time.time() - time_of(file) > _ABANDONED:
                file.unlink(missing_ok=True)

    def _files(self) -> Iterator[Path]:
        try:
            yield from tuple(self._folder.iterdir())
        except OSError:
            return


def _write_kept(saved: SavedDocument, path: Path, _progress: Progress) -> None:
    write_document(saved, path)
