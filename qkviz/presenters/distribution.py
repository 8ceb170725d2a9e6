"""How scores and weights are distributed, with the projections and without them."""

from __future__ import annotations

from enum import StrEnum

from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.measures import score_variance
from qkviz.attention.without_projections import trace_without_projections
from qkviz.document.session import Snapshot
from qkviz.presenters.histogram import (
    Floats,
    HistogramContent,
    HistogramSeries,
    common_edges,
    counted,
    finite_values,
)
from qkviz.presenters.matrix_texts import matrix_title, normalizer_word, score_formula
from qkviz.presenters.number_format import format_number
from qkviz.presenters.runs import Tone
from qkviz.translate import _


class Stage(StrEnum):
    """What is counted."""

    SCORES = "scores"
    WEIGHTS = "weights"


def present_distribution(snapshot: Snapshot, stage: Stage) -> HistogramContent:
    """Return the histograms of XXᵀ and of QKᵀ, or of the weights that follow from both, in the same bins."""
    trace, plain = snapshot.trace, trace_without_projections(snapshot.trace)
    named: list[tuple[str, Tone, Matrix]]
    if stage is Stage.SCORES:
        named = [(score_formula(snapshot), "query", trace.scores)]
        if plain is not None:
            named.insert(0, (matrix_title(snapshot, MatrixName.XXT), "embedding", plain.scores))
        axis = _("raw score")
    else:
        word = normalizer_word(snapshot)
        named = [
            (
                _("{normalizer} of {scores}", normalizer=word, scores=score_formula(snapshot)),
                "weight",
                trace.weights,
            )
        ]
        if plain is not None:
            xxt = matrix_title(snapshot, MatrixName.XXT)
            named.insert(
                0, (_("{normalizer} of {scores}", normalizer=word, scores=xxt), "embedding", plain.weights)
            )
        axis = _("weight")
    return _content(
        named, axis, "" if plain is not None else _("This document has no embeddings, so it has no XXᵀ.")
    )


def present_score_histogram(snapshot: Snapshot) -> HistogramContent:
    """Return the histogram of the raw scores alone."""
    return _content(
        [(score_formula(snapshot), "query", matrix_of(snapshot.trace, MatrixName.SCORES))], _("raw score"), ""
    )


def _content(named: list[tuple[str, Tone, Matrix]], axis: str, note: str) -> HistogramContent:
    values = [finite_values(matrix.numpy()) for _name, _tone, matrix in named]
    edges = common_edges(values)
    series = tuple(
        HistogramSeries(name, _summary(matrix, kept), tone, kept, counted(kept, edges))
        for (name, tone, matrix), kept in zip(named, values, strict=True)
    )
    left_out = sum(matrix.numel() - kept.size for (_n, _t, matrix), kept in zip(named, values, strict=True))
    notes = [note] if note else []
    if left_out:
        notes.append(_("Cells without a finite number, left out: {count}.", count=left_out))
    return HistogramContent(edges, series, axis, " ".join(notes))


def _summary(matrix: Matrix, finite: Floats) -> str:
    variance = score_variance(matrix)
    if variance is None:
        return ""
    mean = float(finite.mean())
    return _("mean {mean} · variance {variance}", mean=format_number(mean), variance=format_number(variance))
