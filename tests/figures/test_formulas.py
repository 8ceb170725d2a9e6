"""Formulas: drawn as outlines, in proportion, in the colours asked for, the same on every device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPdfWriter

from qkviz.figures.formulas import Formula, FormulaError, paint_formula, typeset
from qkviz.lessons.formula_text import pieces_of
from qkviz.lessons.library import load_lessons
from qkviz.presenters.formula_words import USUAL
from tests.figures.canvas import Pixels, pixels_of

COLORS = {"plain": "#000000", "query": "#0000ff", "key": "#ff0000"}
SCORE = r"S_{ij} = \query{q_i} \cdot \key{k_j}"


def painted(formula: Formula, size: float, colors: dict[str, str] = COLORS) -> Pixels:
    image = QImage(round(formula.width * size) + 40, round(4 * size), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    paint_formula(painter, 20.0, 2.5 * size, formula, size, colors)
    painter.end()
    return pixels_of(image)


def ink(pixels: Pixels) -> tuple[int, int, int, int]:
    """Return left, right, top, bottom of all that is not white."""
    dark = (pixels[..., :3] < 200).any(axis=2)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return int(columns[0]), int(columns[-1]) + 1, int(rows[0]), int(rows[-1]) + 1


@pytest.mark.parametrize("latex", USUAL)
def test_a_formula_has_outlines_and_a_size(latex: str) -> None:
    formula = typeset(latex)
    assert all(not path.isEmpty() for _tone, path in formula.paths)
    assert 0 < formula.ascent < 3
    assert 0 < formula.depth < 2
    assert formula.width > 1


def test_its_ink_fills_the_size_that_it_gives() -> None:
    formula, size = typeset(SCORE), 40.0
    left, right, top, bottom = ink(painted(formula, size))
    assert left == pytest.approx(20, abs=1.5)
    assert right == pytest.approx(20 + formula.width * size, abs=1.5)
    assert top == pytest.approx(2.5 * size - formula.ascent * size, abs=1.5)
    assert bottom == pytest.approx(2.5 * size + formula.depth * size, abs=1.5)


def test_twice_the_size_is_the_same_drawing_twice_as_large() -> None:
    left, right, top, bottom = ink(painted(typeset(SCORE), 30.0))
    left2, right2, top2, bottom2 = ink(painted(typeset(SCORE), 60.0))
    assert right2 - left2 == pytest.approx(2 * (right - left), abs=3)
    assert bottom2 - top2 == pytest.approx(2 * (bottom - top), abs=3)


def test_query_and_key_have_their_colours_from_left_to_right() -> None:
    pixels = painted(typeset(SCORE), 60.0)
    red, green, blue = (pixels[..., channel].astype(int) for channel in range(3))
    is_query, is_key = (blue == 255) & (red == 0), (red == 255) & (blue == 0)
    is_plain = (red + green + blue) == 0
    where = [np.flatnonzero(mask.any(axis=0)).mean() for mask in (is_plain, is_query, is_key)]
    assert where == sorted(where)


def test_other_colours_are_another_painting_of_the_same_drawing() -> None:
    formula = typeset(SCORE)
    assert typeset(SCORE) is formula
    light, dark = painted(formula, 30.0), painted(formula, 30.0, {"plain": "#00ff00"})
    assert ink(light) == ink(dark)
    assert (light != dark).any()


def test_a_displayed_fraction_is_taller_than_one_in_a_text() -> None:
    fraction = r"\frac{a}{b}"
    assert typeset(fraction, True).ascent > 1.2 * typeset(fraction).ascent


def test_tall_bars_are_there() -> None:
    with_bars, without = typeset(r"\lVert \query{q_i} \rVert^2"), typeset(r"\query{q_i}^2")
    assert with_bars.width > without.width + 0.4
    assert {"plain", "query"} == {tone for tone, _path in with_bars.paths}


@pytest.mark.parametrize("latex", ["", "{", r"\frac{1}", "x^"])
def test_what_is_no_formula_is_an_error_that_names_it(latex: str) -> None:
    with pytest.raises(FormulaError, match="formula"):
        typeset(latex)


def test_a_pdf_holds_outlines_and_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "f.pdf"
    writer = QPdfWriter(str(path))
    painter = QPainter(writer)
    paint_formula(painter, 500.0, 900.0, typeset(SCORE), 300.0, COLORS)
    painter.end()
    assert b"/Subtype /Image" not in path.read_bytes()


def test_painting_leaves_the_painter_as_it_was() -> None:
    image = QImage(50, 50, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    before = painter.transform()
    paint_formula(painter, 5.0, 20.0, typeset("x"), 12.0, COLORS)
    assert painter.transform() == before
    assert painter.clipBoundingRect() == QRectF()
    painter.end()


def test_every_formula_of_the_lessons_can_be_drawn() -> None:
    found = 0
    for lesson in load_lessons():
        texts = [text for language in ("zh", "en") for text in lesson.story(language)]
        parts = [lesson.question, lesson.answer, *(one.text for one in lesson.tries)]
        texts += [text.in_language(language) for text in parts for language in ("zh", "en")]
        for text in texts:
            for piece in pieces_of(text):
                if piece.is_formula:
                    assert not typeset(piece.text).paths[0][1].isEmpty()
                    found += 1
    assert found >= 6
