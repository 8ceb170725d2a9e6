"""Texts of pictures: the bundled fonts, shortened and literal."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase

from qkviz.figures.fonts import (
    REGULAR,
    SEMIBOLD,
    Face,
    characters_without_font,
    font_has,
    load_fonts,
    one_line,
    shortened,
    text_width,
)
from qkviz.figures.pdf_text import written_characters

FACE = Face(13)


def test_loading_twice_adds_nothing() -> None:
    before = QFontDatabase.families()
    load_fonts()
    assert QFontDatabase.families() == before
    assert "Inter Tabular" in before


def test_digits_are_of_one_width_in_both_weights() -> None:
    for weight in (REGULAR, SEMIBOLD):
        widths = [text_width(digit, Face(13, weight)) for digit in "0123456789"]
        assert max(widths) - min(widths) < 0.03  # Qt rounds to 1/64


def test_widths_grow_with_the_size_in_proportion() -> None:
    small, large = text_width("key 垫子", Face(10)), text_width("key 垫子", Face(40))
    assert abs(large / small - 4.0) < 0.02


def test_a_shortened_text_fits_and_says_that_it_is_one() -> None:
    text = shortened("m" * 60, FACE, 80.0)
    assert text.endswith("…")
    assert text_width(text, FACE) <= 80.0
    assert shortened("short", FACE, 80.0) == "short"


def test_line_ends_become_marks() -> None:
    assert one_line("a\nb\tc\x00") == "a↵b→c"
    assert one_line("<b>&") == "<b>&"


def test_the_raised_t_of_our_titles_is_in_our_font() -> None:
    assert font_has("ᵀ")


def test_joiners_are_not_missing() -> None:
    assert characters_without_font(["a\u200d\ufe0f"], lambda character: character == "a") == ""


def test_look_alikes_are_traced_to_the_characters_that_were_written() -> None:
    written = written_characters(["猫 坐 垫子 见"], [FACE])
    assert written.get("\u2f26", "子") == "子"
    assert written.get("\u2ec5", "见") == "见"
    assert set(written.values()) <= set("猫坐垫子见")


def test_a_look_alike_that_was_written_stays() -> None:
    assert written_characters(["\u2f26"], [FACE]) == {}
