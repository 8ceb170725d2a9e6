"""Paragraphs with formulas in them: lines that do not touch, breaks at both sides, nothing outside."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFont, QImage, QPainter

from qkviz.figures.fonts import Face, font_of
from qkviz.figures.text_block import Paragraph, TextBlock
from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.runs import Run
from tests.figures.canvas import Pixels, pixels_of

COLORS = {"plain": "#000000", "query": "#0000ff"}
FRACTION = r"$Z = \frac{\query{q} \cdot k}{\sqrt{d_k}}$"


def font() -> QFont:
    return font_of(Face(16))


def block(text: str, width: float = 400.0) -> TextBlock:
    return TextBlock(Paragraph(runs_of(text)), font(), COLORS, width)


def painted(one: TextBlock, width: int = 400) -> Pixels:
    image = QImage(width + 40, int(one.height) + 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    one.paint(painter, 20.0, 20.0)
    painter.end()
    return pixels_of(image)


def is_dark(pixels: Pixels) -> np.ndarray:
    return (pixels[..., :3] < 160).any(axis=2)


@pytest.mark.parametrize(
    "text", [FRACTION, f"so {FRACTION} is", f"于是{FRACTION}，再见", "no formula at all"]
)
@pytest.mark.parametrize("width", [400, 90, 30])
def test_the_ink_stays_inside_the_block(text: str, width: int) -> None:
    one = block(text, width)
    dark = is_dark(painted(one, width))
    assert dark.any()
    assert not dark[:19].any()
    assert not dark[21 + int(one.height) :].any()
    assert not dark[:, :18].any()
    assert not dark[:, 23 + width :].any()


def test_a_tall_formula_makes_its_line_taller_and_no_other() -> None:
    plain, tall = block("a b c"), block(f"a {FRACTION} c")
    assert tall.height > plain.height + 3
    two = block(f"a {FRACTION} " + "words " * 30)
    lines = round((two.height - tall.height) / plain.height)
    assert two.height == pytest.approx(tall.height + lines * plain.height, abs=1)


def test_a_line_may_end_on_either_side_of_a_formula_in_chinese() -> None:
    text = "一二三四五六七八九十" * 3
    assert block(f"{text}$x_i${text}", 200.0).height <= block(f"{text}口口{text}", 200.0).height + 10


def test_a_formula_has_the_colours_of_its_tones() -> None:
    pixels = painted(block(FRACTION))
    assert ((pixels[..., 2] > 200) & (pixels[..., 0] < 80)).any()


def test_a_formula_that_cannot_be_drawn_is_written_in_words() -> None:
    broken = TextBlock(Paragraph((Run("x over y", formula=r"\frac{x}"),)), font(), COLORS, 300.0)
    words = TextBlock(Paragraph((Run("x over y"),)), font(), COLORS, 300.0)
    assert (painted(broken) == painted(words)).all()


def test_text_after_a_formula_is_not_covered_by_it() -> None:
    pixels = painted(block("$S_{ij} = q_i$ end", 400.0))
    columns = np.flatnonzero(is_dark(pixels).any(axis=0))
    gaps = np.diff(columns)
    assert gaps.max() >= 4  # the blank between the two


def test_raised_text_is_smaller_and_higher_and_read_as_a_power() -> None:
    power = Paragraph((Run("e"), Run("^0.59", raised="0.59")))
    pixels = painted(TextBlock(power, font(), COLORS, 300.0))
    level = painted(TextBlock(Paragraph((Run("e0.59"),)), font(), COLORS, 300.0))
    assert power.text() == "e^0.59"
    columns = [np.flatnonzero(is_dark(one).any(axis=0)) for one in (pixels, level)]
    assert columns[0][-1] < columns[1][-1] - 4
    rows = [np.flatnonzero(is_dark(one)[:, columns[0][0] + 12 :].any(axis=1)) for one in (pixels, level)]
    assert rows[0][-1] < rows[1][-1] - 3
