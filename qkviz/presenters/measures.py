"""The measures of a document as content: value, one sentence, formula."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.attention.inputs import GivenScores
from qkviz.attention.measures import (
    antisymmetric_share,
    diagonal_wins,
    effective_keys,
    largest_asymmetry,
    mean_distance,
    numerical_rank,
    row_entropy,
    score_variance,
)
from qkviz.attention.score_functions import Cosine, Dot, ScaledDot
from qkviz.document.session import Snapshot
from qkviz.presenters.distribution import present_score_histogram
from qkviz.presenters.histogram import HistogramContent
from qkviz.presenters.hover import score_name
from qkviz.presenters.measure import (
    NOTHING,
    MeasureContent,
    measure_details,
    number_measure,
    rows_details,
    rows_text,
)
from qkviz.presenters.model_measures import measures_beside_products
from qkviz.presenters.number_format import format_percent
from qkviz.presenters.score_terms import shares_of_keys
from qkviz.translate import _

LARGEST_RANK = 128
"""Up to so many rows and columns the rank is found at every change; singular values of more take too long."""


@dataclass(frozen=True, eq=False, slots=True)
class MeasuresContent:
    """Everything the Measures panel shows."""

    measures: tuple[MeasureContent, ...]
    histogram: HistogramContent


def present_measures(snapshot: Snapshot) -> MeasuresContent:
    """Return every measure of the document on the screen."""
    shares = shares_of_keys(snapshot.trace)
    entropy = row_entropy(shares)
    measures = (
        _asymmetry(snapshot),
        _antisymmetric(snapshot),
        _diagonal(snapshot),
        _entropy(snapshot, entropy.tolist()),
        _effective(snapshot, effective_keys(shares, entropy).tolist()),
        _distance(snapshot),
        _variance(snapshot),
        _rank(snapshot),
        *measures_beside_products(snapshot),
    )
    return MeasuresContent(measures, present_score_histogram(snapshot))


def has_same_tokens(snapshot: Snapshot) -> bool:
    """Say whether position i of the queries is position i of the keys: then S has a diagonal to speak of."""
    document = snapshot.document
    return document.is_self_attention or document.queries == document.keys


def not_square(snapshot: Snapshot) -> str:
    """Return why the scores have no mirror image; empty when they have one."""
    m, n = snapshot.trace.scores.shape
    if m == n:
        return ""
    return _("S is {rows} × {columns}: only a square matrix has a mirror image.", rows=m, columns=n)


def _asymmetry(snapshot: Snapshot) -> MeasureContent:
    reason = not_square(snapshot)
    value = None if reason else largest_asymmetry(snapshot.trace.scores)
    return number_measure(
        "asymmetry",
        _("largest asymmetry"),
        value,
        _("The most that “i looks at j” and “j looks at i” differ; 0 for a symmetric matrix."),
        "max |S_ij − S_ji|",
        reason,
    )


def _antisymmetric(snapshot: Snapshot) -> MeasureContent:
    reason = not_square(snapshot)
    value = None if reason else antisymmetric_share(snapshot.trace.scores)
    return MeasureContent(
        "antisymmetric",
        _("antisymmetric share"),
        NOTHING if value is None else format_percent(value),
        _("The part of S that changes its sign when query and key swap places; a symmetric matrix has none."),
        "‖½(S − Sᵀ)‖² / ‖S‖²",
        measure_details(value, reason),
    )


def _diagonal(snapshot: Snapshot) -> MeasureContent:
    reason = "" if has_same_tokens(snapshot) else _("Queries and keys are different tokens here.")
    wins, rows = (0, 0) if reason else diagonal_wins(snapshot.trace.masked)
    return MeasureContent(
        "diagonal",
        _("rows that look most at themselves"),
        NOTHING if reason else _("{count} of {all}", count=wins, all=rows),
        _("In how many rows no other key has a larger score than the token itself; a tie counts."),
        "S_ii = max_j S_ij",
        reason,
    )


def _entropy(snapshot: Snapshot, values: list[float]) -> MeasureContent:
    return MeasureContent(
        "entropy",
        _("entropy per row (nats)"),
        rows_text(values),
        _("How evenly a query spreads its weight: 0 is all on one key, ln n is the same on each."),
        "H_i = −Σ_j p_ij ln p_ij"
        if snapshot.trace.sink_weights is None
        else _("H_i = −Σ_j p_ij ln p_ij, p_ij being shares of what the sink leaves"),
        rows_details(snapshot, values),
    )


def _effective(snapshot: Snapshot, values: list[float]) -> MeasureContent:
    return MeasureContent(
        "effective",
        _("effective number of keys"),
        rows_text(values),
        _("The same as a number of keys: so many equal weights would be as spread out."),
        "exp H_i",
        rows_details(snapshot, values),
    )


def _distance(snapshot: Snapshot) -> MeasureContent:
    return number_measure(
        "distance",
        _("mean distance"),
        mean_distance(snapshot.trace.weights),
        _("How many positions away a query looks, on the average."),
        "Σ p_ij |i − j| / Σ p_ij",
        "",
    )


def _variance(snapshot: Snapshot) -> MeasureContent:
    name = score_name(snapshot)
    return number_measure(
        "variance",
        f"Var({name})",
        score_variance(snapshot.trace.scores),
        _("How far the raw scores lie apart; without scaling it grows with dₖ."),
        _("mean of (s − mean of s)² over all pairs"),
        "",
    )


def _rank(snapshot: Snapshot) -> MeasureContent:
    trace = snapshot.trace
    m, n = trace.scores.shape
    large = max(m, n) > LARGEST_RANK
    reason = _("Found up to {count} tokens only.", count=LARGEST_RANK) if large else ""
    rank = None if large else numerical_rank(trace.scores)
    text = NOTHING if rank is None else str(rank)
    is_product = isinstance(trace.options.score, (Dot, ScaledDot, Cosine))  # dₖ bounds no other rank
    if rank is not None and trace.Q is not None and is_product and not isinstance(trace.inputs, GivenScores):
        text = _("{rank} of at most {d_k} (dₖ)", rank=rank, d_k=trace.Q.shape[1])
    return MeasureContent(
        "rank",
        _("numerical rank of S"),
        text,
        _("How many independent patterns the scores hold; a product QKᵀ has at most dₖ of them."),
        "#{σ > σ_max · max(m, n) · 2⁻⁵²}",
        measure_details(None if rank is None else float(rank), reason),
    )
