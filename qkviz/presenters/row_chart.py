"""The bars of one row as the content of a picture that is taken away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.axis_limits import round_limit
from qkviz.presenters.cells import CellKind, cell_kinds
from qkviz.presenters.matrix_looks import USUAL_DECIMALS
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.number_format import format_limit
from qkviz.presenters.row import largest_weights, row_sentence, with_sink
from qkviz.presenters.words import named_token, visible_tokens
from qkviz.translate import N_, Refusal, _

ROW_STAGES = (
    (MatrixName.SCORES, N_("Scores")),
    (MatrixName.SCALED, N_("Scaled")),
    (MatrixName.WEIGHTS, N_("Weights")),
)
"""What the bars can show: the matrix whose row it is, and its word."""


@dataclass(frozen=True, eq=False, slots=True)
class RowChartContent:
    """Everything that a picture of one row shows.

    Attributes
    ----------
    title, subtitle
        The query, ``query 3 “bank”``, and what the bars are, ``softmax weights``.
    key_axis
        The word for what stands below.
    key_labels
        One visible label for each of the n keys.
    values
        (n,) float64, read-only.
    kinds
        (n,) uint8 of `CellKind`.
    largest
        Indexes of the keys with the largest weight.
    chosen
        The pinned key, or None.
    is_weights
        Whether the bars are weights, not scores.
    low, high
        The ends of the value axis; low is 0 or negative, high 0 or positive.
    ticks
        Value and text of the numbers on it.
    sentence
        Who is looked at most.
    decimals
        Digits after the point of the numbers at the bars.
    """

    title: str
    subtitle: str
    key_axis: str
    key_labels: tuple[str, ...]
    values: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    largest: tuple[int, ...]
    chosen: int | None
    is_weights: bool
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    sentence: str
    decimals: int = USUAL_DECIMALS


def present_row_chart(
    snapshot: Snapshot, stage: MatrixName, query: int, decimals: int = USUAL_DECIMALS
) -> RowChartContent:
    """Return the bars of a query's row.

    Raises
    ------
    Refusal
        If the document has not so many queries.
    """
    document = snapshot.document
    if not 0 <= query < len(document.queries):
        raise Refusal(
            "There is no query {position}; the document has {count}.",
            position=query + 1,
            count=len(document.queries),
        )
    values = matrix_of(snapshot.trace, stage)[query].numpy().copy()
    kinds = cell_kinds(snapshot.trace, stage)[query].copy()
    values.flags.writeable = kinds.flags.writeable = False
    low, high = _ends(values[kinds == CellKind.VALUE])
    return RowChartContent(
        title=named_token(Role.QUERY, document.queries[query], query),
        subtitle=matrix_title(snapshot, stage),
        key_axis=_("key"),
        key_labels=visible_tokens(document.keys),
        values=values,
        kinds=kinds,
        largest=largest_weights(snapshot, query),
        chosen=snapshot.focus.key if snapshot.focus.query == query else None,
        is_weights=stage is MatrixName.WEIGHTS,
        low=low,
        high=high,
        ticks=_ticks(low, high),
        sentence=with_sink(snapshot, query, row_sentence(snapshot, query)),
        decimals=decimals,
    )


def _ends(shown: NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of the axis: round numbers of one size for both signs, 0 where a sign is missing."""
    low, high = float(shown.min(initial=0.0)), float(shown.max(initial=0.0))
    largest = max(-low, high)
    limit = round_limit(largest)
    return (-limit if low < 0 else 0.0), (limit if high > 0 or low == 0 else 0.0)


def _ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    halves = sorted({low, low / 2, 0.0, high / 2, high})

    return tuple((value, format_limit(value) if value else "0") for value in halves)
