"""Which file a typed name means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A kind of file: what it is called on the screen and its suffix, ``".png"``."""

    label: str
    suffix: str

    @property
    def filter(self) -> str:
        """The entry of a file dialog: ``PNG picture (*.png)``."""
        return f"{self.label} (*{self.suffix})"


def path_with_suffix(typed: Path, formats: Sequence[FileFormat], chosen: FileFormat, stem: str) -> Path:
    """Return the path that was meant, with a suffix of one of ``formats``.

    Parameters
    ----------
    typed
        What the user gave. A suffix of one of the formats decides, in capitals too; any other dot is part of
        the name.
    formats
        The formats that can be written.
    chosen
        The format of the filter: its suffix is added when the name has none of them.
    stem
        The name for a file that was given nothing but a suffix.
    """
    suffixes = {one.suffix for one in formats}
    name = typed.name
    if name.lower() in suffixes:
        return typed.with_name(stem + name.lower())
    if typed.suffix.lower() in suffixes:
        return typed
    return typed.with_name(name.rstrip(".") + chosen.suffix)
