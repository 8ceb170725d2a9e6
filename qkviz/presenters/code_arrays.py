"""Matrices in a script: small ones written out, large ones in an .npz file beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.masks import CellMask
from qkviz.attention.score_functions import Additive
from qkviz.document.document import Document

if TYPE_CHECKING:
    from qkviz.attention.matrix_changes import Matrix

LARGEST_WRITTEN = 1024
"""Numbers of a matrix that are written out: 32 tokens of 32 dimensions. Nobody reads more than these."""


def large_arrays(document: Document) -> dict[str, NDArray[np.generic]]:
    """Return what a script of ``document`` reads from the file beside it; empty where all is written out."""
    large: dict[str, NDArray[np.generic]] = {
        name: values.numpy() for name, values in _matrices(document).items() if is_large(values.numel())
    }
    mask = document.options.mask
    if isinstance(mask, CellMask) and is_large(len(mask.forbidden)):
        large["forbidden"] = np.array(sorted(mask.forbidden))  # (cells, 2)
    return large


def is_large(count: int) -> bool:
    """Tell whether so many numbers are too many to be written out."""
    return count > LARGEST_WRITTEN


def tensor_lines(name: str, matrix: Matrix, comment: str = "") -> Iterator[str]:
    """Yield the lines that make a tensor called ``name``, which has to be one of those of `large_arrays`."""
    remark = f"  # {comment}" if comment else ""
    if is_large(matrix.numel()):
        yield f'{name} = torch.from_numpy(arrays["{name}"]){remark}'
        return
    yield f"{name} = torch.tensor([{remark}"
    for row in matrix.tolist():
        yield f"    {numbers_text(row)},"
    yield "])"


def numbers_text(values: Iterable[float]) -> str:
    """Return a list of numbers as Python reads it."""
    return "[" + ", ".join(number_text(value) for value in values) + "]"


def number_text(value: float) -> str:
    """Return the shortest text that reads back as ``value``; inf and nan are names that the script has."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _matrices(document: Document) -> dict[str, Matrix]:
    """Return every matrix that a script of the document begins with, by its name there."""
    inputs, options = document.inputs, document.options
    named: dict[str, Matrix | None] = {
        name: getattr(inputs, name, None) for name in ("W_Q", "W_K", "W_V", "Q", "K", "V", "scores")
    }
    if isinstance(inputs, ProjectedInputs):
        named |= {"X" if inputs.is_self_attention else "X_q": inputs.X_q, "X_k": inputs.X_k}
        named |= {"moved_q": inputs.query_offsets, "moved_k": inputs.key_offsets}
        if inputs.is_self_attention:
            del named["X_k"]
    if isinstance(options.score, Additive):
        named |= {"W_1": options.score.W_1, "W_2": options.score.W_2}
    named["bias"] = options.bias
    return {name: values for name, values in named.items() if values is not None}
