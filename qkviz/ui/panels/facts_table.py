"""A small table of numbers that line up: a head, and a row for each matrix compared."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.compare import CompareRow
from qkviz.ui.theme import LIGHT, Theme

LINE = 18
"""Height of a line in pixels."""

GAP = 12.0
"""Least room between two columns."""


class FactsTable(QWidget):
    """Painted in one pass: labels would lay the whole panel out anew with every digit of a drag."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heads: tuple[str, ...] = ()
        self._rows: tuple[CompareRow, ...] = ()
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, heads: Sequence[str], rows: Sequence[CompareRow]) -> None:
        """Show a head and rows under it; nothing at all without a head. Emits nothing."""
        new = tuple(heads), tuple(rows) if heads else ()
        if new == (self._heads, self._rows):
            return
        self._heads, self._rows = new
        height = LINE * (1 + len(self._rows)) if heads else 0
        if height != self.height():
            self.setFixedHeight(height)
        self.setAccessibleDescription(". ".join(", ".join(line) for line in self.texts()))
        self.update()

    def texts(self) -> list[list[str]]:
        """Return what is shown, line by line; the head has no first column."""
        if not self._heads:
            return []
        return [list(self._heads), *([row.name, *row.texts] for row in self._rows)]

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Return a narrow width; columns are shortened to the room."""
        return QSize(120, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the first column to the left and numbers to the right of theirs."""
        if not self._heads:
            return
        painter = QPainter(self)
        rights, widths = self._columns()
        bold, small = self._fonts()
        left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(small)
        painter.setPen(QColor(self._theme.muted))
        metrics = QFontMetricsF(small)
        for head, end, width in zip(self._heads, rights, widths, strict=True):
            text = metrics.elidedText(head, Qt.TextElideMode.ElideMiddle, width)
            painter.drawText(QRectF(end - width - 1, 0, width + 1, LINE), right, text)
        painter.setPen(QColor(self._theme.text))
        for line, row in enumerate(self._rows, start=1):
            painter.setFont(bold)
            painter.drawText(QRectF(0, line * LINE, self.width(), LINE), left, row.name)
            painter.setFont(self.font())
            for text, end, width in zip(row.texts, rights, widths, strict=True):
                painter.drawText(QRectF(end - width - 1, line * LINE, width + 1, LINE), right, text)

    def _columns(self) -> tuple[list[float], list[float]]:
        """Return right edges and widths of the columns of numbers; spare room is shared out alike."""
        bold, small = (QFontMetricsF(font) for font in self._fonts())
        plain = QFontMetricsF(self.font())
        first = max((bold.horizontalAdvance(row.name) for row in self._rows), default=0.0)
        widths = [
            max(
                small.horizontalAdvance(head),
                *(plain.horizontalAdvance(row.texts[at]) for row in self._rows),
            )
            for at, head in enumerate(self._heads)
        ]
        spare = (self.width() - first - sum(widths) - GAP * len(widths)) / len(widths)
        if spare < 0:  # heads are cut before numbers are
            widths = [max(width + spare, 24.0) for width in widths]
            spare = 0.0
        rights, end = [], first
        for width in widths:
            end += GAP + spare + width
            rights.append(end)
        return rights, widths

    def _fonts(self) -> tuple[QFont, QFont]:
        bold, small = QFont(self.font()), QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(0.9 * small.pointSizeF())
        return bold, small
