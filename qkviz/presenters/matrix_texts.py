"""Titles, subtitles, axis names and notes of matrices."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import GivenScores
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.measures import antisymmetric_share, is_rounding, largest_asymmetry
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import (
    Additive,
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
)
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.number_format import format_factor, format_number, format_percent
from qkviz.presenters.score_terms import bias_words, cap_words, row_sum_words
from qkviz.translate import _


def score_formula(snapshot: Snapshot) -> str:
    """Return what a raw score is: ``QKᵀ``, ``cos(q, k)`` and so on."""
    options = snapshot.trace.options
    if isinstance(snapshot.trace.inputs, GivenScores):
        return _("scores")
    match options.score:
        case Dot() | ScaledDot():
            return "QKᵀ"
        case Additive():
            return "v·tanh(qW₁ + kW₂)"
        case Cosine():
            return "cos(q, k)"
        case NegativeHalfSquaredDistance():
            return "−½‖q − k‖²"


def is_divided_by_root(options: AttentionOptions) -> bool:
    """Say whether the scale is the 1/√dₖ of the scaled dot product."""
    return options.scale is None and isinstance(options.score, ScaledDot)


def normalizer_word(snapshot: Snapshot) -> str:
    """Return the name of the normaliser; these names are the same in every language."""
    match snapshot.trace.options.normalizer:
        case Softmax():
            return "softmax"
        case Sparsemax():
            return "sparsemax"
        case Entmax15():
            return "entmax-1.5"
        case Hardmax():
            return "hardmax"


def matrix_title(snapshot: Snapshot, name: MatrixName) -> str:
    """Return the formula or the name of a matrix, in the language of the interface."""
    is_self_attention = snapshot.document.is_self_attention
    match name:
        case MatrixName.X:
            return "X" if is_self_attention else "X_q"
        case MatrixName.X_K:
            return "X_k"
        case MatrixName.Q | MatrixName.K | MatrixName.V:
            return name.upper()
        case MatrixName.XXT:
            return "XXᵀ" if is_self_attention else "X_q X_kᵀ"
        case MatrixName.SCORES:
            return score_formula(snapshot)
        case MatrixName.SCALED:
            return _scaled_title(snapshot)
        case MatrixName.CAPPED:
            return _("capped scores")
        case MatrixName.BIAS:
            return _("position bias")
        case MatrixName.MASKED:
            return _("masked scores")
        case MatrixName.WEIGHTS:
            return _("{normalizer} weights", normalizer=normalizer_word(snapshot))
        case MatrixName.OUTPUT:
            return _("output")
        case MatrixName.BILINEAR:
            return "W_Q W_Kᵀ"
        case MatrixName.SYMMETRIC:
            return "½(S + Sᵀ)"
        case MatrixName.ANTISYMMETRIC:
            return "½(S − Sᵀ)"


def matrix_subtitle(snapshot: Snapshot, name: MatrixName, values: NDArray[np.float64]) -> str:
    """Return what there is to say about a matrix under its title; measured, not assumed."""
    trace = snapshot.trace
    match name:
        case MatrixName.SCORES | MatrixName.XXT:
            if snapshot.document.is_self_attention:
                return _symmetry(snapshot) if name is MatrixName.SCORES else _("symmetric")
            return _pairs_words(snapshot, name, values.shape)
        case MatrixName.SCALED:
            if is_divided_by_root(trace.options) and trace.Q is not None:
                return f"dₖ = {trace.Q.shape[1]}"
            if trace.scale == 1.0:
                return _("scale 1: as the scores")
            return _("scale {scale}", scale=format_factor(trace.scale))
        case MatrixName.CAPPED:
            return cap_words(trace)
        case MatrixName.BIAS:
            return bias_words(trace)
        case MatrixName.MASKED:
            return _mask_words(snapshot)
        case MatrixName.WEIGHTS:
            return _weights_words(snapshot)
        case MatrixName.SYMMETRIC:
            share = antisymmetric_share(trace.scores)
            return _share(None if share is None else 1.0 - share)
        case MatrixName.ANTISYMMETRIC:
            return _share(antisymmetric_share(trace.scores))
        case _ if snapshot.document.is_self_attention or name not in _SHAPES:
            return shape_words(values.shape)
        case _:
            return f"{_SHAPES[name]} = {shape_words(values.shape)}"


_SHAPES = {
    MatrixName.X: "m × d",
    MatrixName.X_K: "n × d",
    MatrixName.Q: "m × dₖ",
    MatrixName.K: "n × dₖ",
}
"""What the numbers of a shape are called where queries and keys are different tokens."""


def axis_names(name: MatrixName, is_self_attention: bool) -> tuple[str, str]:
    """Return the names of the row and the column axis, in the language of the interface."""
    match name:
        case MatrixName.X if is_self_attention:
            return _("token"), _("dimension")
        case MatrixName.X | MatrixName.Q | MatrixName.OUTPUT:
            return _("query"), _("dimension")
        case MatrixName.X_K | MatrixName.K | MatrixName.V:
            return _("key"), _("dimension")
        case MatrixName.BILINEAR:
            return _("dimension"), _("dimension")
        case _:
            return _("query"), _("key")


def matrix_note(
    snapshot: Snapshot,
    name: MatrixName,
    values: NDArray[np.float64],
    kinds: NDArray[np.uint8],
    decimals: int = 2,
) -> str:
    """Return the counts of cells that are not numbers, and that weights with ``decimals`` are rounded."""
    parts = [kind_counts(kinds)] if kinds.any() else []
    if name is MatrixName.WEIGHTS:
        parts += _rounding(snapshot, values, decimals)
    return " · ".join(parts)


def kind_counts(kinds: NDArray[np.uint8]) -> str:
    """Return how many cells are of each kind that is no number; empty when all are numbers."""
    counts = np.bincount(kinds.ravel(), minlength=len(CellKind)).tolist()
    return " · ".join(
        f"{counts[kind]} × {kind_name(kind)}"
        for kind in CellKind
        if kind is not CellKind.VALUE and counts[kind]
    )


def shape_words(shape: tuple[int, ...]) -> str:
    """Return ``"3 × 4"``."""
    return " × ".join(map(str, shape))


def _pairs_words(snapshot: Snapshot, name: MatrixName, shape: tuple[int, ...]) -> str:
    """Return how many queries meet how many keys, and for a product QKᵀ of which shapes it is made."""
    trace = snapshot.trace
    m, n = shape
    if name is MatrixName.SCORES and trace.Q is not None and isinstance(trace.options.score, Dot | ScaledDot):
        d_k = trace.Q.shape[1]
        return f"({m}×{d_k})({d_k}×{n}) = {m}×{n}"
    return _("{queries} queries × {keys} keys", queries=m, keys=n)


def _scaled_title(snapshot: Snapshot) -> str:
    options = snapshot.trace.options
    if isinstance(snapshot.trace.inputs, GivenScores) or not isinstance(options.score, Dot | ScaledDot):
        return _("scaled scores")
    if is_divided_by_root(options):
        return "QKᵀ / √dₖ"
    return f"QKᵀ × {format_factor(snapshot.trace.scale)}"


def _symmetry(snapshot: Snapshot) -> str:
    scores = snapshot.trace.scores
    asymmetry = largest_asymmetry(scores)
    if asymmetry is None:
        return _("symmetry unknown: not every cell is a number")
    if is_rounding(asymmetry, scores):
        return _("symmetric")
    return _("not symmetric · max |S − Sᵀ| = {value}", value=format_number(asymmetry))


def _mask_words(snapshot: Snapshot) -> str:
    match snapshot.trace.options.mask:
        case NoMask():
            return _("no mask")
        case CausalMask():
            return _("causal: no key after the query")
        case PaddingMask(padded):
            return _("padding · hidden keys: {count}", count=len(padded))
        case WindowMask(before, after):
            return _(
                "window: from {before} keys before the query to {after} after it", before=before, after=after
            )
        case CellMask(forbidden):
            return _("by cell · hidden pairs: {count}", count=len(forbidden))


def _weights_words(snapshot: Snapshot) -> str:
    trace, normalizer = snapshot.trace, snapshot.trace.options.normalizer
    lonely = int(trace.no_key.numpy().sum())
    sums = trace.weights.numpy().sum(axis=1)
    if np.isnan(sums).any():
        words = _("not every row has weights: not all scores are numbers")
    elif trace.sink_weights is not None:
        words = row_sum_words(trace)
    elif lonely:
        words = _("each row sums to 1, but {count} without weights", count=lonely)
    else:
        words = _("each row sums to 1")
    if isinstance(normalizer, Softmax) and normalizer.temperature != 1.0:
        return f"τ = {format_factor(normalizer.temperature)} · {words}"
    return words


def _share(share: float | None) -> str:
    if share is None or not math.isfinite(share):
        return ""
    return _("{share} of ‖S‖²", share=format_percent(share))


def _rounding(snapshot: Snapshot, weights: NDArray[np.float64], decimals: int) -> list[str]:
    """Say the exact sum where the shown figures of a row seem to give another one."""
    query = snapshot.focus.query
    rows = weights if query is None else weights[query : query + 1]
    unit = 10.0**decimals
    shown = np.rint(rows * unit).sum(axis=1)  # in hundredths or so, as the cells show them
    exact = rows.sum(axis=1)
    if not (np.abs(shown - unit * exact) > 0.5).any():
        return []
    return [_("rounded; exact sum {total}", total=_total(exact))]


def _total(sums: NDArray[np.float64]) -> str:
    return format_number(float(sums[np.argmax(sums)]))
