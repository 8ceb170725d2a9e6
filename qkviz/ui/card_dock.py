"""A dock that looks like a card: rounded, with a quiet title."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QMainWindow, QSizePolicy, QWidget

from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.theme import Theme


class CardDock(QDockWidget):
    """A dock with a title line of our own.

    Signals
    -------
    keys
        A key that nothing inside has taken; a floating dock is a window, and the key would end there.
    came_into_sight
        The dock was shown, or its tab came to the front; carries its name.
    """

    keys = Signal(QKeyEvent)
    came_into_sight = Signal(str)

    def __init__(self, name: str, title: str, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName(f"dock-{name}")
        self.name = name
        self._title = title
        self._line = QColor("#dddddd")
        self._surface = QColor("#ffffff")
        self._in_sight = False
        self.visibilityChanged.connect(self._see)
        self._bar = _TitleBar(self)
        self.setTitleBarWidget(self._bar)
        self._empty = QLabel(self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("kind", "muted")
        self._empty.setWordWrap(True)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)  # it may quote an error
        self.setWidget(self._empty)
        self.retranslate()

    @property
    def in_sight(self) -> bool:
        """Whether it can be seen; Qt calls a dock behind another tab visible too."""
        return self._in_sight

    def is_empty(self) -> bool:
        """Tell whether the dock still shows the word “loading”."""
        return self.widget() is self._empty

    def say(self, sentence: str) -> None:
        """Show a sentence where the panel will be."""
        self._empty.setText(sentence)

    def _see(self, visible: bool) -> None:
        self._in_sight = visible
        if visible:
            self.came_into_sight.emit(self.name)

    def show_tools(self, tools: QWidget) -> None:
        """Put a panel's tools into the title line."""
        self._bar.add(tools)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setWindowTitle(_(self._title))
        self.toggleViewAction().setText(_(self._title))
        self._bar.retranslate(_(self._title))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._line = QColor(theme.line)
        self._surface = QColor(theme.surface)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card; panel and title line are transparent or paint the same surface."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._line, 1))
        painter.setBrush(self._surface)
        radius = 0 if self.isFloating() else 9
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand the key to the window."""
        self.keys.emit(event)


class _TitleBar(QWidget):
    """Title left, float and close right. Ignored mouse events reach the dock, which moves itself by them."""

    def __init__(self, dock: CardDock) -> None:
        super().__init__(dock)
        self._label = QLabel(self)
        self._label.setProperty("kind", "dock-title")
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._float = _DrawnButton(_draw_squares, self)
        self._float.clicked.connect(self._toggle_floating)
        self._close = _DrawnButton(_draw_cross, self)
        self._close.clicked.connect(dock.close)
        self._dock = dock
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(14, 7, 8, 1)
        row.setSpacing(0)
        row.addWidget(self._label, 1)
        row.addWidget(self._float)
        row.addWidget(self._close)

    def add(self, tools: QWidget) -> None:
        self._row.insertWidget(1, tools)

    def retranslate(self, title: str) -> None:
        self._label.setText(title)
        texts = {
            self._float: _("Take out of the window, or put back"),
            self._close: _("Close; the View menu brings it back"),
        }
        for button, text in texts.items():
            button.setToolTip(text)
            button.setAccessibleName(f"{title}: {text}")

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())


class _DrawnButton(QuietButton):
    """A small button whose sign is drawn: no icon per theme, no font that must have the sign."""

    def __init__(self, draw: Callable[[QPainter, QRectF], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._draw = draw
        self.setFixedSize(24, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.3))
        self._draw(painter, QRectF(self.width() / 2 - 4, self.height() / 2 - 4, 8, 8))


def _draw_cross(painter: QPainter, box: QRectF) -> None:
    painter.drawLine(box.topLeft(), box.bottomRight())
    painter.drawLine(box.topRight(), box.bottomLeft())


def _draw_squares(painter: QPainter, box: QRectF) -> None:
    painter.drawRect(box.adjusted(0, 2.5, -2.5, 0))
    painter.drawPolyline(
        [box.topLeft() + QPointF(2.5, 0), box.topRight(), box.bottomRight() - QPointF(0, 2.5)]
    )
