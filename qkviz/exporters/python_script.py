"""The document as a PyTorch script that computes the same numbers."""

from __future__ import annotations

from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.document.session import Snapshot
from qkviz.presenters.code import present_code


def write_script(snapshot: Snapshot, path: Path) -> None:
    """Write the script of the document, with comments in the language of the interface.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_script_text(present_code(snapshot).text, path)


def write_script_text(text: str, path: Path) -> None:
    """Write a script as it is.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
