"""Single characters on an axis: a name for what cannot be seen, and which of them need care."""

from __future__ import annotations

import unicodedata

_SYMBOLS = {" ": "␣", "\t": "⇥", "\n": "⏎"}

_NAMES = {
    "\r": "CR",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u034f": "CGJ",
    "\u061c": "ALM",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufe0e": "VS15",
    "\ufe0f": "VS16",
    "\ufeff": "BOM",
}
"""Their abbreviations in the Unicode Standard."""

_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}

_SEEN_FORMATS = {*map(chr, range(0x0600, 0x0606)), "\u06dd", "\u070f", "\u08e2"}
"""Format characters with a shape: signs that stand before or round a number."""

_CJK_BLOCKS = (
    (0x1100, 0x11FF),  # Hangul jamo
    (0x2E80, 0x9FFF),  # radicals, kana, Bopomofo, Han
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),  # half-width kana and jamo
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)


def is_mark(character: str) -> bool:
    """Tell whether a character stands on the one before it: an accent, a vowel sign."""
    return unicodedata.category(character).startswith("M") and character not in _NAMES


def is_cjk(character: str) -> bool:
    """Tell whether a character belongs to a script that puts no blanks between words, and needs none."""
    return any(first <= ord(character) <= last for first, last in _CJK_BLOCKS)


def is_word_letter(character: str) -> bool:
    """Tell whether a character can stand inside a word."""
    return character.isalnum() or character == "_"


def runs_right_to_left(text: str) -> bool:
    """Tell whether any of a text runs from right to left, so that it would carry its neighbours along."""
    return any(unicodedata.bidirectional(character) in {"R", "AL", "AN"} for character in text)


def shown_characters(text: str) -> list[str]:
    """Return for each character of a text what is shown for it: itself, or the name of one that is unseen.

    What joins its neighbours (in an emoji of a family, in Persian) stays between them. A name among others
    is put in ‹ ›.
    """
    return [_shown(text, at) for at in range(len(text))]


def subscript(number: int) -> str:
    """Return a number in subscript digits."""
    return str(number).translate({ord(digit): "₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in "0123456789"})


def _shown(text: str, at: int) -> str:
    character = text[at]
    if character in _SYMBOLS:
        return character if character == " " and _is_between_seen(text, at) else _SYMBOLS[character]
    if not _is_unseen(character) or _joins(text, at):
        return character
    name = _NAMES.get(character, f"U+{ord(character):04X}")
    return name if len(text) == 1 else f"‹{name}›"


def _is_unseen(character: str) -> bool:
    hidden = unicodedata.category(character) in _UNSEEN and character not in _SEEN_FORMATS
    return hidden or character in _NAMES


def _joins(text: str, at: int) -> bool:
    """Tell whether a character does its work between those beside it."""
    character = text[at]
    if character in "\u200c\u200d":
        return _is_between_seen(text, at)
    is_of_emoji = character in "\ufe0e\ufe0f" or 0xE0020 <= ord(character) <= 0xE007F
    return is_of_emoji and at > 0 and not text[at - 1].isspace()


def _is_between_seen(text: str, at: int) -> bool:
    """Tell whether there is something to see, or half of an emoji, on both sides."""
    sides = text[at - 1 : at] + text[at + 1 : at + 2]
    return len(sides) == 2 and not any(_is_unseen(side) and side not in "\ufe0e\ufe0f" for side in sides)
