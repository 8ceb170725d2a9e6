"""Bins: round, common, and no value lost or put beside its place."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qkviz.presenters.histogram import MOST_BINS, common_edges, counted, finite_values

values = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40).map(np.array)


@given(st.lists(values, min_size=1, max_size=3))
def test_every_value_lies_in_one_bin_and_bins_are_few(sets: list[np.ndarray]) -> None:
    edges = common_edges(sets)
    assert 1 <= len(edges) - 1 <= MOST_BINS + 1
    assert (np.diff(edges) > 0).all()
    for one in sets:
        counts = counted(one, edges)
        assert counts.sum() == one.size
        slack = 1e-6 * (edges[1] - edges[0])
        assert edges[0] - slack <= one.min()
        assert one.max() <= edges[-1] + slack


def test_known_values_stand_in_known_bins() -> None:
    edges = common_edges([np.array([0.0, 2.0])])
    assert edges.tolist() == pytest.approx([0.1 * at for at in range(21)])
    counts = counted(np.array([0.0, 0.05, 0.3, 0.7, 1.9, 2.0]), edges)
    assert {at: int(count) for at, count in enumerate(counts) if count} == {0: 2, 3: 1, 7: 1, 19: 2}


def test_edges_are_written_as_round_numbers() -> None:
    assert common_edges([np.array([-0.16, 1.93])])[:4].tolist() == [-0.2, 0.0, 0.2, 0.4]


@pytest.mark.parametrize("value", [0.0, 0.37, -3.0, 1e300, 5e-324, 1e-310])
def test_one_value_has_a_bin(value: float) -> None:
    edges = common_edges([np.array([value])])
    assert np.isfinite(edges).all()
    assert (np.diff(edges) > 0).all()
    assert counted(np.array([value]), edges).sum() == 1


@pytest.mark.parametrize("pair", [(-1.7e308, 1.7e308), (1.0, 1.0 + 2**-52), (1e9, 1e9 + 1e-6), (0.0, 5e-324)])
def test_extreme_ranges_give_rising_finite_edges(pair: tuple[float, float]) -> None:
    edges = common_edges([np.array(pair)])
    assert np.isfinite(edges).all()
    assert (np.diff(edges / 2) > 0).all()
    assert counted(np.array(pair), edges).sum() == 2


def test_without_values_there_are_no_bins() -> None:
    edges = common_edges([np.zeros(0)])
    assert edges.size == counted(np.zeros(0), edges).size == 0


def test_finite_values_are_an_own_read_only_copy() -> None:
    source = np.array([[1.0, math.nan], [-math.inf, 2.0]])
    kept = finite_values(source)
    source[0, 0] = 9.0
    assert kept.tolist() == [1.0, 2.0]
    assert not kept.flags.writeable
