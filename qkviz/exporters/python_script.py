"""The document as a PyTorch script that computes the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qkviz.atomic_file import atomic_path
from qkviz.document.session import Snapshot
from qkviz.presenters.code import CodeContent, present_code


def write_script(snapshot: Snapshot, path: Path) -> None:
    """Write the script of the document, with comments in the language of the interface.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    write_script_content(present_code(snapshot), path)


def write_script_content(script: CodeContent, path: Path) -> None:
    """Write a script as it is; the arrays that it reads, if any, into an .npz file of its name beside it.

    Raises
    ------
    OSError
        If a file cannot be written. The arrays are written first, so that no script is left without them.
    """
    if script.arrays:
        with atomic_path(path.with_suffix(".npz")) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **script.arrays)
    with atomic_path(path) as temporary:
        temporary.write_text(script.text, encoding="utf-8", newline="\n")
