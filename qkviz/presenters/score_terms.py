"""What some trained models have beside q·k: soft cap, position bias, sink; how much they do."""

from __future__ import annotations

from qkviz.attention.captured_layers import unexplained_share
from qkviz.attention.matrix_changes import Matrix
from qkviz.attention.trace import AttentionTrace
from qkviz.presenters.number_format import format_factor, format_number, format_percent
from qkviz.translate import _


def terms_of_model(trace: AttentionTrace) -> tuple[str, ...]:
    """Return soft cap, position bias and sink as the model gave them, a line each; empty without any."""
    lines = []
    if trace.options.soft_cap is not None:
        lines.append(_("soft cap: {words}", words=cap_words(trace)))
    if trace.options.bias is not None:
        lines.append(_("position bias: {words}", words=bias_words(trace)))
    if trace.options.sink is not None:
        score = format_number(trace.options.sink)
        lines.append(_("sink: one more score of {score} in every row", score=score))
    return tuple(lines)


def cap_words(trace: AttentionTrace) -> str:
    """Return what the soft cap is, and how much of the scores it takes; empty without one."""
    cap = trace.options.soft_cap
    if cap is None:
        return ""
    share = format_percent(cap_share(trace))
    return _("{cap}·tanh(s / {cap}): changes {share} of the scores", cap=format_factor(cap), share=share)


def cap_share(trace: AttentionTrace) -> float:
    """Return which share of the scores the soft cap takes away, 0 … 1."""
    return unexplained_share(trace.scaled, trace.capped + trace.mask)


def bias_words(trace: AttentionTrace) -> str:
    """Return how much of the scores the position bias is; empty without one."""
    if trace.options.bias is None:
        return ""
    return _("{share} of the scores", share=format_percent(bias_share(trace)))


def bias_share(trace: AttentionTrace) -> float:
    """Return which share of the scores the position bias is, 0 … 1."""
    return unexplained_share(trace.capped, trace.masked)


def row_sum_words(trace: AttentionTrace) -> str:
    """Return what the rows of the weights sum to beside the sink; empty without one."""
    least, most = row_sums(trace)
    if least is None or most is None:
        return ""
    if format_number(least) == format_number(most):
        return _("each row sums to {total}, the rest goes to the sink", total=format_number(least))
    return _(
        "rows sum to {least} … {most}, the rest goes to the sink",
        least=format_number(least),
        most=format_number(most),
    )


def row_sums(trace: AttentionTrace) -> tuple[float | None, float | None]:
    """Return the smallest and the largest sum of a row of weights; None without a sink, or beside NaN."""
    if trace.sink_weights is None or bool(trace.sink_weights.isnan().any()):
        return None, None
    sums = trace.weights.sum(dim=1)  # (m,)
    return float(sums.min()), float(sums.max())


def shares_of_keys(trace: AttentionTrace) -> Matrix:
    """Return the weights (m, n) as shares of what the keys of a row get together: the sink takes no part."""
    if trace.sink_weights is None:
        return trace.weights
    sums = trace.weights.sum(dim=1, keepdim=True)  # (m, 1)
    return trace.weights / sums.masked_fill(sums == 0.0, 1.0)  # a row of zeros stays one


def sink_sentence(trace: AttentionTrace, query: int) -> str:
    """Return how much of a query's weight goes to no key; empty without a sink."""
    if trace.sink_weights is None or bool(trace.sink_weights[query].isnan()):
        return ""
    return _(
        "The row sums to {total}; the rest, {sink}, goes to the sink of the model.",
        total=format_number(float(trace.weights[query].sum())),
        sink=format_number(float(trace.sink_weights[query])),
    )
