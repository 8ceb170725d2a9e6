"""The same word in several texts of a capture as content: words, a line for each text, a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from qkviz.attention.contexts import (
    SharedWord,
    WordPlace,
    WordRow,
    places_of,
    shared_words,
    word_row,
    words_of,
)
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.context_lines import ContextLine, present_lines
from qkviz.presenters.context_pair import ContextPair, present_pair
from qkviz.presenters.head_words import head_name
from qkviz.presenters.words import isolated, quoted_token, visible_token
from qkviz.translate import _


class CosineScope(StrEnum):
    """Of which vectors the cosines by layer are taken."""

    LAYER = "layer"  # q and k of all heads, one behind the other
    HEAD = "head"  # those of the chosen head


@dataclass(frozen=True, slots=True)
class ContextsChoice:
    """What the user chose in the panel; no part of the document.

    Parameters
    ----------
    word
        The word, in any case; empty as long as nobody has chosen one.
    other
        The text that is held against the one on the screen; None as long as nobody has chosen one.
    places
        For texts in which not the first place of the word was chosen: text and which place, both 0-based.
    scope
        Of which vectors the cosines are.
    """

    word: str = ""
    other: int | None = None
    places: tuple[tuple[int, int], ...] = ()
    scope: CosineScope = CosineScope.LAYER

    def with_word(self, word: str) -> ContextsChoice:
        """Return the choice of another word, everywhere at its first place."""
        return self if word.casefold() == self.word.casefold() else replace(self, word=word, places=())

    def with_place(self, text: int, number: int) -> ContextsChoice:
        """Return the choice of one place of the word in one text."""
        places = {**dict(self.places), text: number}
        return replace(self, places=tuple(sorted(one for one in places.items() if one[1])))


@dataclass(frozen=True, eq=False, slots=True)
class WordRows:
    """Everything that is computed for a word in one head. It stays as long as these do.

    Parameters
    ----------
    captured
        The head; which of its texts is on the screen does not matter.
    word, chosen
        The word and its chosen places.
    words
        All words to choose from.
    places
        For every text where the word stands in it.
    rows
        Of every text that has the word, in order.
    """

    captured: CapturedHead
    word: str
    chosen: tuple[tuple[int, int], ...]
    words: tuple[SharedWord, ...]
    places: tuple[tuple[WordPlace, ...], ...]
    rows: tuple[WordRow, ...]

    def is_for(self, captured: CapturedHead, choice: ContextsChoice) -> bool:
        """Whether these rows are those of a head and a choice."""
        own, word = self.captured, choice.word or self.word
        return (
            captured.capture is own.capture
            and (captured.layer, captured.head) == (own.layer, own.head)
            and word.casefold() == self.word.casefold()
            and choice.places == self.chosen
        )


@dataclass(frozen=True, eq=False, slots=True)
class ContextsContent:
    """Everything the panel shows; without lines nothing but the reason.

    Attributes
    ----------
    reason
        Why there is nothing, and what to do; else empty.
    words, word
        Pairs of id and text to choose from, and the id of the chosen one.
    headline, note
        In how many texts the word stands; what should be known of its tokens, or empty.
    lines
        One for each text that has the word.
    pair
        The text on the screen held against another one.
    """

    reason: str
    words: tuple[tuple[str, str], ...] = ()
    word: str = ""
    headline: str = ""
    note: str = ""
    lines: tuple[ContextLine, ...] = ()
    pair: ContextPair | None = None


def gather_rows(captured: CapturedHead, choice: ContextsChoice) -> WordRows | None:
    """Return the rows of the chosen word, else of the word that most texts share; None if they share none."""
    capture, layer = captured.capture, captured.layer
    words = shared_words(capture, layer)
    if not words:
        return None
    folded = choice.word.casefold()
    word = next((one.word for one in words if one.word.casefold() == folded), words[0].word)
    places, numbers = places_of(capture, layer, word), dict(choice.places)
    rows = tuple(
        word_row(capture, layer, captured.head, found[min(numbers.get(text, 0), len(found) - 1)])
        for text, found in enumerate(places)
        if found
    )
    return WordRows(captured, word, choice.places, words, places, rows)


def present_contexts(
    captured: CapturedHead | None, rows: WordRows | None, choice: ContextsChoice
) -> ContextsContent:
    """Return what the panel shows.

    Parameters
    ----------
    captured
        The head on the screen; None for a document that is no head of a model.
    rows
        Its `gather_rows`.
    choice
        What the user chose.
    """
    if captured is None or rows is None:
        return ContextsContent(_reason(captured))
    one, other = chosen_pair(captured, rows, choice)
    headline = _(
        "{word} in {count} of {all} texts · {head}",
        word=quoted_token(rows.word, 0),
        count=len(rows.rows),
        all=len(rows.places),
        head=head_name(captured.layer, captured.head),
    )
    return ContextsContent(
        reason="",
        words=tuple((found.word.casefold(), _listed(found)) for found in rows.words),
        word=rows.word.casefold(),
        headline=headline,
        note=_note(rows.rows, captured),
        lines=present_lines(captured, rows.rows, rows.places, (one.place.text, other.place.text)),
        pair=present_pair(
            captured,
            rows.word,
            one,
            other,
            captured.head if choice.scope is CosineScope.HEAD else None,
        ),
    )


def chosen_pair(captured: CapturedHead, rows: WordRows, choice: ContextsChoice) -> tuple[WordRow, WordRow]:
    """Return the two rows to be held against each other.

    The first is that of the text on the screen, if this has the word, else the first there is; the second the
    chosen one, else the next that is not the first.
    """
    by_text = {row.place.text: row for row in rows.rows}
    one = by_text.get(captured.text, rows.rows[0])
    rest = [row for row in rows.rows if row is not one]
    chosen = None if choice.other is None else by_text.get(choice.other)
    if chosen is None or chosen is one:
        chosen = next((row for row in rest if row.place.text > one.place.text), rest[0])
    return one, chosen


def place_at(captured: CapturedHead, query: int, words: Iterable[SharedWord]) -> tuple[str, int] | None:
    """Return the shared word at a query of the text on the screen, and which of its places that is."""
    found = words_of(captured.captured_text, captured.layer)
    word = next((word for word, tokens in found if query in tokens), None)
    if word is None or word.casefold() not in {shared.word.casefold() for shared in words}:
        return None
    same = [tokens for other, tokens in found if other.casefold() == word.casefold()]
    return word, next(number for number, tokens in enumerate(same) if query in tokens)


def _reason(captured: CapturedHead | None) -> str:
    if captured is None:
        return _(
            "Here one word stands in several sentences that the same model has read. "
            "Open lesson 4, or a model and sentences of your own."
        )
    count = len(captured.capture.texts)
    if count == 1:
        return _("There is only this one sentence. Add another one that shares a word with it.")
    return _(
        "No word stands in two of these {count} texts. Add a sentence that shares a word with one of them.",
        count=count,
    )


def _listed(word: SharedWord) -> str:
    return _("{word} · {count} texts", word=isolated(visible_token(word.word, 0)), count=word.texts)


def _note(rows: tuple[WordRow, ...], captured: CapturedHead) -> str:
    """Return whose row is shown for a word of several tokens."""
    split = next((row.place for row in rows if len(row.place.tokens) > 1), None)
    if split is None:
        return ""
    last = captured.capture.texts[split.text].queries(captured.layer)[split.query]
    return _(
        "It is {count} tokens; the row is that of the last one, {token}.",
        count=len(split.tokens),
        token=quoted_token(last.label, split.query),
    )
