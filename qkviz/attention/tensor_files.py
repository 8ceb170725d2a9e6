"""Tensors in files of ``torch.save``. Only plain tensors are read; pickled code is never run."""

import io
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qkviz.translate import Phrase, Refusal

_MAPPED_FROM = 256 << 20
"""Bytes from which on a file is mapped into memory and not read whole."""

_DEEPEST = 8

_PACKED = frozenset(
    getattr(torch, name) for name in ("float4_e2m1fn_x2", "float8_e8m0fnu") if hasattr(torch, name)
)
"""Types that are not one number each, or whose numbers are only scales of others."""


@dataclass(frozen=True, eq=False, slots=True)
class StoredTensor:
    """A tensor of a file: its name with dots between the levels, its shape, and what it stores."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    tensor: Tensor
    problem: Phrase | None  # why it cannot be shown; None: it can


def read_tensors(path: Path, most: int) -> tuple[StoredTensor, ...]:
    """Read the tensors of a checkpoint, at most ``most``, with the restricted reader of torch.

    Tensors may stand in nested dicts, lists and tuples. All are on the CPU.

    Raises
    ------
    Refusal
        If the file is damaged, holds anything but tensors and plain values, or too many tensors.
    """
    try:
        content = _load(path)
    except pickle.UnpicklingError as error:
        raise Refusal(
            "it holds Python objects that are no tensors and could run code, so it is not opened; "
            "save a state_dict or a dict of tensors."
        ) from error
    except Exception as error:  # a damaged file makes torch's reader raise nearly anything
        raise Refusal("it is damaged, cut short, or no checkpoint of torch.") from error
    found: list[StoredTensor] = []
    seen: list[int] = [0]
    for name, tensor in _tensors(content, "", 0, seen, 20 * most):
        if len(found) == most:
            raise Refusal("it holds more than {count} arrays, which are too many to list.", count=most)
        found.append(_stored(name or path.stem, tensor))
    if not found:
        raise Refusal("there is no tensor in it.")
    return tuple(found)


def tensor_part(tensor: Tensor, at: Sequence[int | None]) -> NDArray[np.generic]:
    """Return the part of a tensor with some axes fixed, as an own array of float32, float64 or bool."""
    part = tensor.detach()[tuple(slice(None) if index is None else index for index in at)]
    part = part.resolve_conj().resolve_neg()
    if part.dtype is torch.bool:
        return part.numpy().copy(order="C")
    wanted = torch.float32 if part.is_floating_point() and part.itemsize <= 4 else torch.float64
    # a multiplication by 1 makes signalling NaN ordinary ones, which numpy does not warn of
    return (part.to(wanted) * 1).contiguous().numpy().copy(order="C")


def _load(path: Path) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about old formats; whether they can be read is seen in a moment
        if path.stat().st_size >= _MAPPED_FROM:
            return torch.load(str(path), map_location="cpu", weights_only=True, mmap=True)
        with path.open("rb") as file:
            # an archive is read by its directory; old files are one pickle, which may ask for more bytes than
            # there are, and a file makes room for them before it looks
            is_archive = file.read(2) == b"PK"
            file.seek(0)
            source = file if is_archive else io.BytesIO(file.read())
            return torch.load(source, map_location="cpu", weights_only=True)


def _tensors(
    content: object, place: str, depth: int, seen: list[int], most: int
) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors and their places; ``seen`` counts everything, for a pickle can repeat itself."""
    seen[0] += 1
    if seen[0] > most or depth > _DEEPEST:
        raise Refusal("it is nested too deeply to be a checkpoint.")
    if isinstance(content, Tensor):
        yield place, content
        return
    inner: Iterator[tuple[object, object]]
    if isinstance(content, Mapping):
        inner = iter(content.items())
    elif isinstance(content, list | tuple):
        inner = ((at, one) for at, one in enumerate(content, start=1))
    else:
        return
    for name, one in inner:
        yield from _tensors(one, f"{place}.{name}" if place else str(name), depth + 1, seen, most)


def _stored(name: str, tensor: Tensor) -> StoredTensor:
    shown = str(tensor.dtype).removeprefix("torch.")
    problem = None
    if tensor.layout is not torch.strided:
        problem = Phrase("{array} is sparse; save it with .to_dense().", array=name)
    elif tensor.is_quantized:
        problem = Phrase("{array} is quantized; save it with .dequantize().", array=name)
    elif tensor.is_complex():
        problem = Phrase(
            "{array} holds complex numbers; save its real part, or its absolute value.", array=name
        )
    elif tensor.device.type != "cpu":
        problem = Phrase("{array} has a shape but no numbers.", array=name)
    elif tensor.dtype in _PACKED:
        problem = Phrase(
            "{array} holds {type}, which cannot be shown; save it as float32.", array=name, type=shown
        )
    return StoredTensor(name, tuple(tensor.shape), shown, tensor, problem)
