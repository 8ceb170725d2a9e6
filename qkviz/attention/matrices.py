"""Every matrix that can be shown, by name: the stages of a trace and what follows from them at once."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

import torch
from torch import Tensor

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.trace import AttentionTrace
from qkviz.translate import N_, Phrase, Refusal


class MatrixName(StrEnum):
    """Names as files and the command line spell them."""

    X = "x"
    X_K = "x_k"  # the keys' embeddings in cross-attention; in self-attention X is both
    Q = "q"
    K = "k"
    V = "v"
    XXT = "xxt"
    SCORES = "scores"
    SCALED = "scaled"
    CAPPED = "capped"  # only with a soft cap; else it is SCALED
    BIAS = "bias"
    MASKED = "masked"
    WEIGHTS = "weights"
    OUTPUT = "output"
    BILINEAR = "wqwkt"
    SYMMETRIC = "symmetric"
    ANTISYMMETRIC = "antisymmetric"


@torch.no_grad()
def matrix_of(trace: AttentionTrace, name: MatrixName) -> Tensor:
    """Return the matrix called ``name``.

    A stage of the trace is that very tensor: read-only. XXᵀ, W_Q W_Kᵀ and the parts of the scores are
    computed anew.

    Raises
    ------
    Refusal
        If the trace has no such matrix; says why.
    """
    reason = reason_of_absence(trace, name)
    if reason is not None:
        raise Refusal(reason.template)
    return _SOURCES[name].compute(trace)


def reason_of_absence(trace: AttentionTrace, name: MatrixName) -> Phrase | None:
    """Return why the trace has no matrix called ``name``; None if it has one. Computes nothing."""
    source = _SOURCES[name]
    return None if source.exists(trace) else Phrase(source.missing)


def available_matrices(trace: AttentionTrace) -> tuple[MatrixName, ...]:
    """Return the names for which `matrix_of` has a matrix, in the order of `MatrixName`."""
    return tuple(name for name, source in _SOURCES.items() if source.exists(trace))


def symmetric_part(square: Tensor) -> Tensor:
    """Return (S + Sᵀ)/2 for S (n, n)."""
    return (square + square.T) / 2


def antisymmetric_part(square: Tensor) -> Tensor:
    """Return (S − Sᵀ)/2 for S (n, n); added to the symmetric part it gives S again."""
    return (square - square.T) / 2


def _bilinear(trace: AttentionTrace) -> Tensor:
    inputs = cast(ProjectedInputs, trace.inputs)
    return inputs.W_Q @ inputs.W_K.T  # (d_model, d_model)


def _embedding_products(trace: AttentionTrace) -> Tensor:
    return cast(Tensor, trace.X_q) @ cast(Tensor, trace.X_k).T  # (m, n)


def _is_square(trace: AttentionTrace) -> bool:
    return trace.scores.shape[0] == trace.scores.shape[1]


@dataclass(frozen=True, slots=True)
class _Source:
    exists: Callable[[AttentionTrace], bool]
    compute: Callable[[AttentionTrace], Tensor]
    missing: str = ""


def _stage(field: str, missing: str = "") -> _Source:
    return _Source(
        lambda trace: getattr(trace, field) is not None,
        lambda trace: cast(Tensor, getattr(trace, field)),
        missing,
    )


_NO_EMBEDDINGS = N_("This document starts after the embeddings, so it has no X.")
_NOT_SQUARE = N_("Only square scores have a symmetric part; here queries and keys differ in number.")

_SOURCES = {
    MatrixName.X: _stage("X_q", _NO_EMBEDDINGS),
    MatrixName.X_K: _Source(
        lambda trace: trace.X_k is not None and trace.X_k is not trace.X_q,
        lambda trace: cast(Tensor, trace.X_k),
        N_("Only cross-attention has embeddings of the keys apart from X."),
    ),
    MatrixName.Q: _stage("Q", N_("The scores of this document were given, so it has no queries.")),
    MatrixName.K: _stage("K", N_("The scores of this document were given, so it has no keys.")),
    MatrixName.V: _stage("V", N_("This document has no values; give V or W_V.")),
    MatrixName.XXT: _Source(lambda trace: trace.X_q is not None, _embedding_products, _NO_EMBEDDINGS),
    MatrixName.SCORES: _stage("scores"),
    MatrixName.SCALED: _stage("scaled"),
    MatrixName.CAPPED: _Source(
        lambda trace: trace.options.soft_cap is not None,
        lambda trace: trace.capped,
        N_("This document has no soft cap; its scaled scores go on as they are."),
    ),
    MatrixName.BIAS: _Source(
        lambda trace: trace.options.bias is not None,
        lambda trace: cast(Tensor, trace.options.bias),
        N_("This document has no position bias."),
    ),
    MatrixName.MASKED: _stage("masked"),
    MatrixName.WEIGHTS: _stage("weights"),
    MatrixName.OUTPUT: _stage("output", N_("Without values there is no output; give V or W_V.")),
    MatrixName.BILINEAR: _Source(
        lambda trace: isinstance(trace.inputs, ProjectedInputs),
        _bilinear,
        N_("This document has no projections, so it has no W_Q W_Kᵀ."),
    ),
    MatrixName.SYMMETRIC: _Source(_is_square, lambda trace: symmetric_part(trace.scores), _NOT_SQUARE),
    MatrixName.ANTISYMMETRIC: _Source(
        _is_square, lambda trace: antisymmetric_part(trace.scores), _NOT_SQUARE
    ),
}
