"""Paragraphs of coloured runs, painted: what the steps say, redrawn with every move of the mouse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, get_args

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.figures.text_block import Paragraph, TextBlock
from qkviz.presenters.runs import Tone
from qkviz.ui.theme import LIGHT, Theme

__all__ = ["Paragraph", "RunsView"]

WIDTHS_KEPT = 6
"""Widths whose line breaks are kept; dragging the edge of a dock goes through hundreds."""


class RunsView(QWidget):
    """Shows paragraphs, wrapped to its width.

    A custom painter because a `QLabel` with rich text parses and lays out a whole document for each changed
    digit, and because a label such as ``<b>`` must be shown as it is.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._blocks: dict[tuple[Paragraph, int], TextBlock] = {}  # by text and room
        self._placings: dict[int, _Placing] = {}  # by width: layouts ask for two or three in turn
        self._height = 0
        self._is_news = False  # other text of the same height: nobody was asked to lay out anew
        self._colors = _colors_of(LIGHT)
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
        self._colors = _colors_of(theme)
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
            for block, top in self._placing(self.width()).tops:
                block.paint(painter, self.contentsMargins().left(), top)

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
                block = TextBlock(paragraph, self.font(), self._colors, room)
                self._blocks[paragraph, room] = block
            tops.append((block, bottom))
            bottom += block.height
        if len(self._placings) >= WIDTHS_KEPT:
            self._forget_blocks()
        self._placings[width] = placing = _Placing(tops, math.ceil(bottom) + margins.bottom() + 1)
        return placing


def _colors_of(theme: Theme) -> dict[str, str]:
    return {tone: theme.tone(tone) for tone in get_args(Tone)}


class _Placing(NamedTuple):
    """The blocks with their tops, and the height of all."""

    tops: list[tuple[TextBlock, float]]
    height: int
