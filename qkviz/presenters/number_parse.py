"""Text to numbers: what people type, and blocks that they paste from a spreadsheet."""

from __future__ import annotations

import math
import re
import unicodedata

from qkviz.translate import Refusal

LIMIT = 1e6
"""Largest magnitude of a typed number."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity|∞)", re.IGNORECASE)
_MINUS_SIGNS = str.maketrans({"−": "-", "–": "-", "‒": "-", "—": "-", "‐": "-", "‑": "-"})

Block = tuple[tuple[float, ...], ...]


def parse_number(text: str) -> float:
    """Read one number as typed.

    ``.`` is the decimal point; a single ``,`` is one as well, for that is how half the world writes it.
    Full-width digits, every minus sign and exponents are read.

    Parameters
    ----------
    text
        What was typed; blanks around it do not count.

    Returns
    -------
    float
        Exactly the typed number, |v| ≤ 1e6.

    Raises
    ------
    Refusal
        If it is no number, could be two different ones ("1,234.5"), is not finite, or is too large.
    """
    typed = text.strip()
    plain = _plain(typed)
    if not plain:
        raise Refusal("There is no number; type one such as 0.5.")
    if _NOT_FINITE.fullmatch(plain):
        raise Refusal("“{typed}” is not a finite number; type one such as 0.5.", typed=typed)
    if "," in plain:
        if "." in plain or plain.count(",") > 1:
            raise Refusal(
                "“{typed}” can be read in two ways; type one decimal point and nothing between thousands.",
                typed=typed,
            )
        plain = plain.replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        raise Refusal("“{typed}” is not a number; type one such as 0.5, −2 or 1e-3.", typed=typed)
    value = float(plain)
    if not math.isfinite(value) or abs(value) > LIMIT:
        raise Refusal("{typed} is too large; numbers go from −1000000 to 1000000.", typed=typed)
    return value + 0.0  # −0 becomes 0


def parse_block(text: str) -> Block:
    """Read a block of numbers as pasted.

    Columns are kept apart by tabs, else by semicolons, else by commas followed by a blank, by blanks, or by
    commas where these cannot be decimal points. Brackets of Python lists do not count.

    Returns
    -------
    tuple of rows
        At least one row, all of one length.

    Raises
    ------
    Refusal
        If there is nothing, a row has another length than the first (both are named), or a cell is no number
        (row and column are named).
    """
    lines = _lines(text)
    if not lines:
        raise Refusal("There is nothing to paste; copy a block of numbers first.")
    block = tuple(
        tuple(_cell(cell, row, column) for column, cell in enumerate(cells, start=1))
        for row, cells in enumerate(_split(lines), start=1)
    )
    first = len(block[0])
    for row, numbers in enumerate(block, start=1):
        if len(numbers) != first:
            raise Refusal(
                "Row {row} has {length} numbers but row 1 has {first}; every row needs the same count.",
                row=row,
                length=len(numbers),
                first=first,
            )
    return block


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_MINUS_SIGNS).strip()


def _lines(text: str) -> list[str]:
    joined = re.sub(r"[\])]\s*,?\s*[\[(]", "\n", text)  # rows of a Python list
    lines = re.sub(r"[\[\]()]", "", joined).splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


def _split(lines: list[str]) -> list[list[str]]:
    if any("\t" in line for line in lines):
        return [line.strip("\r\n").split("\t") for line in lines]
    plain = [_plain(line) for line in lines]
    if any(";" in line for line in plain):
        return [line.removesuffix(";").split(";") for line in plain]
    if any(re.search(r",\s", line) for line in plain):
        return [re.split(r",\s*", line.removesuffix(",")) for line in plain]
    if any(re.search(r"\s", line) for line in plain):
        return [line.split() for line in plain]
    if any(_has_separating_commas(line) for line in plain):
        return [line.removesuffix(",").split(",") for line in plain]
    return [[line] for line in plain]


def _has_separating_commas(line: str) -> bool:
    return ("." in line or line.count(",") > 1) and "," in line and not _THOUSANDS.fullmatch(line)


def _cell(text: str, row: int, column: int) -> float:
    try:
        return parse_number(text)
    except Refusal as refusal:
        raise Refusal(
            "Row {row}, column {column}: {reason}", row=row, column=column, reason=refusal.phrase
        ) from None
