"""Step 3: the raw score of the pinned pair, by its score function."""

from __future__ import annotations

import math

from qkviz.attention.contributions import contributions
from qkviz.attention.geometry import PairGeometry, pair_geometry
from qkviz.attention.inputs import GivenScores
from qkviz.attention.matrices import MatrixName
from qkviz.attention.score_functions import Additive, Cosine, NegativeHalfSquaredDistance
from qkviz.presenters.cells import CellKind, cell_text, kind_name
from qkviz.presenters.number_format import (
    factor_text,
    format_degrees,
    format_number,
    format_vector,
    in_parentheses,
)
from qkviz.presenters.pinned import (
    SHOWN_TERMS,
    Pinned,
    StepText,
    equals,
    equals_sum,
    equals_sum_of_products,
    hint,
    of_token,
    pair_heading,
    said,
    shown_indexes,
    sum_of,
    sum_of_products,
)
from qkviz.presenters.runs import Line, Run
from qkviz.presenters.score_sentences import (
    additive_sentence,
    angle_sentence,
    distance_sentence,
    with_largest,
)
from qkviz.translate import _


def score_step(pinned: Pinned) -> StepText:
    """Step 3: the raw score."""
    trace = pinned.trace
    if isinstance(trace.inputs, GivenScores):
        return _given(pinned)
    assert trace.Q is not None  # only given scores have no q and k
    assert trace.K is not None
    q: list[float] = trace.Q[pinned.query].tolist()
    k: list[float] = trace.K[pinned.key].tolist()
    geometry = pair_geometry(q, k)
    match trace.options.score:
        case Additive():
            lines = _additive_lines(pinned, trace.options.score, q, k)
            sentence = additive_sentence(pinned)
        case Cosine():
            lines = _cosine_lines(pinned, geometry)
            sentence = angle_sentence(pinned, geometry)
        case NegativeHalfSquaredDistance():
            lines = _distance_lines(pinned, q, k)
            sentence = distance_sentence(pinned, q, k)
        case _:
            lines = _dot_lines(pinned, q, k, geometry)
            sentence = angle_sentence(pinned, geometry)
    row = pinned.row_line(MatrixName.SCORES, _("row of {query}", query=pinned.query_words), "plain")
    return StepText(_heading(pinned), (*lines, row), said(with_largest(pinned, sentence)))


def _heading(pinned: Pinned) -> Line:
    q, k = of_token("q", pinned.query_token), of_token("k", pinned.key_token)
    query, key = Run(q, "query"), Run(k, "key")
    match pinned.trace.options.score:
        case Additive():
            return (Run("v · tanh("), query, Run(" W₁ + "), key, Run(" W₂)"))
        case Cosine():
            return (Run("cos("), query, Run(", "), key, Run(")"))
        case NegativeHalfSquaredDistance():
            return (Run("−½ ‖"), query, Run(" − "), key, Run("‖²"))
        case _:
            return (query, Run(" · "), key)


def _given(pinned: Pinned) -> StepText:
    kind, value = pinned.row_kinds(MatrixName.SCORES)[pinned.key], pinned.score
    lines = (
        (Run(_("given score")), Run(" = "), Run(cell_text(kind, value), "strong")),
        hint(_("Only the scores are given; the x, q and k behind them are not known.")),
        pinned.row_line(MatrixName.SCORES, _("row of {query}", query=pinned.query_words), "plain"),
    )
    sentence = _(
        "How {query} and {key} came to this score cannot be shown: that needs q and k.",
        query=pinned.query_words,
        key=pinned.key_words,
    )
    return StepText(pair_heading(pinned), lines, said(with_largest(pinned, sentence)))


def _dot_lines(pinned: Pinned, q: list[float], k: list[float], geometry: PairGeometry) -> list[Line]:
    result = Run(format_number(pinned.score), "strong")
    sign = equals_sum_of_products(q, k, pinned.score)
    lines: list[Line] = [(*sum_of_products(q, k, "query", "key"), sign, result)]
    if len(q) > 1:
        products = contributions(pinned.trace, pinned.query, pinned.key).tolist()
        terms = sum_of([format_number(product) for product in products])
        lines.append((Run("= "), *terms, equals_sum(products, pinned.score), result))
    lines.append(hint(_geometry_words(geometry)))
    return lines


def _geometry_words(geometry: PairGeometry) -> str:
    lengths = f"‖q‖ = {format_number(geometry.length_q)}   ‖k‖ = {format_number(geometry.length_k)}"
    if geometry.cosine is None or geometry.angle is None or geometry.projection is None:
        return "   ".join((lengths, _("angle undefined")))
    return "   ".join(
        (
            lengths,
            f"cos θ = {format_number(geometry.cosine)}",
            f"θ = {format_degrees(geometry.angle)}",
            _("projection = {length}", length=format_number(geometry.projection)),
        )
    )


def _cosine_lines(pinned: Pinned, geometry: PairGeometry) -> list[Line]:
    score = pinned.score
    if math.isnan(score):
        result = Run(kind_name(CellKind.UNDEFINED), "strong")
    else:
        result = Run(format_number(score), "strong")
    q_length, k_length = format_number(geometry.length_q), format_number(geometry.length_k)
    shown_lengths = round(geometry.length_q, 2) * round(geometry.length_k, 2)
    is_checkable = shown_lengths > 0 and not math.isnan(score)
    sign = equals(round(geometry.dot, 2) / shown_lengths, score) if is_checkable else Run(" = ")
    return [
        (
            Run("q·k / (‖q‖ ‖k‖) = "),
            Run(format_number(geometry.dot)),
            Run(" / ("),
            Run(q_length, "query"),
            Run(" × "),
            Run(k_length, "key"),
            Run(")"),
            sign,
            result,
        ),
        hint(_geometry_words(geometry)),
    ]


def _distance_lines(pinned: Pinned, q: list[float], k: list[float]) -> list[Line]:
    runs: list[Run] = []
    for index in shown_indexes(len(q), len(q) - 1, SHOWN_TERMS):
        if runs:
            runs.append(Run(" + "))
        if index is None:
            runs.append(Run("…"))
            continue
        runs += [
            Run("("),
            Run(factor_text(q[index]), "query"),
            Run(" − "),
            Run(in_parentheses(factor_text(k[index])), "key"),
            Run(")²"),
        ]
    result = Run(format_number(pinned.score), "strong")
    square = math.dist(q, k) ** 2
    sign = equals(-0.5 * round(square, 2), pinned.score)
    return [
        (Run("−½ × ["), *runs, Run("]")),
        (Run(f"= −½ × {format_number(square)}"), sign, result),
    ]


def _additive_lines(pinned: Pinned, score: Additive, q: list[float], k: list[float]) -> list[Line]:
    of_query = [_dot(q, column) for column in score.W_1.T.tolist()]
    of_key = [_dot(k, column) for column in score.W_2.T.tolist()]
    bent = [math.tanh(a + b) for a, b in zip(of_query, of_key, strict=True)]
    v: list[float] = score.v.tolist()
    return [
        (
            *sum_of_products(v, bent, "strong", "plain"),
            equals_sum_of_products(v, bent, pinned.score),
            Run(format_number(pinned.score), "strong"),
        ),
        (
            Run("tanh("),
            Run(format_vector(of_query), "query"),
            Run(" + "),
            Run(format_vector(of_key), "key"),
            Run(f") = {format_vector(bent)}"),
        ),
    ]


def _dot(left: list[float], right: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))
