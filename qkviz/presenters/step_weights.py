"""Step 5: the weight of the pinned pair, by its normaliser."""

from __future__ import annotations

import math

from qkviz.attention.matrices import MatrixName
from qkviz.attention.measures import largest_keys
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.document.document import Role
from qkviz.presenters.cells import CellKind, cell_text, kind_name
from qkviz.presenters.matrix_texts import normalizer_word
from qkviz.presenters.number_format import format_factor, format_number, in_parentheses
from qkviz.presenters.pinned import Pinned, StepText, equals, hint, pair_heading, said, shown_indexes
from qkviz.presenters.row import row_sentence
from qkviz.presenters.runs import Line, Run, Tone
from qkviz.presenters.score_terms import sink_sentence
from qkviz.translate import _

READABLE_EXPONENTS = (-3.0, 7.0)
"""While the largest exponent of a row lies between these, e to it is a number that one can read."""


def weight_step(pinned: Pinned) -> StepText:
    """Step 5: the normaliser, and where the query looks."""
    kinds = pinned.row_kinds(MatrixName.WEIGHTS)
    kind, weight = kinds[pinned.key], pinned.row(MatrixName.WEIGHTS)[pinned.key]
    lines: list[Line] = []
    if kind == CellKind.VALUE:
        match pinned.trace.options.normalizer:
            case Softmax(temperature):
                lines += _softmax_lines(pinned, kinds, temperature)
            case Sparsemax():
                lines += _sparsemax_lines(pinned)
            case Entmax15():
                lines += _entmax_lines(pinned)
            case Hardmax():
                lines += _hardmax_lines(pinned)
    else:
        lines.append((Run(_("weight")), Run(" = "), Run(_weight_words(kind, weight), "strong")))
    lines.append(pinned.row_line(MatrixName.WEIGHTS, _("row of {query}", query=pinned.query_words), "weight"))
    lines += [hint(words) for words in _sum_words(pinned, kinds)]
    heading = (Run(f"{normalizer_word(pinned.snapshot)}  ", "weight"), *pair_heading(pinned))
    return StepText(heading, tuple(lines), said(_weight_sentence(pinned, kind, weight)))


def _softmax_lines(pinned: Pinned, kinds: list[int], temperature: float) -> list[Line]:
    """Return e^a / Σ e^b with the row's numbers; far from 0 the largest is taken off first, harmlessly."""
    row = pinned.competing
    allowed = [index for index, kind in enumerate(kinds) if kind == CellKind.VALUE]
    competing = [*allowed, *range(len(kinds), len(row))]  # the sink is behind the keys
    largest = max(row[index] for index in competing)
    low, high = READABLE_EXPONENTS
    shift = 0.0 if low <= largest / temperature <= high else largest
    exponents = {index: (row[index] - shift) / temperature for index in competing}
    powers = {index: math.exp(exponent) for index, exponent in exponents.items()}

    def power(index: int, tone: Tone = "plain") -> tuple[Run, Run]:
        text = format_number(row[index])
        if shift:
            text = f"{text} − {in_parentheses(format_number(shift))}"
        if temperature != 1.0:
            text = (
                f"({text})/{format_factor(temperature)}" if shift else f"{text}/{format_factor(temperature)}"
            )
        is_plain = not shift and temperature == 1.0 and not text.startswith("−")
        return Run("e", tone), Run(f"^{text}" if is_plain else f"^({text})", tone, raised=text)

    places = shown_indexes(len(allowed), allowed.index(pinned.key), 6)
    terms: list[Run] = []
    for place in places:
        if terms:
            terms.append(Run(" + "))
        index = None if place is None else allowed[place]
        if index is None:
            terms.append(Run("…"))
        else:
            terms += power(index, "strong" if index == pinned.key else "plain")
    for index in competing[len(allowed) :]:
        terms += (Run(" + "), *power(index, "muted"))
    weight = Run(format_number(pinned.row(MatrixName.WEIGHTS)[pinned.key]), "strong")
    total = math.fsum(powers.values())
    shown = round(powers[pinned.key], 2) / round(total, 2)
    lines: list[Line] = [
        (*power(pinned.key, "strong"), Run(" / ("), *terms, Run(")")),
        (
            Run(f"= {format_number(powers[pinned.key])} / {format_number(total)}"),
            equals(shown, pinned.row(MatrixName.WEIGHTS)[pinned.key]),
            weight,
        ),
    ]
    if len(competing) > len(allowed):
        lines.append(
            hint(_("The last term is the sink: a score of no key, which takes weight from every row."))
        )
    if shift:
        lines.append(hint(_("The largest score of the row is taken off everywhere; that changes no weight.")))
    return lines


def _threshold_base(pinned: Pinned) -> tuple[float, float]:
    """Return score and weight of what gets the largest weight; the threshold follows from them."""
    weights, row = pinned.shares, pinned.competing
    best = max(range(len(weights)), key=weights.__getitem__)
    return row[best], weights[best]


def _sparsemax_lines(pinned: Pinned) -> list[Line]:
    score, best_weight = _threshold_base(pinned)
    return [
        _threshold_line(pinned, 1, score - best_weight),
        hint(
            _("max(0, s − θ): the threshold θ is chosen so that the row sums to 1")
            if pinned.trace.sink_weights is None
            else _("max(0, s − θ): the threshold θ is chosen so that the row and the sink sum to 1")
        ),
    ]


def _entmax_lines(pinned: Pinned) -> list[Line]:
    score, best_weight = _threshold_base(pinned)
    return [
        _threshold_line(pinned, 2, score / 2.0 - math.sqrt(best_weight)),
        hint(
            _("max(0, s / 2 − θ)²: the threshold θ is chosen so that the row sums to 1")
            if pinned.trace.sink_weights is None
            else _("max(0, s / 2 − θ)²: the threshold θ is chosen so that the row and the sink sum to 1")
        ),
    ]


def _threshold_line(pinned: Pinned, power: int, threshold: float) -> Line:
    """Return max(0, s − θ) for ``power`` 1, max(0, s / 2 − θ)² for 2."""
    own, weight = pinned.row(MatrixName.MASKED)[pinned.key], pinned.row(MatrixName.WEIGHTS)[pinned.key]
    divided, squared = (" / 2", "²") if power == 2 else ("", "")
    shown = max(0.0, round(own, 2) / power - round(threshold, 2)) ** power
    return (
        Run(f"max(0, {format_number(own)}{divided} − {in_parentheses(format_number(threshold))}){squared}"),
        equals(shown, weight),
        Run(format_number(weight), "strong"),
    )


def _hardmax_lines(pinned: Pinned) -> list[Line]:
    row = pinned.competing
    largest = largest_keys(pinned.trace.masked.new_tensor(row))
    weight = format_number(pinned.row(MatrixName.WEIGHTS)[pinned.key])
    own, best = format_number(row[pinned.key]), format_number(row[largest[0]])
    if pinned.key not in largest:
        return [
            (
                Run(_("{own} is not the largest score {best} of the row → ", own=own, best=best)),
                Run(weight, "strong"),
            )
        ]
    if len(largest) > 1:
        return [
            (
                Run(_("{own} is the largest score, {count} times → ", own=own, count=len(largest))),
                Run(f"1 / {len(largest)} = "),
                Run(weight, "strong"),
            )
        ]
    return [(Run(_("{own} is the largest score of the row → ", own=own)), Run(weight, "strong"))]


def _weight_words(kind: int, weight: float) -> str:
    if kind in (CellKind.MASKED, CellKind.UNDEFINED, CellKind.NO_KEY):
        return _("none ({why})", why=kind_name(CellKind(kind)))
    return cell_text(kind, weight)


def _sum_words(pinned: Pinned, kinds: list[int]) -> list[str]:
    weights = pinned.row(MatrixName.WEIGHTS)
    if any(kind in (CellKind.NAN, CellKind.NO_KEY) for kind in kinds):
        return []
    if pinned.trace.sink_weights is not None:
        return [sink_sentence(pinned.trace, pinned.query)]
    exact = format_number(math.fsum(weights))
    shown = format_number(sum(round(weight, 2) for weight in weights))
    if not any(weights):
        return []
    if shown == exact:
        return [_("sum of the row: {total}", total=exact)]
    return [
        _(
            "exact sum of the row: {total}; the shown figures are rounded and add to {shown}",
            total=exact,
            shown=shown,
        )
    ]


def _weight_sentence(pinned: Pinned, kind: int, weight: float) -> str:
    sentence = row_sentence(pinned.snapshot, pinned.query)
    scaled = pinned.row(MatrixName.MASKED)[pinned.key]
    if kind != CellKind.VALUE or not weight:
        return sentence
    shown = format_number(weight)
    if scaled < 0 and shown != "0.00" and format_number(scaled) != "0.00":
        more = _(
            "Even the negative score {score} gets a weight: {weight}.",
            score=format_number(scaled),
            weight=shown,
        )
        return _("{sentence} {more}", sentence=sentence, more=more)
    if pinned.key not in largest_keys(pinned.trace.weights[pinned.query]):
        more = _("{key} gets {weight}.", key=pinned.words(Role.KEY, pinned.key), weight=shown)
        return _("{sentence} {more}", sentence=sentence, more=more)
    return sentence
