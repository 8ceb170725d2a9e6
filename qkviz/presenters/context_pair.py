"""One word in two texts held together: both rows key by key, and how far its vectors turn, layer by layer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from qkviz.attention.captured_layers import AttentionKind
from qkviz.attention.contexts import LayerCosines, WordRow, word_cosines
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.chart import ChartAxis, ChartContent, ChartSeries, linear_axis
from qkviz.presenters.context_lines import largest_index, largest_weight, shown_label
from qkviz.presenters.context_sentences import HeldWord, pair_sentences
from qkviz.presenters.number_format import format_number
from qkviz.translate import _


@dataclass(frozen=True, slots=True)
class PairCell:
    """One key of one of the two rows.

    Attributes
    ----------
    label
        The token.
    score, weight
        In digits; the score is empty if the model does not tell any, the weight if the mask hides the key.
    share
        The weight by the largest of both rows, 0 … 1.
    is_word, is_special, is_largest
        It is a token of the word; it was added by the tokenizer; it has the largest weight of its row.
    """

    label: str
    score: str
    weight: str
    share: float
    is_word: bool
    is_special: bool
    is_largest: bool


@dataclass(frozen=True, eq=False, slots=True)
class ContextPair:
    """The texts A and B.

    Attributes
    ----------
    texts
        Both as typed.
    rows
        The keys of A and B at each position; None where one text has ended.
    score_name
        Over the scores; empty if there are none.
    sentences
        What follows from the numbers.
    scope_words
        The words for the two kinds of cosines: of all heads, of the chosen one.
    chart
        Cosines by layer; None for a model that tells its weights only.
    """

    texts: tuple[str, str]
    rows: tuple[tuple[PairCell | None, PairCell | None], ...]
    score_name: str
    sentences: tuple[str, ...]
    scope_words: tuple[str, str]
    chart: ChartContent | None


def present_pair(
    captured: CapturedHead, word: str, one: WordRow, other: WordRow, head: int | None
) -> ContextPair:
    """Return two rows of one word side by side.

    Parameters
    ----------
    captured
        The head on the screen.
    word
        The word.
    one, other
        Its rows in A and in B.
    head
        Whose q and k the cosines are of; None: those of all heads.
    """
    capture, layer = captured.capture, captured.layer
    cosines = word_cosines(capture, one.place, other.place, layer, head)
    largest = largest_weight((one, other))
    is_among_keys = captured.captured_layer.kind is not AttentionKind.CROSS
    left, right = (_cells(row, largest, is_among_keys) for row in (one, other))
    now = next((found for found in cosines if found.layer == layer), None)
    return ContextPair(
        texts=(capture.texts[one.place.text].text, capture.texts[other.place.text].text),
        rows=tuple(zip_longest(left, right)),
        score_name="" if one.scores is None else "q·k",
        sentences=pair_sentences(HeldWord(word, one, other), captured, now, head),
        scope_words=(_("all heads"), _("head {number}", number=captured.head + 1)),
        chart=_chart(cosines, captured) if cosines else None,
    )


def _cells(row: WordRow, largest: float, is_among_keys: bool) -> list[PairCell]:
    weights, allowed = row.weights.tolist(), row.allowed.tolist()
    scores = [] if row.scores is None else row.scores.tolist()
    first = largest_index(row, range(len(weights)))
    return [
        PairCell(
            label=shown_label(token, at),
            score=format_number(scores[at]) if scores else "",
            weight=format_number(weights[at]) if allowed[at] else "",
            share=weights[at] / largest if weights[at] > 0 else 0.0,
            is_word=is_among_keys and at in row.place.tokens,
            is_special=token.is_special,
            is_largest=at == first,
        )
        for at, token in enumerate(row.keys)
    ]


def _chart(cosines: tuple[LayerCosines, ...], captured: CapturedHead) -> ChartContent:
    """Return the cosines by layer. A layer without a cosine has no point."""
    series = (
        _series("q", "query", cosines, lambda one: one.q),
        _series("k", "key", cosines, lambda one: one.k),
        _series("x", "embedding", cosines, lambda one: one.x),
    )
    known = [y for one in series for y in one.ys]
    least = min(known, default=1.0)
    low = 0.5 if least >= 0.5 else 0.0 if least >= 0.0 else -1.0
    now = [(x, y) for one in series for x, y in zip(one.xs, one.ys, strict=True) if x == captured.layer + 1]
    xs, ys = tuple(x for x, _y in now), tuple(y for _x, y in now)
    return ChartContent(
        title=_("Cosine of A and B, by layer"),
        x=_layer_axis([one.layer + 1 for one in cosines]),
        y=linear_axis("", low, 1.0, steps=5 if low >= 0.0 else 4),
        series=(
            *(one for one in series if one.xs),
            ChartSeries(_("this layer"), "strong", xs, ys, "crosses"),
        ),
        empty=_("No cosine: the vectors are zero."),
    )


def _series(
    name: str, tone: str, cosines: tuple[LayerCosines, ...], value: Callable[[LayerCosines], float | None]
) -> ChartSeries:
    points = [(float(one.layer + 1), value(one)) for one in cosines]
    known = [(x, y) for x, y in points if y is not None and not math.isnan(y)]
    return ChartSeries(name, tone, tuple(x for x, _y in known), tuple(y for _x, y in known))


def _layer_axis(numbers: list[int]) -> ChartAxis:
    low, high = float(numbers[0]), float(numbers[-1])
    if low == high:
        low, high = low - 0.5, high + 0.5
    return ChartAxis(_("layer"), low, high, tuple((float(number), str(number)) for number in numbers))
