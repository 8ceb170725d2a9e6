"""From masked scores to weights: rows that are not negative and sum to 1.

For all of them −inf means "not allowed" and gets weight exactly 0; a row without an allowed key gets zeros
instead of weights; a NaN makes its whole row NaN, as it does in torch.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import entmax
import torch
from torch import Tensor

from qkviz.translate import Refusal


@dataclass(frozen=True, slots=True)
class Softmax:
    """exp(s/τ) divided by its sum over the row; τ below 1 sharpens, above 1 flattens.

    Raises
    ------
    Refusal
        If the temperature is not a positive finite number.
    """

    temperature: float = 1.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise Refusal("The temperature is {value}; it must be greater than 0.", value=self.temperature)

    def weights(self, masked: Tensor) -> Tensor:
        """Return the weights (m, n) of the masked scores (m, n); the argument stays as it is."""
        lonely = rows_without_key(masked)
        if self.temperature != 1.0:
            # the difference to the maximum is divided, so that no τ, however small, makes an infinity
            masked = (masked - masked.amax(1, keepdim=True)).div_(self.temperature)
        return _without_lonely_rows(torch.softmax(masked, 1), lonely)


@dataclass(frozen=True, slots=True)
class Sparsemax:
    """The nearest point of the simplex (Martins and Astudillo 2016): small scores get exactly 0."""

    def weights(self, masked: Tensor) -> Tensor:
        """Return the weights (m, n) of the masked scores (m, n); the argument stays as it is."""
        return _sparse(entmax.sparsemax, masked)


@dataclass(frozen=True, slots=True)
class Entmax15:
    """α-entmax with α = 1.5 (Peters et al. 2019), half way from softmax to sparsemax."""

    def weights(self, masked: Tensor) -> Tensor:
        """Return the weights (m, n) of the masked scores (m, n); the argument stays as it is."""
        return _sparse(entmax.entmax15, masked)


@dataclass(frozen=True, slots=True)
class Hardmax:
    """Everything to the largest score; equal largest scores share."""

    def weights(self, masked: Tensor) -> Tensor:
        """Return the weights (m, n) of the masked scores (m, n); the argument stays as it is."""
        largest = is_largest(masked).double()  # (m, n)
        shared = largest / largest.sum(1, keepdim=True)  # no largest because of NaN: 0/0 = NaN, as promised
        return _without_lonely_rows(shared, rows_without_key(masked))


Normalizer = Softmax | Sparsemax | Entmax15 | Hardmax


def weights_beside_sink(
    normalizer: Normalizer, masked: Tensor, sink: float | None
) -> tuple[Tensor, Tensor | None]:
    """Return the weights (m, n) of masked scores (m, n), and what the sink gets of each row (m,).

    The sink is one more score in every row, of no key; with it a row of weights sums to less than 1. Without
    one nothing is taken, and None comes back in its place.
    """
    if sink is None:
        return normalizer.weights(masked), None
    column = masked.new_full((masked.shape[0], 1), sink)
    with_sink = normalizer.weights(torch.cat((masked, column), dim=1))  # (m, n + 1)
    return with_sink[:, :-1], with_sink[:, -1]


def rows_without_key(masked: Tensor) -> Tensor:
    """Return (m,) bool: which rows of the masked scores (m, n) allow no key at all."""
    return masked.amax(1) == -math.inf


def is_largest(scores: Tensor) -> Tensor:
    """Return (m, n) bool: the largest cells of each row; several where they are equal up to rounding.

    Equal means within 4 units in the last place of the largest. −inf is never the largest; a row with NaN
    has none.
    """
    best = scores.amax(1, keepdim=True)  # (m, 1)
    near = scores >= best - 4 * sys.float_info.epsilon * best.abs()
    return (near | (scores == best)) & (scores != -math.inf)


def _without_lonely_rows(weights: Tensor, lonely: Tensor) -> Tensor:
    weights[lonely] = 0.0
    return weights


def _sparse(normalize: Callable[..., Tensor], masked: Tensor) -> Tensor:
    # A score more than 2 below the largest has weight 0 in both functions, so cutting at 10 below is exact;
    # and it keeps −inf and huge numbers, which turn to NaN there, out of the package.
    below = (masked - masked.amax(1, keepdim=True)).clamp_(min=-10.0)  # (m, n), at most 0
    broken = below.isnan()  # a NaN, or a lonely row: −inf − −inf
    weights = normalize(below.masked_fill_(broken, 0.0), dim=1)
    weights.masked_fill_(broken.any(1, keepdim=True), math.nan)
    return _without_lonely_rows(weights, rows_without_key(masked))
