"""Masks as matrices."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask, WindowMask
from qkviz.translate import Refusal
from tests.attention.strategies import forbidden_by, masks, sizes

NO = -math.inf


@settings(deadline=None)
@given(st.data(), sizes, sizes)
def test_every_mask_is_zero_where_allowed_and_minus_infinity_where_not(data, m, n):
    mask = data.draw(masks(m, n))
    additive = mask.additive(m, n)
    expected = [[NO if cell else 0.0 for cell in row] for row in forbidden_by(mask, m, n).tolist()]
    assert additive.tolist() == expected


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (NoMask(), [[0, 0, 0], [0, 0, 0]]),
        (CausalMask(), [[0, NO, NO], [0, 0, NO]]),
        (PaddingMask(frozenset({2})), [[0, 0, NO], [0, 0, NO]]),
        (PaddingMask(frozenset()), [[0, 0, 0], [0, 0, 0]]),
        (CellMask(frozenset({(1, 0), (0, 2)})), [[0, 0, NO], [NO, 0, 0]]),
        (WindowMask(0, 1), [[0, 0, NO], [NO, 0, 0]]),
        (WindowMask(1, 0), [[0, NO, NO], [0, 0, NO]]),
        (WindowMask(5, 5), [[0, 0, 0], [0, 0, 0]]),
        (CellMask(frozenset()), [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_masks_of_two_queries_and_three_keys(mask, expected):
    assert mask.additive(2, 3).tolist() == expected


@pytest.mark.parametrize("key", [-1, 3])
def test_padding_of_a_key_that_does_not_exist_is_refused(key):
    with pytest.raises(Refusal, match=f"key {key + 1}, but there are 3 keys"):
        PaddingMask(frozenset({key})).additive(2, 3)


@pytest.mark.parametrize("cell", [(-1, 0), (2, 0), (0, -1), (0, 3)])
def test_a_cell_that_does_not_exist_is_refused(cell):
    with pytest.raises(Refusal, match=f"query {cell[0] + 1} and key {cell[1] + 1}, but the scores are 2 × 3"):
        CellMask(frozenset({cell})).additive(2, 3)


def test_equal_masks_are_equal():
    assert PaddingMask(frozenset({1, 2})) == PaddingMask(frozenset({2, 1}))
    assert CausalMask() != NoMask()


@pytest.mark.parametrize("reach", [(-1, 0), (0, -1)])
def test_a_window_does_not_reach_backwards(reach):
    with pytest.raises(Refusal, match="1 keys"):
        WindowMask(*reach)
