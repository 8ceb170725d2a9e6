"""Measures of what some trained models have beside q·k."""

from __future__ import annotations

from qkviz.document.session import Snapshot
from qkviz.presenters.measure import MeasureContent, rows_details, rows_text
from qkviz.presenters.number_format import format_percent, full_number
from qkviz.presenters.score_terms import bias_share, cap_share
from qkviz.translate import _


def measures_beside_products(snapshot: Snapshot) -> tuple[MeasureContent, ...]:
    """Return what soft cap, position bias and sink do, for a document that has them."""
    trace, found = snapshot.trace, list[MeasureContent]()
    if trace.options.soft_cap is not None:
        found.append(
            _share(
                "soft_cap",
                _("soft cap"),
                cap_share(trace),
                _("How much of the scores the soft cap takes away."),
                "Σ (c·tanh(s/c) − s)²",
            )
        )
    if trace.options.bias is not None:
        found.append(
            _share(
                "bias",
                _("position bias"),
                bias_share(trace),
                _("How much of the scores is not q·k, but what the model says of two places."),
                "Σ b²",
            )
        )
    if trace.sink_weights is not None:
        sums = trace.weights.sum(dim=1).tolist()
        found.append(
            MeasureContent(
                "row_sums",
                _("sum of a row"),
                rows_text(sums),
                _("The rest of every row goes to the sink of the model, to no key."),
                "Σ_j A_ij",
                rows_details(snapshot, sums),
            )
        )
    return tuple(found)


def _share(name: str, title: str, share: float, sentence: str, of_rest: str) -> MeasureContent:
    formula = _("{rest} / ({rest} + Σ s²), each row less its mean", rest=of_rest)
    return MeasureContent(name, title, format_percent(share), sentence, formula, full_number(share))
