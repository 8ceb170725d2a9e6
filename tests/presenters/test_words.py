"""Labels that can be seen."""

from __future__ import annotations

import pytest

from qkviz.document.document import Role
from qkviz.presenters.words import named_token, quoted_token, token_words, visible_token


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cat", "cat"),
        ("", "3"),
        (" ", "␣"),
        ("  ", "␣␣"),
        (" cat", "␣cat"),
        ("cat ", "cat␣"),
        ("black cat", "black cat"),
        ("a\nb", "a↵b"),
        ("\t", "⇥"),
        ("\u200b", "U+200B"),
        ("\x00", "U+0000"),
        ("<b>&amp;", "<b>&amp;"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("عربي", "عربي"),
        ("x" * 60, "x" * 60),
    ],
)
def test_every_label_can_be_seen_and_stays_itself(text: str, shown: str) -> None:
    assert visible_token(text, 2) == shown


def test_tokens_are_named_by_position_first() -> None:
    assert named_token(Role.QUERY, "bank", 2) == "query 3 “bank”"
    assert named_token(Role.KEY, "", 0) == "key 1 “1”"


def test_a_repeated_label_is_told_by_its_position() -> None:
    labels = ("bank", "of", "bank")
    assert token_words(Role.KEY, labels, 1) == "“of”"
    assert token_words(Role.KEY, labels, 2) == "key 3 “bank”"


def test_a_right_to_left_token_does_not_turn_the_sentence_round() -> None:
    assert quoted_token("עברית", 0) == "“\u2068עברית\u2069”"
