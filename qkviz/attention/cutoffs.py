"""Where the sparse normalisers cut: a key whose score is not above the cut gets weight exactly 0.

All functions take masked scores s (m, n) and return one number a row, (m,); a row without an allowed key has
none (−inf), nor has one with NaN (NaN).
"""

from torch import Tensor

from qkviz.attention.normalizers import Entmax15, Sparsemax


def sparsemax_threshold(masked: Tensor) -> Tensor:
    """Return τ of sparsemax, p_j = max(s_j − τ, 0) with Σ p_j = 1 (Martins and Astudillo 2016, eq. 3).

    The largest score always has weight, so τ = s_max − p_max.
    """
    largest = Sparsemax().weights(masked).amax(1)  # (m,)
    return masked.amax(1) - largest


def entmax15_cutoff(masked: Tensor) -> Tensor:
    """Return 2τ of 1.5-entmax, p_j = max(s_j / 2 − τ, 0)² with Σ p_j = 1 (Peters et al. 2019, eq. 13).

    In units of the scores, hence the 2: 2τ = s_max − 2 √p_max.
    """
    largest = Entmax15().weights(masked).amax(1)  # (m,)
    return masked.amax(1) - 2.0 * largest.sqrt()
