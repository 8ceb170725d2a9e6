"""Every colour map on offer tells of order, of zero, and carries readable numbers."""

from __future__ import annotations

import numpy as np
import pytest

from qkviz.presenters.color_maps import COLOR_MAPS, DIVERGING, SEQUENTIAL, ColorMap, color_table
from qkviz.presenters.color_scales import light_text_table

EVERY = pytest.mark.parametrize("row", COLOR_MAPS, ids=lambda row: row.name)


def _luminance(table: np.ndarray) -> np.ndarray:
    """WCAG relative luminance, written out anew."""
    parts = table / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _lightness(table: np.ndarray) -> np.ndarray:
    """CIE L*, 0 to 100."""
    luminance = _luminance(table)
    return np.where(luminance > 0.008856, 116 * np.cbrt(luminance) - 16, 903.3 * luminance)


@EVERY
def test_a_number_on_every_color_has_a_contrast_of_four_and_a_half(row: ColorMap) -> None:
    table = color_table(row.name)
    luminance, is_light = _luminance(table), light_text_table(table)
    contrast = np.where(is_light, 1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05)
    assert contrast.min() >= 4.5


@EVERY
def test_lightness_tells_the_order(row: ColorMap) -> None:
    steps = np.diff(_lightness(color_table(row.name)))
    rounding = 0.05  # of a hundred: colours are whole numbers
    if row.kind == "diverging":
        assert (steps[1:128] >= -rounding).all()
        assert (steps[128:] <= rounding).all()
    else:
        assert (steps >= -rounding).all() or (steps <= rounding).all()
    assert np.ptp(_lightness(color_table(row.name))) > 50


@pytest.mark.parametrize("name", DIVERGING)
def test_zero_is_white_and_the_two_ends_differ(name: str) -> None:
    table = color_table(name).astype(int)
    assert table[128].tolist() == [255, 255, 255]
    assert np.abs(table[1] - table[255]).max() > 60


@EVERY
def test_a_bar_shows_many_colors(row: ColorMap) -> None:
    table = color_table(row.name)
    assert table.shape == (256, 3)
    assert table.dtype == np.uint8
    assert len(np.unique(table, axis=0)) >= 100
    assert not table.flags.writeable


@EVERY
def test_the_ends_are_told_apart_without_red_or_without_green(row: ColorMap) -> None:
    """Protanopia and deuteranopia after Viénot, Brettel and Mollon (1999), on linear colours."""
    ends = color_table(row.name)[[1, 255]] / 255.0
    linear = np.where(ends <= 0.04045, ends / 12.92, ((ends + 0.055) / 1.055) ** 2.4)
    for red, green in ((0.11238, 0.88762), (0.29275, 0.70725)):
        seen = np.stack([linear @ [red, green, 0.0], linear[:, 2]], axis=1)
        assert np.abs(seen[0] - seen[1]).max() > 0.04


def test_the_screen_uses_the_first_of_each_kind() -> None:
    assert (DIVERGING[0], SEQUENTIAL[0]) == ("red-blue", "purples")
