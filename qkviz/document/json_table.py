"""Strict JSON, read entry by entry: what is wrong is named, and what nobody asked for can be kept."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeGuard, TypeVar

from qkviz.translate import Phrase, Refusal

T = TypeVar("T")

_LARGEST_WHOLE = 2**53
"""What JSON promises to keep; positions and counts are far below."""


def strict_json(text: str) -> dict[str, object]:
    """Read one JSON object.

    ``NaN``, ``Infinity`` and numbers beyond the range of a float are no JSON; a name given twice would make
    the meaning depend on the reader.

    Raises
    ------
    ValueError
        If it is not one strict JSON object.
    """
    try:
        read = json.loads(text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(read, dict):
        raise ValueError(f"{type(read).__name__} where an object was expected")
    return read


def merged(known: Mapping[str, object], kept: Mapping[str, object]) -> dict[str, object]:
    """Return ``known`` with what only ``kept`` has, tables inside tables too."""
    result = dict(known)
    for name, value in kept.items():
        mine = result.setdefault(name, value)
        if isinstance(mine, Mapping) and isinstance(value, Mapping):
            result[name] = merged(mine, value)
    return result


class JsonTable:
    """One table. `rest` tells afterwards what nobody asked for.

    Parameters
    ----------
    entries
        What `strict_json` read.
    place
        Dotted name of this table; empty for the outermost.
    """

    def __init__(self, entries: Mapping[str, object], place: str = "") -> None:
        self._entries = entries
        self._place = place
        self._asked: set[str] = set()
        self._tables: dict[str, JsonTable] = {}

    def rest(self) -> dict[str, object]:
        """Return the entries that were not asked for, with those of inner tables."""
        left = {name: value for name, value in self._entries.items() if name not in self._asked}
        inner = {name: table.rest() for name, table in self._tables.items()}
        return left | {name: rest for name, rest in inner.items() if rest}

    def refuse(self, name: str, problem: Phrase) -> NoReturn:
        """Raise a refusal about an entry."""
        raise Refusal("Its entry “{entry}” {problem}.", entry=f"{self._place}{name}", problem=problem)

    def text(self, name: str) -> str:
        """Return a text."""
        value = self.value(name)
        return value if isinstance(value, str) else self.refuse(name, Phrase("must be text"))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self.items(name)
        if not all(isinstance(value, str) for value in values):
            self.refuse(name, Phrase("must hold texts only"))
        return tuple(str(value) for value in values)

    def whole(self, name: str) -> int:
        """Return a whole number from 0."""
        value = self.value(name)
        return value if _is_whole(value) else self.refuse(name, Phrase("must be a whole number from 0"))

    def wholes(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers from 0."""
        return tuple(self._whole_in(name, value) for value in self.items(name))

    def pairs(self, name: str) -> tuple[tuple[int, int], ...]:
        """Return a list of pairs of whole numbers from 0."""
        return tuple(self._pair_in(name, value) for value in self.items(name))

    def number(self, name: str) -> float:
        """Return a finite number."""
        value = self.value(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
            self.refuse(name, Phrase("must be a number"))
        return float(value)

    def flag(self, name: str) -> bool:
        """Return a truth value."""
        value = self.value(name)
        return value if isinstance(value, bool) else self.refuse(name, Phrase("must be true or false"))

    def choice(self, name: str, choices: Mapping[str, T]) -> T:
        """Return what the entry, a text, stands for in ``choices``."""
        chosen = self.text(name)
        if chosen not in choices:
            allowed = ", ".join(choices)
            problem = Phrase("is “{chosen}”; possible are {allowed}", chosen=chosen, allowed=allowed)
            self.refuse(name, problem)
        return choices[chosen]

    def table(self, name: str) -> JsonTable:
        """Return an inner table."""
        value = self.value(name)
        if not isinstance(value, dict):
            self.refuse(name, Phrase("must be a table"))
        return self._tables.setdefault(name, JsonTable(value, f"{self._place}{name}."))

    def tables(self, name: str) -> tuple[JsonTable, ...]:
        """Return a list of tables."""
        numbered = self.numbered(name)
        return tuple(numbered.table(place) for place in numbered.names())

    def numbered(self, name: str) -> JsonTable:
        """Return a list of anything as a table whose entries are called 1, 2, …; its rest is not kept."""
        values = {str(place): value for place, value in enumerate(self.items(name), start=1)}
        return JsonTable(values, f"{self._place}{name}.")

    def items(self, name: str) -> list[object]:
        """Return a list of anything."""
        value = self.value(name)
        return value if isinstance(value, list) else self.refuse(name, Phrase("must be a list"))

    def names(self) -> tuple[str, ...]:
        """Return the names of all entries."""
        return tuple(self._entries)

    def value(self, name: str) -> object:
        """Return anything that is not null."""
        if not self.has(name):
            self.refuse(name, Phrase("is missing"))
        return self._entries[name]

    def has(self, name: str) -> bool:
        """Tell whether the entry is there and not null."""
        self._asked.add(name)
        return self._entries.get(name) is not None

    def _pair_in(self, name: str, value: object) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            self.refuse(name, Phrase("must hold pairs of whole numbers"))
        return self._whole_in(name, value[0]), self._whole_in(name, value[1])

    def _whole_in(self, name: str, value: object) -> int:
        return value if _is_whole(value) else self.refuse(name, Phrase("must hold whole numbers from 0"))


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_WHOLE


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:  # a whole number of more digits than a float has
        return False


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word} is not a JSON number")
    return number


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name is given twice")
    return table
