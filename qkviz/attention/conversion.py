"""Numbers from outside into float64: tensors of any device and type, arrays, nested lists."""

from collections.abc import Iterable
from numbers import Real

import numpy as np
import torch
from torch import Tensor

from qkviz.attention.shapes import shape_text
from qkviz.translate import Refusal


def float64_copy(values: object, name: str) -> Tensor:
    """Copy numbers into a float64 tensor of our own.

    Parameters
    ----------
    values
        A tensor (any device, real dtype, bf16, f16 and fp8 included, with or without gradient), a numpy array
        (any byte order and strides), anything that numpy takes for an array, or rows of numbers.
    name
        What the user calls it (``"W_Q"``); for the sentence of a refusal.

    Returns
    -------
    Tensor
        Of the same shape, contiguous, on the CPU, without gradient; shares nothing with ``values``.

    Raises
    ------
    Refusal
        If ``values`` is sparse, quantised, packed, masked or without data, or holds text, complex numbers or
        objects; if rows are ragged.
    """
    if isinstance(values, Tensor):
        return _from_tensor(values, name)
    if not isinstance(values, np.ndarray) and hasattr(values, "__array__"):
        values = np.asarray(values)  # jax, pandas
    if isinstance(values, np.ndarray):
        return _from_array(values, name)
    return torch.tensor(_rows(values, name), dtype=torch.float64)


def _from_tensor(values: Tensor, name: str) -> Tensor:
    shape = shape_text(values)
    if values.layout is not torch.strided:
        raise Refusal("{name} is a sparse tensor of {shape}; give {name}.to_dense().", name=name, shape=shape)
    if values.is_quantized:
        raise Refusal(
            "{name} is a quantised tensor of {shape}; give {name}.dequantize().", name=name, shape=shape
        )
    if values.is_meta:
        raise Refusal(
            "{name} is a tensor of {shape} on the device “meta”, which holds no numbers.",
            name=name,
            shape=shape,
        )
    if values.is_complex():
        raise _complex(name, shape)
    try:
        numbers = values.detach().cpu().resolve_neg()
        return numbers.to(torch.float64, copy=True).contiguous()
    except NotImplementedError as error:  # types of torch that only hold bits: uint4, float4_e2m1fn_x2
        raise _no_number(name, shape, values.dtype) from error


def _from_array(values: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]", name: str) -> Tensor:
    shape = " × ".join(map(str, values.shape))
    if isinstance(values, np.ma.MaskedArray):
        raise Refusal("{name} is a masked array of {shape}; give {name}.filled(…).", name=name, shape=shape)
    if values.dtype.kind == "c":
        raise _complex(name, shape)
    if values.dtype.kind not in "fiub":
        raise _no_number(name, shape, values.dtype)
    # np.array also turns round negative strides and foreign byte orders, which torch does not take
    return torch.from_numpy(np.array(values, dtype=np.float64, order="C"))


def _complex(name: str, shape: str) -> Refusal:
    return Refusal("{name} holds complex numbers ({shape}); give real ones.", name=name, shape=shape)


def _no_number(name: str, shape: str, dtype: object) -> Refusal:
    return Refusal(
        "{name} holds something that is not a number ({shape}, dtype {dtype}); give numbers.",
        name=name,
        shape=shape,
        dtype=dtype,
    )


def _rows(values: object, name: str) -> list[list[float]]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise Refusal("{name} is not a matrix; give rows of numbers.", name=name)
    rows: list[list[float]] = []
    for number, row in enumerate(values, start=1):
        if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
            raise Refusal("Row {row} of {name} is not a row of numbers.", row=number, name=name)
        rows.append([_number(cell, name, number, column) for column, cell in enumerate(row, start=1)])
        if len(rows[-1]) != len(rows[0]):
            raise Refusal(
                "Row {row} of {name} has {length} numbers, but row 1 has {first}.",
                row=number,
                name=name,
                length=len(rows[-1]),
                first=len(rows[0]),
            )
    if not rows:
        raise Refusal("{name} has no rows; give it at least one.", name=name)
    return rows


def _number(cell: object, name: str, row: int, column: int) -> float:
    # a 0-d tensor is no Real, yet a number; text that looks like one is not: reading it is a parser's work
    if isinstance(cell, Tensor) and cell.ndim == 0 and not cell.is_complex():
        cell = cell.item()
    if isinstance(cell, Real):
        try:
            return float(cell)
        except OverflowError:
            pass
    raise Refusal(
        "Row {row}, column {column} of {name} is not a number we can hold.", row=row, column=column, name=name
    )
