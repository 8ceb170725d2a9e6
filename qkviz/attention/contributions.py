"""Why a cell has its value: the terms that a score, a weight and an output are made of."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.normalizers import Softmax
from qkviz.attention.score_functions import Dot, ScaledDot
from qkviz.attention.trace import AttentionTrace
from qkviz.translate import Refusal

LARGEST_EXPONENT = 700.0
"""exp() of a larger number is no float any more."""


@dataclass(frozen=True, eq=False)
class RowShare:
    """How softmax divides a row: weight_j = exponentials_j / total."""

    exponentials: Tensor  # (n,)  exp(s_j/τ − shift); 0 for a key that is not allowed
    total: float  #               their sum; 0 in a row without an allowed key, whose weights are zeros
    shift: float  #               0, or the largest s_j/τ where exp() would else be infinite or 0


def contributions(trace: AttentionTrace, query: int, key: int) -> Tensor:
    """Return the products q_t · k_t, (d_k,), one for each dimension; their sum is the raw score of the cell.

    Raises
    ------
    Refusal
        If the score is no sum of products, or the document has no q and k.
    """
    if trace.Q is None or trace.K is None:
        raise Refusal("The scores of this document were given, so nobody knows the q and k behind them.")
    if not isinstance(trace.options.score, (Dot, ScaledDot)):
        raise Refusal("Only a dot product is a sum of products; another score function is chosen.")
    return trace.Q[query] * trace.K[key]


@torch.no_grad()
def row_share(trace: AttentionTrace, query: int) -> RowShare:
    """Return the exponentials of a row and their sum, from which softmax makes the weights.

    Raises
    ------
    Refusal
        If the normaliser is not softmax.
    """
    normalizer = trace.options.normalizer
    if not isinstance(normalizer, Softmax):
        raise Refusal("Only softmax divides exponentials by their sum; another normaliser is chosen.")
    row = trace.masked[query]  # (n,)
    largest = float(row.amax())
    out_of_reach = math.isfinite(largest) and abs(largest / normalizer.temperature) > LARGEST_EXPONENT
    start = largest if out_of_reach else 0.0
    exponentials = torch.exp((row - start) / normalizer.temperature)  # (n,)
    return RowShare(exponentials, float(exponentials.sum()), start / normalizer.temperature)


def output_parts(trace: AttentionTrace, query: int) -> Tensor:
    """Return weight_j · v_j, (n, d_v), what each key gives to a query; its output is the sum over the keys.

    Raises
    ------
    Refusal
        If the document has no values.
    """
    if trace.V is None:
        raise Refusal("Without values there is no output; give V or W_V.")
    return trace.weights[query].unsqueeze(1) * trace.V
