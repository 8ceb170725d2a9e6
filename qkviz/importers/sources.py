"""Where arrays come from: one file, several files chosen together, or a text from the clipboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qkviz.importers.formats import read_file
from qkviz.importers.found import Found, FoundArray, TableChoices, Tick
from qkviz.importers.table_file import read_text
from qkviz.translate import Phrase, Refusal

_TEXTS = (".csv", ".tsv", ".txt", ".dat", "")
"""Suffixes of text tables."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files whose arrays belong together, as Q.npy and K.npy do.

    Attributes
    ----------
    paths
        At least one.
    """

    paths: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What the document from it is called."""
        return self.paths[0].name if len(self.paths) == 1 else self.paths[0].parent.name

    @property
    def may_be_table(self) -> bool:
        """Whether another encoding or separator may help if reading fails."""
        return any(path.suffix.lower() in _TEXTS for path in self.paths)

    def read(self, choices: TableChoices, tick: Tick) -> Found:
        """Find the arrays of all files.

        Raises
        ------
        Refusal
            If one of the files cannot be read.
        """
        found = [read_file(path, choices, tick) for path in self.paths]
        if len(found) == 1:
            return found[0]
        return Found(
            self.name,
            Phrase("{count} files", count=len(found)),
            tuple(_named(array, one.name, one.arrays) for one in found for array in one.arrays),
            any(one.is_table for one in found),
            any(one.swaps_linear for one in found),
        )


@dataclass(frozen=True, slots=True)
class TextSource:
    """A table as text, from the clipboard."""

    text: str

    @property
    def name(self) -> str:
        """What the document from it is called."""
        return str(Phrase("table from the clipboard"))

    @property
    def may_be_table(self) -> bool:
        """Whether another encoding or separator may help if reading fails."""
        return True

    def read(self, choices: TableChoices, tick: Tick) -> Found:
        """Find the tables in the text.

        Raises
        ------
        Refusal
            If it is no table.
        """
        try:
            return replace(read_text(self.text, choices, tick), name=self.name)
        except Refusal as refusal:
            raise Refusal("{file}: {problem}", file=self.name, problem=refusal.phrase) from None


Source = FileSource | TextSource


def _named(array: FoundArray, file: str, siblings: Sequence[FoundArray]) -> FoundArray:
    """Name an array of one of several files so that it is found again."""
    return array if len(siblings) == 1 else replace(array, name=f"{Path(file).stem}/{array.name}")
