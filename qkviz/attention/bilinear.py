"""The matrix between two embeddings: x_i W_Q W_Kᵀ x_jᵀ = q_i · k_j."""

import torch

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.trace import AttentionTrace


@torch.no_grad()
def product_through_projections(trace: AttentionTrace, query: int, key: int) -> float | None:
    """Return x_i (W_Q W_Kᵀ) x_jᵀ; None for a document without projections.

    It is q_i · k_j unless one of the two was moved by hand: such an offset belongs to a vector, not to a
    projection.
    """
    if not isinstance(trace.inputs, ProjectedInputs):
        return None
    between = matrix_of(trace, MatrixName.BILINEAR)  # (d_model, d_model)
    return float(trace.inputs.X_q[query] @ between @ trace.inputs.X_k[key])
