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
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.distribution import present_score_histogram
from qkviz.presenters.histogram import HistogramContent
from qkviz.presenters.hover import score_name
from qkviz.presenters.number_format import format_number, format_percent, full_number
from qkviz.presenters.words import named_token
from qkviz.translate import _

LARGEST_RANK = 128
"""Up to so many rows and columns the rank is found at every change; singular values of more take too long."""

LISTED_ROWS = 16
"""Rows whose own value is listed in the explanation."""

FEW_ROWS = 4
"""Up to so many rows every value is shown at once."""

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class MeasureContent:
    """One measure.

    Attributes
    ----------
    id
        Fixed name.
    name, text
        What it is called and its value as shown; a dash where it has none.
    sentence, formula
        What it says, in one sentence, and how it is computed.
    details
        The exact value, row by row where there are several; or why there is none.
    """

    id: str
    name: str
    text: str
    sentence: str
    formula: str
    details: str


@dataclass(frozen=True, eq=False, slots=True)
class MeasuresContent:
    """Everything the Measures panel shows."""

    measures: tuple[MeasureContent, ...]
    histogram: HistogramContent


def present_measures(snapshot: Snapshot) -> MeasuresContent:
    """Return every measure of the document on the screen."""
    measures = (
        _asymmetry(snapshot),
        _antisymmetric(snapshot),
        _diagonal(snapshot),
        _entropy(snapshot),
        _effective(snapshot),
        _distance(snapshot),
        _variance(snapshot),
        _rank(snapshot),
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
    return _number(
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
        _details(value, reason),
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


def _entropy(snapshot: Snapshot) -> MeasureContent:
    values = row_entropy(snapshot.trace.weights).tolist()
    return MeasureContent(
        "entropy",
        _("entropy per row (nats)"),
        _rows_text(values),
        _("How evenly a query spreads its weight: 0 is all on one key, ln n is the same on each."),
        "H_i = −Σ_j p_ij ln p_ij",
        _rows_details(snapshot, values),
    )


def _effective(snapshot: Snapshot) -> MeasureContent:
    values = effective_keys(snapshot.trace.weights).tolist()
    return MeasureContent(
        "effective",
        _("effective number of keys"),
        _rows_text(values),
        _("The same as a number of keys: so many equal weights would be as spread out."),
        "exp H_i",
        _rows_details(snapshot, values),
    )


def _distance(snapshot: Snapshot) -> MeasureContent:
    return _number(
        "distance",
        _("mean distance"),
        mean_distance(snapshot.trace.weights),
        _("How many positions away a query looks, on the average."),
        "Σ p_ij |i − j| / Σ p_ij",
        "",
    )


def _variance(snapshot: Snapshot) -> MeasureContent:
    name = score_name(snapshot)
    return _number(
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
        _details(None if rank is None else float(rank), reason),
    )


def _number(
    name: str, title: str, value: float | None, sentence: str, formula: str, reason: str
) -> MeasureContent:
    text = NOTHING if value is None else format_number(value)
    return MeasureContent(name, title, text, sentence, formula, _details(value, reason))


def _details(value: float | None, reason: str) -> str:
    if reason:
        return reason
    return _("Not every score is a number.") if value is None else full_number(value)


def _rows_text(values: list[float]) -> str:
    if len(values) <= FEW_ROWS:
        return ", ".join(map(format_number, values))
    known = [value for value in values if value == value]
    if not known:
        return NOTHING
    return _(
        "mean {mean} ({low} to {high})",
        mean=format_number(sum(known) / len(known)),
        low=format_number(min(known)),
        high=format_number(max(known)),
    )


def _rows_details(snapshot: Snapshot, values: list[float]) -> str:
    labels = snapshot.document.queries
    lines = [
        f"{named_token(Role.QUERY, labels[row], row)}: {full_number(value)}"
        for row, value in enumerate(values[:LISTED_ROWS])
    ]
    return "\n".join([*lines, "…"] if len(values) > LISTED_ROWS else lines)
