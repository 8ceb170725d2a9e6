"""One line for each text that has the word: its tokens, and what the word's query gives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from qkviz.attention.captured import Token
from qkviz.attention.captured_layers import AttentionKind
from qkviz.attention.contexts import WordPlace, WordRow
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.number_format import format_factor, format_number
from qkviz.presenters.words import isolated, quoted_token, visible_token
from qkviz.translate import _

Mark = Literal["A", "B", ""]

NUMBERS = 3
"""As many of the largest weights of a line are written into it."""

NO_BREAK = "\u00a0"

LEAST_WRITTEN = 0.005
"""A smaller weight would be written 0.00."""


@dataclass(frozen=True, slots=True)
class ContextChip:
    """One token of a line.

    Attributes
    ----------
    label, tip
        What stands in it; its numbers, for the pointer.
    shade
        Its weight by the largest of all lines, 0 … 1.
    number
        Its weight in digits if it is one of the largest of its line, else empty.
    place
        Which place of the word it belongs to, 0-based; None: another word.
    is_asking
        It belongs to the place whose row this is.
    is_special, is_forbidden
        Added by the tokenizer; hidden from the query by the mask.
    """

    label: str
    tip: str
    shade: float
    number: str
    place: int | None
    is_asking: bool
    is_special: bool
    is_forbidden: bool


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One text.

    Attributes
    ----------
    text
        Its number in the capture, from 0.
    mark
        Which side of the comparison it is.
    is_shown
        It is the document.
    chips
        One for each key.
    place, places
        Which place of the word the row is of, and how many there are.
    summary
        The largest weight.
    spoken
        The whole line in words, for a screen reader.
    """

    text: int
    mark: Mark
    is_shown: bool
    chips: tuple[ContextChip, ...]
    place: int
    places: int
    summary: str
    spoken: str


def present_lines(
    captured: CapturedHead,
    rows: tuple[WordRow, ...],
    places: tuple[tuple[WordPlace, ...], ...],
    pair: tuple[int, int],
) -> tuple[ContextLine, ...]:
    """Return the lines of all ``rows``.

    Parameters
    ----------
    captured
        The head on the screen.
    places
        For every text of the capture all places of the word.
    pair
        The texts A and B.
    """
    largest = largest_weight(rows)
    marks: dict[int, Mark] = {pair[1]: "B", pair[0]: "A"}
    is_among_keys = captured.captured_layer.kind is not AttentionKind.CROSS
    lines = []
    for row in rows:
        text = row.place.text
        around = places[text]
        typed = captured.capture.texts[text].text
        summary = largest_words(row)
        lines.append(
            ContextLine(
                text=text,
                mark=marks.get(text, ""),
                is_shown=text == captured.text,
                chips=_chips(row, around if is_among_keys else (), largest),
                place=around.index(row.place),
                places=len(around),
                summary=summary,
                spoken=_("Text {number}: {text}. {summary}", number=text + 1, text=typed, summary=summary),
            )
        )
    return tuple(lines)


def largest_weight(rows: tuple[WordRow, ...]) -> float:
    """Return the largest weight of several rows, 0 if there is none."""
    return max((weight for row in rows for weight in row.weights.tolist() if weight > 0), default=0.0)


def largest_words(row: WordRow) -> str:
    """Return which key has the largest weight, and where that is a special token, which word has."""
    first = largest_index(row, range(len(row.keys)))
    if first is None:
        return _("no weights")
    if not row.keys[first].is_special:
        return _("largest: {key}", key=weighed(row, first))
    second = largest_index(row, words_among(row))
    if second is None:
        return _("largest: {key}", key=weighed(row, first))
    return _("largest: {key}; of the words: {word}", key=weighed(row, first), word=weighed(row, second))


def weighed(row: WordRow, at: int) -> str:
    """Return a key with its numbers, ``river 0.67 (score 28.16)``, which no line end separates."""
    label, weight = isolated(shown_label(row.keys[at], at)), format_number(float(row.weights[at]))
    if row.scores is None:
        return f"{label}{NO_BREAK}{weight}"
    score = format_number(float(row.scores[at]))
    text = _("{token} {weight} (score {score})", token=label, weight=weight, score=score)
    return text.replace(" ", NO_BREAK)


def shown_label(token: Token, at: int) -> str:
    """Return the label of a token with nothing invisible in it."""
    return visible_token(token.label, at)


def words_among(row: WordRow) -> list[int]:
    """Return the keys that are no special tokens."""
    return [at for at, token in enumerate(row.keys) if not token.is_special]


def largest_index(row: WordRow, among: Iterable[int]) -> int | None:
    """Return which of some keys has the largest weight, the first one in a tie; None if none has any."""
    weights = row.weights.tolist()
    known = [at for at in among if weights[at] > 0]
    return max(known, key=weights.__getitem__) if known else None


def _chips(row: WordRow, around: tuple[WordPlace, ...], largest: float) -> tuple[ContextChip, ...]:
    weights, allowed = row.weights.tolist(), row.allowed.tolist()
    written = sorted(range(len(weights)), key=lambda at: -weights[at] if weights[at] > 0 else 0.0)[:NUMBERS]
    place_by_token = {token: number for number, place in enumerate(around) for token in place.tokens}
    asking = row.place.tokens if around else ()
    return tuple(
        ContextChip(
            label=shown_label(token, at),
            tip=_tip(row, at),
            shade=weight / largest if weight > 0 else 0.0,
            number=format_number(weight) if at in written and weight >= LEAST_WRITTEN else "",
            place=place_by_token.get(at),
            is_asking=at in asking,
            is_special=token.is_special,
            is_forbidden=not allowed[at],
        )
        for at, (token, weight) in enumerate(zip(row.keys, weights, strict=True))
    )


def _tip(row: WordRow, at: int) -> str:
    token, weight = row.keys[at], float(row.weights[at])
    name = quoted_token(token.label, at)
    if not bool(row.allowed[at]):
        return _("{token}: masked", token=name)
    number = format_factor(weight)
    if row.scores is None:
        return _("{token}: weight {weight}", token=name, weight=number)
    score = format_factor(float(row.scores[at]))
    return _("{token}: weight {weight}, score {score}", token=name, weight=number, score=score)
