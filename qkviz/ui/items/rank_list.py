"""A list of tokens with the rank that each has in its own row; one may be chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.diagonal import DiagonalRow
from qkviz.ui.theme import LIGHT, Theme

LINE = 22
"""Height of a row in pixels."""

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class RankList(QWidget):
    """Painted in one pass: a widget for each of many tokens would be slow.

    Signals
    -------
    row_chosen
        A row was clicked, or gone to with the arrow keys.
    """

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DiagonalRow, ...] = ()
        self._chosen: int | None = None
        self._theme: Theme = LIGHT
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: tuple[DiagonalRow, ...], chosen: int | None) -> None:
        """Show ``rows``. Emits nothing."""
        if len(rows) != len(self._rows):
            self.setFixedHeight(max(LINE * len(rows), 1))
        self._rows, self._chosen = rows, chosen
        self.setAccessibleDescription(". ".join(f"{row.label}: {row.rank_text}" for row in rows))
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def row_rect(self, row: int) -> QRectF:
        """Return where a row is."""
        return QRectF(0, row * LINE, self.width(), LINE)

    def sizeHint(self) -> QSize:
        """Return room for all rows."""
        return QSize(190, LINE * max(len(self._rows), 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in sight."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, last = event.rect().top() // LINE, event.rect().bottom() // LINE
        for at in range(max(first, 0), min(last + 1, len(self._rows))):
            self._paint_row(painter, at)

    def _paint_row(self, painter: QPainter, at: int) -> None:
        row, theme, rect = self._rows[at], self._theme, self.row_rect(at).adjusted(1, 1, -1, -1)
        if at == self._chosen:
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_soft))
            painter.drawRoundedRect(rect, 5, 5)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        inside = rect.adjusted(8, 0, -8, 0)
        words = f"▴ {row.rank_text}" if row.is_first else row.rank_text
        painter.setFont(bold if row.is_first else self.font())
        painter.setPen(QColor(theme.text if row.is_first else theme.muted))
        right = painter.boundingRect(inside, middle | int(Qt.AlignmentFlag.AlignRight), words)
        painter.drawText(inside, middle | int(Qt.AlignmentFlag.AlignRight), words)
        painter.setFont(bold)
        painter.setPen(QColor(theme.query))
        room = right.left() - inside.left() - 8
        label = QFontMetricsF(bold).elidedText(row.label, Qt.TextElideMode.ElideRight, max(room, 12.0))
        painter.drawText(inside, middle, label)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the row under the pointer."""
        at = int(event.position().y()) // LINE
        if event.button() == Qt.MouseButton.LeftButton and 0 <= at < len(self._rows):
            self.row_chosen.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the row above or below; every other key goes on to the window."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or not self._rows:
            super().keyPressEvent(event)
            return
        at = 0 if self._chosen is None else self._chosen + step
        self.row_chosen.emit(min(max(at, 0), len(self._rows) - 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the focus is gone."""
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another font."""
        super().changeEvent(event)
        self.update()
