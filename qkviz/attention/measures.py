"""Numbers that sum up a whole matrix: symmetry, diagonal, entropy, distance, variance, rank.

S stands for scores (m, n), p for weights (m, n). A measure that has no value for a matrix is None, never NaN.
"""

import torch
from torch import Tensor

from qkviz.attention.matrices import antisymmetric_part
from qkviz.attention.normalizers import is_largest
from qkviz.attention.shapes import shape_text
from qkviz.translate import Refusal

SYMMETRY_TOLERANCE = 1e-9
"""Relative to the largest entry: below it, a difference of S and Sᵀ is rounding."""


def largest_asymmetry(S: Tensor) -> float | None:
    """Return max |S_ij − S_ji| over all pairs; None beside NaN or an infinity.

    Raises
    ------
    Refusal
        If S is not square.
    """
    _need_square(S)
    return _number((S - S.T).abs().max())


def is_symmetric(S: Tensor) -> bool:
    """Tell whether max |S_ij − S_ji| ≤ 1e-9 · max |S_ij|: equality as far as rounding lets one see.

    Raises
    ------
    Refusal
        If S is not square.
    """
    largest = largest_asymmetry(S)
    return largest is not None and is_rounding(largest, S)


def is_rounding(asymmetry: float, S: Tensor) -> bool:
    """Tell whether a `largest_asymmetry` of S is no more than rounding."""
    return asymmetry <= SYMMETRY_TOLERANCE * float(S.abs().max())


def antisymmetric_share(S: Tensor) -> float | None:
    """‖A‖² / ‖S‖² with A = (S − Sᵀ)/2 and Frobenius norms, in [0, 1].

    A and (S + Sᵀ)/2 are orthogonal parts of S: 0 is a symmetric matrix, 1 a purely antisymmetric one. None
    for a matrix of zeros and beside NaN or an infinity.

    Raises
    ------
    Refusal
        If S is not square.
    """
    _need_square(S)
    return _number(antisymmetric_part(S).square().sum() / S.square().sum())


def diagonal_wins(S: Tensor) -> tuple[int, int]:
    """Count the rows i with S_ii = max_j S_ij, and all rows that have a largest key at all.

    A tie counts. NaN cells take no part; a row of nothing but −inf and NaN is not counted.

    Raises
    ------
    Refusal
        If S is not square: then position i of the queries is not position i of the keys.
    """
    _need_square(S)
    largest = is_largest(S.masked_fill(S.isnan(), -torch.inf))
    return int(largest.diagonal().sum()), int(largest.any(1).sum())


def largest_keys(row: Tensor) -> tuple[int, ...]:
    """Return the positions of the largest entry of ``row`` (n,), several if they are equal up to rounding.

    NaN and −inf are never the largest; the tuple is empty if there is nothing else.
    """
    largest = is_largest(row.masked_fill(row.isnan(), -torch.inf).unsqueeze(0))[0]  # (n,)
    return tuple(largest.nonzero()[:, 0].tolist())


def row_entropy(weights: Tensor) -> Tensor:
    """H_i = −Σ_j p_ij ln p_ij with 0 ln 0 = 0, (m,), in nats, between 0 and ln n.

    A row of zeros, without an allowed key, has entropy 0; a NaN stays NaN.
    """
    entropy: Tensor = torch.special.entr(weights).sum(1)  # torch.special has no types
    return entropy


def effective_keys(weights: Tensor, entropy: Tensor | None = None) -> Tensor:
    """exp(H_i), (m,): over how many keys, equally weighted, a row would be spread; between 1 and n.

    A row of zeros, without an allowed key, is spread over 0 keys. ``entropy`` (m,) is that of the rows, where
    it is known already.
    """
    known = row_entropy(weights) if entropy is None else entropy
    return torch.where((weights == 0).all(1), 0.0, known.exp())


def mean_distance(weights: Tensor) -> float | None:
    """Σ p_ij |i − j| / Σ p_ij: how many positions away a query looks, on the average.

    None where there is no weight at all, or a NaN. Positions of queries and keys are counted from one start.
    """
    m, n = weights.shape
    distances = (torch.arange(m).unsqueeze(1) - torch.arange(n)).abs()  # (m, n)
    return _number((weights * distances).sum() / weights.sum())


def score_variance(S: Tensor) -> float | None:
    """Mean of (s − mean s)² over the finite scores s, Var(q · k) over all pairs; None if there are none."""
    known = S.isfinite()
    finite = S if bool(known.all()) else S[known]  # copying a large matrix takes longer than the variance
    return _number(finite.var(correction=0)) if finite.numel() else None


def numerical_rank(S: Tensor) -> int | None:
    """Count the singular values above σ_max · max(m, n) · 2⁻⁵², those that rounding cannot explain.

    A matrix Q Kᵀ has at most rank d_k. None beside NaN or an infinity.
    """
    if not bool(S.isfinite().all()):
        return None
    values = torch.linalg.svdvals(S)  # largest first
    return int((values > values[0] * max(S.shape) * torch.finfo(S.dtype).eps).sum())


def _need_square(S: Tensor) -> None:
    if S.shape[0] != S.shape[1]:
        raise Refusal(
            "Only a square matrix can be held against its transpose; this one is {shape}.",
            shape=shape_text(S),
        )


def _number(value: Tensor) -> float | None:
    return float(value) if bool(value.isfinite()) else None
