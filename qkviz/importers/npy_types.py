"""What the type in the header of a NumPy file means."""

from __future__ import annotations

import re

import numpy as np

from qkviz.importers.found import ArrayKind
from qkviz.importers.stored_numbers import StoredType, byte_text, plain, truth, unicode_text
from qkviz.translate import Phrase


def stored_type(name: str, described: str) -> tuple[StoredType, ArrayKind, Phrase | None]:
    """Return how an array is stored, what its cells are, and why they cannot be used."""
    match = re.fullmatch(r"'([<>|=]?)([a-zA-Z])(\d{0,6})(\[\w+\])?'", described)
    if match is None:
        problem = Phrase("{array} is a table of records, not of numbers.", array=name)
        return _unusable("records"), ArrayKind.OTHER, problem
    order, letter, size = match[1], match[2], int(match[3] or 0)
    if letter == "b" and size == 1:
        return StoredType("bool", np.dtype(np.uint8), truth), ArrayKind.NUMBERS, None
    is_float = letter == "f" and size in (2, 4, 8, np.dtype(np.longdouble).itemsize)
    if is_float or (letter in "iu" and size in (1, 2, 4, 8)):
        storage = np.dtype(f"{order}{letter}{size}")
        shown = storage.newbyteorder("=").name + (" (big-endian)" if order == ">" and size > 1 else "")
        return StoredType(shown, storage, plain), ArrayKind.NUMBERS, None
    if letter in "US" and 0 < size <= 4096:
        storage = np.dtype(f"{order}{letter}{size}")
        return StoredType("text", storage, unicode_text if letter == "U" else byte_text), ArrayKind.TEXT, None
    if letter == "O":
        shown = "object"
        problem = Phrase(
            "{array} holds Python objects, which could run code; save it with a number type.", array=name
        )
    elif letter == "c":
        shown = f"complex{8 * size}"
        problem = Phrase(
            "{array} holds complex numbers; save its real part, or its absolute value.", array=name
        )
    elif letter == "V":
        shown = "bytes"
        problem = Phrase(
            "{array} holds raw bytes whose number type is not said (bfloat16 is saved like that); "
            "save it as float32.",
            array=name,
        )
    else:
        shown = described.strip("'<>|=")
        problem = Phrase("{array} holds {type}, which is no number.", array=name, type=shown)
    return _unusable(shown), ArrayKind.OTHER, problem


def _unusable(shown: str) -> StoredType:
    return StoredType(shown, np.dtype(np.uint8), plain)
