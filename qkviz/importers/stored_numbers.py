"""Bytes to numbers: a part of a stored array, in this machine's byte order, as plain floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import IO

import numpy as np
from numpy.typing import NDArray

from qkviz.importers.found import MOST_NUMBERS, At, Values
from qkviz.translate import Refusal

OpenFile = Callable[[], AbstractContextManager[IO[bytes]]]
"""Opens the bytes anew; nothing stays open between two reads."""


@dataclass(frozen=True, eq=False, slots=True)
class StoredType:
    """How one number is stored.

    Attributes
    ----------
    shown
        Its name in numpy's words.
    storage
        The numpy type with the same bytes.
    decode
        Makes plain numbers of an array of ``storage``.
    """

    shown: str
    storage: np.dtype[np.generic]
    decode: Callable[[Values], Values]


def read_part(
    open_file: OpenFile, offset: int, storage: np.dtype[np.generic], shape: tuple[int, ...], at: At
) -> Values:
    """Read the part ``at`` of an array that is stored row by row from ``offset`` on.

    Only the bytes of the indexes at the front are read: one head of many costs one head.

    Returns
    -------
    array
        The axes that ``at`` keeps, in storage type; read-only.

    Raises
    ------
    EOFError
        If the file ends within it.
    OSError
        If the file cannot be read.
    Refusal
        If it would take too much memory.
    """
    start, front = 0, 0
    for size, index in zip(shape, at, strict=True):
        if index is None:
            break
        start, front = start * size + index, front + 1
    rest = shape[front:]
    count = math.prod(rest)
    if count * storage.itemsize > 8 * MOST_NUMBERS:
        raise Refusal("{size} MB are too much to be read at once.", size=count * storage.itemsize >> 20)
    with open_file() as file:
        file.seek(offset + start * count * storage.itemsize)
        data = file.read(count * storage.itemsize)
    if len(data) < count * storage.itemsize:
        raise EOFError
    array: Values = np.frombuffer(data, storage, count).reshape(rest)
    return array[tuple(slice(None) if index is None else index for index in at[front:])]


def plain(values: Values) -> Values:
    """Return an own contiguous copy: halves as float32, integers and long doubles as float64.

    Floats of other byte orders come back in this machine's.
    """
    kind, size = values.dtype.kind, values.dtype.itemsize
    wanted = np.float32 if kind == "f" and size <= 4 else np.float64
    with np.errstate(all="ignore"):  # long doubles beyond the range of float64, and the NaN of `quiet`
        return quiet(np.array(values, dtype=wanted, order="C"))


def quiet(values: Values) -> Values:
    """Make signalling NaN ordinary ones, in place: numpy warns at each of them whenever it meets one."""
    if values.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            np.multiply(values, 1, out=values)  # and not + 0, which would lose the sign of −0
    return values


def truth(values: Values) -> Values:
    """Return bytes as bool; whatever is not 0 is true."""
    return np.ascontiguousarray(values != 0)


def unicode_text(values: Values) -> Values:
    """Return text whose code points exist."""
    points = np.array(values, dtype=values.dtype.newbyteorder("="), order="C")
    codes = points.view(np.uint32)
    codes[codes > 0x10FFFF] = 0xFFFD
    return points


def byte_text(values: Values) -> Values:
    """Return bytes read as UTF-8."""
    text: Values = np.char.decode(np.asarray(values), "utf-8", "replace")
    return text


def bfloat16(values: Values) -> Values:
    """Return the upper halves of float32 numbers as those numbers, exactly."""
    return quiet((values.astype(np.uint32) << 16).view(np.float32))


def float8_e5m2(values: Values) -> Values:
    """Return the upper bytes of float16 numbers as float32, exactly."""
    return plain((values.astype(np.uint16) << 8).view(np.float16))


def float8_e4m3(values: Values) -> Values:
    """Return numbers of 1 sign, 4 exponent and 3 fraction bits (without infinities) as float32, exactly."""
    decoded: Values = _e4m3_table()[values]
    return decoded


@cache
def _e4m3_table() -> NDArray[np.float32]:
    """The 256 numbers of float8_e4m3fn: bias 7, no infinities, S.1111.111 is NaN."""
    codes = np.arange(256)
    exponents, fractions = (codes >> 3) & 15, codes & 7
    sizes = np.where(exponents == 0, fractions / 8 * 2.0**-6, (1 + fractions / 8) * 2.0 ** (exponents - 7.0))
    sizes = np.where((codes & 127) == 127, np.nan, sizes)
    return np.where(codes >= 128, -sizes, sizes).astype(np.float32)
