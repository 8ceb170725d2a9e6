"""Paragraphs of coloured runs, painted: what the steps say, redrawn with every move of the mouse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.runs import Run
from qkviz.ui.panels.buttons import wrapping
from qkviz.ui.theme import LIGHT, Theme

LEADING = 1.55
"""Distance of lines relative to the size of the font, whichever font a line's characters come from."""

WIDTHS_KEPT = 6
"""Widths whose line breaks are kept; dragging the edge of a dock goes through hundreds."""

BOLD_TONES = frozenset(("strong", "query", "key", "embedding", "weight"))
"""Tones set in semi-bold: colour alone must not carry the meaning."""


@dataclass(frozen=True)
class Paragraph:
    """Runs of one paragraph; ``size`` is relative to the font of the widget, ``gap`` above it in pixels."""

    runs: tuple[Run, ...]
    size: float = 1.0
    gap: int = 6

    def text(self) -> str:
        """Return the runs as one plain text."""
        return "".join(run.text for run in self.runs)


class RunsView(QWidget):
    """Shows paragraphs, wrapped to its width.

    A custom painter because a `QLabel` with rich text parses and lays out a whole document for each changed
    digit, and because a label such as ``<b>`` must be shown as it is.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._blocks: dict[tuple[Paragraph, int], _Block] = {}  # by text and room
        self._placings: dict[int, _Placing] = {}  # by width: layouts ask for two or three in turn
        self._height = 0
        self._is_news = False  # other text of the same height: nobody was asked to lay out anew
        self._theme = LIGHT
        self._tones: dict[str, QTextCharFormat] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_paragraphs(self, paragraphs: Sequence[Paragraph]) -> None:
        """Show ``paragraphs`` instead of what was shown. Emits nothing."""
        if (new := tuple(paragraphs)) == self._paragraphs:
            return
        self._paragraphs = new
        self._placings = {}
        self._blocks = {key: block for key, block in self._blocks.items() if key[0] in new}
        self.setAccessibleName(self.text())
        self._settle()

    def text(self) -> str:
        """Return everything shown as plain text, a line a paragraph."""
        return "\n".join(paragraph.text() for paragraph in self._paragraphs)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._tones = {}
        self._forget_blocks()
        self._settle()

    def hasHeightForWidth(self) -> bool:
        """Return true: the text wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the text needs at ``width`` pixels."""
        return self._placing(width).height

    def sizeHint(self) -> QSize:
        """Return the height for the present width."""
        return QSize(480, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow width and one line; `heightForWidth` tells the rest."""
        return QSize(120, self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self._height = self._placing(self.width()).height
        if self._is_news:  # a layout may remember the height of the old text for this width
            self._is_news = False
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew when the font changes."""
        super().changeEvent(event)
        self._forget_blocks()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the laid-out lines."""
        with QPainter(self) as painter:
            painter.setPen(QColor(self._theme.text))
            for block, top in self._placing(self.width()).tops:
                block.layout.draw(painter, QPointF(self.contentsMargins().left(), top))

    def _settle(self) -> None:
        """Lay out for the present width; ask for another height only when it changed."""
        before, self._height = self._height, self._placing(self.width()).height
        self._is_news = self._height == before
        if not self._is_news:
            self.updateGeometry()
        self.update()

    def _forget_blocks(self) -> None:
        self._blocks = {}
        self._placings = {}

    def _placing(self, width: int) -> _Placing:
        """Place the paragraphs for ``width`` pixels; what stayed the same is not broken into lines again."""
        placing = self._placings.get(width)
        if placing is not None:
            return placing
        margins = self.contentsMargins()
        room = width - margins.left() - margins.right()
        tops = []
        bottom = float(margins.top())
        for number, paragraph in enumerate(self._paragraphs):
            bottom += paragraph.gap if number else 0
            block = self._blocks.get((paragraph, room))
            if block is None:
                block = self._blocks[paragraph, room] = self._broken_into_lines(paragraph, room)
            tops.append((block, bottom))
            bottom += block.height
        if len(self._placings) >= WIDTHS_KEPT:
            self._forget_blocks()
        self._placings[width] = placing = _Placing(tops, math.ceil(bottom) + margins.bottom() + 1)
        return placing

    def _broken_into_lines(self, paragraph: Paragraph, width: int) -> _Block:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * paragraph.size)
        layout = QTextLayout(paragraph.text(), font)
        layout.setFormats(self._formats(paragraph.runs))
        layout.setTextOption(wrapping(Qt.AlignmentFlag.AlignLeft))
        layout.setCacheEnabled(True)
        return _Block(layout, _place_lines(layout, width, LEADING * QFontInfo(font).pixelSize()))

    def _formats(self, runs: Sequence[Run]) -> list[QTextLayout.FormatRange]:
        ranges = []
        start = 0
        for run in runs:
            length = _utf16_length(run.text)
            if run.tone != "plain":  # the pen's colour
                piece = QTextLayout.FormatRange()
                piece.start = start
                piece.length = length
                piece.format = self._format(run.tone)
                ranges.append(piece)
            start += length
        return ranges

    def _format(self, tone: str) -> QTextCharFormat:
        form = self._tones.get(tone)
        if form is None:
            form = self._tones[tone] = QTextCharFormat()
            form.setForeground(QColor(self._theme.tone(tone)))
            if tone in BOLD_TONES:
                form.setFontWeight(QFont.Weight.DemiBold)
        return form


class _Block(NamedTuple):
    """A paragraph broken into lines, and the height of that."""

    layout: QTextLayout
    height: float


class _Placing(NamedTuple):
    """The blocks with their tops, and the height of all."""

    tops: list[tuple[_Block, float]]
    height: int


def _place_lines(layout: QTextLayout, width: int, pitch: float) -> float:
    """Break ``layout`` into lines of ``width`` pixels, ``pitch`` pixels apart; return their height."""
    height = 0.0
    layout.beginLayout()
    line = layout.createLine()
    while line.isValid():
        line.setLineWidth(max(width, 1))
        step = max(pitch, line.height())
        line.setPosition(QPointF(0, height + (step - line.height()) / 2))
        height += step
        line = layout.createLine()
    layout.endLayout()
    return height


def _utf16_length(text: str) -> int:
    """Return the length as Qt counts it: an emoji is two."""
    return len(text) + (0 if text.isascii() else sum(ord(character) > 0xFFFF for character in text))
