"""The bytes of a document file: a safetensors container, tensors by name and notes in text."""

from __future__ import annotations

import json
import math
import mmap
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import safetensors
from numpy.typing import NDArray

from qkviz.attention.tensor_arrays import BFLOAT16
from qkviz.document.json_table import strict_json
from qkviz.translate import Refusal

Array = NDArray[np.generic]

_DTYPES: dict[str, np.dtype[Any]] = {
    "BF16": BFLOAT16,
    **{name: np.dtype(code) for name, code in {
        "F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "|b1",
        "I8": "|i1", "I16": "<i2", "I32": "<i4", "I64": "<i8",
        "U8": "|u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
    }.items()},
}  # fmt: skip
"""Those that can be held: what is read can be written again."""

_LONGEST_HEADER = 100_000_000
"""Bytes; safetensors reads no longer one. Eight letters of a text, taken for a length, are far beyond."""

_POINTER = b"version https://git-lfs.github.com/spec/"

_MAPPED_FROM = 64 << 20
"""Bytes from which on a file is mapped into memory and its tensors are read when they are looked at.

Windows could not replace or delete a file while it is mapped; there it is read whole.
"""

Buffer = bytearray | mmap.mmap


@dataclass(frozen=True, eq=False, slots=True)
class Container:
    """Tensors by name, and the texts in the metadata."""

    tensors: Mapping[str, Array] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


class Tensors:
    """The tensors of a container, and which of them are ours."""

    def __init__(self, container: Container) -> None:
        self._all = container.tensors
        self._taken: set[str] = set()

    def has(self, name: str) -> bool:
        """Tell whether there is such a tensor."""
        return name in self._all

    def take(self, name: str, dimensions: int = 2) -> Array:
        """Return a tensor of float64.

        Raises
        ------
        Refusal
            If it is not there, or of another type or number of dimensions.
        """
        tensor = self.take_any(name, dimensions)
        if tensor.dtype != np.float64:
            raise Refusal(
                "Its tensor “{tensor}” holds {dtype}, not float64.", tensor=name, dtype=tensor.dtype.name
            )
        return tensor

    def take_any(self, name: str, dimensions: int) -> Array:
        """Return a tensor of whatever type.

        Raises
        ------
        Refusal
            If it is not there, or has another number of dimensions.
        """
        if name not in self._all:
            raise Refusal("Its tensor “{tensor}” is missing.", tensor=name)
        self._taken.add(name)
        tensor = self._all[name]
        if tensor.ndim != dimensions:
            raise Refusal(
                "Its tensor “{tensor}” has {count} dimensions, not {right}.",
                tensor=name,
                count=tensor.ndim,
                right=dimensions,
            )
        return tensor

    def left(self) -> dict[str, Array]:
        """Return the tensors that nobody has taken."""
        return {name: tensor for name, tensor in self._all.items() if name not in self._taken}


def container_size(container: Container) -> int:
    """Return about how many bytes a container takes in a file: those of its tensors and its notes."""
    notes = sum(len(text) for text in container.notes.values())
    return notes + sum(tensor.nbytes for tensor in container.tensors.values())


def write_container(container: Container, file: IO[bytes]) -> None:
    """Write a safetensors file, one tensor after the other; the same container gives the same bytes.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    dtypes = {dtype: name for name, dtype in _DTYPES.items()}
    tensors = dict(container.tensors)
    # the widest numbers first, as safetensors does it, so that every tensor stands where its type may
    names = sorted(tensors, key=lambda name: (-tensors[name].dtype.itemsize, name))
    header: dict[str, object] = {"__metadata__": dict(container.notes)} if container.notes else {}
    end = 0
    for name in names:
        begin, end = end, end + tensors[name].nbytes
        little = tensors[name].dtype.newbyteorder("<")
        header[name] = {"dtype": dtypes[little], "shape": tensors[name].shape, "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for name in names:
        little = tensors[name].dtype.newbyteorder("<")
        file.write(np.ascontiguousarray(tensors[name], little).tobytes())


def read_container(path: Path) -> Container:
    """Read a safetensors file; of a large one the header only, and the tensors when they are looked at.

    Raises
    ------
    Refusal
        If it is not a whole and sound one: one sentence that says what it is instead.
    OSError
        If it cannot be read.
    """
    buffer = _buffer(path)
    header, start = _header(buffer)
    try:
        with safetensors.safe_open(path, "np"):
            pass  # it has compared the whole header with the size of the file
    except safetensors.SafetensorError:
        raise Refusal("It is damaged: its list of tensors does not fit what it holds.") from None
    notes = header.pop("__metadata__", {})
    assert isinstance(notes, dict)  # or it would not have been taken for safetensors
    return Container({name: _array(buffer, start, name, entry) for name, entry in header.items()}, notes)


def _buffer(path: Path) -> Buffer:
    """Return the bytes of a file. They can be changed in memory, which the file does not notice."""
    with path.open("rb") as file:
        size = path.stat().st_size
        if size >= _MAPPED_FROM and sys.platform != "win32":
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        buffer = bytearray(size)
        file.readinto(buffer)
        return buffer


def _header(data: Buffer) -> tuple[dict[str, Any], int]:
    """Return the header and where the tensors begin, after checking that all of the file is there."""
    if not data:
        raise Refusal("It is empty.")
    if data[: len(_POINTER)] == _POINTER:
        raise Refusal(
            "It only points to a file that was not downloaded, as Git LFS does; “git lfs pull” fetches it."
        )
    if not any(data[:8]) and not np.frombuffer(data, np.uint8).any():
        raise Refusal("It holds nothing but zeros, as after a full disk or a power cut.")
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else 0
    if length > _LONGEST_HEADER or (len(data) >= 9 and data[8:9] != b"{"):
        raise Refusal("It is not a safetensors file, so it is no document of qkviz.")
    if len(data) < 8 + length or len(data) < 10:
        raise Refusal("It is cut short: it ends within its own header.")
    try:
        header = strict_json(data[8 : 8 + length].decode("utf-8"))
    except ValueError:
        raise Refusal("It is damaged: its header cannot be read.") from None
    whole = 8 + length + max((_end(entry) for entry in header.values()), default=0)
    if len(data) < whole:
        raise Refusal("It is cut short: {there} of {whole} bytes are there.", there=len(data), whole=whole)
    return header, 8 + length


def _end(entry: object) -> int:
    """Return where the bytes of a tensor end; 0 for what is no tensor."""
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    end = offsets[-1] if isinstance(offsets, list) and offsets else 0
    return end if isinstance(end, int) else 0


def _array(data: Buffer, start: int, name: str, entry: Mapping[str, Any]) -> Array:
    """Return a tensor, a view of ``data``; ``start`` is where the header ends."""
    dtype, shape = entry["dtype"], entry["shape"]
    if dtype not in _DTYPES:
        raise Refusal("Its tensor “{tensor}” is {dtype}, which qkviz cannot keep.", tensor=name, dtype=dtype)
    offset = start + entry["data_offsets"][0]
    return np.frombuffer(data, _DTYPES[dtype], math.prod(shape), offset).reshape(shape)
