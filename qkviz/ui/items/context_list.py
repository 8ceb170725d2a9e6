"""A list of sentences as shaded tokens: one is the document, another is held against it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qkviz.presenters.context_lines import ContextLine
from qkviz.ui.items.context_flow import ContextFonts, LineFlow
from qkviz.ui.items.paint_context import paint_line
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import LIGHT, Theme

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_UP_AND_DOWN = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_SIDEWAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ContextList(QWidget):
    """Painted in one pass: a widget for each of hundreds of tokens would be slow.

    ↑ and ↓ go from line to line, Enter chooses the line, B holds it against the document; ← and → go through
    the places of a word that stands in the line several times.

    Signals
    -------
    line_chosen
        A line is to become the document: number of its text, and which place of the word.
    other_chosen
        A line is to be held against the document: number of its text.
    """

    line_chosen = Signal(int, int)
    other_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[ContextLine, ...] = ()
        self._current = 0
        self._theme: Theme = LIGHT
        self._fonts = ContextFonts(self.font())
        self._flows: dict[int, tuple[LineFlow, ...]] = {}  # by width: layouts ask for two or three in turn
        self._badge_tip = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def lines(self) -> tuple[ContextLine, ...]:
        """What is shown."""
        return self._lines

    @property
    def current(self) -> int:
        """The line that has the keys, as an index into `lines`."""
        return self._current

    def show_lines(self, lines: tuple[ContextLine, ...], badge_tip: str) -> None:
        """Show ``lines``; ``badge_tip`` says what a click on a letter does. Emits nothing."""
        self._lines, self._badge_tip = lines, badge_tip
        shown = next((at for at, line in enumerate(lines) if line.is_shown), None)
        if shown is not None and not self.hasFocus():
            self._current = shown
        self._current = min(self._current, max(len(lines) - 1, 0))
        self.setAccessibleDescription("\n".join(line.spoken for line in lines))
        self._forget_places()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    # where everything is

    def line_rect(self, at: int) -> QRectF:
        """Return where a line is."""
        flows = self._placed(self.width())
        top = sum(flow.height for flow in flows[:at])
        return QRectF(0, top, self.width(), flows[at].height)

    def chip_rect(self, at: int, token: int) -> QRectF:
        """Return where a token of a line is."""
        return self._placed(self.width())[at].chips[token].translated(self.line_rect(at).topLeft())

    def badge_rect(self, at: int) -> QRectF:
        """Return where the letter of a line is."""
        return self._placed(self.width())[at].badge.translated(self.line_rect(at).topLeft())

    def hasHeightForWidth(self) -> bool:
        """Return true: sentences wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines at ``width`` pixels."""
        return round(sum(flow.height for flow in self._placed(width)) + 0.5)

    def sizeHint(self) -> QSize:
        """Return the height for the present width."""
        return QSize(480, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(200, 24)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines in sight."""
        flows, theme, top = self._placed(self.width()), self._theme, 0.0
        with QPainter(self) as painter:  # an error must not leave it open: Qt would crash
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for at, (line, flow) in enumerate(zip(self._lines, flows, strict=True)):
                box = QRectF(0, top, self.width(), flow.height)
                if box.intersects(QRectF(event.rect())):
                    self._paint_ground(painter, at, box)
                    painter.save()
                    painter.translate(0, top)
                    paint_line(painter, line, flow, self._fonts, theme)
                    painter.restore()
                top += flow.height

    def _paint_ground(self, painter: QPainter, at: int, box: QRectF) -> None:
        theme, inside = self._theme, box.adjusted(1, 1, -1, -1)
        has_keys = self.hasFocus() and at == self._current
        painter.setPen(QPen(QColor(theme.accent), 1) if has_keys else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft) if self._lines[at].is_shown else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inside.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if at:
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(4, box.top()), QPointF(self.width() - 4, box.top()))

    # the hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a line, a place of the word in it, or hold the line against the document."""
        at = self._line_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or at is None:
            return
        self._current = at
        line = self._lines[at]
        if self.badge_rect(at).adjusted(-4, -4, 4, 4).contains(event.position()) and line.mark != "A":
            self.other_chosen.emit(line.text)
            return
        token = self._token_at(at, event.position())
        place = None if token is None else line.chips[token].place
        self.line_chosen.emit(line.text, line.place if place is None else place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the numbers of the token under the pointer, or what a click on the letter does."""
        tip, at = "", self._line_at(event.position())
        if at is not None:
            token = self._token_at(at, event.position())
            if token is not None:
                tip = self._lines[at].chips[token].tip
            elif self.badge_rect(at).contains(event.position()) and not self._lines[at].mark:
                tip = self._badge_tip
        self.setCursor(Qt.CursorShape.ArrowCursor if at is None else Qt.CursorShape.PointingHandCursor)
        if tip:
            QToolTip.showText(event.globalPosition().toPoint(), plain_tip(tip), self)
        else:
            QToolTip.hideText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the lines and their places; every other key goes on to the window."""
        key = Qt.Key(event.key())
        if not self._lines:
            super().keyPressEvent(event)
            return
        line = self._lines[self._current]
        if key in _UP_AND_DOWN:
            self._current = min(max(self._current + _UP_AND_DOWN[key], 0), len(self._lines) - 1)
            self.update()
        elif key in _SIDEWAYS and line.places > 1:
            self.line_chosen.emit(line.text, (line.place + _SIDEWAYS[key]) % line.places)
        elif key in _ENTER:
            self.line_chosen.emit(line.text, line.place)
        elif key == Qt.Key.Key_B and not event.modifiers() and line.mark != "A":
            self.other_chosen.emit(line.text)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the focus is gone."""
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fonts = ContextFonts(self.font())
            self._forget_places()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Forget the places of other widths."""
        super().resizeEvent(event)
        self._flows = {width: flow for width, flow in self._flows.items() if width == self.width()}
        self._claim_height()

    def _forget_places(self) -> None:
        self._flows = {}
        self._claim_height()
        self.updateGeometry()
        self.update()

    def _claim_height(self) -> None:
        """Ask for the height at the present width; a bar that comes beside the list makes this less."""
        height = self.heightForWidth(self.width())
        if height != self.minimumHeight():
            self.setMinimumHeight(height)

    def _placed(self, width: int) -> tuple[LineFlow, ...]:
        if width not in self._flows:
            self._flows[width] = tuple(LineFlow(line, self._fonts, width) for line in self._lines)
        return self._flows[width]

    def _line_at(self, point: QPointF) -> int | None:
        inside = (at for at in range(len(self._lines)) if self.line_rect(at).contains(point))
        return next(inside, None)

    def _token_at(self, at: int, point: QPointF) -> int | None:
        local = point - self.line_rect(at).topLeft()
        boxes = self._placed(self.width())[at].chips
        return next((token for token, box in enumerate(boxes) if box.contains(local)), None)
