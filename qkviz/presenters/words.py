"""The words for roles and tokens, and labels that can be seen."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from qkviz.document.document import Role
from qkviz.translate import _

BLANKS = " \u00a0\u3000"
LINE_MARKS = {"\n": "↵", "\r": "↵", "\t": "⇥"}
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"


@lru_cache(maxsize=4096)
def visible_token(text: str, index: int) -> str:
    """Return a token's label with nothing invisible in it.

    Parameters
    ----------
    text
        The token, any text.
    index
        Its position from 0. An empty token is shown as its position, counted from 1.

    Returns
    -------
    str
        Blanks at the ends, tabs and line ends become marks; other characters without a shape become their
        code, ``U+200B``. Nothing is cut: the painter knows the room.
    """
    if not text:
        return str(index + 1)
    start = len(text) - len(text.lstrip(BLANKS))
    end = len(text.rstrip(BLANKS))
    alone = len(text) == 1
    return "".join(
        _visible(character, inside=start <= at < end, alone=alone) for at, character in enumerate(text)
    )


@lru_cache(maxsize=64)
def visible_tokens(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the visible labels of all tokens of one role, in order."""
    return tuple(map(visible_token, texts, range(len(texts))))


@lru_cache(maxsize=64)
def position_labels(count: int) -> tuple[str, ...]:
    """Return ``("1", "2", …)`` for dimensions."""
    return tuple(str(position) for position in range(1, count + 1))


def quoted_token(text: str, index: int) -> str:
    """Return ``“bank”`` for use in a sentence; right-to-left tokens keep to themselves in it."""
    return f"“{isolated(visible_token(text, index))}”"


def named_token(role: Role, text: str, index: int) -> str:
    """Return ``query 3 “bank”``: position from 1 first, since a label may repeat."""
    if role is Role.QUERY:
        return _("query {position} {token}", position=index + 1, token=quoted_token(text, index))
    return _("key {position} {token}", position=index + 1, token=quoted_token(text, index))


def token_words(role: Role, labels: tuple[str, ...], index: int) -> str:
    """Return a token for a sentence: “bank”, or query 3 “bank” where another “bank” could be meant."""
    if labels.count(labels[index]) > 1:
        return named_token(role, labels[index], index)
    return quoted_token(labels[index], index)


def isolated(text: str) -> str:
    """Return ``text`` so that, if it runs from right to left, nothing around it changes its place."""
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        return f"{ISOLATE}{text}{END_OF_ISOLATE}"
    return text


def _visible(character: str, inside: bool, alone: bool) -> str:
    if character in BLANKS:
        return " " if inside else "␣"
    if character in LINE_MARKS:
        return LINE_MARKS[character]
    category = unicodedata.category(character)
    # joiners inside emoji and Indic words are part of the picture
    if category in ("Cc", "Zl", "Zp", "Cs", "Co", "Cn") or (category == "Cf" and alone):
        return f"U+{ord(character):04X}"
    return character
