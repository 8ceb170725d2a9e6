"""Where the heads of a grid stand: layers down, heads across, all cells of one size."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF

from qkviz.figures.fonts import SEMIBOLD, Face, line_height, text_width
from qkviz.figures.style import FigureStyle
from qkviz.presenters.heads import HeadGridContent

SMALLEST_CELL, LARGEST_CELL = 13.0, 132.0
COMFORTABLE_CELL = 32.0
"""Cells do not shrink below this for the height's sake: the grid is scrolled instead."""

NATURAL_CELL = 64.0
"""In a picture to be taken away."""

MARGIN = 4.0
BAR = QSizeF(120.0, 9.0)
"""The colour bar of a measure."""


class HeadGridLayout:
    """The places of ``content`` in a room of ``width`` × ``height``; the grid may be higher or wider.

    Attributes
    ----------
    cell, gap
        The side of a cell, and the room between two.
    size
        What is needed in all.
    head_stride
        Every how many heads there is room for a label.
    bar
        The colour bar of a measure.
    titles
        Lines of words above the grid, the first in bold; none on the screen.
    """

    def __init__(
        self,
        content: HeadGridContent,
        width: float,
        height: float,
        style: FigureStyle,
        titles: Sequence[str] = (),
    ) -> None:
        self.label = Face(11, families=style.font_family)
        self.strong = Face(11, SEMIBOLD, style.font_family)
        self.title = Face(13, SEMIBOLD, style.font_family)
        self._rows = [len(cells) for _label, cells in content.rows]
        line = line_height(self.label)
        self.left = MARGIN + max(text_width(label, self.strong) for label, _cells in content.rows) + 8.0
        self.titles = tuple(zip(titles, (self.title, *[self.label] * len(titles)), strict=False))
        head = sum(line_height(face) + 3.0 for _text, face in self.titles)
        self.top = MARGIN + head + line + 3.0
        foot = (line + 8.0 if content.scale is not None else 0.0) + MARGIN
        columns, rows = content.columns, len(content.rows)
        across = (width - self.left - MARGIN + 3.0) / columns
        down = (height - self.top - foot + 3.0) / rows
        pitch = min(across, max(down, COMFORTABLE_CELL + 3.0))
        self.gap = 3.0 if pitch < 40.0 else 4.0
        self.cell = float(int(min(max(pitch - self.gap, SMALLEST_CELL), LARGEST_CELL)))
        widest = max(text_width(f"H{head + 1}", self.label) for head in range(columns))
        self.head_stride = next((step for step in (1, 2, 5) if widest + 5.0 <= step * self.pitch), 10)
        bottom = self.top + rows * self.pitch - self.gap
        self.bar = QRectF(self.left + 34.0, bottom + 9.0, BAR.width(), BAR.height())
        wide = max((text_width(text, face) for text, face in self.titles), default=0.0) + 2 * MARGIN
        self.size = QSizeF(max(self.left + columns * self.pitch - self.gap + MARGIN, wide), bottom + foot)

    @property
    def pitch(self) -> float:
        """The distance from cell to cell."""
        return self.cell + self.gap

    def cell_rect(self, layer: int, head: int) -> QRectF:
        """Return the square of a head."""
        return QRectF(self.left + head * self.pitch, self.top + layer * self.pitch, self.cell, self.cell)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return (layer, head) under a point; a gap belongs to the cell before it."""
        layer, head = int((y - self.top) // self.pitch), int((x - self.left) // self.pitch)
        is_cell = 0 <= layer < len(self._rows) and 0 <= head < self._rows[layer]
        return (layer, head) if is_cell else None
