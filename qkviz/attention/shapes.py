"""Do two matrices fit? Checks whose refusals name both matrices and both shapes."""

import torch
from torch import Tensor

from qkviz.translate import Refusal

Named = tuple[str, Tensor]
"""A matrix and what the user calls it."""


def shape_text(tensor: Tensor) -> str:
    """Write the shape as people do: ``"3 × 4"``."""
    return " × ".join(str(size) for size in tensor.shape)


def checked(name: str, tensor: Tensor) -> Tensor:
    """Return ``tensor`` if it is a float64 matrix.

    Raises
    ------
    TypeError
        If it is not: a mistake of the program, since `matrix` makes every matrix of the user.
    """
    if tensor.dtype is not torch.float64 or tensor.ndim != 2:
        raise TypeError(f"{name} must come from matrix(): it is {tensor.dtype}, {tuple(tensor.shape)}")
    return tensor


def columns_match_rows(left: Named, right: Named) -> None:
    """Refuse, naming both shapes, unless the product left @ right exists."""
    if left[1].shape[1] != right[1].shape[0]:
        raise Refusal(
            "{left} is {left_shape}, but {right} is {right_shape}: "
            "{left} needs as many columns as {right} has rows.",
            **_both(left, right),
        )


def same_columns(left: Named, right: Named) -> None:
    """Refuse, naming both shapes, unless both matrices have equally many columns."""
    if left[1].shape[1] != right[1].shape[1]:
        raise Refusal(
            "{left} is {left_shape}, but {right} is {right_shape}: both need the same number of columns.",
            **_both(left, right),
        )


def same_rows(left: Named, right: Named) -> None:
    """Refuse, naming both shapes, unless both matrices have equally many rows."""
    if left[1].shape[0] != right[1].shape[0]:
        raise Refusal(
            "{left} is {left_shape}, but {right} is {right_shape}: both need the same number of rows.",
            **_both(left, right),
        )


def _both(left: Named, right: Named) -> dict[str, str]:
    return {
        "left": left[0],
        "left_shape": shape_text(left[1]),
        "right": right[0],
        "right_shape": shape_text(right[1]),
    }
