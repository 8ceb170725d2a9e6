"""What follows from one word in two texts, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qkviz.attention.captured import WeightsLayer
from qkviz.attention.contexts import LayerCosines, WordRow
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.context_lines import largest_index
from qkviz.presenters.number_format import format_degrees, format_number
from qkviz.presenters.words import quoted_token
from qkviz.translate import _

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
    first, second = (largest_index(row, range(len(row.keys))) for row in (held.one, held.other))
    if first is None or second is None:
        return ""
    return _(
        "In A {word} looks most at {one} ({weight}), in B at {other} ({other_weight}).",
        word=held.name,
        one=quoted_token(held.one.keys[first].label, first),
        weight=format_number(float(held.one.weights[first])),
        other=quoted_token(held.other.keys[second].label, second),
        other_weight=format_number(float(held.other.weights[second])),
    )


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
        where = f"L{captured.layer + 1} H{head + 1}"
    return _(
        "{word} itself asks otherwise in B: its q has turned by {angle} (cosine {cosine}; {where}).",
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
        "{word} is token {one} in A and token {other} in B: where a model adds positions to its embeddings, "
        "these alone turn its vectors.",
        word=held.name,
        one=first,
        other=second,
    )


def _is_same_row(one: WordRow, other: WordRow) -> bool:
    return np.array_equal(one.weights.numpy(), other.weights.numpy(), equal_nan=True)
