"""What may be typed and pasted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qkviz.document.editable import LARGEST
from qkviz.presenters.number_format import full_number
from qkviz.presenters.number_parse import LIMIT, parse_block, parse_number
from qkviz.translate import Refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("1，5", 1.5),
        ("0,001", 0.001),
        ("1,234", 1.234),
        (" 2.50 ", 2.5),
        ("+3", 3.0),
        ("-2", -2.0),
        ("−2", -2.0),
        ("–2", -2.0),
        ("－２", -2.0),
        ("１．５", 1.5),
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        ("2e−3", 0.002),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.25", -0.25),
        ("-0", 0.0),
        ("1000000", 1e6),
        ("-1e6", -1e6),
        ("0.1234567890123456789", 0.12345678901234568),
        ("1e-400", 0.0),
        ("\u00a07\u3000", 7.0),
        ("²", 2.0),
    ],
)
def test_a_typed_number_is_read_exactly(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no number"),
        ("   ", "no number"),
        ("1,234.5", "two ways"),
        ("1.234,5", "two ways"),
        ("1,2,3", "two ways"),
        ("nan", "finite"),
        ("-inf", "finite"),
        ("∞", "finite"),
        ("−∞", "finite"),
        ("1e999", "too large"),
        ("1000001", "too large"),
        ("abc", "“abc” is not a number"),
        ("1 000", "not a number"),
        ("1_000", "not a number"),
        ("0x10", "not a number"),
        ("1e", "not a number"),
        ("--1", "not a number"),
        ("1+1", "not a number"),
        (".", "not a number"),
    ],
)
def test_what_is_no_single_number_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_number(text)
    assert part in str(refusal.value)


def test_the_limit_is_that_of_the_document() -> None:
    assert LIMIT == LARGEST


@given(st.floats(-1e6, 1e6))
def test_every_shown_full_number_is_read_back_to_the_last_bit(value: float) -> None:
    assert parse_number(full_number(value)) == value


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("1", ((1.0,),)),
        ("1,5", ((1.5,),)),
        ("1\t2\n3\t4", ((1.0, 2.0), (3.0, 4.0))),
        ("1,5\t2,5\r\n3,5\t4,5\r\n", ((1.5, 2.5), (3.5, 4.5))),
        ("1;2\n3;4\n", ((1.0, 2.0), (3.0, 4.0))),
        ("1,5;−2\n3;4", ((1.5, -2.0), (3.0, 4.0))),
        ("1, 2\n3, 4", ((1.0, 2.0), (3.0, 4.0))),
        ("0.8 0.2\n0.1 0.9", ((0.8, 0.2), (0.1, 0.9))),
        ("0.8,0.2\n0.1,0.9", ((0.8, 0.2), (0.1, 0.9))),
        ("1,2,3", ((1.0, 2.0, 3.0),)),
        ("1,5\n2,5", ((1.5,), (2.5,))),
        ("１\t－２", ((1.0, -2.0),)),
        ("[[1, 2], [3, 4]]", ((1.0, 2.0), (3.0, 4.0))),
        ("[[ 1.   0.5]\n [-0.2  0.8]]", ((1.0, 0.5), (-0.2, 0.8))),
        ("\n\n1\t2\n\n", ((1.0, 2.0),)),
    ],
)
def test_a_pasted_block_is_read(text: str, block: tuple[tuple[float, ...], ...]) -> None:
    assert parse_block(text) == block


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["nothing to paste"]),
        (" \n \n", ["nothing to paste"]),
        ("1\t2\n3", ["Row 2", "1 numbers", "row 1 has 2"]),
        ("1\t2\n3\tx", ["Row 2, column 2", "“x” is not a number"]),
        ("1\t\t3", ["Row 1, column 2", "no number"]),
        ("1\tnan", ["Row 1, column 2", "finite"]),
        ("1\t2000000", ["Row 1, column 2", "too large"]),
        ("1,234.5", ["Row 1, column 1", "two ways"]),
        ("1,234,567", ["Row 1, column 1", "two ways"]),
    ],
)
def test_a_bad_block_is_refused_by_name_of_the_place(text: str, parts: list[str]) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_block(text)
    for part in parts:
        assert part in str(refusal.value)
