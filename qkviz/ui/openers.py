"""The table of everything that can be opened: how a file is known, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from qkviz.document.document import Document
from qkviz.document.files import SUFFIX, SavedDocument, is_document, read_document
from qkviz.document.focus import Focus
from qkviz.importers.formats import IMPORTERS
from qkviz.translate import N_, Phrase

HEAD = 4096
"""Bytes from the beginning of a file by which its kind is known."""


class Opening(Protocol):
    """What an opener does with what it has found."""

    def show_file(self, saved: SavedDocument, path: Path) -> None:
        """Show a document that stands in the file ``path``."""

    def show_new(self, document: Document, focus: Focus, label: Phrase) -> None:
        """Show a document that stands in no file of ours yet; ``label`` is for the Undo menu."""

    def ask_import(self, paths: Sequence[Path]) -> None:
        """Ask what the arrays in files are, and show the document that they make."""


@dataclass(frozen=True, slots=True)
class Opener:
    """One kind of file.

    Parameters
    ----------
    label, suffixes
        What it is called in a file dialog, and the suffixes it usually has.
    recognises
        Tells from the first `HEAD` bytes whether a file is of this kind. The content decides; the suffix
        does for documents of ours, and where no row recognises the content.
    open
        Opens files of this kind, one or several that were chosen together. A `Refusal` is shown as it is.
    """

    label: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    open: Callable[[Sequence[Path], Opening], None]


def open_document(paths: Sequence[Path], opening: Opening) -> None:
    """Open a document of our own, the first of ``paths``: there is one document at a time."""
    opening.show_file(read_document(paths[0]), paths[0])


def open_arrays(paths: Sequence[Path], opening: Opening) -> None:
    """Ask what the arrays in files of other programs are; several files make one document."""
    opening.ask_import(paths)


OPENERS: tuple[Opener, ...] = (
    Opener(N_("qkviz document"), (SUFFIX,), is_document, open_document),
    *(Opener(one.label, one.suffixes, one.recognises, open_arrays) for one in IMPORTERS),
)


def opener_for(path: Path) -> Opener:
    """Return the row for a file: by its content, else by its suffix, else the last, which says what it is.

    A file called as ours is ours, however damaged: to others it may look like text.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        head = b""
    if path.suffix.lower() == SUFFIX:
        return OPENERS[0]
    for opener in OPENERS:
        if opener.recognises(head):
            return opener
    return next((one for one in OPENERS if path.suffix.lower() in one.suffixes), OPENERS[-1])
