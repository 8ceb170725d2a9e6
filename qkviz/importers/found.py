"""What a reader found in a file: arrays that can be listed without being read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qkviz.translate import Phrase, Refusal

MOST_ARRAYS = 10_000
"""A list that nobody reads to its end; a file with more is damaged or made to do harm."""

MOST_NUMBERS = 1 << 25
"""Numbers that are read at once: 256 MB as float64."""

At = tuple[int | None, ...]
"""One index for every axis of an array; None keeps the axis whole."""

Values = NDArray[np.generic]

Tick = Callable[[float], None]
"""Hears how far a reader is, 0 to 1; may raise to end it."""


def unheard(_share: float) -> None:
    """Be told how far a reader is, and do nothing."""


class ArrayKind(StrEnum):
    """What the cells of an array are."""

    NUMBERS = "numbers"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True, eq=False, slots=True)
class FoundArray:
    """One array of a file, not read yet.

    Attributes
    ----------
    name
        As the file calls it; names of one file may repeat.
    shape
        Any number of axes, also none.
    dtype
        What the file stores, in numpy's words: ``"bfloat16"``, ``"int64"``, ``"text"``.
    kind
        Numbers, text, or something that cannot be shown.
    read
        Reads a part of it: float32, float64, bool or text, of this machine's byte order, contiguous and its
        own copy. Use `load`.
    problem
        Why it cannot be read at all; None if it can.
    row_labels, column_labels
        Labels that stand beside the numbers in the file; empty if there are none.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    kind: ArrayKind
    read: Callable[[At], Values]
    problem: Phrase | None = None
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()

    @property
    def shape_text(self) -> str:
        """The shape as people write it: ``"3 × 4"``; a dash for a single number."""
        return " × ".join(str(size) for size in self.shape) or "–"

    @property
    def size(self) -> int:
        """How many cells it has."""
        return math.prod(self.shape)

    def load(self, at: Sequence[int | None] = ()) -> Values:
        """Read the array, or the part of it that ``at`` names.

        Parameters
        ----------
        at
            An index for an axis that goes, None for one that stays; what is left out stays.

        Raises
        ------
        Refusal
            If it cannot be read, is too large, has no such part, or the file has changed.
        """
        if self.problem is not None:
            raise Refusal("{problem}", problem=self.problem)
        place = (*at, *[None] * (len(self.shape) - len(at)))
        left = [size for size, index in zip(self.shape, place, strict=True) if index is None]
        if any(
            index is not None and not 0 <= index < size for size, index in zip(self.shape, place, strict=True)
        ):
            raise Refusal("{name} is {shape}; it has no such part.", name=self.name, shape=self.shape_text)
        if not math.prod(left):
            raise Refusal("{name} is {shape}: it has no cells.", name=self.name, shape=self.shape_text)
        if math.prod(left) > MOST_NUMBERS:
            raise Refusal(
                "{name} is {shape}, too much to show at once; choose one of its parts.",
                name=self.name,
                shape=self.shape_text,
            )
        return self.read(place)


@dataclass(frozen=True, slots=True)
class TableChoices:
    """How a text table is to be read; None lets the reader find out.

    Attributes
    ----------
    encoding
        ``"utf-8"`` (also UTF-16 where the file says so) or ``"gb18030"``.
    separator
        ``","``, ``";"``, tab or a blank.
    has_header, has_labels
        Whether the first row, the first column are labels.
    """

    encoding: str = "utf-8"
    separator: str | None = None
    has_header: bool | None = None
    has_labels: bool | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """What is in a file.

    Attributes
    ----------
    name
        The file's name without its folder, or what stands for it.
    format
        The format in words, translated when shown.
    arrays
        In the order of the file.
    is_table
        Whether it was read as a text table, so that `TableChoices` change what is found.
    swaps_linear
        Whether the format comes from torch, whose Linear stores (out, in).
    """

    name: str
    format: Phrase
    arrays: tuple[FoundArray, ...]
    is_table: bool = False
    swaps_linear: bool = False


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Smallest and largest finite number, None if there is none, and how many are not finite."""

    low: float | None
    high: float | None
    non_finite: int


def number_range(values: Values) -> NumberRange:
    """Return the range of an array of numbers."""
    if values.size == 0:
        return NumberRange(None, None, 0)
    numbers = values.astype(np.float64, copy=False)
    finite = np.isfinite(numbers)
    count = int(finite.sum())
    if not count:
        return NumberRange(None, None, int(numbers.size))
    if count < numbers.size:
        numbers = numbers[finite]
    return NumberRange(float(numbers.min()), float(numbers.max()), int(values.size) - count)


def unreadable(path: Path, problem: Phrase) -> Refusal:
    """Return the refusal that names the file and says what is wrong with it."""
    return Refusal("{file}: {problem}", file=path.name, problem=problem)


def cut_short(path: Path) -> Refusal:
    """Return the refusal for a file that ends before its content."""
    return unreadable(path, Phrase("the file ends before its content does; copy or download it once more."))


def too_many(path: Path) -> Refusal:
    """Return the refusal for a file with more arrays than anybody can look at."""
    return unreadable(
        path, Phrase("it holds more than {count} arrays, which are too many to list.", count=MOST_ARRAYS)
    )


def gone(path: Path) -> Refusal:
    """Return the refusal for a file that was there a moment ago."""
    return unreadable(path, Phrase("the file is gone."))
