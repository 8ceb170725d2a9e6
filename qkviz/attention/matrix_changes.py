"""Small changes of a matrix, each giving a new one.

The document never writes into a matrix, because older documents of the history share it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

Matrix = Tensor
"""A float64 matrix on the CPU; the name by which layers without torch speak of one."""

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def with_block(matrix: Tensor, row: int, column: int, block: Sequence[Sequence[float]]) -> Tensor:
    """Return (r, c) ``matrix`` with ``block`` written over it, its first cell at (row, column).

    The block must fit and have equal rows.
    """
    changed = matrix.clone()
    values = torch.tensor(block, dtype=matrix.dtype)
    changed[row : row + values.shape[0], column : column + values.shape[1]] = values
    return changed


def with_row(matrix: Tensor, row: int, vector: Tensor) -> Tensor:
    """Return (r, c) ``matrix`` with ``vector``, (c,), as its row ``row``."""
    changed = matrix.clone()
    changed[row] = vector
    return changed


def with_new_row(matrix: Tensor, vector: Tensor) -> Tensor:
    """Return (r + 1, c): ``matrix`` with ``vector``, (c,), below its last row."""
    return torch.cat([matrix, vector.to(matrix.dtype)[None]])


def with_zero_row(matrix: Tensor) -> Tensor:
    """Return (r + 1, c): ``matrix`` with a row of zeros below its last."""
    return with_new_row(matrix, torch.zeros(matrix.shape[1]))


def with_zero_column(matrix: Tensor) -> Tensor:
    """Return (r, c + 1): ``matrix`` with a column of zeros behind its last."""
    return torch.cat([matrix, matrix.new_zeros(matrix.shape[0], 1)], dim=1)


def without_row(matrix: Tensor, row: int) -> Tensor:
    """Return (r − 1, c): ``matrix`` without its row ``row``."""
    return torch.cat([matrix[:row], matrix[row + 1 :]])


def without_column(matrix: Tensor, column: int) -> Tensor:
    """Return (r, c − 1): ``matrix`` without its column ``column``."""
    return torch.cat([matrix[:, :column], matrix[:, column + 1 :]], dim=1)


def none_if_zero(matrix: Tensor) -> Tensor | None:
    """Return ``matrix``, or None when all its entries are 0."""
    return matrix if bool(matrix.any()) else None


def same_values(first: Tensor | None, second: Tensor | None) -> bool:
    """Whether both are None, or of one shape with equal entries (a NaN equals nothing)."""
    if first is None or second is None:
        return first is second
    return torch.equal(first, second)


def first_vector(position: int, dimension: int) -> Tensor:
    """Return the vector that a new token starts with.

    Zeros would be a bad start: no length, no angle, no tip to grab. So the vector has length 1 and lies in
    the first two dimensions, which the plane shows at first. Each position is turned by the golden angle
    against the one before, so that new tokens do not lie on each other. Two decimals, so that the tables show
    all of it.

    Parameters
    ----------
    position
        0-based position of the token.
    dimension
        Length of the vector, at least 1.

    Returns
    -------
    Tensor
        float64, (dimension,), owned by the caller.
    """
    vector = torch.zeros(dimension, dtype=torch.float64)
    if dimension == 1:
        vector[0] = 1.0
    else:
        angle = position * GOLDEN_ANGLE
        vector[0] = round(math.cos(angle), 2)
        vector[1] = round(math.sin(angle), 2)
    return vector


def forbidden_cells(additive: Tensor) -> frozenset[tuple[int, int]]:
    """Return the (query, key) pairs that an additive mask, (m, n) of 0 and −inf, forbids."""
    return frozenset((int(query), int(key)) for query, key in torch.isneginf(additive).nonzero().tolist())
