"""How numbers look."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qkviz.presenters.number_format import (
    factor_text,
    format_degrees,
    format_factor,
    format_limit,
    format_number,
    format_percent,
    format_vector,
    full_number,
    in_parentheses,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.62, "0.62"),
        (-0.41, "−0.41"),
        (0.0, "0.00"),
        (-0.0, "0.00"),
        (-0.001, "0.00"),
        (-1e-17, "0.00"),
        (5e-324, "0.00"),
        (-0.005000001, "−0.01"),
        (99999.99, "99999.99"),
        (100000.0, "1.00e5"),
        (1.2345e6, "1.23e6"),
        (-3.4e38, "−3.40e38"),
        (math.nan, "NaN"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_have_two_decimals_a_true_minus_and_no_minus_zero(value: float, text: str) -> None:
    assert format_number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_number_is_ever_shown_as_minus_zero(value: float) -> None:
    text = format_number(value)
    assert "-" not in text
    assert not (text.startswith("−") and set(text) <= set("−0."))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.30000000000000004"),
        (1.0, "1"),
        (-2.0, "−2"),
        (-0.0, "0"),
        (1e-7, "1e−7"),
        (-1e300, "−1e300"),
        (5e-324, "5e−324"),
        (math.nan, "NaN"),
        (-math.inf, "−∞"),
    ],
)
def test_full_numbers_are_the_shortest_that_read_back(value: float, text: str) -> None:
    assert full_number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_full_numbers_read_back_exactly(value: float) -> None:
    assert float(full_number(value).replace("−", "-")) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.93, "1.93"),
        (1.4525, "1.45"),
        (-1.4525, "−1.45"),
        (0.125, "0.12"),
        (0.0, "0.00"),
        (0.0083, "8.3e−3"),
        (3.2e-4, "3.2e−4"),
        (-1e-5, "−1e−5"),
        (5e-324, "5e−324"),
    ],
)
def test_limits_of_a_bar_keep_their_size_however_small(value: float, text: str) -> None:
    assert format_limit(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.8, "0.8"), (1.0, "1"), (-0.2, "−0.2"), (0.1 + 0.2, "0.3"), (1.2234, "1.22"), (1.2001, "1.20"),
     (0.0, "0"), (10.0, "10"), (1e6, "1.00e6")],
)  # fmt: skip
def test_factors_drop_zeros_only_where_they_are_exact(value: float, text: str) -> None:
    assert factor_text(value) == text


def test_a_scale_keeps_the_digits_that_matter() -> None:
    assert [format_factor(value) for value in (0.125, 1.0, 30.0, 1 / math.sqrt(2), 1e-7)] == [
        "0.125",
        "1",
        "30",
        "0.7071",
        "1e−7",
    ]


def test_percent_and_degrees() -> None:
    assert format_percent(0.204) == "20%"
    assert format_percent(-1e-9) == "0%"
    assert (format_percent(math.nan), format_factor(math.inf)) == ("NaN", "∞")
    assert format_degrees(math.pi / 2) == "90.0°"
    assert format_degrees(0.9279315294, 0) == "53°"


def test_a_long_vector_is_shortened_in_the_middle() -> None:
    assert format_vector([0.8, -0.2]) == "(0.80, −0.20)"
    assert format_vector([float(entry) for entry in range(8)]) == "(0.00, 1.00, 2.00, 3.00, …, 7.00)"


def test_only_negative_numbers_stand_in_parentheses() -> None:
    assert (in_parentheses("−0.20"), in_parentheses("0.20")) == ("(−0.20)", "0.20")
