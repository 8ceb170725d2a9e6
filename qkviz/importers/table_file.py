"""Text tables: CSV, TSV, columns between blanks, a block copied from a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
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
    unheard,
    unreadable,
)
from qkviz.importers.json_file import arrays_of
from qkviz.importers.table_cells import TableRow, is_number, numbers_of, ragged
from qkviz.importers.table_rows import rows_of, separator_of
from qkviz.translate import Phrase, Refusal

LARGEST = 64 << 20
"""Bytes of a text table."""

ENCODINGS = ("utf-8", "gb18030")

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_table(head: bytes) -> bool:
    """Whether a file may be text: it holds no byte that text never has."""
    return head.startswith(_UTF16_MARKS) or not any(byte < 9 or 13 < byte < 27 for byte in head)


def read_table(path: Path, choices: TableChoices, tick: Tick) -> Found:
    """Find the table, or several one under another, in a text file.

    Raises
    ------
    Refusal
        If it is too large, in another encoding, ragged, or a cell is no number (naming row and column).
    """
    size = path.stat().st_size
    if size > LARGEST:
        raise unreadable(
            path,
            Phrase(
                "it is larger than {size} MB; save such numbers as .npy or .safetensors.", size=LARGEST >> 20
            ),
        )
    try:
        arrays = table_arrays(decoded(path.read_bytes(), choices.encoding), path.stem, choices, tick)
    except Refusal as refusal:
        raise unreadable(path, refusal.phrase) from None
    return Found(path.name, Phrase("text table"), arrays, is_table=True)


def read_text(text: str, choices: TableChoices, tick: Tick) -> Found:
    """Find the table in a text from the clipboard; lists of Python and JSON are read as well.

    Raises
    ------
    Refusal
        As `read_table`.
    """
    name = "clipboard"
    if text.lstrip()[:1] in ("[", "{", "("):
        try:
            return Found(name, Phrase("JSON"), arrays_of(text, name))
        except Refusal:  # perhaps printed by Python or NumPy
            text = text.replace("],", "\n").replace("),", "\n").translate(str.maketrans("[]()", "    "))
            text = "\n".join(line.strip().rstrip(",") for line in text.splitlines() if line.strip(" ,"))
    return Found(name, Phrase("text table"), table_arrays(text, name, choices, tick), is_table=True)


def decoded(data: bytes, encoding: str) -> str:
    """Return text of bytes in UTF-8 or UTF-16 with their marks, or in the encoding asked for.

    Raises
    ------
    Refusal
        If they are in another one; names the row.
    """
    used = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8-sig" if encoding == "utf-8" else encoding
    try:
        return data.decode(used)
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        if encoding == "utf-8":
            raise Refusal(
                "Row {row} is not UTF-8; choose the encoding GB18030, or save the file as UTF-8.", row=row
            ) from None
        raise Refusal("Row {row} is not in the encoding {encoding}.", row=row, encoding=used) from None


def table_arrays(text: str, name: str, choices: TableChoices, tick: Tick = unheard) -> tuple[FoundArray, ...]:
    """Return the tables of a text, each with its labels.

    Raises
    ------
    Refusal
        If there is none, a row has another number of cells, or a cell is no number.
    """
    if not text.strip():
        raise Refusal("there is nothing in it.")
    rows = list(rows_of(text, choices.separator or separator_of(text), tick))
    while rows and _is_comment(rows[0]):  # as numpy.savetxt writes its header
        rows.pop(0)
    blocks = _blocks(rows)
    if not blocks:
        raise Refusal("there is nothing in it.")
    if len(blocks) > MOST_ARRAYS:
        raise Refusal("it holds more than {count} arrays, which are too many to list.", count=MOST_ARRAYS)
    if len(blocks) == 1:
        return (_table(name, blocks[0], choices),)
    return tuple(_table(block[0].cells[0].strip(), block[1:], choices) for block in blocks)


def _is_comment(row: TableRow) -> bool:
    return not row.cells or row.cells[0] == "#" or row.cells[0].startswith("# ")


def _blocks(rows: Sequence[TableRow]) -> list[list[TableRow]]:
    """Split at empty rows if every part has a name above it; else empty rows do not count."""
    blocks: list[list[TableRow]] = [[]]
    for row in rows:
        if row.cells:
            blocks[-1].append(row)
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if len(blocks) > 1 and all(_has_name(block) for block in blocks):
        return blocks
    whole = [row for block in blocks for row in block]
    return [whole] if whole else []


def _has_name(block: Sequence[TableRow]) -> bool:
    first = [cell for cell in block[0].cells if cell.strip()]
    return len(block) > 1 and len(first) == 1 and not is_number(first[0]) and len(block[1].cells) > 1


def _table(name: str, rows: list[TableRow], choices: TableChoices) -> FoundArray:
    rows = _even(rows)
    words = [[not is_number(cell) for cell in row.cells] for row in rows[:2]]
    if choices.has_header is None and choices.has_labels is None and _is_all_words(rows):
        return _words(name, rows)
    corner_is_empty = not rows[0].cells[0].strip() and len(rows) > 1 and len(rows[0].cells) > 1
    has_header = choices.has_header
    if has_header is None:
        has_header = len(rows) > 1 and (
            corner_is_empty
            or _is_header(words[0], words[1])
            or (_counts(rows[0].cells[1:]) and _are_labels(rows))
        )
    body = rows[1:] if has_header else rows
    has_labels = choices.has_labels
    if has_labels is None:
        has_labels = len(rows[0].cells) > 1 and ((corner_is_empty and has_header) or _are_labels(body))
    first = int(has_labels)
    width = len(rows[0].cells) - first
    if not body or not width:
        raise Refusal("it has labels but no numbers.")
    values: Values = np.frombuffer(numbers_of(body, first), np.float64).reshape(len(body), width)
    return FoundArray(
        name,
        (len(body), width),
        "float64",
        ArrayKind.NUMBERS,
        partial(_part, values),
        None,
        tuple(row.cells[0].strip() for row in body) if has_labels else (),
        tuple(cell.strip() for cell in rows[0].cells[first:]) if has_header else (),
    )


def _even(rows: list[TableRow]) -> list[TableRow]:
    """Give all rows the same width: a separator at the ends and a missing corner are forgiven.

    Raises
    ------
    Refusal
        For the first row with another number of cells; names both rows.
    """
    width = max(len(row.cells) for row in rows)
    if width > 1 and all(len(row.cells) < width or not row.cells[-1].strip() for row in rows):
        rows = [TableRow(row.line, row.cells[: width - 1]) for row in rows]
        width -= 1
    lacks_corner = len(rows) > 1 and len(rows[0].cells) == width - 1 and len(rows[1].cells) == width
    if lacks_corner and not all(is_number(cell) for cell in rows[0].cells):  # as R writes it
        rows = [TableRow(rows[0].line, ("", *rows[0].cells)), *rows[1:]]
    for row in rows:
        if len(row.cells) != len(rows[0].cells):
            raise Refusal("{problem}", problem=ragged(row, len(rows[0].cells), rows[0]))
    return rows


def _is_header(first: list[bool], second: list[bool]) -> bool:
    """Whether most cells of the first row are words above numbers; a single one may be a slip."""
    above = [word for word, below in zip(first, second, strict=True) if not below]
    return 2 * sum(above) >= max(len(above), 1)


def _are_labels(body: Sequence[TableRow]) -> bool:
    """Whether most cells of the first column are words."""
    return 2 * sum(not is_number(row.cells[0]) for row in body) > len(body)


def _counts(cells: Sequence[str]) -> bool:
    """Whether cells are 0, 1, 2 … or 1, 2, 3 …, which are numbers of columns more likely than values."""
    texts = [cell.strip() for cell in cells]
    return len(texts) > 2 and any(
        texts == [str(at) for at in range(first, first + len(texts))] for first in (0, 1)
    )


def _is_all_words(rows: Sequence[TableRow]) -> bool:
    return not any(is_number(cell) for row in rows[:1000] for cell in row.cells)


def _words(name: str, rows: Sequence[TableRow]) -> FoundArray:
    cells = [[cell.strip() for cell in row.cells] for row in rows]
    words: Values = np.array(cells, dtype=np.str_)
    if 1 in words.shape:
        words = words.reshape(-1)
    return FoundArray(name, words.shape, "text", ArrayKind.TEXT, partial(_part, words))


def _part(values: Values, at: At) -> Values:
    return np.array(values[tuple(slice(None) if index is None else index for index in at)], order="C")
