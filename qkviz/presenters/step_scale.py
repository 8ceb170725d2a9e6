"""Step 4: from the raw score of the pinned pair to what the normaliser reads."""

from __future__ import annotations

import math

from qkviz.attention.matrices import MatrixName
from qkviz.presenters.cells import CellKind, cell_text, kind_name
from qkviz.presenters.matrix_texts import is_divided_by_root
from qkviz.presenters.number_format import format_factor, format_number, format_percent, in_parentheses
from qkviz.presenters.pinned import Pinned, StepText, equals, hint, said
from qkviz.presenters.runs import Line, Run
from qkviz.presenters.score_terms import bias_share
from qkviz.translate import _


def scale_step(pinned: Pinned) -> StepText:
    """Step 4: scale, soft cap, position bias and mask."""
    trace, kinds = pinned.trace, pinned.row_kinds(MatrixName.MASKED)
    score_kind = pinned.row_kinds(MatrixName.SCORES)[pinned.key]
    scaled_kind = pinned.row_kinds(MatrixName.SCALED)[pinned.key]
    raw = pinned.score
    score = cell_text(score_kind, raw)
    scaled = pinned.row(MatrixName.SCALED)[pinned.key]
    if is_divided_by_root(trace.options) and trace.Q is not None:
        root = round(math.sqrt(trace.Q.shape[1]), 2)
        arithmetic = Run(f"{score} / √{trace.Q.shape[1]} = {score} / {format_factor(root)}")
        sign = equals(round(raw, 2) / root, scaled)
        heading = (Run("q·k / √dₖ"),)
    else:
        arithmetic = Run(f"{score} × {format_factor(trace.scale)}")
        sign = equals(round(raw, 2) * trace.scale, scaled)
        heading = (Run(_("scaled score")),)
    lines: list[Line] = [(arithmetic, sign, Run(cell_text(scaled_kind, scaled), "strong"))]
    lines += _cap_and_bias_lines(pinned)
    masked = kinds.count(CellKind.MASKED)
    if masked:
        lines.append(hint(_("masked keys of this row: {count}; each counts as −∞", count=masked)))
    lines.append(pinned.row_line(MatrixName.MASKED, _("row of {query}", query=pinned.query_words), "plain"))
    words = (_scale_sentence(pinned, kinds), *_cap_and_bias_words(pinned))
    return StepText(heading, tuple(lines), said(" ".join(words)))


def _cap_and_bias_lines(pinned: Pinned) -> list[Line]:
    """Return c·tanh(s / c), and + bias, with the numbers of the pair; nothing where the model has neither."""
    trace, options, lines = pinned.trace, pinned.trace.options, list[Line]()
    now = float(trace.scaled[pinned.query, pinned.key])
    if options.soft_cap is not None:
        cap, before = format_factor(options.soft_cap), now
        now = float(trace.capped[pinned.query, pinned.key])
        shown = options.soft_cap * math.tanh(round(before, 2) / options.soft_cap)
        arithmetic = Run(f"{cap} × tanh({format_number(before)} / {cap})")
        lines.append((arithmetic, equals(shown, now), Run(format_number(now), "strong")))
    if options.bias is not None:
        bias = float(options.bias[pinned.query, pinned.key])
        shown, now, before = round(now, 2) + round(bias, 2), now + bias, now
        arithmetic = Run(f"{format_number(before)} + {in_parentheses(format_number(bias))}")
        lines.append((arithmetic, equals(shown, now), Run(format_number(now), "strong")))
    return lines


def _cap_and_bias_words(pinned: Pinned) -> list[str]:
    options, words = pinned.trace.options, list[str]()
    if options.soft_cap is not None:
        cap = format_factor(options.soft_cap)
        words.append(_("The soft cap keeps every score between −{cap} and {cap}.", cap=cap))
    if options.bias is not None:
        share = format_percent(bias_share(pinned.trace))
        words.append(
            _(
                "The position bias adds what the two places say, whatever the words: {share} of the scores.",
                share=share,
            )
        )
    return words


def _scale_sentence(pinned: Pinned, kinds: list[int]) -> str:
    trace, kind = pinned.trace, kinds[pinned.key]
    if all(each == CellKind.MASKED for each in kinds):
        return _("The mask leaves {query} no key at all.", query=pinned.query_words)
    if kind == CellKind.MASKED:
        return _(
            "The mask forbids {key} to {query}: −∞ in place of its score, and so no weight.",
            query=pinned.query_words,
            key=pinned.key_words,
        )
    if kind != CellKind.VALUE:
        return _(
            "The score of {query} and {key} is {what}; no scale makes it a number.",
            query=pinned.query_words,
            key=pinned.key_words,
            what=kind_name(CellKind(kind)),
        )
    if trace.scale == 1.0:
        return _("The scale is 1: every score stays as it is.")
    scale = format_factor(trace.scale)
    if is_divided_by_root(trace.options) and trace.Q is not None:
        return _(
            "All scores are divided by √{d_k}: their order stays, "
            "their differences shrink to {scale} of what they were.",
            d_k=trace.Q.shape[1],
            scale=format_number(trace.scale),
        )
    if trace.scale < 1.0:
        return _(
            "All scores are multiplied by {scale}: their order stays, their differences shrink.", scale=scale
        )
    return _("All scores are multiplied by {scale}: their order stays, their differences grow.", scale=scale)
