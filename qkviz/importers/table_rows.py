"""Text to rows of cells: which character separates them is found by trying each."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from qkviz.importers.found import Tick, unheard
from qkviz.importers.table_cells import TableRow, is_number
from qkviz.translate import Refusal

SEPARATORS = ("\t", ";", ",", " ")
"""Tried in this order; a blank stands for any number of blanks and tabs."""

_SAMPLE = 200
"""Rows that decide about the separator."""

_ROWS_A_TICK = 2000


def rows_of(text: str, separator: str, tick: Tick = unheard) -> Iterator[TableRow]:
    """Yield the rows of a text; empty ones too, without cells.

    Raises
    ------
    Refusal
        If a quotation mark never ends; names the row.
    """
    total = max(len(text), 1)
    if separator == " ":
        done = 0
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
            if number % _ROWS_A_TICK == 0:
                tick(min(done / total, 1.0))
            done += len(line) + 1
            yield TableRow(number, tuple(line.split()))
        return
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator != "\t"
    )
    line, done = 1, 0
    try:
        for number, cells in enumerate(reader, start=1):
            if number % _ROWS_A_TICK == 0:
                tick(min(done / total, 1.0))
            done += sum(map(len, cells)) + len(cells)
            yield TableRow(line, tuple(cells) if any(cell.strip() for cell in cells) else ())
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("Row {row} cannot be read: a quotation mark in it never ends.", row=line) from None


def separator_of(text: str) -> str:
    """Return the separator by which most rows have equally many cells, and most of these are numbers."""
    sample = _beginning(text)
    return max(SEPARATORS, key=lambda separator: _fit(sample, separator))


def _beginning(text: str) -> str:
    at = 0
    for _line in range(_SAMPLE):
        end = text.find("\n", at)
        if end < 0:
            return text
        at = end + 1
    return text[:at]


def _fit(sample: str, separator: str) -> tuple[float, float]:
    """Return the share of rows with the commonest width, 0 if that is one cell, and the share of numbers."""
    try:
        rows = [row.cells for row in rows_of(sample, separator) if row.cells]
    except Refusal:
        return 0.0, 0.0
    if not rows:
        return 0.0, 0.0
    width, count = Counter(len(cells) for cells in rows).most_common(1)[0]
    cells = [cell for row in rows for cell in row]
    numbers = sum(map(is_number, cells)) / len(cells)
    # few numbers mean that the cut went through them, as a comma does through 1,5 2,5
    return (count / len(rows) if width > 1 else 0.0) * (0.05 + numbers), numbers
