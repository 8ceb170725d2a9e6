"""What stands on an axis for each token, taken from the text that was typed, not from the tokenizer's names.

``·`` goes before a token that continues a word, a subscript after a character that several tokens share, ⁇
after what the tokenizer does not know, “ ” round a special token that was typed. Tokens of no text keep the
tokenizer's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from qkviz.attention.captured import Token
from qkviz.capture.characters import (
    is_cjk,
    is_mark,
    is_word_letter,
    runs_right_to_left,
    shown_characters,
    subscript,
)
from qkviz.capture.tokenized import TokenizedText

Owners = Mapping[tuple[int, int], list[int]]
"""By segment and place of a character: the positions of the tokens that stand for it."""

_BOUNDARY = "▁"
"""What SentencePiece makes of a blank, and puts before a text that has none; offsets then tell of the letter
after it."""

_SPECIAL = re.compile(r"\[(CLS|SEP|PAD|UNK|MASK)\]|</?s>|<(bos|eos|pad|unk|mask|cls|sep)>|<\|[^<>|]+\|>")
"""How special tokens are called."""

_FSI, _PDI = "\u2068", "\u2069"


def token_labels(text: str, pair: str | None, tokens: TokenizedText) -> tuple[Token, ...]:
    """Return the tokens of a text with their labels.

    Words are those of the tokenizer, parted where a blank begins: one without a pre-tokenizer takes a whole
    text for one word.
    """
    reading = _read(text, pair or "", tokens)
    return tuple(
        Token(
            label=reading.label(at),
            raw=tokens.raw[at],
            start=start,
            end=end,
            word=reading.words[at],
            is_special=_is_special(tokens, at),
            is_unknown=tokens.unknown[at],
            segment=tokens.segments[at],
        )
        for at, (start, end) in enumerate(tokens.offsets)
    )


def utf16_span(text: str, token: Token) -> tuple[int, int]:
    """Return where a token stands in its text as Qt counts: an emoji is two units of UTF-16."""
    return _utf16_units(text[: token.start]), _utf16_units(text[: token.end])


def _utf16_units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True, slots=True)
class _Reading:
    """Which words and which characters the tokens of a text stand for; spans are without a leading blank."""

    texts: tuple[str, str]
    tokens: TokenizedText
    words: Sequence[int | None]
    spans: Sequence[tuple[int, int]]
    owners: Owners

    def covered(self, at: int) -> str:
        """Return what a token is shown by."""
        start, end = self.spans[at]
        return self.texts[self.tokens.segments[at]][start:end]

    def label(self, at: int) -> str:
        """Return what stands on an axis for a token."""
        covered, raw = self.covered(at), self.tokens.raw[at]
        if not covered:
            return "␣" if raw == _BOUNDARY else raw
        if covered == raw and _SPECIAL.fullmatch(covered):
            return f"“{covered}”"
        label = self._before(at) + self._with_subscripts(at) + ("⁇" if self.tokens.unknown[at] else "")
        return f"{_FSI}{label}{_PDI}" if runs_right_to_left(label) else label

    def _before(self, at: int) -> str:
        first = self.covered(at)[0]
        if is_mark(first):
            return "◌"
        return "·" if is_word_letter(first) and not is_cjk(first) and self._continues(at) else ""

    def _continues(self, at: int) -> bool:
        """Tell whether a token goes on with the word of the one before, with a character of its own."""
        if at == 0 or self.words[at] is None or self.words[at] != self.words[at - 1]:
            return False
        return bool(self.covered(at - 1).strip()) and self.spans[at - 1][1] <= self.spans[at][0]

    def _with_subscripts(self, at: int) -> str:
        """Join characters; after those that several tokens share comes which of them this is, from 1."""
        segment = self.tokens.segments[at]
        owners = [self.owners[segment, place] for place in range(*self.spans[at])]
        shown = zip(owners, shown_characters(self.covered(at)), strict=True)
        pieces: list[str] = []
        for sharing, run in groupby(shown, itemgetter(0)):
            pieces.extend(character for _sharing, character in run)
            if len(sharing) > 1:
                pieces.append(subscript(sharing.index(at) + 1))
        return "".join(pieces)


def _read(text: str, pair: str, tokens: TokenizedText) -> _Reading:
    texts = (text, pair)
    spans = [_own_span(texts[segment], tokens, at) for at, segment in enumerate(tokens.segments)]
    return _Reading(texts, tokens, _words(texts, tokens), spans, _owners(tokens.segments, spans))


def _is_special(tokens: TokenizedText, at: int) -> bool:
    """Tell whether the tokenizer added a token; one that stands for some of the text was typed."""
    start, end = tokens.offsets[at]
    return tokens.special[at] and start == end


def _words(texts: tuple[str, str], tokens: TokenizedText) -> list[int | None]:
    """Return for each token the number of its word within its text."""
    numbers: list[int | None] = []
    latest: tuple[int, int] | None = None
    count = [0, 0]
    for at, (word, segment) in enumerate(zip(tokens.words, tokens.segments, strict=True)):
        if word is None or _is_special(tokens, at):
            numbers.append(None)
            continue
        start, end = tokens.offsets[at]
        after_blank = texts[segment][start:end][:1].isspace() or tokens.raw[at] == _BOUNDARY
        if after_blank or (segment, word) != latest:
            latest = (segment, word)
            count[segment] += 1
        numbers.append(count[segment] - 1)
    return numbers


def _own_span(text: str, tokens: TokenizedText, at: int) -> tuple[int, int]:
    """Return the characters that a token is shown by: those of its text, without a blank before a word."""
    start, end = tokens.offsets[at]
    covered = text[start:end]
    if tokens.raw[at] == _BOUNDARY and not covered.startswith((" ", _BOUNDARY)):
        return start, start
    stripped = covered.lstrip(" ")
    return (end - len(stripped), end) if stripped else (start, end)


def _owners(segments: Sequence[int], spans: Sequence[tuple[int, int]]) -> Owners:
    owners: dict[tuple[int, int], list[int]] = {}
    for at, (start, end) in enumerate(spans):
        for place in range(start, end):
            owners.setdefault((segments[at], place), []).append(at)
    return owners
