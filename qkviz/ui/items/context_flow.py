"""Where the tokens of a line are: side by side, wrapped like words."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from qkviz.presenters.color_scales import relative_luminance
from qkviz.presenters.context_lines import ContextChip, ContextLine

GUTTER = 32.0
"""Pixels at the left for the letter of the line."""

BADGE = 18.0
"""Across the round letter."""

PAD_X, PAD_Y = 7.0, 2.0
GAP_X, GAP_Y = 4.0, 4.0
EDGE = 7.0
"""Above and below a line, and to its right."""

MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
WRAPPED = MIDDLE | int(Qt.TextFlag.TextWordWrap)
AT_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class ContextFonts:
    """The fonts of a line and what they take up."""

    def __init__(self, font: QFont) -> None:
        self.plain = QFont(font)
        self.bold = QFont(font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.small = QFont(font)
        if font.pixelSize() > 0:
            self.small.setPixelSize(max(round(0.88 * font.pixelSize()), 1))
        else:
            self.small.setPointSizeF(0.88 * font.pointSizeF())
        self.metrics = {id(one): QFontMetricsF(one) for one in (self.plain, self.bold, self.small)}

    def of(self, chip: ContextChip) -> QFont:
        """Return the font of a token: that of the word is bold."""
        return self.bold if chip.place is not None else self.plain

    def width(self, text: str, font: QFont) -> float:
        """Return how wide a text is in one of these fonts."""
        return self.metrics[id(font)].horizontalAdvance(text)

    def wrapped(self, text: str, width: float) -> float:
        """Return how high a small text is that is wrapped to a width."""
        room = QRectF(0, 0, width, 10_000)
        return self.metrics[id(self.small)].boundingRect(room, WRAPPED, text).height()

    @property
    def chip_height(self) -> float:
        """The height of a token."""
        return round(self.metrics[id(self.plain)].height() + 2 * PAD_Y + 2)


class LineFlow:
    """The parts of one line in ``width`` pixels, counted from its upper left corner.

    Attributes
    ----------
    chips
        A box for each token.
    badge
        That of the letter.
    summary
        That of the words at the end.
    height
        Of the whole line.
    """

    def __init__(self, line: ContextLine, fonts: ContextFonts, width: float) -> None:
        high = fonts.chip_height
        room = max(width - GUTTER - EDGE, 40.0)
        self.badge = QRectF((GUTTER - BADGE) / 2, EDGE + (high - BADGE) / 2, BADGE, BADGE)
        self.chips: list[QRectF] = []
        at = QPointF(GUTTER, EDGE)
        for chip in line.chips:
            wide = min(chip_width(chip, fonts), room)
            if at.x() + wide > GUTTER + room and at.x() > GUTTER:
                at = QPointF(GUTTER, at.y() + high + GAP_Y)
            self.chips.append(QRectF(at.x(), at.y(), wide, high))
            at.setX(at.x() + wide + GAP_X)
        words = fonts.width(line.summary, fonts.small) + 4
        if at.x() + GAP_X + words > GUTTER + room:
            at = QPointF(GUTTER - GAP_X, at.y() + high + GAP_Y / 2)
        left = at.x() + GAP_X
        wide = GUTTER + room - left
        self.summary = QRectF(left, at.y(), wide, max(fonts.wrapped(line.summary, wide) + 5, high))
        self.height = self.summary.bottom() + EDGE


def chip_width(chip: ContextChip, fonts: ContextFonts) -> float:
    """Return how wide a token with its number is."""
    width = fonts.width(chip.label, fonts.of(chip)) + 2 * PAD_X
    return width + fonts.width(chip.number, fonts.small) + GAP_X if chip.number else width


INKS = "#000000", "#ffffff"
"""One of them has a contrast of 4.5 on every ground, which the inks of a theme have not."""


@lru_cache(256)
def ink_on(ground: str, *inks: str) -> str:
    """Return which ink has the largest contrast on a ground; all are colours as ``#rrggbb``."""
    colors = [QColor(color) for color in (ground, *inks)]
    table = np.array([(one.red(), one.green(), one.blue()) for one in colors], np.uint8)
    behind, *before = relative_luminance(table).tolist()
    contrasts = [(max(one, behind) + 0.05) / (min(one, behind) + 0.05) for one in before]
    return inks[contrasts.index(max(contrasts))]
