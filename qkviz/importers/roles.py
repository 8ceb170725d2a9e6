"""What an array of a file is to be in a document, and what is to be done with it on the way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from qkviz.importers.found import At, FoundArray


class ArrayRole(StrEnum):
    """What an array is."""

    X = "x"
    X_K = "x_k"
    W_Q = "w_q"
    W_K = "w_k"
    W_V = "w_v"
    Q = "q"
    K = "k"
    V = "v"
    SCORES = "scores"
    WEIGHTS = "weights"
    MASK = "mask"
    TOKENS = "tokens"
    KEY_TOKENS = "key_tokens"

    @property
    def shown(self) -> str:
        """The name that formulas and sentences use; the words are translated by whoever shows them."""
        return _SHOWN.get(self, self.value)


_SHOWN = {
    ArrayRole.X: "X",
    ArrayRole.X_K: "X_k",
    ArrayRole.W_Q: "W_Q",
    ArrayRole.W_K: "W_K",
    ArrayRole.W_V: "W_V",
    ArrayRole.Q: "Q",
    ArrayRole.K: "K",
    ArrayRole.V: "V",
}

PROJECTIONS = frozenset({ArrayRole.W_Q, ArrayRole.W_K, ArrayRole.W_V})
WORDS = frozenset({ArrayRole.TOKENS, ArrayRole.KEY_TOKENS})
HAS_HEADS = PROJECTIONS | {ArrayRole.Q, ArrayRole.K, ArrayRole.V}
"""Matrices whose columns may be those of several heads side by side."""


@dataclass(frozen=True, slots=True)
class ArrayChoice:
    """What one array is to be.

    Attributes
    ----------
    role
        None: it is not used.
    row_axis, column_axis
        The axes, from 0, that become rows and columns; for arrays with two axes or more.
    at
        The index on every axis; those on the two above do not count.
    is_transposed
        The matrix is stored (out, in), as torch's Linear has it, and is to be turned.
    """

    role: ArrayRole | None = None
    row_axis: int = 0
    column_axis: int = 1
    at: tuple[int, ...] = ()
    is_transposed: bool = False

    def place(self, array: FoundArray) -> At:
        """Return what `FoundArray.load` is to read."""
        axes = range(len(array.shape))
        if len(array.shape) < 2:
            return tuple(None for _axis in axes)
        kept = (self.row_axis, self.column_axis)
        return tuple(None if axis in kept else self.at[axis] for axis in axes)


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """Everything the user chooses about a file.

    Attributes
    ----------
    arrays
        One choice for each array found.
    heads, head
        Into how many heads the columns of projections, Q, K and V are cut, and which one is shown, from 0.
    mask_allows
        Whether 1 and True in a mask mean “may look” rather than “is masked”.
    scale
        What the scores are multiplied by; None for 1/√d_k, and 1 for given scores.
    """

    arrays: tuple[ArrayChoice, ...]
    heads: int = 1
    head: int = 0
    mask_allows: bool = True
    scale: float | None = None


def first_choice(
    array: FoundArray, role: ArrayRole | None = None, is_transposed: bool = False
) -> ArrayChoice:
    """Return a choice with the last two axes as rows and columns, and the first part of all others."""
    count = len(array.shape)
    return ArrayChoice(role, max(count - 2, 0), max(count - 1, 1), (0,) * count, is_transposed)
