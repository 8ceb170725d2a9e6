"""The copy model at work on one sequence: where its two heads look, what it says next, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qkviz.attention.captured import CapturedText
from qkviz.attention.head_overviews import head_trace
from qkviz.capture.copy_accuracy import CopyAccuracies
from qkviz.capture.copy_model_file import COPY_MODEL, copy_words
from qkviz.document.captured_head import CapturedHead
from qkviz.document.document import Document
from qkviz.presenters.head_words import head_name
from qkviz.presenters.number_format import format_number
from qkviz.presenters.words import quoted_token
from qkviz.translate import _

Place = tuple[int, int]

FIRST, SECOND = (0, 0), (1, 0)
"""The two heads as (layer, head)."""

WRITTEN_FROM = 0.05
"""From this weight on the number stands beside its word."""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A word, and how much of a row's weight it gets; ``text`` is the number, empty where it is small."""

    label: str
    weight: float
    text: str
    is_looking: bool


@dataclass(frozen=True, slots=True)
class HeadLook:
    """Where one head looks from one word.

    Attributes
    ----------
    place
        (layer, head) from 0.
    name, title
        "L1 H1", and from which word it looks.
    words
        The whole sequence.
    is_chosen
        Whether the head is the document.
    is_off
        Whether its output is left out.
    """

    place: Place
    name: str
    title: str
    words: tuple[LookedAt, ...]
    is_chosen: bool
    is_off: bool

    @property
    def sentence(self) -> str:
        """The same in words, for a screen reader."""
        pairs = "; ".join(f"{word.label} {word.text}" for word in self.words if word.text)
        return f"{self.title}: {pairs}"


@dataclass(frozen=True, slots=True)
class ShareBar:
    """A named share of 1, and its number as text."""

    name: str
    share: float
    text: str


@dataclass(frozen=True, slots=True)
class CopyMachineContent:
    """What the panel shows of one sequence.

    Attributes
    ----------
    text
        The sequence as it was typed.
    looks
        From the last word the second head; the first head from where the second one looks; and from the last
        word.
    guesses
        The likeliest next words, best first.
    story
        How the guess comes about, a sentence a line.
    note
        What has to stand beside the model.
    words
        Which words it knows.
    """

    text: str
    looks: tuple[HeadLook, ...]
    guesses: tuple[ShareBar, ...]
    story: tuple[str, ...]
    note: str
    words: str


def copy_machine_head(document: Document) -> CapturedHead | None:
    """Return the head of the copy model that ``document`` began as; None for any other document."""
    captured = document.captured
    return captured if captured is not None and captured.capture.model.name == COPY_MODEL else None


def present_copy_machine(captured: CapturedHead) -> CopyMachineContent:
    """Return what the copy model does with its text."""
    seen = _see(captured.captured_text)
    found = seen.strongest(SECOND, seen.last)
    from_last = _("from {word}, the last word", word=seen.quoted(seen.last))
    from_found = _("from {word}, found by L2 H1", word=seen.quoted(found))
    chosen, note = (captured.layer, captured.head), captured.capture.model.note
    words = copy_words()[1:]
    return CopyMachineContent(
        text=seen.text.text,
        looks=(
            _look(seen, SECOND, seen.last, from_last, chosen),
            _look(seen, FIRST, found, from_found, chosen),
            _look(seen, FIRST, seen.last, from_last, chosen),
        ),
        guesses=tuple(
            ShareBar(guess.label, guess.probability, format_number(guess.probability))
            for guess in seen.text.next_tokens
        ),
        story=_story(seen, found),
        note="" if note is None else str(note),
        words=_("It knows {count} words: {words}.", count=len(words), words=", ".join(words)),
    )


def present_accuracies(measured: CopyAccuracies) -> tuple[ShareBar, ...]:
    """Return the three accuracies as bars."""
    rows = (
        (_("both on"), measured.both_on),
        (_("{head} off", head=head_name(*FIRST)), measured.first_off),
        (_("{head} off", head=head_name(*SECOND)), measured.second_off),
    )
    return tuple(ShareBar(name, share, format_number(share)) for name, share in rows)


def accuracy_sentence(measured: CopyAccuracies) -> str:
    """Return what was measured."""
    return _(
        "Of the words that can be known, inside a phrase that was there before, so many are predicted right: "
        "{count} fresh sequences, seed {seed}. Blind guessing would get {chance}.",
        count=measured.sequences,
        seed=measured.seed,
        chance=format_number(1 / (len(copy_words()) - 1)),
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """A text of the copy model with the weights of both heads, one list for each row."""

    text: CapturedText
    weights: Mapping[Place, list[list[float]]]

    @property
    def last(self) -> int:
        """Position of the last word."""
        return len(self.text.tokens) - 1

    def strongest(self, place: Place, query: int) -> int:
        """Return where a head looks most from ``query``."""
        row = self.weights[place][query]
        return row.index(max(row))

    def is_same_word(self, one: int, other: int) -> bool:
        """Tell whether the same word stands at two positions."""
        return self.text.tokens[one].label == self.text.tokens[other].label

    def quoted(self, position: int) -> str:
        """Return the word at a position for a sentence."""
        return quoted_token(self.text.tokens[position].label, position)


def _see(text: CapturedText) -> _Seen:
    return _Seen(text, {place: head_trace(text, *place).weights.tolist() for place in (FIRST, SECOND)})


def _look(seen: _Seen, place: Place, query: int, title: str, chosen: Place) -> HeadLook:
    tokens, row = seen.text.tokens, seen.weights[place][query]
    words = tuple(
        LookedAt(token.label, weight, format_number(weight) if weight >= WRITTEN_FROM else "", at == query)
        for at, (token, weight) in enumerate(zip(tokens, row, strict=True))
    )
    is_off = place in seen.text.switched_off
    return HeadLook(place, head_name(*place), title, words, place == chosen, is_off)


def _story(seen: _Seen, found: int) -> tuple[str, ...]:
    """Return how the guess comes about; ``found`` is where the second head looks from the last word."""
    return (_looking(seen, SECOND, seen.last, found), _reason(seen, found), _outcome(seen, found))


def _reason(seen: _Seen, found: int) -> str:
    """Return why the second head looks there."""
    last = seen.quoted(seen.last)
    if FIRST in seen.text.switched_off:
        return _(
            "L1 H1 is off: no word knows any more which one stands before it, so L2 H1 searches blindly."
        )
    if not any(seen.is_same_word(at, seen.last) for at in range(seen.last)):
        return _("{word} was not there before, so there is nothing to copy.", word=last)
    if not _finds_copy(seen, found):
        return _("{word} was there before, but L2 H1 did not find what followed.", word=last)
    return _(
        "Why there? L1 H1 looks from {found} at the word before ({weight}), and that is {word} too.",
        found=seen.quoted(found),
        word=last,
        weight=format_number(seen.weights[FIRST][found][found - 1]),
    )


def _outcome(seen: _Seen, found: int) -> str:
    """Return what becomes of it."""
    if SECOND in seen.text.switched_off:
        return _("L2 H1 is off: it looks, but hands nothing on.")
    guess = seen.text.next_tokens[0]
    values = {"word": quoted_token(guess.label, 0), "probability": format_number(guess.probability)}
    is_copied = FIRST not in seen.text.switched_off and _finds_copy(seen, found)
    if is_copied and guess.label == seen.text.tokens[found].label:
        return _("So the model says {word} once more, with probability {probability}.", **values)
    return _("The likeliest next word is {word}, with probability {probability}.", **values)


def _finds_copy(seen: _Seen, found: int) -> bool:
    """Tell whether ``found`` comes right after an earlier copy of the last word."""
    return found > 0 and seen.is_same_word(found - 1, seen.last)


def _looking(seen: _Seen, place: Place, query: int, key: int) -> str:
    return _(
        "{head} looks from {query} most at {key} ({weight}).",
        head=head_name(*place),
        query=seen.quoted(query),
        key=seen.quoted(key),
        weight=format_number(seen.weights[place][query][key]),
    )
