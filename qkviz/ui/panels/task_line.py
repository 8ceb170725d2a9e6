"""How far a long computation is, and the button that ends it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from qkviz.presenters.number_format import format_percent
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.theme import LIGHT, Theme


class TaskLine(QWidget):
    """A bar with its percent, and Stop; empty while nothing runs. Its room stays, so that nothing jumps.

    Signals
    -------
    stop_asked
        The user does not want to wait.
    """

    stop_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._bar = _Bar(self)
        self.stop_button = QuietButton(self)
        self.stop_button.clicked.connect(self.stop_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._bar)
        row.addWidget(self.stop_button)
        policy = self.stop_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.stop_button.setSizePolicy(policy)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.retranslate()
        self.show_share(None)

    @property
    def share(self) -> float | None:
        """What is shown as done, 0 to 1; None while nothing runs."""
        return self._bar.share

    def show_share(self, share: float | None) -> None:
        """Show how much is done, or None when nothing runs."""
        self._bar.show_share(share)
        self.stop_button.setVisible(share is not None)

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.stop_button.setText(_("Stop"))
        self.stop_button.setAccessibleName(_("Stop the computation"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._bar.restyle(theme)


class _Bar(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.share: float | None = None
        self._theme = LIGHT
        self.setFixedSize(96, 18)

    def show_share(self, share: float | None) -> None:
        if share != self.share:
            self.share = share
            self.setAccessibleName("" if share is None else format_percent(share))
            self.update()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.share is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        ground = QRectF(0, self.height() / 2 - 3, self.width() - 38, 6)
        painter.setBrush(QColor(self._theme.line))
        painter.drawRoundedRect(ground, 3, 3)
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(QRectF(ground.topLeft(), ground.size()).adjusted(
            0, 0, -ground.width() * (1.0 - min(max(self.share, 0.0), 1.0)), 0), 3, 3)  # fmt: skip
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(
            self.rect(),
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
            format_percent(self.share),
        )
