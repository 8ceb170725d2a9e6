"""What attention would be without projections: every embedding its own query and its own key."""

from dataclasses import replace

from qkviz.attention.inputs import DirectInputs
from qkviz.attention.score_functions import ScaledDot
from qkviz.attention.trace import AttentionTrace, trace_attention


def trace_without_projections(trace: AttentionTrace) -> AttentionTrace | None:
    """Return the trace whose scores are XXᵀ: q = x and k = x, under the mask and normaliser of ``trace``.

    Soft cap, position bias and sink belong to the scores that a model was trained with and are left out.
    Scores are dot products; they are scaled by 1/√d_model, or by the user's own factor if there is one, since
    d_model is how long these queries and keys are. None for a document without embeddings.
    """
    if trace.X_q is None or trace.X_k is None:
        return None
    options = replace(trace.options, score=ScaledDot(), soft_cap=None, bias=None, sink=None)
    return trace_attention(DirectInputs(trace.X_q, trace.X_k), options)
