"""Document files from Python."""

from __future__ import annotations

import os
from pathlib import Path

from qkviz.document.document import Document
from qkviz.document.files import SavedDocument, read_document, write_document


def open_document(path: str | os.PathLike[str]) -> Document:
    """Return the document in a ``.qkviz`` file, ``qkviz.open``.

    Where the user looked is not part of it. Files of other programs open in the window, which asks what
    their arrays are; from Python, load them with their own package and use `make_document`.

    Raises
    ------
    Refusal
        If it cannot be read, or is no document: names the file and what is wrong.
    """
    return read_document(Path(path)).document


def save_document(document: Document, path: str | os.PathLike[str]) -> None:
    """Write a document as a ``.qkviz`` file, ``qkviz.save``: whole, or the old file stays as it was.

    Raises
    ------
    Refusal
        If it cannot be written; says why.
    """
    write_document(SavedDocument(document), Path(path))
