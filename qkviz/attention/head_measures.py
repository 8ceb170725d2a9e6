"""What a head does, in numbers: where its weight goes, how sharp, how far, how symmetric.

Rows are those of words: special tokens as queries are left out, as keys they stay unless a measure says
otherwise. Rows without an allowed key take no part. A measure without a value is None, never NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import torch
from torch import Tensor

from qkviz.attention.captured import Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, Layer
from qkviz.attention.inputs import matrix
from qkviz.attention.measures import row_entropy
from qkviz.attention.normalizers import is_largest
from qkviz.attention.trace import AttentionTrace


class HeadMeasure(StrEnum):
    """The measures, in the order in which they are offered."""

    DIAGONAL = "diagonal"
    ENTROPY = "entropy"
    DISTANCE = "distance"
    PREVIOUS = "previous"
    NEXT = "next"
    FIRST = "first"
    ITSELF = "itself"
    SPECIALS = "specials"
    SYMMETRY = "symmetry"


@dataclass(frozen=True, slots=True)
class HeadMeasures:
    """The measures of one head. Cross-attention has only entropy, first and specials.

    Parameters
    ----------
    diagonal
        Share of the rows in which no key has a larger masked score than the token itself; a tie counts.
    entropy
        Mean over the rows of H_i / ln n_i, n_i the number of allowed keys of row i; 0 … 1. The row counts as
        if it summed to 1; rows with one allowed key take no part.
    distance
        Σ w_ij |i − j| / Σ w_ij over keys that are words, in tokens.
    previous, next
        Mean of w_i,i−1 over the rows that have a token before them, of w_i,i+1 over those with one behind.
    first
        Mean weight on key 1, over the rows of other tokens.
    itself
        Mean of w_ii.
    specials
        Mean over the rows of the weight on special tokens.
    symmetry
        ‖S − Sᵀ‖ / ‖S‖ of S = QKᵀ over words, Frobenius norms: 0 symmetric, √2 unrelated, 2 antisymmetric.
        None for a model that does not tell its scores.
    """

    diagonal: float | None
    entropy: float | None
    distance: float | None
    previous: float | None
    next: float | None
    first: float | None
    itself: float | None
    specials: float | None
    symmetry: float | None

    def value(self, measure: HeadMeasure) -> float | None:
        """Return one of them."""
        found: float | None = getattr(self, measure.value)
        return found


def head_measures(
    trace: AttentionTrace, queries: Sequence[Token], keys: Sequence[Token], kind: AttentionKind
) -> HeadMeasures:
    """Return the measures of the head that ``trace`` is of."""
    weights = trace.weights  # (m, n)
    rows = ~_special(queries) & ~trace.no_key  # (m,)
    special = _special(keys)  # (n,)
    is_self = kind is not AttentionKind.CROSS
    not_first = rows.clone()
    not_first[0] &= not is_self
    return HeadMeasures(
        diagonal=_diagonal(trace.masked, rows) if is_self else None,
        entropy=_entropy(trace, rows),
        distance=_distance(weights, rows, ~special) if is_self else None,
        previous=_mean(weights.diagonal(-1), rows[1:]) if is_self else None,
        next=_mean(weights.diagonal(1), rows[:-1]) if is_self else None,
        first=_mean(weights[:, 0], not_first),
        itself=_mean(weights.diagonal(), rows) if is_self else None,
        specials=_mean(weights[:, special].sum(1), rows),
        symmetry=_asymmetry(trace.scores, ~special) if is_self and trace.Q is not None else None,
    )


def embedding_diagonal(layer: Layer, tokens: Sequence[Token]) -> float | None:
    """Return the measure ``diagonal`` of XXᵀ, X being what came into the layer and the mask its own.

    None where X was not kept, and for cross-attention.
    """
    if not isinstance(layer, CapturedLayer) or layer.X_q is None or layer.kind is AttentionKind.CROSS:
        return None
    X = matrix(layer.X_q, "X")  # (n, d_model)
    S = X @ X.T
    allowed = layer.allowed()
    if allowed is not None:
        S = S.masked_fill(~allowed, -torch.inf)
    return _diagonal(S, ~_special(tokens))


def _special(tokens: Sequence[Token]) -> Tensor:
    return torch.tensor([token.is_special for token in tokens])


def _mean(values: Tensor, rows: Tensor) -> float | None:
    """Return the mean of the values of some rows; None without a row, or beside NaN."""
    mean = float(values[rows].mean()) if bool(rows.any()) else torch.nan
    return mean if mean == mean else None


def _diagonal(masked: Tensor, rows: Tensor) -> float | None:
    largest = is_largest(masked.masked_fill(masked.isnan(), -torch.inf))
    return _mean(largest.diagonal().double(), rows & largest.any(dim=1))


def _entropy(trace: AttentionTrace, rows: Tensor) -> float | None:
    allowed = (trace.masked > -torch.inf).sum(dim=1)  # (m,)
    shares = trace.weights / trace.weights.sum(dim=1, keepdim=True)
    return _mean(row_entropy(shares) / allowed.double().log(), rows & (allowed > 1))


def _distance(weights: Tensor, rows: Tensor, words: Tensor) -> float | None:
    at = torch.arange(len(rows), dtype=weights.dtype)
    distances = (at[rows].unsqueeze(1) - at[words]).abs()  # (rows, words)
    shown = weights[rows][:, words]
    total = float(shown.sum())
    return float((shown * distances).sum()) / total if total > 0 else None


def _asymmetry(scores: Tensor, words: Tensor) -> float | None:
    S = scores[words][:, words]
    size = float(torch.linalg.matrix_norm(S)) if S.numel() else 0.0
    return float(torch.linalg.matrix_norm(S - S.T)) / size if 0 < size < torch.inf else None
