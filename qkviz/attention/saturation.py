"""How far softmax has saturated: how large its largest weight is, and how little its gradient."""

from torch import Tensor

from qkviz.translate import Refusal


def mean_largest_weight(weights: Tensor) -> float:
    """(1/m) Σ_i max_j p_ij of weights (m, n): 1/n where all keys are alike, 1 where one has everything.

    Raises
    ------
    Refusal
        If there is no row or no key.
    """
    if not weights.numel():
        raise Refusal("There are no weights, so none is the largest.")
    return float(weights.amax(1).mean())


def jacobian_norm(weights: Tensor) -> Tensor:
    """‖diag(p) − p pᵀ‖_F of each row p of the weights (m, n); (m,).

    diag(p) − p pᵀ is the Jacobian ∂p_i/∂s_j of softmax with temperature 1: what passes from the weights back
    to the scores in training is multiplied by it. It is 0 when one weight is 1, and √(n − 1)/n when all are
    alike. By multiplying out, ‖·‖² = Σ p² − 2 Σ p³ + (Σ p²)².
    """
    squares = weights.square()  # (m, n)
    sum_of_squares = squares.sum(1)  # (m,)
    squared = sum_of_squares - 2.0 * (squares * weights).sum(1) + sum_of_squares.square()
    return squared.clamp_(min=0.0).sqrt_()  # rounding may leave −1e-17 where a weight is 1
