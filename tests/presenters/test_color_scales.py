"""Colours must not lie."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_scales import (
    ColorScale,
    diverging_scale,
    diverging_table,
    light_text_table,
    relative_luminance,
    sequential_scale,
    sequential_table,
)

LARGEST_32 = 3.4e38
DENORMAL = 5e-324


def indexes(scale: ColorScale, values: list[list[float]]) -> NDArray[np.uint8]:
    array = np.array(values, np.float64)
    kinds = np.where(np.isfinite(array), CellKind.VALUE, CellKind.NAN).astype(np.uint8)
    return scale.indexes(array, kinds)


def test_a_diverging_scale_is_white_at_zero_and_even_to_both_sides() -> None:
    scale = diverging_scale(np.array([[-1.0, 3.0]]))
    assert (scale.kind, scale.low, scale.high) == ("diverging", -3.0, 3.0)
    assert scale.rgb_at(0.0) == (255, 255, 255)
    assert scale.rgb_at(3.0) == (178, 24, 43)
    assert scale.rgb_at(-3.0) == (33, 102, 172)


def test_a_sequential_scale_goes_from_zero_to_the_largest_weight() -> None:
    scale = sequential_scale(np.array([[0.42, 0.30, 0.28]]))
    assert (scale.kind, scale.low, scale.high) == ("sequential", 0.0, 0.42)
    assert scale.rgb_at(0.0) == (252, 251, 253)
    assert scale.rgb_at(0.42) == (63, 0, 125)


def test_a_given_limit_wins_over_the_values() -> None:
    assert diverging_scale(np.array([[1.0, 1.0]]), limit=2.5).high == 2.5
    assert sequential_scale(np.array([[0.5, 0.5]]), high=1.0).high == 1.0


def test_infinities_and_nan_take_no_part_in_the_range() -> None:
    values = np.arange(16.0).reshape(4, 4)
    values[np.triu_indices(4, 1)] = -math.inf
    values[0, 0] = math.nan
    scale = diverging_scale(values)
    assert scale.high == 15.0
    lower = indexes(scale, values.tolist())[np.tril_indices(4)]
    assert len(set(lower.tolist())) >= 4


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -3.0, 1e-320])
def test_a_constant_matrix_has_one_color_and_a_bar_that_names_its_value(value: float) -> None:
    scale = diverging_scale(np.full((2, 2), value))
    assert (scale.kind, scale.low, scale.high) == ("constant", value, value)
    assert math.copysign(1.0, scale.low) == (-1.0 if value < 0 else 1.0)
    assert len(np.unique(scale.table, axis=0)) == 1
    assert len(set(indexes(scale, [[value, value]]).ravel().tolist())) == 1


def test_the_color_of_a_constant_says_its_sign() -> None:
    positive, negative = (diverging_scale(np.full((1, 1), value)).rgb_at(value) for value in (1.0, -1.0))
    assert positive[0] > positive[2]  # red
    assert negative[2] > negative[0]  # blue
    assert diverging_scale(np.zeros((1, 1))).rgb_at(0.0) == (255, 255, 255)


@pytest.mark.parametrize("make", [diverging_scale, sequential_scale])
@pytest.mark.parametrize("values", [[[math.nan, math.nan]], [[-math.inf, math.inf]]])
def test_without_a_finite_value_the_scale_is_constant_zero(make: object, values: list[list[float]]) -> None:
    scale = make(np.array(values))  # type: ignore[operator]
    assert (scale.kind, scale.low, scale.high) == ("constant", 0.0, 0.0)
    assert indexes(scale, values).shape == (1, 2)


def test_an_empty_selection_gives_a_constant_scale() -> None:
    assert sequential_scale(np.empty(0)).kind == "constant"


@pytest.mark.parametrize(
    "values",
    [[[-LARGEST_32, 0.0, LARGEST_32]], [[-1.7e308, 0.0, 1.7e308]], [[-2 * DENORMAL, 0.0, 2 * DENORMAL]]],
)
def test_extreme_values_get_three_ordered_colors(values: list[list[float]]) -> None:
    assert indexes(diverging_scale(np.array(values)), values).tolist() == [[1, 128, 255]]


def test_the_smallest_numbers_there_are_can_be_told_apart() -> None:
    values = [[0.0, DENORMAL, 2 * DENORMAL]]
    assert indexes(sequential_scale(np.array(values)), values).tolist() == [[0, 128, 255]]


def test_a_single_peak_in_a_large_matrix_sets_the_range() -> None:
    values = np.zeros((2048, 2048))
    values[1000, 1501] = 1.0
    assert diverging_scale(values).high == 1.0


def test_values_outside_of_the_range_get_its_ends() -> None:
    scale = diverging_scale(np.empty(0), limit=1.0)
    assert indexes(scale, [[-5.0, 5.0]]).tolist() == [[1, 255]]


def test_cells_that_are_no_values_have_the_index_of_zero() -> None:
    scale = diverging_scale(np.array([[-1.0, 1.0]]))
    assert indexes(scale, [[math.nan, -math.inf, 1.0]]).tolist() == [[128, 128, 255]]


def test_colors_do_not_depend_on_what_was_shown_before() -> None:
    first = diverging_scale(np.array([[0.0, 1.0]])).rgb_at(0.5)
    diverging_scale(np.array([[100.0, 200.0]]))
    assert diverging_scale(np.array([[0.0, 1.0]])).rgb_at(0.5) == first


@pytest.mark.parametrize("table", [diverging_table(), sequential_table()])
def test_cell_text_reads_on_every_color(table: NDArray[np.uint8]) -> None:
    luminance = relative_luminance(table)
    contrast = np.where(light_text_table(table), 1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05)
    assert contrast.min() >= 4.5
    assert len(np.unique(table, axis=0)) >= 200
    assert not table.flags.writeable


def test_text_is_white_on_dark_cells_and_black_on_light_ones() -> None:
    dark_and_light = np.array([(63, 0, 125), (255, 255, 255)], np.uint8)
    assert light_text_table(dark_and_light).tolist() == [True, False]


def test_luminance_grows_evenly_in_one_direction() -> None:
    assert (np.diff(relative_luminance(sequential_table())) <= 0).all()
    luminance = relative_luminance(diverging_table())
    assert (np.diff(luminance[1:129]) >= 0).all()
    assert (np.diff(luminance[128:]) <= 0).all()
