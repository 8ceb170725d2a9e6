"""Cells of a text table to numbers: points or commas as decimal signs, every minus sign, nan and inf."""

from __future__ import annotations

import math
import re
import unicodedata
from array import array as number_array
from collections.abc import Sequence
from dataclasses import dataclass

from qkviz.translate import Phrase, Refusal

_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = {
    "nan": math.nan,
    "-nan": math.nan,
    "inf": math.inf,
    "+inf": math.inf,
    "-inf": -math.inf,
    "infinity": math.inf,
    "-infinity": -math.inf,
    "∞": math.inf,
    "-∞": -math.inf,
}
_MINUS_SIGNS = str.maketrans("−–‒—‐‑", "------")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a text table and the number of its line, from 1."""

    line: int
    cells: tuple[str, ...]


def is_number(text: str) -> bool:
    """Whether a cell reads as a number in one of the ways a table may write it."""
    return _value(text.strip()) is not None


def numbers_of(rows: Sequence[TableRow], first: int) -> number_array[float]:
    """Return the numbers of all rows, one after another, from column ``first`` on.

    Raises
    ------
    Refusal
        For the first cell that is no number, or that writes the decimal sign in another way than a cell
        before it; names row and column.
    """
    numbers = number_array("d")
    point_seen = comma_seen = False
    for row in rows:
        for column, cell in enumerate(row.cells[first:], start=first + 1):
            text = cell.strip()
            if _PLAIN.fullmatch(text) and len(text) <= _LONGEST:
                point_seen = point_seen or "." in text
                value: float | None = float(text)
            else:
                value = _value(text)
                comma_seen = comma_seen or ("," in text and value is not None)
            if value is None or (math.isinf(value) and text[-1:].isdigit()):
                raise _unreadable(row.line, column, text)
            if point_seen and comma_seen:
                raise Refusal(
                    "Row {row}, column {column}: “{text}” and cells before it have different decimal signs; "
                    "use one of “.” and “,” everywhere.",
                    row=row.line,
                    column=column,
                    text=text,
                )
            numbers.append(value)
    return numbers


def _value(text: str) -> float | None:
    if len(text) > _LONGEST:
        return None
    if _PLAIN.fullmatch(text):
        return float(text)
    plain = unicodedata.normalize("NFKC", text).translate(_MINUS_SIGNS).strip()
    if _PLAIN.fullmatch(plain):
        return float(plain)
    if _COMMA.fullmatch(plain):
        return float(plain.replace(",", "."))
    return _NOT_FINITE.get(plain.lower())


def _unreadable(row: int, column: int, text: str) -> Refusal:
    if not text:
        return Refusal("Row {row}, column {column} is empty; a number belongs there.", row=row, column=column)
    shown = text if len(text) <= 40 else text[:39] + "…"
    return Refusal(
        "Row {row}, column {column}: “{text}” is not a number.", row=row, column=column, text=shown
    )


def ragged(row: TableRow, width: int, first: TableRow) -> Phrase:
    """Say that a row has another number of cells than the first."""
    return Phrase(
        "Row {row} has {length} cells, but row {first} has {width}; every row needs the same count.",
        row=row.line,
        length=len(row.cells),
        first=first.line,
        width=width,
    )
