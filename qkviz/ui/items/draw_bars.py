"""How often the diagonal wins: a bar for each kind of projections, and the line of pure chance."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.diagonal import DrawsContent
from qkviz.ui.theme import LIGHT, Theme

LINE, BAR = 22, 13


class DrawBars(QWidget):
    """Horizontal bars from 0 to 1 with their words at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: DrawsContent | None = None
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(3 * LINE)

    def show_content(self, content: DrawsContent | None) -> None:
        """Show what the draws gave; None before. Emits nothing."""
        self._content = content
        words = "" if content is None else ". ".join(f"{bar.name}: {bar.text}" for bar in content.bars)
        self.setAccessibleDescription(words)
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size at which the bars read well."""
        return QSize(320, 3 * LINE)

    def bar_rect(self, at: int) -> QRectF:
        """Return the bar of a kind; empty before there is one."""
        if self._content is None:
            return QRectF()
        left, width = self._scale()
        return QRectF(left, at * LINE + (LINE - BAR) / 2, width * self._content.bars[at].share, BAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bars, words and the line of chance."""
        content, theme = self._content, self._theme
        if content is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = self._scale()
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        for at, bar in enumerate(content.bars):
            ground = QRectF(left, at * LINE + (LINE - BAR) / 2, width, BAR)
            painter.fillRect(ground, QColor(theme.window))
            painter.fillRect(self.bar_rect(at), QColor(theme.tone(bar.tone)))
            painter.setFont(self._bold())
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(0, at * LINE, left - 8, LINE), middle, bar.name)
            painter.setFont(self.font())
            painter.drawText(QRectF(left + width + 8, at * LINE, self.width(), LINE), middle, bar.text)
        x = left + width * content.chance
        painter.setPen(QPen(QColor(theme.text), 1.2, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(x, 1, x, 3 * LINE - 1))

    def _scale(self) -> tuple[float, float]:
        """Return where the bars begin and how long a whole one is, in pixels."""
        assert self._content is not None
        names, words = QFontMetricsF(self._bold()), QFontMetricsF(self.font())
        left = max(names.horizontalAdvance(bar.name) for bar in self._content.bars) + 10
        right = max(words.horizontalAdvance(bar.text) for bar in self._content.bars) + 10
        return left, max(self.width() - left - right, 20.0)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font
