"""One row of scores under every normaliser, as content."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.cutoffs import entmax15_cutoff, sparsemax_threshold
from qkviz.attention.inputs import GivenScores
from qkviz.attention.matrices import MatrixName
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.measures import largest_keys
from qkviz.attention.normalizers import (
    Entmax15,
    Hardmax,
    Normalizer,
    Softmax,
    Sparsemax,
    weights_beside_sink,
)
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.axis_limits import round_limit_above
from qkviz.presenters.cells import CellKind, cell_kinds
from qkviz.presenters.number_format import format_factor, format_limit, format_number
from qkviz.presenters.words import named_token, token_words, visible_tokens
from qkviz.translate import _

LEAST_LIMIT = 2.0
"""What the axis of the scores reaches at least, so that there is room for a drag."""


@dataclass(frozen=True, slots=True)
class CutContent:
    """A height below which a sparse normaliser gives weight exactly 0."""

    height: float
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class WeightsContent:
    """The row under one normaliser.

    Attributes
    ----------
    id
        ``softmax``, ``temperature``, ``entmax15``, ``sparsemax`` or ``hardmax``.
    title, formula, foot
        What it is, how it is computed, and over how many keys it spreads.
    normalizer
        What computed it, and what the document gets when it is chosen.
    weights, texts
        (n,) float64, and as they are written: an exact 0 as ``0``, a small weight never as one.
    largest
        Keys with the largest weight.
    is_chosen
        The document uses it.
    """

    id: str
    title: str
    formula: str
    foot: str
    normalizer: Normalizer
    weights: NDArray[np.float64]
    texts: tuple[str, ...]
    largest: tuple[int, ...]
    is_chosen: bool


@dataclass(frozen=True, eq=False, slots=True)
class NormalizersContent:
    """Everything the panel of normalisers shows.

    Attributes
    ----------
    query, title
        Which row, from 0, and its words.
    labels
        One visible label for every key.
    scores
        (n,) what the normalisers read: scaled and masked.
    kinds
        (n,) uint8 of `CellKind`.
    chosen
        The pinned key, or None.
    limit
        What the axis of the scores reaches on both sides: round, and not below the largest finite magnitude.
    scale
        A score on the axis is one of the document times this.
    cuts
        Where sparsemax and entmax-1.5 cut; empty when the row has no weights.
    rows
        The row under each normaliser.
    temperature, temperature_text
        Of the second of them.
    note
        Why the bars cannot be dragged; empty when they can.
    sentence
        What becomes of the lowest score.
    """

    query: int
    title: str
    labels: tuple[str, ...]
    scores: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    chosen: int | None
    limit: float
    scale: float
    cuts: tuple[CutContent, ...]
    rows: tuple[WeightsContent, ...]
    temperature: float
    temperature_text: str
    note: str
    sentence: str


def present_normalizers(snapshot: Snapshot, temperature: float) -> NormalizersContent:
    """Return the chosen query's row, else the first, under every normaliser.

    Parameters
    ----------
    snapshot
        What to show.
    temperature
        Of the softmax beside the plain one.
    """
    document, trace = snapshot.document, snapshot.trace
    query = snapshot.focus.query or 0
    scores = trace.masked[query].numpy().copy()
    kinds = cell_kinds(trace, MatrixName.MASKED)[query]
    scores.flags.writeable = kinds.flags.writeable = False
    return NormalizersContent(
        query=query,
        title=named_token(Role.QUERY, document.queries[query], query),
        labels=visible_tokens(document.keys),
        scores=scores,
        kinds=kinds,
        chosen=snapshot.focus.key if snapshot.focus.query == query else None,
        limit=axis_limit(scores),
        scale=trace.scale,
        cuts=_cuts(snapshot, query),
        rows=_rows(snapshot, query, temperature),
        temperature=temperature,
        temperature_text=format_factor(temperature),
        note=_note(snapshot),
        sentence=_sentence(snapshot, query),
    )


def weight_text(weight: float) -> str:
    """Return a weight; what is exactly 0 is ``0``, what is only small keeps its size: ``3.2e-4``."""
    return "0" if weight == 0.0 else format_limit(weight)


def axis_limit(scores: NDArray[np.float64]) -> float:
    """Return the smallest of 2, 5, 10, 20, 50, … that no finite magnitude exceeds."""
    finite = np.abs(scores[np.isfinite(scores)])
    return round_limit_above(float(finite.max()) if finite.size else 0.0, LEAST_LIMIT)


def _rows(snapshot: Snapshot, query: int, temperature: float) -> tuple[WeightsContent, ...]:
    warm = Softmax(temperature)
    warm_title = f"softmax, τ = {format_factor(temperature)}"
    return (
        _row(snapshot, query, "softmax", Softmax(), "softmax", "exp(s) / Σ exp(s)"),
        _row(snapshot, query, "temperature", warm, warm_title, "exp(s/τ) / Σ exp(s/τ)"),
        _row(snapshot, query, "entmax15", Entmax15(), "entmax-1.5", "max(0, s/2 − θ)²"),
        _row(snapshot, query, "sparsemax", Sparsemax(), "sparsemax", "max(0, s − θ)"),
        _row(snapshot, query, "hardmax", Hardmax(), "hardmax", _("all to the largest")),
    )


def _row(
    snapshot: Snapshot, query: int, name: str, normalizer: Normalizer, title: str, formula: str
) -> WeightsContent:
    tensor = _weights(snapshot, query, normalizer)  # (n,)
    weights = tensor.numpy().copy()
    weights.flags.writeable = False
    chosen = snapshot.document.options.normalizer == normalizer
    if name == "temperature":  # without its temperature it is the one before
        chosen = chosen and normalizer != Softmax()
    return WeightsContent(
        id=name,
        title=title,
        formula=formula,
        foot=_foot(weights),
        normalizer=normalizer,
        weights=weights,
        texts=tuple(weight_text(weight) for weight in weights.tolist()),
        largest=largest_keys(tensor) if bool(tensor.any()) else (),
        is_chosen=chosen,
    )


def _weights(snapshot: Snapshot, query: int, normalizer: Normalizer) -> Matrix:
    """Return the weights (n,) that a normaliser makes of the query's row, beside the sink if there is one."""
    row = snapshot.trace.masked[query : query + 1]
    return weights_beside_sink(normalizer, row, snapshot.document.options.sink)[0][0]


def _foot(weights: NDArray[np.float64]) -> str:
    if np.isnan(weights).any():
        return _("not every score is a number")
    count = int((weights > 0).sum())
    return _("{count} of {all} above 0", count=count, all=len(weights))


def _cuts(snapshot: Snapshot, query: int) -> tuple[CutContent, ...]:
    scores, sink = snapshot.trace.masked[query].tolist(), snapshot.document.options.sink
    row = snapshot.trace.masked.new_tensor(
        [scores if sink is None else [*scores, sink]]
    )  # takes part as a key
    found = (
        (float(sparsemax_threshold(row)), "sparsemax: θ"),
        (float(entmax15_cutoff(row)), "entmax-1.5: 2θ"),
    )
    return tuple(
        CutContent(height, f"{name} = {format_number(height)}")
        for height, name in found
        if math.isfinite(height)
    )


def _note(snapshot: Snapshot) -> str:
    if isinstance(snapshot.document.inputs, GivenScores):
        return ""
    return _(
        "These scores follow from q and k: drag those. Bars can be dragged where the scores themselves "
        "are given, as in lesson 12."
    )


def _sentence(snapshot: Snapshot, query: int) -> str:
    """Return what becomes of the lowest score, which softmax never gives up."""
    trace, document = snapshot.trace, snapshot.document
    row = trace.masked[query : query + 1]  # (1, n)
    finite = [(score, key) for key, score in enumerate(row[0].tolist()) if math.isfinite(score)]
    if not finite or bool(row.isnan().any()):
        return _("This row has no weights.")
    score, key = min(finite)
    return _(
        "The lowest score is {score}, that of {key}. It gets {softmax} from softmax, {entmax} from "
        "entmax-1.5, {sparsemax} from sparsemax.",
        score=format_number(score),
        key=token_words(Role.KEY, document.keys, key),
        softmax=weight_text(float(_weights(snapshot, query, Softmax())[key])),
        entmax=weight_text(float(_weights(snapshot, query, Entmax15())[key])),
        sparsemax=weight_text(float(_weights(snapshot, query, Sparsemax())[key])),
    )


def is_movable(content: NormalizersContent, key: int) -> bool:
    """Say whether the bar of a key can be dragged: its score is given, and is a number."""
    return not content.note and content.kinds[key] == CellKind.VALUE
