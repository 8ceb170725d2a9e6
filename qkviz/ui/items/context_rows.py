"""Two rows of attention back to back: the keys of A to the left of the middle, those of B to its right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.context_pair import ContextPair, PairCell
from qkviz.translate import _
from qkviz.ui.items.context_flow import AT_RIGHT, MIDDLE, ContextFonts
from qkviz.ui.theme import LIGHT, Theme

ROW = 21
"""Height of a key in pixels."""

WIDEST = 640
"""Further apart a token and its bar cannot be read together."""


@dataclass(frozen=True, slots=True)
class SideBoxes:
    """The parts of one key on one side."""

    label: QRectF
    score: QRectF
    weight: QRectF
    bar: QRectF


class ContextRows(QWidget):
    """Paints the rows of a `ContextPair`; the bars of both sides are on one scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pair: ContextPair | None = None
        self._theme: Theme = LIGHT
        self._fonts = ContextFonts(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_pair(self, pair: ContextPair) -> None:
        """Show ``pair``. Emits nothing."""
        self._pair = pair
        self.setFixedHeight(ROW * (len(pair.rows) + 1) + 2)
        self.setAccessibleDescription("\n".join(_spoken(*sides) for sides in pair.rows))
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def boxes(self, row: int, side: int) -> SideBoxes:
        """Return where a key is on a side, 0 for A and 1 for B; row −1 is the head of the table."""
        whole = min(self.width(), WIDEST)
        half, top = whole / 2, ROW * (row + 1)
        score = self._fonts.width("−00.00", self._fonts.plain) + 6
        named = self._fonts.width(_("weight"), self._fonts.small)
        weight = max(self._fonts.width("0.00", self._fonts.bold), named) + 14
        if self._pair is not None and not self._pair.score_name:
            score = 0.0
        bar = max((half - score - weight) * 0.42, 24.0)
        label = max(half - score - weight - bar - 6, 20.0)
        spans = [(0.0, label), (label, score), (label + score, weight), (half - bar, bar - 1)]
        if side:
            spans = [(whole - left - width, width) for left, width in spans]
        return SideBoxes(*(QRectF(left, top, width, ROW) for left, width in spans))

    def bar_rect(self, row: int, side: int) -> QRectF:
        """Return the bar of a key; empty where there is no key, or no weight."""
        cell = None if self._pair is None else self._pair.rows[row][side]
        if cell is None:
            return QRectF()
        room = self.boxes(row, side).bar.adjusted(0, 5, 0, -5)
        left = room.left() if side else room.right() - cell.share * room.width()
        return QRectF(left, room.top(), cell.share * room.width(), room.height())

    def sizeHint(self) -> QSize:
        """Return room for all keys."""
        return QSize(460, self.height())

    def minimumSizeHint(self) -> QSize:
        """Return the narrowest size at which the numbers stand side by side."""
        return QSize(300, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the head and the keys in sight."""
        pair = self._pair
        if pair is None:
            return
        first, last = event.rect().top() // ROW - 1, event.rect().bottom() // ROW - 1
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if first < 0:
                self._paint_head(painter, pair)
            for row in range(max(first, 0), min(last + 1, len(pair.rows))):
                for side, cell in enumerate(pair.rows[row]):
                    if cell is not None:
                        self._paint_cell(painter, row, side, cell)
            middle = min(self.width(), WIDEST) / 2
            painter.setPen(QPen(QColor(self._theme.line), 1))
            painter.drawLine(QPointF(middle, ROW), QPointF(middle, self.height()))

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fonts = ContextFonts(self.font())
            self.update()

    def _paint_head(self, painter: QPainter, pair: ContextPair) -> None:
        theme = self._theme
        for side, (letter, color) in enumerate((("A", theme.accent), ("B", theme.key))):
            boxes = self.boxes(-1, side)
            outward = AT_RIGHT if side else MIDDLE
            self._write(painter, boxes.label, letter, outward, self._fonts.bold, color)
            self._write(painter, boxes.score, pair.score_name, AT_RIGHT, self._fonts.small, theme.muted)
            words = boxes.weight.adjusted(0, 0, -4, 0)
            self._write(painter, words, _("weight"), AT_RIGHT, self._fonts.small, theme.muted)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(QPointF(0, ROW - 0.5), QPointF(min(self.width(), WIDEST), ROW - 0.5))

    def _paint_cell(self, painter: QPainter, row: int, side: int, cell: PairCell) -> None:
        theme, boxes = self._theme, self.boxes(row, side)
        color = QColor(theme.weight)
        color.setAlphaF(1.0 if cell.is_largest else 0.5)
        painter.fillRect(self.bar_rect(row, side), color)
        font = self._fonts.bold if cell.is_word or cell.is_largest else self._fonts.plain
        ink = theme.query if cell.is_word else theme.muted if cell.is_special else theme.text
        self._write(painter, boxes.label, cell.label, AT_RIGHT if side else MIDDLE, font, ink)
        numbers = theme.text if cell.is_largest else theme.muted
        self._write(painter, boxes.score, cell.score, AT_RIGHT, font, numbers)
        self._write(painter, boxes.weight.adjusted(0, 0, -4, 0), cell.weight, AT_RIGHT, font, numbers)

    def _write(self, painter: QPainter, box: QRectF, text: str, flags: int, font: QFont, color: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(color))
        metrics = self._fonts.metrics[id(font)]
        painter.drawText(box, flags, metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width()))


def _spoken(one: PairCell | None, other: PairCell | None) -> str:
    cells = ((letter, cell) for letter, cell in (("A", one), ("B", other)) if cell is not None)
    return "; ".join(f"{letter}: {cell.label} {cell.score} {cell.weight}" for letter, cell in cells)
