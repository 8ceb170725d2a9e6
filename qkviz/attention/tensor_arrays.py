"""Tensors as arrays of numpy in their own type, and back, without a copy: for files."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

BFLOAT16 = np.dtype([("bfloat16", "<u2")])
"""The bits of bfloat16, which numpy has no numbers for."""


def array_of(tensor: Tensor) -> NDArray[np.generic]:
    """Return a tensor on the CPU as an array; it shares the memory of a contiguous one."""
    if tensor.dtype is torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(BFLOAT16)
    return tensor.numpy()


def tensor_of(array: NDArray[np.generic]) -> Tensor:
    """Return a writable array of numbers or `BFLOAT16` as a tensor that shares its memory."""
    if not array.flags.aligned:
        array = array.copy()
    if array.dtype == BFLOAT16:
        return torch.from_numpy(array.view("<i2")).view(torch.bfloat16)
    return torch.from_numpy(array)


class NamedArrays:
    """Arrays by name of tensors that are shared: the same tensor has one name, the first it was given."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._tensors: list[Tensor] = []  # alive, or another might get the same id
        self.arrays: dict[str, NDArray[np.generic]] = {}

    def name(self, tensor: Tensor, name: str) -> str:
        """Return the name of a tensor; ``name``, if it has none yet."""
        if id(tensor) not in self._names:
            self._names[id(tensor)] = name
            self._tensors.append(tensor)
            self.arrays[name] = array_of(tensor)
        return self._names[id(tensor)]
