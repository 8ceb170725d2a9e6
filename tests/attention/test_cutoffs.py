"""The cuts of sparse normalisers: what they leave adds up to 1, and nothing below them has weight."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkviz.attention.cutoffs import entmax15_cutoff, sparsemax_threshold
from qkviz.attention.normalizers import Entmax15, Sparsemax

ROWS = st.lists(st.floats(-20, 20), min_size=1, max_size=12)


def row(values: list[float]) -> torch.Tensor:
    return torch.tensor([values], dtype=torch.float64)


def test_the_worked_row_is_cut_at_two_fifths() -> None:
    # two keys stay: (1.0 − τ) + (0.8 − τ) = 1
    assert sparsemax_threshold(row([1.0, 0.8, 0.1])).item() == pytest.approx(0.4, abs=1e-12)
    assert Sparsemax().weights(row([1.0, 0.8, 0.1]))[0].tolist() == pytest.approx([0.6, 0.4, 0.0], abs=1e-12)


def test_one_key_alone_leaves_the_cut_a_whole_below_it() -> None:
    assert sparsemax_threshold(row([3.0, 1.0])).item() == pytest.approx(2.0, abs=1e-12)
    assert entmax15_cutoff(row([3.0])).item() == pytest.approx(1.0, abs=1e-12)


@given(ROWS)
def test_what_stands_out_of_the_sparsemax_cut_is_the_weight(values: list[float]) -> None:
    scores = row(values)
    left = (scores - sparsemax_threshold(scores)[:, None]).clamp(min=0.0)
    assert left.sum().item() == pytest.approx(1.0, abs=1e-9)
    assert left[0].tolist() == pytest.approx(Sparsemax().weights(scores)[0].tolist(), abs=1e-9)


@given(ROWS)
def test_the_square_of_half_of_what_stands_out_is_the_weight_of_entmax(values: list[float]) -> None:
    scores = row(values)
    left = ((scores - entmax15_cutoff(scores)[:, None]).clamp(min=0.0) / 2).square()
    assert left.sum().item() == pytest.approx(1.0, abs=1e-6)
    assert left[0].tolist() == pytest.approx(Entmax15().weights(scores)[0].tolist(), abs=1e-6)


def test_forbidden_keys_do_not_move_the_cut_and_rows_without_keys_have_none() -> None:
    scores = torch.tensor([[1.0, -math.inf, 0.8], [-math.inf] * 3], dtype=torch.float64)
    assert sparsemax_threshold(scores).tolist() == pytest.approx([0.4, -math.inf])
    assert entmax15_cutoff(scores)[1].item() == -math.inf
    assert math.isnan(sparsemax_threshold(row([1.0, math.nan]))[0].item())
