"""Why a cell has its value: the terms that a score is made of."""

from torch import Tensor

from qkviz.attention.score_functions import Dot, ScaledDot
from qkviz.attention.trace import AttentionTrace
from qkviz.translate import Refusal


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
