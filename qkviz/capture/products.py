"""Recognises products of two matrices among the functions of torch that a model calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor


@dataclass(frozen=True, eq=False, slots=True)
class Product:
    """A product of two stacks of matrices, as somebody wrote it.

    Parameters
    ----------
    left, right
        The operands as they were written.
    rows
        The left one as (…, m, d).
    columns
        The right one as (…, n, d) if the product is (…, m, n).
    factor
        What the product was multiplied by in the same call.
    """

    left: Tensor
    right: Tensor
    rows: Tensor
    columns: Tensor
    factor: float = 1.0


def product_of(name: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> Product | None:
    """Return the product that a call of a function of torch is; None if it is none of stacks of matrices."""
    made = _READERS.get(name)
    found = made(arguments, named) if made is not None else None
    return found if found is not None and min(found.left.ndim, found.right.ndim) >= 3 else None


def _matmul(arguments: Sequence[Any], _named: Mapping[str, Any]) -> Product | None:
    match arguments:
        case (Tensor() as left, Tensor() as right) if min(left.ndim, right.ndim) >= 2:
            return Product(left, right, left, right.transpose(-1, -2))
    return None


def _baddbmm(arguments: Sequence[Any], named: Mapping[str, Any]) -> Product | None:
    left = named.get("batch1", arguments[1] if len(arguments) > 1 else None)
    right = named.get("batch2", arguments[2] if len(arguments) > 2 else None)
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return Product(left, right, left, right.transpose(-1, -2), float(named.get("alpha", 1.0)))
    return None


def _einsum(arguments: Sequence[Any], _named: Mapping[str, Any]) -> Product | None:
    """Read a product whose result ends with an index of each operand: "ibnd,jbnd->bnij"."""
    match arguments:
        case (str() as equation, Tensor() as left, Tensor() as right):
            pass
        case _:
            return None
    operands, _arrow, result = equation.replace(" ", "").partition("->")
    first, _comma, second = operands.partition(",")
    summed = (set(first) & set(second)) - set(result)
    if "." in equation or len(summed) != 1 or len(result) < 3:
        return None
    inner = summed.pop()
    stack, row, column = result[:-2], result[-2], result[-1]
    if row not in first or row in second or column not in second or column in first:
        return None
    rows, columns = [*stack, row, inner], [*stack, column, inner]
    if sorted(rows) != sorted(first) or sorted(columns) != sorted(second):
        return None
    return Product(left, right, _permuted(left, first, rows), _permuted(right, second, columns))


def weighted_values(name: str, arguments: Sequence[Any]) -> tuple[Tensor, Tensor] | None:
    """Return weights (…, m, n) and values (…, n, d_v), if a call may be the product of those."""
    match arguments:
        case (Tensor() as left, Tensor() as right) if name in _MATMULS:
            return left, right
        case (str() as equation, Tensor() as left, Tensor() as right) if name == "einsum":
            operands = equation.replace(" ", "").partition("->")[0]
            first, _comma, second = operands.partition(",")
            order = [*first[:-2], *first[-1:], *(index for index in second if index not in first)]
            if sorted(order) == sorted(second):
                return left, _permuted(right, second, order)
    return None


def _permuted(tensor: Tensor, indices: str, order: Sequence[str]) -> Tensor:
    return tensor.permute([indices.index(index) for index in order])


_MATMULS = frozenset({"matmul", "__matmul__", "bmm"})

_READERS: dict[str, Callable[[Sequence[Any], Mapping[str, Any]], Product | None]] = {
    **dict.fromkeys(_MATMULS, _matmul),
    "baddbmm": _baddbmm,
    "einsum": _einsum,
}
