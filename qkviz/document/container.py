"""The bytes of a document file: a safetensors container, tensors by name and notes in text."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from qkviz.document.json_table import strict_json
from qkviz.translate import Refusal

Array = NDArray[np.generic]

_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "|b1",
    "I8": "|i1", "I16": "<i2", "I32": "<i4", "I64": "<i8",
    "U8": "|u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""Those that numpy has: what is read can be written again."""

_LONGEST_HEADER = 100_000_000
"""Bytes; safetensors reads no longer one. Eight letters of a text, taken for a length, are far beyond."""

_POINTER = b"version https://git-lfs.github.com/spec/"


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
        """Return a tensor of float64, read-only.

        Raises
        ------
        Refusal
            If it is not there, or of another type or number of dimensions.
        """
        if name not in self._all:
            raise Refusal("Its tensor “{tensor}” is missing.", tensor=name)
        self._taken.add(name)
        tensor = self._all[name]
        if tensor.dtype != np.float64:
            raise Refusal(
                "Its tensor “{tensor}” holds {dtype}, not float64.", tensor=name, dtype=tensor.dtype.name
            )
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


def packed(container: Container) -> bytes:
    """Return the bytes of a safetensors file."""
    # little-endian and contiguous, as safetensors.numpy takes for granted
    tensors = {name: np.ascontiguousarray(tensor) for name, tensor in container.tensors.items()}
    return safetensors.numpy.save(tensors, dict(container.notes))


def unpacked(data: bytes) -> Container:
    """Read the bytes of a safetensors file.

    Raises
    ------
    Refusal
        If they are not a whole and sound one: one sentence that says what they are instead.
    """
    header = _header(data)
    try:
        tensors = safetensors.deserialize(data)  # type: ignore[no-untyped-call]
    except safetensors.SafetensorError:
        raise Refusal("It is damaged: its list of tensors does not fit what it holds.") from None
    notes = header.get("__metadata__", {})
    assert isinstance(notes, dict)  # or it would not have been taken for safetensors
    return Container({name: _array(name, tensor) for name, tensor in tensors}, notes)


def _header(data: bytes) -> dict[str, object]:
    """Return the header, after checking that all of the file that it speaks of is there."""
    if not data:
        raise Refusal("It is empty.")
    if data.startswith(_POINTER):
        raise Refusal(
            "It only points to a file that was not downloaded, as Git LFS does; “git lfs pull” fetches it."
        )
    if data.count(0) == len(data):
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
    return header


def _end(entry: object) -> int:
    """Return where the bytes of a tensor end; 0 for what is no tensor."""
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    end = offsets[-1] if isinstance(offsets, list) and offsets else 0
    return end if isinstance(end, int) else 0


def _array(name: str, tensor: Mapping[str, object]) -> Array:
    dtype, shape, data = tensor["dtype"], tensor["shape"], tensor["data"]
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise Refusal("Its tensor “{tensor}” is {dtype}, which qkviz cannot keep.", tensor=name, dtype=dtype)
    assert isinstance(shape, list)
    assert isinstance(data, bytes | bytearray)
    return np.frombuffer(data, dtype=_DTYPES[dtype]).reshape(shape)
