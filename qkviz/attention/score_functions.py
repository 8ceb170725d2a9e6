"""How well a query matches a key: the functions that turn Q and K into raw scores.

Raw scores are always unscaled; `default_scale` says what the scores are multiplied by afterwards.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.shapes import shape_text
from qkviz.translate import Refusal


@dataclass(frozen=True, slots=True)
class Dot:
    """q · k."""

    def score(self, Q: Tensor, K: Tensor) -> Tensor:
        """Return the raw scores (m, n) of Q (m, d_k) and K (n, d_k)."""
        return Q @ K.T

    def default_scale(self, d_k: int) -> float:
        """Return the factor between raw and scaled scores."""
        return 1.0


@dataclass(frozen=True, slots=True)
class ScaledDot:
    """q · k, afterwards divided by √d_k, so that the variance of a score does not grow with d_k."""

    def score(self, Q: Tensor, K: Tensor) -> Tensor:
        """Return the raw scores (m, n) of Q (m, d_k) and K (n, d_k)."""
        return Q @ K.T

    def default_scale(self, d_k: int) -> float:
        """Return the factor between raw and scaled scores."""
        return 1.0 / math.sqrt(d_k)


@dataclass(frozen=True, slots=True, eq=False)
class Additive:
    """v · tanh(q W_1 + k W_2), the score of Bahdanau et al.; rows of W_1 and W_2 are dimensions of q and k.

    Raises
    ------
    Refusal
        If W_1, W_2 and v do not fit; names both and both shapes.
    """

    W_1: Tensor  # (d_k, h)
    W_2: Tensor  # (d_k, h)
    v: Tensor  # (h,)

    def __post_init__(self) -> None:
        if self.W_1.shape != self.W_2.shape:
            raise _mismatch("W_1", self.W_1, "W_2", self.W_2)
        if self.v.shape != self.W_1.shape[1:]:
            raise _mismatch("W_1", self.W_1, "v", self.v)

    def score(self, Q: Tensor, K: Tensor) -> Tensor:
        """Return the raw scores (m, n) of Q (m, d_k) and K (n, d_k).

        Raises
        ------
        Refusal
            If W_1 was made for another d_k than that of Q.
        """
        if Q.shape[1] != self.W_1.shape[0]:
            raise _mismatch("W_1", self.W_1, "Q", Q)
        of_queries = (Q @ self.W_1).unsqueeze(1)  # (m, 1, h)
        of_keys = (K @ self.W_2).unsqueeze(0)  # (1, n, h)
        return torch.tanh(of_queries + of_keys) @ self.v  # (m, n)

    def default_scale(self, d_k: int) -> float:
        """Return the factor between raw and scaled scores."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Cosine:
    """q · k / (‖q‖ ‖k‖), the dot product without the lengths: in [−1, 1], and NaN where a vector is zero."""

    def score(self, Q: Tensor, K: Tensor) -> Tensor:
        """Return the raw scores (m, n) of Q (m, d_k) and K (n, d_k)."""
        return (_directions(Q) @ _directions(K).T).clamp(-1.0, 1.0)

    def default_scale(self, d_k: int) -> float:
        """Return the factor between raw and scaled scores."""
        return 1.0


@dataclass(frozen=True, slots=True)
class NegativeHalfSquaredDistance:
    """−½ ‖q − k‖², nearness.

    It equals q · k − ½ ‖q‖² − ½ ‖k‖², so among keys of one length its softmax is that of the dot product.
    """

    def score(self, Q: Tensor, K: Tensor) -> Tensor:
        """Return the raw scores (m, n) of Q (m, d_k) and K (n, d_k)."""
        # expanding the square into products would be faster for large matrices, but cancels digits
        distances = torch.cdist(Q, K, compute_mode="donot_use_mm_for_euclid_dist")  # (m, n)
        return distances.square_().mul_(-0.5)  # (m, n)

    def default_scale(self, d_k: int) -> float:
        """Return the factor between raw and scaled scores."""
        return 1.0


ScoreFunction = Dot | ScaledDot | Additive | Cosine | NegativeHalfSquaredDistance


def draw_additive(d_k: int, hidden: int, seed: int) -> Additive:
    """Draw an additive score function for vectors of length ``d_k``; the same seed gives the same one.

    Entries are normal with variance 1/d_k (W_1, W_2) and 1/h (v): scores are then of order 1.
    """
    generator = torch.Generator().manual_seed(seed)
    W_1 = torch.randn(d_k, hidden, generator=generator, dtype=torch.float64) / math.sqrt(d_k)
    W_2 = torch.randn(d_k, hidden, generator=generator, dtype=torch.float64) / math.sqrt(d_k)
    v = torch.randn(hidden, generator=generator, dtype=torch.float64) / math.sqrt(hidden)
    return Additive(W_1, W_2, v)


def _directions(vectors: Tensor) -> Tensor:
    # dividing by the largest entry first keeps 1e200 from infinity and 1e-200 from 0; 0/0 is the NaN we want
    moderate = vectors / vectors.abs().amax(1, keepdim=True)  # (n, d_k)
    return torch.nn.functional.normalize(moderate, dim=1, eps=0.0)  # (n, d_k)


def _mismatch(left: str, left_tensor: Tensor, right: str, right_tensor: Tensor) -> Refusal:
    return Refusal(
        "{left} is {left_shape}, but {right} is {right_shape}: they do not fit in the additive score.",
        left=left,
        left_shape=shape_text(left_tensor),
        right=right,
        right_shape=shape_text(right_tensor),
    )
