"""JSON: nested lists of numbers under any names, and lists of words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from qkviz.importers.found import (
    MOST_ARRAYS,
    ArrayKind,
    At,
    Found,
    FoundArray,
    TableChoices,
    Tick,
    Values,
    unreadable,
)
from qkviz.translate import Phrase, Refusal

LARGEST = 32 << 20
"""Bytes of a JSON file; its numbers take ten times as much while they are read."""

_DEEPEST = 12

_NOT_FINITE = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "infinity": math.inf,
    "-infinity": -math.inf,
}
"""Words for what strict JSON has no numbers for, in small letters."""


def is_json(head: bytes) -> bool:
    """Whether a text begins as a JSON list or object."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def read_json(path: Path, _choices: TableChoices, _tick: Tick) -> Found:
    """Find the arrays of a JSON file.

    Raises
    ------
    Refusal
        If it is too large, no JSON, or a list is ragged or mixes numbers and words (naming the place).
    """
    if path.stat().st_size > LARGEST:
        raise unreadable(
            path,
            Phrase(
                "it is larger than {size} MB; save such numbers as .npy or .safetensors.", size=LARGEST >> 20
            ),
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise unreadable(path, Phrase("it is not UTF-8, as JSON has to be.")) from None
    try:
        return Found(path.name, Phrase("JSON"), arrays_of(text, path.stem))
    except Refusal as refusal:
        raise unreadable(path, refusal.phrase) from None


def arrays_of(text: str, name: str) -> tuple[FoundArray, ...]:
    """Return the arrays in a JSON text; one without a name of its own is called ``name``.

    Raises
    ------
    Refusal
        If it is no JSON, holds no list, or a list is ragged or mixes numbers and words.
    """
    try:
        content = json.loads(text, object_pairs_hook=_Members)
    except json.JSONDecodeError as error:
        raise Refusal(
            "it is no JSON from line {line}, column {column} on.", line=error.lineno, column=error.colno
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise Refusal("its JSON is nested too deeply or holds a number of too many digits.") from None
    arrays: list[FoundArray] = []
    for place, values in _lists(content, "", 0):
        if len(arrays) == MOST_ARRAYS:
            raise Refusal("it holds more than {count} arrays, which are too many to list.", count=MOST_ARRAYS)
        arrays.append(_array(place or name, values))
    if not arrays:
        raise Refusal("there is no list of numbers in it.")
    return tuple(arrays)


class _Members(tuple[tuple[str, object], ...]):
    """The members of an object, equal names included."""

    __slots__ = ()


def _lists(content: object, place: str, depth: int) -> Iterator[tuple[str, list[object]]]:
    """Yield the lists of numbers or words and where they stand; single numbers and words are passed over."""
    if depth > _DEEPEST:
        raise Refusal("its JSON is nested too deeply.")
    inner: Iterator[tuple[str, object]]
    if isinstance(content, _Members):
        inner = iter(content)
    elif isinstance(content, list) and any(isinstance(one, _Members) for one in content):
        inner = ((str(at), one) for at, one in enumerate(content, start=1))
    elif isinstance(content, list):
        yield place, content
        return
    else:
        return
    for name, one in inner:
        yield from _lists(one, f"{place}.{name}" if place else name, depth + 1)


@dataclass(frozen=True, eq=False, slots=True)
class _Grid:
    """The cells of nested lists, flat, and their shape."""

    cells: list[object]
    shape: tuple[int, ...]


def _array(name: str, values: list[object]) -> FoundArray:
    grid = _grid(name, values)
    texts = sum(isinstance(cell, str) and cell.lower() not in _NOT_FINITE for cell in grid.cells)
    if texts and all(isinstance(cell, str) for cell in grid.cells):
        words: Values = np.array(grid.cells, dtype=np.str_).reshape(grid.shape)
        return FoundArray(name, grid.shape, "text", ArrayKind.TEXT, partial(_part, words))
    numbers = np.array([_number(name, grid, at) for at in range(len(grid.cells))], dtype=np.float64)
    if grid.cells and all(isinstance(cell, bool) for cell in grid.cells):
        truths: Values = numbers.astype(np.bool_).reshape(grid.shape)
        return FoundArray(name, grid.shape, "bool", ArrayKind.NUMBERS, partial(_part, truths))
    shaped: Values = numbers.reshape(grid.shape)
    return FoundArray(name, grid.shape, "float64", ArrayKind.NUMBERS, partial(_part, shaped))


def _grid(name: str, values: list[object]) -> _Grid:
    """Flatten nested lists level by level."""
    shape = [len(values)]
    cells = values
    while cells and isinstance(cells[0], list):
        if len(shape) > _DEEPEST:
            raise Refusal("its JSON is nested too deeply.")
        width = len(cells[0])
        inner: list[object] = []
        for at, row in enumerate(cells):
            if not isinstance(row, list) or len(row) != width:
                raise Refusal(
                    "{place} has {length} cells, but the first row there has {first}.",
                    place=_place(name, at, shape),
                    length=len(row) if isinstance(row, list) else 0,
                    first=width,
                )
            inner.extend(row)
        shape.append(width)
        cells = inner
    return _Grid(cells, tuple(shape))


def _number(name: str, grid: _Grid, at: int) -> float:
    cell = grid.cells[at]
    if isinstance(cell, float | int):
        try:
            return float(cell)
        except OverflowError:
            pass
    elif cell is None:  # what JavaScript writes for a number that is not finite
        return math.nan
    elif isinstance(cell, str):
        word = cell.strip().lower().replace("−", "-").replace("∞", "inf")
        if word in _NOT_FINITE:
            return _NOT_FINITE[word]
    raise Refusal("{place} is not a number.", place=_place(name, at, grid.shape))


def _place(name: str, at: int, shape: tuple[int, ...] | list[int]) -> Phrase:
    """Name a cell of a flat grid: row and column of a matrix, else all its indexes."""
    indexes: list[int] = []
    for size in reversed(shape):
        at, index = divmod(at, max(size, 1))
        indexes.insert(0, index + 1)
    if len(indexes) == 1:
        return Phrase("row {row} of {name}", row=indexes[0], name=name)
    if len(indexes) == 2:
        return Phrase("row {row}, column {column} of {name}", row=indexes[0], column=indexes[1], name=name)
    return Phrase("cell {cell} of {name}", cell=", ".join(map(str, indexes)), name=name)


def _part(values: Values, at: At) -> Values:
    return np.array(values[tuple(slice(None) if index is None else index for index in at)], order="C")
