"""numpy's own files: one array (.npy) or a zip archive of them (.npz), never with pickled objects."""

from __future__ import annotations

import lzma
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from qkviz.importers.found import (
    MOST_ARRAYS,
    At,
    Found,
    FoundArray,
    TableChoices,
    Tick,
    Values,
    cut_short,
    gone,
    too_many,
    unreadable,
)
from qkviz.importers.npy_types import stored_type
from qkviz.importers.stored_numbers import OpenFile, StoredType, read_part
from qkviz.translate import Phrase, Refusal

NPY_START = b"\x93NUMPY"
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")

_LONGEST_HEADER = 65_536
_HEADER = re.compile(
    r"\s*\{\s*'descr'\s*:\s*(?P<type>'[^']*'|\[.*\]|\(.*\))\s*,\s*'fortran_order'\s*:\s*(?P<order>True|False)"
    r"\s*,\s*'shape'\s*:\s*\((?P<shape>[\d\s,L]*)\)\s*,?\s*\}\s*",
    re.DOTALL,
)
"""What numpy writes. A regular expression instead of evaluating it, which is what the format offers."""

BAD_ZIP = (
    zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, OverflowError,
    zlib.error, lzma.LZMAError, struct.error, ImportError, MemoryError, IndexError, KeyError,
)  # fmt: skip
"""What Python's reader of archives raises for damaged, encrypted and exotic ones."""

_MOST_AXES = 32


def is_npy(head: bytes) -> bool:
    """Whether a file begins as an .npy file does."""
    return head.startswith(NPY_START)


def is_npz(head: bytes) -> bool:
    """Whether a file begins as an archive whose first member is an .npy file."""
    return head.startswith(ZIP_STARTS[0]) and first_member(head).endswith(".npy")


def first_member(head: bytes) -> str:
    """Return the name of the first member of an archive."""
    length = int.from_bytes(head[26:28], "little")
    return head[30 : 30 + length].decode("utf-8", "replace")


def read_npy(path: Path, _choices: TableChoices, _tick: Tick) -> Found:
    """Find the one array of an .npy file."""
    size = path.stat().st_size

    @contextmanager
    def open_file() -> Iterator[IO[bytes]]:
        with path.open("rb") as file:
            yield file

    array = _found(path, path.stem, open_file, size)
    return Found(path.name, Phrase("NumPy array"), (array,))


def read_npz(path: Path, _choices: TableChoices, _tick: Tick) -> Found:
    """Find the arrays of an .npz file. Only the beginning of each member is read."""
    arrays: list[FoundArray] = []
    for member in npy_members(path):
        if len(arrays) == MOST_ARRAYS:
            raise too_many(path)
        open_member = partial(_open_member, path, member.filename)
        arrays.append(_found(path, member.filename.removesuffix(".npy"), open_member, member.file_size))
    return Found(path.name, Phrase("NumPy arrays"), tuple(arrays))


def npy_members(path: Path) -> list[zipfile.ZipInfo]:
    """Return the .npy members of an archive.

    Raises
    ------
    Refusal
        If it is damaged or holds none.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith(".npy")]
    except BAD_ZIP as error:
        raise _bad_archive(path, error) from error
    if not members:
        raise unreadable(path, Phrase("it is an archive without any NumPy array."))
    return members


@contextmanager
def _open_member(path: Path, name: str) -> Iterator[IO[bytes]]:
    with path.open("rb") as file, zipfile.ZipFile(file) as archive, archive.open(name) as member:
        yield member


def _bad_archive(path: Path, error: Exception) -> Refusal:
    if isinstance(error, RuntimeError) and "encrypted" in str(error):
        return unreadable(path, Phrase("it is encrypted; unpack it with its password first."))
    return unreadable(path, Phrase("the archive is damaged or cut short; copy or download it once more."))


def _found(path: Path, name: str, open_file: OpenFile, size: int) -> FoundArray:
    """Read the header of an .npy file of ``size`` bytes."""
    try:
        with open_file() as file:
            header, offset = _header(file)
    except EOFError:
        raise cut_short(path) from None
    except ArrayHeaderError:
        raise _no_header(path, name) from None
    except BAD_ZIP as error:
        raise _bad_archive(path, error) from error
    match = _HEADER.fullmatch(header)
    sizes = [] if match is None else re.findall(r"\d+", match["shape"])
    if match is None or len(sizes) > _MOST_AXES or any(len(size) > 18 for size in sizes):
        raise _no_header(path, name)
    shape = tuple(int(size) for size in sizes)
    stored, kind, problem = stored_type(name, match["type"])
    if problem is None and offset + math.prod(shape) * stored.storage.itemsize > size:
        raise unreadable(
            path,
            Phrase(
                "{array} is said to be {shape}, but the file is shorter than that; copy or download it once "
                "more.",
                array=name,
                shape=" × ".join(sizes),
            ),
        )
    read = partial(_read, path, open_file, offset, stored, shape, match["order"] == "True")
    return FoundArray(name, shape, stored.shown, kind, read, problem)


class ArrayHeaderError(Exception):
    """The bytes are not the header of an .npy file."""


def _no_header(path: Path, name: str) -> Refusal:
    return unreadable(path, Phrase("the header of {array} is not that of a NumPy array.", array=name))


def _header(file: IO[bytes]) -> tuple[str, int]:
    start = _exactly(file, 8)
    if not start.startswith(NPY_START) or start[6] not in (1, 2, 3):
        raise ArrayHeaderError
    width = 2 if start[6] == 1 else 4
    length = int.from_bytes(_exactly(file, width), "little")
    if length > _LONGEST_HEADER:
        raise ArrayHeaderError
    return _exactly(file, length).decode(
        "utf-8" if start[6] == 3 else "latin-1", "replace"
    ), 8 + width + length


def _exactly(file: IO[bytes], count: int) -> bytes:
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _read(
    path: Path,
    open_file: OpenFile,
    offset: int,
    stored: StoredType,
    shape: tuple[int, ...],
    fortran: bool,
    at: At,
) -> Values:
    try:
        if fortran:  # column after column is the transpose row after row
            part = read_part(open_file, offset, stored.storage, shape[::-1], at[::-1]).T
        else:
            part = read_part(open_file, offset, stored.storage, shape, at)
    except EOFError:
        raise cut_short(path) from None
    except FileNotFoundError:
        raise gone(path) from None
    except Refusal as refusal:
        raise unreadable(path, refusal.phrase) from None
    except BAD_ZIP as error:
        raise _bad_archive(path, error) from error
    return stored.decode(part)
