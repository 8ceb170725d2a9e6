"""A table of a lesson file, read entry by entry; whatever is wrong is named with file and field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from qkviz.lessons.lesson_parts import BothLanguages, Rows
from qkviz.translate import Phrase, Refusal

T = TypeVar("T")


class TomlTable:
    """One table. Every entry is taken once, and `end` refuses what nobody took.

    Parameters
    ----------
    entries
        What tomllib read.
    file
        Shown name of the file.
    place
        Dotted name of this table in the file; empty for the file itself.
    """

    def __init__(self, entries: Mapping[str, object], file: str, place: str = "") -> None:
        self.place = place
        self._left = dict(entries)
        self._file = file

    def refusal(self, name: str, problem: Phrase) -> Refusal:
        """Return what to raise about the entry ``name``; it is a sentence with file and field."""
        return Refusal(
            "In the lesson file {file}, “{field}” {problem}.",
            file=self._file,
            field=self._full(name),
            problem=problem,
        )

    def text(self, name: str) -> str:
        """Take a text."""
        return self._as(name, str, Phrase("must be text"))

    def both(self, name: str) -> BothLanguages:
        """Take a text given in both languages: a table with exactly ``zh`` and ``en``."""
        return self.table(name).both_here()

    def both_list(self, name: str) -> tuple[BothLanguages, ...]:
        """Take a list of texts, each given in both languages."""
        return tuple(self._wrap(name, at, entry).both_here() for at, entry in enumerate(self._list(name)))

    def both_here(self) -> BothLanguages:
        """Take this table itself as one text in both languages."""
        texts = {language: self.text(language).strip() for language in ("zh", "en")}
        self.end()
        for language, text in texts.items():
            if not text:
                raise self.refusal(language, Phrase("is empty"))
        return BothLanguages(**texts)

    def texts(self, name: str) -> tuple[str, ...]:
        """Take a list of texts."""
        entries = self._list(name)
        if not all(isinstance(entry, str) for entry in entries):
            raise self.refusal(name, Phrase("must hold texts only"))
        return tuple(str(entry) for entry in entries)

    def count(self, name: str, default: int | None = None) -> int:
        """Take a whole number from 0; without a default it must be there."""
        if default is not None and name not in self._left:
            return default
        number = self._as(name, int, Phrase("must be a whole number"))
        if isinstance(number, bool) or number < 0:
            raise self.refusal(name, Phrase("must be a whole number from 0"))
        return number

    def flag(self, name: str, default: bool) -> bool:
        """Take true or false."""
        return self._as(name, bool, Phrase("must be true or false")) if name in self._left else default

    def choice(
        self, name: str, allowed: Mapping[str, object] | tuple[str, ...], default: str | None = None
    ) -> str:
        """Take a text that must be one of ``allowed``."""
        if default is not None and name not in self._left:
            return default
        chosen = self.text(name)
        if chosen not in allowed:
            raise self.refusal(
                name,
                Phrase("is “{chosen}”; possible are {allowed}", chosen=chosen, allowed=", ".join(allowed)),
            )
        return chosen

    def rows(self, name: str) -> Rows:
        """Take a matrix of finite numbers with rows of equal length."""
        rows = self._list(name)
        numbers: list[tuple[float, ...]] = []
        for row in rows:
            if not isinstance(row, list) or not row or not all(_is_number(entry) for entry in row):
                raise self.refusal(name, Phrase("must be rows of numbers"))
            numbers.append(tuple(float(entry) for entry in row))
        if len({len(row) for row in numbers}) != 1:
            raise self.refusal(name, Phrase("has rows of different length, or none"))
        return tuple(numbers)

    def table(self, name: str) -> TomlTable:
        """Take a table."""
        entries = self._as(name, dict, Phrase("must be a table"))
        return TomlTable(entries, self._file, self._full(name))

    def tables(self, name: str, read: Callable[[TomlTable], T]) -> tuple[T, ...]:
        """Take a list of tables, each through ``read``, which takes all of its entries."""
        found: list[T] = []
        for at, entry in enumerate(self._list(name)):
            table = self._wrap(name, at, entry)
            found.append(read(table))
            table.end()
        return tuple(found)

    def named_tables(self, name: str, read: Callable[[TomlTable], T]) -> dict[str, T]:
        """Take a table of tables, each through ``read``; none at all is an empty one."""
        if name not in self._left:
            return {}
        table = self.table(name)
        found: dict[str, T] = {}
        for key in tuple(table._left):
            inner = table.table(key)
            found[key] = read(inner)
            inner.end()
        return found

    def numbers_left(self) -> dict[str, float]:
        """Take every entry left; all must be numbers."""
        found: dict[str, float] = {}
        for name in tuple(self._left):
            value = self._left.pop(name)
            if not _is_number(value):
                raise self.refusal(name, Phrase("must be a number"))
            assert isinstance(value, int | float)
            found[name] = value
        return found

    def has(self, name: str) -> bool:
        """Whether there is an entry ``name`` not taken yet."""
        return name in self._left

    def end(self) -> None:
        """Check that every entry was taken.

        Raises
        ------
        Refusal
            Naming the first entry that this program does not know.
        """
        for name in self._left:
            raise self.refusal(name, Phrase("is not known; is it from a newer qkviz, or misspelt?"))

    def _full(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name

    def _as(self, name: str, kind: type[T], problem: Phrase) -> T:
        if name not in self._left:
            raise self.refusal(name, Phrase("is missing"))
        value = self._left.pop(name)
        if not isinstance(value, kind):
            raise self.refusal(name, problem)
        return value

    def _list(self, name: str) -> list[object]:
        return self._as(name, list, Phrase("must be a list"))

    def _wrap(self, name: str, at: int, entry: object) -> TomlTable:
        place = f"{name}[{at + 1}]"
        if not isinstance(entry, dict):
            raise self.refusal(place, Phrase("must be a table"))
        return TomlTable(entry, self._file, self._full(place))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
