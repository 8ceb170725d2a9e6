"""Unsaved work that a program has left which did not end well."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QLockFile

from qkviz.document.files import SavedDocument, read_document

NOTE = "autosave"
"""Entry of a kept file that says where its document belongs."""


@dataclass(frozen=True, eq=False, slots=True)
class LeftWork:
    """Unsaved work of a program that has ended without a word. Its lock is held until something is done.

    Parameters
    ----------
    kept, lock
        The file that holds it and the lock on that file.
    saved
        The document and where the user looked.
    name
        What the document was called in the title of its window.
    file
        The file it belongs to, if it had one.
    seconds
        When it was kept, since the epoch.
    """

    kept: Path
    lock: QLockFile
    saved: SavedDocument
    name: str
    file: Path | None
    seconds: float

    def leave(self) -> None:
        """Let another start offer it again."""
        self.lock.unlock()

    def discard(self) -> None:
        """Delete it."""
        self.kept.unlink(missing_ok=True)
        self.lock.unlock()


def read_left_work(kept: Path, lock: QLockFile) -> LeftWork:
    """Return what a kept file holds.

    Raises
    ------
    Refusal
        If it cannot be read.
    """
    saved = read_document(kept)
    extra = dict(saved.extra)
    note = extra.pop(NOTE, None)
    note = note if isinstance(note, dict) else {}
    name, file = note.get("name"), note.get("file")
    return LeftWork(
        kept,
        lock,
        replace(saved, extra=extra),
        name if isinstance(name, str) else "",
        Path(file) if isinstance(file, str) else None,
        time_of(kept),
    )


def lock_of(kept: Path) -> QLockFile:
    """Return the lock that the program of a kept file holds while it runs."""
    lock = QLockFile(str(kept.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # never by its age: only when its process is gone
    return lock


def time_of(path: Path) -> float:
    """Return when a file was written, in seconds since the epoch; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:  # another program has just deleted it
        return 0.0
