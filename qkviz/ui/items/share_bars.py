"""Named shares of 1 as horizontal bars with their numbers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.copy_machine import ShareBar
from qkviz.ui.theme import LIGHT, Theme

LINE, BAR = 22, 13
GAP = 8


class ShareBars(QWidget):
    """One line a share: name, bar on a ground from 0 to 1, number. The first name stands out.

    Its height is that of ``lines`` lines, however many shares are shown, so that nothing below jumps.
    """

    def __init__(self, lines: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._bars: tuple[ShareBar, ...] = ()
        self._lines = lines
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(lines * LINE)
        self.setMinimumWidth(150)

    def show_bars(self, bars: tuple[ShareBar, ...]) -> None:
        """Show ``bars``, at most as many as there are lines. Emits nothing."""
        self._bars = bars[: self._lines]
        self.setAccessibleDescription("; ".join(f"{bar.name} {bar.text}" for bar in self._bars))
        self.update()

    @property
    def bars(self) -> tuple[ShareBar, ...]:
        """What is shown."""
        return self._bars

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size at which the bars read well."""
        return QSize(260, self._lines * LINE)

    def bar_rect(self, at: int) -> QRectF:
        """Return the bar of a share."""
        ground = self._ground(at)
        return QRectF(ground.topLeft(), ground.size()).adjusted(
            0, 0, ground.width() * (self._bars[at].share - 1), 0
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint names, bars and numbers."""
        theme = self._theme
        with QPainter(self) as painter:
            for at, bar in enumerate(self._bars):
                ground = self._ground(at)
                painter.fillRect(ground, QColor(theme.window))
                painter.fillRect(self.bar_rect(at), QColor(theme.weight))
                painter.setFont(self._name_font(at))
                painter.setPen(QColor(theme.text))
                middle = int(Qt.AlignmentFlag.AlignVCenter)
                name = QFontMetricsF(painter.font()).elidedText(
                    bar.name, Qt.TextElideMode.ElideRight, ground.left() - GAP
                )
                painter.drawText(QRectF(0, at * LINE, ground.left(), LINE), middle, name)
                painter.setFont(self.font())
                beside = QRectF(ground.right() + GAP, at * LINE, self.width(), LINE)
                painter.drawText(beside, middle, bar.text)

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another font."""
        super().changeEvent(event)
        self.update()

    def _ground(self, at: int) -> QRectF:
        """Return where a bar of 1 is."""
        names = max(
            QFontMetricsF(self._name_font(line)).horizontalAdvance(bar.name)
            for line, bar in enumerate(self._bars)
        )
        left = min(names + GAP, self.width() / 2)
        right = max(QFontMetricsF(self.font()).horizontalAdvance(bar.text) for bar in self._bars) + GAP
        return QRectF(left, at * LINE + (LINE - BAR) / 2, max(self.width() - left - right, 20.0), BAR)

    def _name_font(self, at: int) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if at == 0 else QFont.Weight.Normal)
        return font
