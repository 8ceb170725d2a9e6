"""What sets a Gram matrix apart from any other symmetric matrix.

S is a Gram matrix if S_ij = v_i · v_j for some vectors v. That is the case exactly if S is symmetric and
positive semidefinite (Horn and Johnson, Matrix Analysis, theorem 7.2.10). Tied projections make QKᵀ one, with
v = q = k.
"""

import math
import sys
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.measures import SYMMETRY_TOLERANCE, is_symmetric

LARGEST_SIDE = 128
"""Eigenvalues are found up to this number of rows, so that nothing waits for them during a drag."""

SMALLEST_SQUARE = sys.float_info.min / sys.float_info.epsilon
"""Squared lengths below this have lost digits to underflow, and a ratio to them says nothing."""


@dataclass(frozen=True, slots=True)
class GramFacts:
    """What is measured on a symmetric matrix S (n, n).

    Parameters
    ----------
    smallest_diagonal
        min S_ii; a squared length in a Gram matrix, so never negative.
    largest_ratio
        max |S_ij| / √(S_ii S_jj) over i ≠ j, at most 1 in a Gram matrix (Cauchy and Schwarz: it is |cos θ|).
        None where no pair has two positive diagonal entries (above 1e-292: what underflows is no length).
    smallest_eigenvalue
        Never negative in a Gram matrix. None beyond `LARGEST_SIDE` rows.
    is_gram
        Whether S is positive semidefinite as far as rounding lets one see; None beyond `LARGEST_SIDE` rows.
    """

    smallest_diagonal: float
    largest_ratio: float | None
    smallest_eigenvalue: float | None
    is_gram: bool | None


@torch.no_grad()
def gram_facts(S: Tensor) -> GramFacts | None:
    """Measure S (n, n); None if it is not symmetric, or holds NaN or an infinity.

    Raises
    ------
    Refusal
        If S is not square.
    """
    if not is_symmetric(S):
        return None
    smallest_eigenvalue = is_gram = None
    if S.shape[0] <= LARGEST_SIDE:
        eigenvalues = torch.linalg.eigvalsh((S + S.T) / 2)  # (n,), rising
        smallest_eigenvalue = float(eigenvalues[0])
        is_gram = smallest_eigenvalue >= -SYMMETRY_TOLERANCE * float(eigenvalues.abs().max())
    return GramFacts(float(S.diagonal().min()), _largest_ratio(S), smallest_eigenvalue, is_gram)


def pair_bound(S: Tensor, i: int, j: int) -> float | None:
    """Return √(S_ii S_jj), which bounds |S_ij| in a Gram matrix; None beside a negative S_ii or S_jj."""
    a, b = float(S[i, i]), float(S[j, j])
    return math.sqrt(a) * math.sqrt(b) if a >= 0 and b >= 0 else None


def _largest_ratio(S: Tensor) -> float | None:
    lengths = S.diagonal().clamp(min=0).sqrt()  # (n,)
    ratios = S.abs() / lengths.unsqueeze(1) / lengths  # (n, n); a zero length gives NaN or an infinity
    ratios.fill_diagonal_(-1.0)
    is_length = S.diagonal() > SMALLEST_SQUARE
    ratios = ratios[is_length.unsqueeze(1) & is_length]
    largest = float(ratios.max()) if ratios.numel() else -1.0
    return largest if largest >= 0 else None
