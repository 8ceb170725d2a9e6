"""Which file the present document belongs to, and whether it is as it stands there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qkviz.document.document import Document
from qkviz.document.files import SavedDocument

_REMEMBERED = 400
"""Documents at which another file begins. A session can undo 200 steps, each with two of them."""


@dataclass(eq=False, slots=True)
class OpenFile:
    """One piece of work, from where it was opened on.

    Attributes
    ----------
    path
        Its file; None before it was saved for the first time.
    clean
        The document that leaving would not lose: as it stands in the file, or as a lesson opens; None when
        there is none.
    stored
        What else the file holds, to be written again.
    stamp
        Time and size of the file when it was last read or written here.
    """

    path: Path | None = None
    clean: Document | None = None
    stored: SavedDocument | None = None
    stamp: tuple[int, int] | None = None


class DocumentOrigins:
    """Follows the session through edits, undo and redo, and knows at every document which file it is of.

    Documents are told apart by identity: the one that was saved is the saved one again after undo and redo.
    An unknown document is what an edit has made of the one before, and belongs to the same file.

    Parameters
    ----------
    document
        The one at the start; nothing of it is to be saved.
    is_untouched
        Tells whether a document is as a lesson opens it.
    """

    def __init__(self, document: Document, is_untouched: Callable[[Document], bool]) -> None:
        self._is_untouched = is_untouched
        self._last = document
        self._file = OpenFile(clean=document)
        self._known: dict[int, tuple[Document, OpenFile]] = {}
        self._know(document, self._file)

    @property
    def file(self) -> OpenFile:
        """The file of the present document."""
        return self._file

    @property
    def is_modified(self) -> bool:
        """Whether leaving the present document would lose something."""
        return self._last is not self._file.clean

    def expect(self, document: Document, file: OpenFile) -> None:
        """Know that ``document``, when it comes, is the first one of ``file``."""
        self._know(document, file)

    def follow(self, document: Document) -> None:
        """Take note of the present document."""
        if document is self._last:
            return
        _document, file = self._known.get(id(document), (document, None))
        if file is None and self._is_untouched(document):
            file = OpenFile(clean=document)
        if file is not None and file is not self._file:  # undo and redo come back through these two
            self._know(self._last, self._file)
            self._know(document, file)
            self._file = file
        self._last = document

    def saved(self, path: Path, stored: SavedDocument) -> None:
        """Take note that the present document now stands in the file ``path``."""
        self._file.path, self._file.clean, self._file.stored = path, self._last, stored
        self._file.stamp = stamp_of(path)

    def rewrite(self, change: Callable[[Document], Document]) -> None:
        """Follow what the session does to all its documents alike, which is no change of the user's."""
        for file in {self._file, *(file for _document, file in self._known.values())}:
            if file.clean is not None:
                file.clean = change(file.clean)
        known = [(change(document), file) for document, file in self._known.values()]
        self._known = {id(document): (document, file) for document, file in known}
        self._last = change(self._last)

    def _know(self, document: Document, file: OpenFile) -> None:
        self._known.pop(id(document), None)
        self._known[id(document)] = (document, file)  # holds the document, so its id stays its own
        if len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]


def stamp_of(path: Path) -> tuple[int, int] | None:
    """Return time and size of a file; None when there is none."""
    try:
        now = path.stat()
    except OSError:
        return None
    return now.st_mtime_ns, now.st_size
