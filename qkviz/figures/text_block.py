"""Paragraphs of coloured runs and formulas, broken into lines: on the screen as on paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from qkviz.figures.fonts import is_raster
from qkviz.figures.formulas import Formula, FormulaError, paint_formula, typeset
from qkviz.presenters.runs import Run

LEADING = 1.55
"""Distance of lines relative to the size of the font, whichever font a line's characters come from."""

BOLD_TONES = frozenset(("strong", "query", "key", "embedding", "weight"))
"""Tones set in semi-bold: colour alone must not carry the meaning."""

FORMULA_SIZE = 1.15
"""Size of formulas relative to the text: their letters are smaller than those of the bundled font."""

_PLACE = "口"
"""Stands in the text for a formula, unseen: lines may end on either side of it, as of an ideograph."""

_AIR = 0.25
"""Least distance of tall formulas from the lines above and below, relative to the font."""


@dataclass(frozen=True)
class Paragraph:
    """Runs of one paragraph; ``size`` is relative to the font around, ``gap`` above it in pixels."""

    runs: tuple[Run, ...]
    size: float = 1.0
    gap: int = 6

    def text(self) -> str:
        """Return the runs as one plain text, formulas in words."""
        return "".join(run.text for run in self.runs)


class TextBlock:
    """A paragraph broken into lines of a width.

    Parameters
    ----------
    paragraph
        What is written.
    font
        Around the paragraph, which changes its size. Copied.
    colors
        By tone; "plain" for the tones that have none.
    width
        Room in pixels; a formula that is wider is made smaller.
    alignment
        Of the lines in that room.

    Attributes
    ----------
    height
        Of all lines, in pixels.
    natural_width
        Of the paragraph on one line.
    """

    def __init__(
        self,
        paragraph: Paragraph,
        font: QFont,
        colors: Mapping[str, str],
        width: float,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        self._colors = colors
        self._font = QFont(font)
        if font.pixelSize() > 0:
            self._font.setPixelSize(max(1, round(font.pixelSize() * paragraph.size)))
        else:
            self._font.setPointSizeF(font.pointSizeF() * paragraph.size)
        self._em = float(QFontInfo(self._font).pixelSize())
        self._width = max(width, 1.0)
        self._placed: list[_Placed] = []
        self._pieces: list[tuple[int, int, str]] = []  # start and length of text, and its colour
        text, formats = self._written(paragraph.runs)
        self._layout = QTextLayout(text, self._font)
        self._layout.setFormats(formats)
        self._layout.setTextOption(_wrapping(alignment))
        self._layout.setCacheEnabled(True)
        self.height = self._break_into_lines()
        self.natural_width = self._layout.maximumWidth()

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        """Paint the lines with their upper left corner at this place."""
        if is_raster(painter) or not self._placed:
            painter.setPen(QColor(self._colors["plain"]))
            self._layout.draw(painter, QPointF(x, top))
        else:
            self._write(painter, QPointF(x, top))
        for placed in self._placed:
            line = self._layout.lineForTextPosition(placed.position)
            left: float = line.cursorToX(placed.position)[0]  # type: ignore[index]  # a pair, unlike its stub
            at = QPointF(x + left + placed.gap, top + line.y() + line.ascent())
            colors = {**self._colors, "plain": self._colors.get(placed.tone, self._colors["plain"])}
            paint_formula(painter, at.x(), at.y(), placed.formula, placed.size, colors)
            if not is_raster(painter):
                self._write_words(painter, at, placed)

    def _write(self, painter: QPainter, origin: QPointF) -> None:
        """Paint the text without the places of formulas, which a file would keep as characters.

        Raised text comes down to the line here; it does not stand beside formulas.
        """
        for start, length, color in self._pieces:
            painter.setPen(QColor(color))
            for glyphs in self._layout.glyphRuns(start, length):
                painter.drawGlyphRun(origin, glyphs)

    def _write_words(self, painter: QPainter, at: QPointF, placed: _Placed) -> None:
        """Put the words of a formula under its drawing, unseen: what is found and copied in a file."""
        words = placed.formula.words
        painter.save()
        painter.translate(at)
        painter.scale(
            placed.formula.width * placed.size / QFontMetricsF(self._font).horizontalAdvance(words), 1.0
        )
        painter.setFont(self._font)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.drawText(QPointF(), words)
        painter.restore()

    def _written(self, runs: tuple[Run, ...]) -> tuple[str, list[QTextLayout.FormatRange]]:
        """Return the text of the runs, with a place for each formula, and its formats."""
        text, start = "", 0
        ranges: list[QTextLayout.FormatRange] = []
        for run in runs:
            formula = _formula_of(run, len(runs) == 1) if run.formula else None
            written = run.raised or run.text if formula is None else _PLACE
            length = _utf16_length(written)
            if formula is None:
                color = self._colors.get(run.tone, self._colors["plain"])
                self._pieces.append((start, length, color))
            if formula is not None or run.raised or run.tone != "plain":  # others are as the pen and font
                piece = QTextLayout.FormatRange()
                piece.start, piece.length = start, length
                if formula is None:
                    piece.format = _char_format(color, run.tone in BOLD_TONES, bool(run.raised))
                else:
                    piece.format = self._place_for(formula, run.tone, start)
                ranges.append(piece)
            start += length
            text += written
        return text, ranges

    def _place_for(self, formula: Formula, tone: str, position: int) -> QTextCharFormat:
        """Return the format that makes the placeholder as wide as the formula."""
        size = FORMULA_SIZE * self._em
        gap = 0.06 * self._em
        size = min(size, (self._width - 2 * gap) / formula.width)
        self._placed.append(_Placed(position, formula, size, tone, gap))
        form = QTextCharFormat()
        form.setForeground(QColor(0, 0, 0, 0))
        form.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        missing = formula.width * size + 2 * gap - QFontMetricsF(self._font).horizontalAdvance(_PLACE)
        form.setFontLetterSpacing(missing)
        return form

    def _break_into_lines(self) -> float:
        pitch = LEADING * self._em
        height = 0.0
        self._layout.beginLayout()
        line = self._layout.createLine()
        while line.isValid():
            line.setLineWidth(self._width)
            step = max(pitch, line.height())
            above = (step - line.height()) / 2
            if self._placed:
                more_above, more_below = self._beyond(line, above, step - above - line.height())
                above, step = above + more_above, step + more_above + more_below
            line.setPosition(QPointF(0, height + above))
            height += step
            line = self._layout.createLine()
        self._layout.endLayout()
        return height

    def _beyond(self, line: QTextLine, above: float, below: float) -> tuple[float, float]:
        """Return what the formulas of a line need beyond its own height, above and below."""
        start, end = line.textStart(), line.textStart() + line.textLength()
        on_line = [placed for placed in self._placed if start <= placed.position < end]
        if not on_line:
            return 0.0, 0.0
        air = _AIR * self._em / 2
        ascent = max(placed.size * placed.formula.ascent for placed in on_line)
        depth = max(placed.size * placed.formula.depth for placed in on_line)
        return max(0.0, ascent + air - above - line.ascent()), max(0.0, depth + air - below - line.descent())


class _Placed(NamedTuple):
    """A formula at a position of the text, ``gap`` pixels of air on each side."""

    position: int
    formula: Formula
    size: float
    tone: str
    gap: float


@lru_cache(64)
def _char_format(color: str, is_bold: bool, is_raised: bool) -> QTextCharFormat:
    """Return the format of a tone; not to be changed, it is shared."""
    form = QTextCharFormat()
    form.setForeground(QColor(color))
    if is_bold:
        form.setFontWeight(QFont.Weight.DemiBold)
    if is_raised:
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
    return form


@lru_cache(2)
def _wrapping(alignment: Qt.AlignmentFlag) -> QTextOption:
    """Return the option to break between words, and inside one only when it alone is too wide."""
    option = QTextOption(alignment)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _formula_of(run: Run, is_alone: bool) -> Formula | None:
    """Return the drawing of a run's formula; None for one that can only be read."""
    try:
        return typeset(run.formula, is_alone)
    except FormulaError:
        return None


def _utf16_length(text: str) -> int:
    """Return the length as Qt counts it: an emoji is two."""
    return len(text) + (0 if text.isascii() else sum(ord(character) > 0xFFFF for character in text))
