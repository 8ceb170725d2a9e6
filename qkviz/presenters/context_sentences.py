"""What follows from one word in two texts, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qkviz.attention.captured_layers import WeightsLayer
from qkviz.attention.contexts import LayerCosines, WordRow
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.context_lines import largest_index, words_among
from qkviz.presenters.head_words import head_name
from qkviz.presenters.number_format import format_degrees, format_number
from qkviz.presenters.words import quoted_token
from qkviz.translate import N_, _

COSINE_DECIMALS = 3
"""Cosines of one word begin at 1 and fall by hundredths."""


@dataclass(frozen=True, eq=False, slots=True)
class HeldWord:
    """A word and its rows in A and in B."""

    word: str
    one: WordRow
    other: WordRow

    @property
    def name(self) -> str:
        """The word in quotation marks."""
        return quoted_token(self.word, 0)


def pair_sentences(
    held: HeldWord, captured: CapturedHead, now: LayerCosines | None, head: int | None
) -> tuple[str, ...]:
    """Return what the word looks at in both texts, whether its query is the same, and where it stands.

    Parameters
    ----------
    held
        The word in A and B.
    captured
        The head on the screen.
    now, head
        The cosines of its layer and whose they are; None: there are none, and all heads.
    """
    sentences = (_answers(held), _turning(held, captured, now, head), _positions(held))
    return tuple(filter(None, sentences))


def _answers(held: HeldWord) -> str:
    """Return at which key the word looks most in A and in B; nothing where a row has no weights."""
    answers = [_answer(row) for row in (held.one, held.other)]
    if not all(answers):
        return ""
    template = N_("In A {word} looks most at {one}; in B at {other}.")
    return _(template, word=held.name, one=answers[0], other=answers[1])


def _answer(row: WordRow) -> str:
    """Return the key with the largest weight, and where that is a special token, the word; else nothing."""
    first = largest_index(row, range(len(row.keys)))
    if first is None:
        return ""
    second = largest_index(row, words_among(row))
    if not row.keys[first].is_special or second is None:
        return _weighed(row, first)
    return _("{key}, of the words at {word}", key=_weighed(row, first), word=_weighed(row, second))


def _weighed(row: WordRow, at: int) -> str:
    weight = format_number(float(row.weights[at]))
    return _("{token} ({weight})", token=quoted_token(row.keys[at].label, at), weight=weight)


def _turning(held: HeldWord, captured: CapturedHead, now: LayerCosines | None, head: int | None) -> str:
    """Return whether the query is the same in both texts, else how far it has turned."""
    if isinstance(captured.captured_layer, WeightsLayer):
        return _("This model tells its weights only: there are no q, k and x to compare.")
    if now is None:
        return ""
    if now.same_q:
        if _is_same_row(held.one, held.other):
            return _(
                "The query of {word} is the same bit by bit in both texts, and so is its row.", word=held.name
            )
        return _(
            "The query of {word} is the same bit by bit in both texts; the answers differ because the keys "
            "differ.",
            word=held.name,
        )
    if math.isnan(now.q):
        return _("A query of {word} is the zero vector here, so the two have no cosine.", word=held.name)
    where = _("layer {number}, all heads", number=captured.layer + 1)
    if head is not None:
        where = head_name(captured.layer, head)
    return _(
        "{word} itself asks differently in B: its q has turned by {angle} (cosine {cosine}; {where}).",
        word=held.name,
        angle=format_degrees(math.acos(now.q)),
        cosine=format_number(now.q, COSINE_DECIMALS),
        where=where,
    )


def _positions(held: HeldWord) -> str:
    """Return that the word stands elsewhere in B, which alone may turn its vectors."""
    first, second = held.one.place.query + 1, held.other.place.query + 1
    if first == second:
        return ""
    return _(
        "{word} is token {one} in A and token {other} in B; in most models the position alone turns its "
        "vectors.",
        word=held.name,
        one=first,
        other=second,
    )


def _is_same_row(one: WordRow, other: WordRow) -> bool:
    return np.array_equal(one.weights.numpy(), other.weights.numpy(), equal_nan=True)
