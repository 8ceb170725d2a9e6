"""Formulas as vector drawings: LaTeX set by ziamath, kept as Qt paths, painted in any size and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTransform

from qkviz.presenters.formula_words import TONES, formula_words

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_EM = 1000.0
"""Size at which formulas are set; their paths are then brought to a size of 1."""

_TONE = re.compile(r"\\(" + "|".join(TONES) + r")(?=\{)")
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_typesetting = Lock()


class FormulaError(ValueError):
    """A text that is no formula; says which and why."""


@dataclass(frozen=True, eq=False, slots=True)
class Formula:
    """The drawing of a formula in a size of 1, its base line at 0 and its left edge at 0.

    Attributes
    ----------
    latex, words
        What it was made of, and what it says as plain text.
    paths
        Tone and outlines: "plain", or the role in whose colour they are filled. Not to be changed.
    width, ascent, depth
        Of the ink, in multiples of the size: from left to right, above and below the base line.
    """

    latex: str
    words: str
    paths: tuple[tuple[str, QPainterPath], ...]
    width: float
    ascent: float
    depth: float


@lru_cache(512)
def typeset(latex: str, is_displayed: bool = False) -> Formula:
    r"""Return the drawing of a formula; made once and kept.

    May be called in any thread. The first call loads ziamath and its font, which takes a fifth of a second;
    `load_formulas` does it ahead.

    Parameters
    ----------
    latex
        Without dollar signs; ``\query{…}``, ``\key{…}``, ``\embedding{…}``, ``\weight{…}`` choose a colour.
    is_displayed
        Whether it stands alone: fractions and sums are as large as the rest then.

    Raises
    ------
    FormulaError
        If ziamath cannot read it.
    """
    with _typesetting:  # the library keeps its fonts in common and was not made for threads
        drawn = _drawing(latex, is_displayed)
    by_tone: dict[str, QPainterPath] = {}
    for tone, path in _outlines(drawn):
        if tone not in by_tone:
            by_tone[tone] = QPainterPath()
            by_tone[tone].setFillRule(Qt.FillRule.WindingFill)
        by_tone[tone].addPath(path)
    ink = QRectF()
    for path in by_tone.values():
        ink = ink.united(path.boundingRect())
    if ink.isEmpty():
        raise FormulaError(f"the formula {latex!r} has nothing to draw")
    to_unit = QTransform.fromScale(1 / _EM, 1 / _EM).translate(-ink.left(), 0.0)
    paths = tuple((tone, to_unit.map(path)) for tone, path in by_tone.items())
    return Formula(
        latex, formula_words(latex), paths, ink.width() / _EM, -ink.top() / _EM, max(ink.bottom(), 0.0) / _EM
    )


def load_formulas(formulas: Iterable[str]) -> None:
    """Typeset ``formulas`` ahead, as they stand in a text; one that cannot be read is left for later."""
    for latex in formulas:
        try:
            typeset(latex)
        except FormulaError:
            continue


def paint_formula(
    painter: QPainter,
    x: float,
    baseline: float,
    formula: Formula,
    size: float,
    colors: Mapping[str, str],
) -> None:
    """Paint a formula with its left edge and base line at this place.

    Parameters
    ----------
    painter
        On a screen or on any file; left as it was.
    size
        Of an em, in the painter's coordinates.
    colors
        By tone; "plain" for all that has no tone of its own.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(QPointF(x, baseline))
    painter.scale(size, size)
    for tone, path in formula.paths:
        painter.fillPath(path, QColor(colors.get(tone, colors["plain"])))
    painter.restore()


def _drawing(latex: str, is_displayed: bool) -> Element:
    from ziamath.zmath import Latex  # noqa: PLC0415  takes 0.15 s, and is not needed for the first paint

    colored = _TONE.sub(r"\\textcolor{\1}", latex)
    try:
        return Latex(colored, size=_EM, inline=not is_displayed).svgxml()
    except Exception as error:  # its errors have no type in common
        raise FormulaError(f"the formula {latex!r} cannot be read: {error!r}") from error


def _outlines(drawn: Element) -> Iterator[tuple[str, QPainterPath]]:
    """Yield tone and outline of every part: glyphs, which are symbols used at places, and bars."""
    symbols = {part.get("id"): part for part in drawn.iter() if _kind(part) == "symbol"}
    for part in drawn.iter():
        fill = part.get("fill", "")
        tone = fill if fill in TONES else "plain"
        if _kind(part) == "rect":
            path = QPainterPath()
            path.addRect(QRectF(*(float(part.get(name, "0")) for name in ("x", "y", "width", "height"))))
            yield tone, path
        elif _kind(part) == "use":
            symbol = symbols[part.get("href", "").lstrip("#")]
            left, top, width, height = (float(number) for number in symbol.get("viewBox", "").split())
            across = float(part.get("width", "0")) / width if width else 1.0
            down = float(part.get("height", "0")) / height if height else 1.0
            place = QTransform(
                across, 0.0, 0.0, down,
                float(part.get("x", "0")) - across * left, float(part.get("y", "0")) - down * top,
            )  # fmt: skip
            for outline in symbol.iter():  # tall brackets are put together of several
                if _kind(outline) == "path":
                    yield tone, place.map(_path(outline.get("d", "")))


def _kind(part: Element) -> str:
    return part.tag.rpartition("}")[2]


def _path(data: str) -> QPainterPath:
    """Return the outline that the ``d`` of an SVG path describes; ziafont writes absolute steps only."""
    path = QPainterPath()
    for step, numbers in _STEP.findall(data):
        n = [float(number) for number in numbers.replace(",", " ").split()]
        match step:
            case "M":
                path.moveTo(*n)
            case "L":
                path.lineTo(*n)
            case "Q":
                path.quadTo(*n)
            case "C":
                path.cubicTo(*n)
            case "Z":
                path.closeSubpath()
            case _:
                raise FormulaError(f"an outline has the step {step!r}")
    return path
