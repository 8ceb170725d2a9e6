"""Safetensors: a JSON header and the bytes of the tensors behind it. Each tensor is read when it is wanted.

Read here and not by the package of that name: its numpy side knows neither bfloat16 nor float8, and a person
needs to hear what is wrong with a damaged file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO

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
    cut_short,
    gone,
    too_many,
    unreadable,
)
from qkviz.importers.stored_numbers import (
    StoredType,
    bfloat16,
    float8_e4m3,
    float8_e5m2,
    plain,
    read_part,
    truth,
)
from qkviz.translate import Phrase, Refusal

LONGEST_HEADER = 16 << 20
"""Bytes; a model of ten thousand tensors has about one million."""

_MOST_AXES = 32

_TYPES = {
    "BOOL": StoredType("bool", np.dtype(np.uint8), truth),
    "U8": StoredType("uint8", np.dtype("u1"), plain),
    "I8": StoredType("int8", np.dtype("i1"), plain),
    "U16": StoredType("uint16", np.dtype("<u2"), plain),
    "I16": StoredType("int16", np.dtype("<i2"), plain),
    "U32": StoredType("uint32", np.dtype("<u4"), plain),
    "I32": StoredType("int32", np.dtype("<i4"), plain),
    "U64": StoredType("uint64", np.dtype("<u8"), plain),
    "I64": StoredType("int64", np.dtype("<i8"), plain),
    "F16": StoredType("float16", np.dtype("<f2"), plain),
    "F32": StoredType("float32", np.dtype("<f4"), plain),
    "F64": StoredType("float64", np.dtype("<f8"), plain),
    "BF16": StoredType("bfloat16", np.dtype("<u2"), bfloat16),
    "F8_E4M3": StoredType("float8_e4m3", np.dtype("u1"), float8_e4m3),
    "F8_E5M2": StoredType("float8_e5m2", np.dtype("u1"), float8_e5m2),
}


def is_safetensors(head: bytes) -> bool:
    """Whether a file begins as safetensors: the length of the header, then JSON."""
    return len(head) > 8 and head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") < 1 << 40


def read_safetensors(path: Path, _choices: TableChoices, _tick: Tick) -> Found:
    """Find the tensors of a safetensors file; only its header is read.

    Raises
    ------
    Refusal
        If the file is cut short, its header is damaged or too long, or tensors overlap.
    """
    size = path.stat().st_size
    header, start = read_header(path, size)
    header.pop("__metadata__", None)
    if len(header) > MOST_ARRAYS:
        raise too_many(path)
    found, parts = [], []
    for name, entry in header.items():
        array, begin, end = _found(path, name, entry, start, size - start)
        found.append(array)
        parts.append((begin, end, name))
    parts.sort()
    for (_begin, end, name), (next_begin, next_end, next_name) in pairwise(parts):
        if next_begin < end and next_begin < next_end:
            raise unreadable(
                path,
                Phrase("{one} and {other} share bytes; the file is damaged.", one=name, other=next_name),
            )
    return Found(path.name, Phrase("safetensors file"), tuple(found), swaps_linear=True)


def read_header(path: Path, size: int) -> tuple[dict[str, object], int]:
    """Return the header of a safetensors file of ``size`` bytes, and where the tensors begin."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > LONGEST_HEADER:
            raise unreadable(
                path,
                Phrase(
                    "its header is said to be {size} MB long; that is no safetensors file, or a damaged one.",
                    size=length >> 20,
                ),
            )
        data = file.read(length)
    if len(data) < length or size < 8 + length:
        raise cut_short(path)
    try:
        header = json.loads(data.decode("utf-8"), object_pairs_hook=_each_once)
    except (ValueError, RecursionError, MemoryError):
        header = None
    if not isinstance(header, dict):
        raise unreadable(path, Phrase("its header is damaged."))
    return header, 8 + length


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands twice")
    return made


def _found(path: Path, name: str, entry: object, start: int, room: int) -> tuple[FoundArray, int, int]:
    """Check one line of the header, whose tensor lies within ``room`` bytes from ``start`` on."""
    damaged = unreadable(path, Phrase("its header says nothing sensible about {array}.", array=name))
    if not isinstance(entry, dict):
        raise damaged
    kind, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    if not (isinstance(kind, str) and _are_sizes(shape) and _are_sizes(offsets)):
        raise damaged
    assert isinstance(shape, list)  # as are the offsets: just asked
    assert isinstance(offsets, list)
    if len(offsets) != 2 or offsets[0] > offsets[1] or len(shape) > _MOST_AXES:
        raise damaged
    begin, end = offsets
    if end > room:
        raise cut_short(path)
    stored = _TYPES.get(kind)
    if stored is None:
        problem = Phrase(
            "{array} holds {type}, which cannot be shown; save it as float32.", array=name, type=kind
        )
        read = partial(_read, path, start, _TYPES["U8"], (0,))
        return FoundArray(name, tuple(shape), kind, ArrayKind.OTHER, read, problem), begin, end
    if math.prod(shape) * stored.storage.itemsize != end - begin:
        raise unreadable(
            path,
            Phrase(
                "{array} is {shape} {type}, which does not fill its {size} bytes; the file is damaged.",
                array=name,
                shape=" × ".join(map(str, shape)),
                type=stored.shown,
                size=end - begin,
            ),
        )
    read = partial(_read, path, start + begin, stored, tuple(shape))
    return FoundArray(name, tuple(shape), stored.shown, ArrayKind.NUMBERS, read), begin, end


def _are_sizes(values: object) -> bool:
    return isinstance(values, list) and all(type(one) is int and 0 <= one < 1 << 60 for one in values)


def _read(path: Path, offset: int, stored: StoredType, shape: tuple[int, ...], at: At) -> Values:
    @contextmanager
    def open_file() -> Iterator[IO[bytes]]:
        with path.open("rb") as file:
            yield file

    try:
        return stored.decode(read_part(open_file, offset, stored.storage, shape, at))
    except EOFError:
        raise cut_short(path) from None
    except FileNotFoundError:
        raise gone(path) from None
    except Refusal as refusal:
        raise unreadable(path, refusal.phrase) from None
    except OSError as error:
        raise unreadable(path, Phrase("{reason}", reason=error.strerror or error)) from error
