"""Where the files of ``resources/`` lie, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """Return the path of a file or folder below ``resources/``; it need not exist.

    A wheel carries the folder inside the package (``qkviz/_resources``); a checkout has it beside the
    package.
    """
    installed = _PACKAGE / "_resources"
    root = installed if installed.is_dir() else _PACKAGE.parent / "resources"
    return root.joinpath(*parts)
