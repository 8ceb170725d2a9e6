"""Does a position look at itself most? Its rank in its own row, and how often chance puts it first."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.measures import diagonal_wins
from qkviz.attention.normalizers import is_largest

CELLS_AT_ONCE = 2_000_000
"""Numbers in the largest tensor of one batch of draws: 16 MB."""

LARGEST_BATCH = 100
"""Draws between two reports, so that a long run can be ended early."""


def ranks_of_itself(S: Tensor) -> tuple[int | None, ...]:
    """Return for every row i of S (n, n) one more than the number of keys with a larger score than S_ii.

    Equal up to rounding (4 units in the last place) is not larger. None where S_ii is NaN or −inf; other NaN
    take no part.

    Raises
    ------
    Refusal
        If S is not square: then position i of the queries is not position i of the keys.
    """
    diagonal_wins(S)  # refuses what is not square
    own = S.diagonal().unsqueeze(1)  # (n, 1)
    near = 4 * torch.finfo(S.dtype).eps * torch.maximum(S.abs(), own.abs())
    larger = (own + near < S).sum(1).tolist()  # a NaN is not larger
    known = (own.squeeze(1).isfinite() | (own.squeeze(1) == torch.inf)).tolist()
    return tuple(count + 1 if has else None for count, has in zip(larger, known, strict=True))


@dataclass(frozen=True, eq=False, slots=True)
class DiagonalDraws:
    """How many rows of S = X W_Q W_Kᵀ Xᵀ look at themselves most, draw by draw.

    Parameters
    ----------
    rows
        n, the number of tokens.
    embeddings
        Rows of XXᵀ with the diagonal the largest; no draw changes it.
    independent, tied
        (draws,) int64: that number for every draw of W_Q and W_K, and for W_K = W_Q with the same W_Q.
    """

    rows: int
    embeddings: int
    independent: Tensor
    tied: Tensor


@torch.no_grad()
def draw_diagonals(
    X: Tensor,
    d_k: int,
    draws: int,
    seed: int,
    report: Callable[[float], None] = lambda share: None,
) -> DiagonalDraws:
    """Draw W_Q and W_K again and again, entries N(0, 1/d_model), and count the rows that the diagonal wins.

    For independent projections the expected count is exactly 1, whatever X: W_Q being Gaussian, the
    direction of q_i does not depend on x_i, so key j wins every row with the same probability p_j, and the
    count has the mean Σ p_i = 1. A tie counts, as in `diagonal_wins`.

    Parameters
    ----------
    X
        (n, d_model) embeddings.
    d_k
        Columns of each projection.
    draws
        Number of pairs, at least 1.
    seed
        The same seed gives the same numbers.
    report
        Told the share that is done after every batch; may raise to end the work.
    """
    n, d_model = X.shape
    generator = torch.Generator().manual_seed(seed)
    at_once = CELLS_AT_ONCE // max(n * n, n * d_k, 2 * d_model * d_k)
    at_once = min(max(at_once, 1), LARGEST_BATCH)
    independent, tied = [], []
    for first in range(0, draws, at_once):
        count = min(at_once, draws - first)
        W = torch.randn(2, count, d_model, d_k, generator=generator, dtype=X.dtype) / d_model**0.5
        Q, K = X @ W[0], X @ W[1]  # (count, n, d_k)
        independent.append(_rows_won(Q @ K.mT))
        tied.append(_rows_won(Q @ Q.mT))
        report((first + count) / draws)
    wins, _rows = diagonal_wins(X @ X.T)
    return DiagonalDraws(n, wins, torch.cat(independent), torch.cat(tied))


def _rows_won(S: Tensor) -> Tensor:
    """Count the rows that the diagonal wins in each of the matrices S (count, n, n)."""
    count, n, _n = S.shape
    largest = is_largest(S.reshape(count * n, n)).reshape(count, n, n)
    return largest.diagonal(dim1=1, dim2=2).sum(1)
