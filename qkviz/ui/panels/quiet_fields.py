"""Fields and lists to choose from that speak only when the user does."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from qkviz.ui.theme import LIGHT, Theme


class QuietChoice(QComboBox):
    """A list to choose from; the wheel scrolls the column and never the choice.

    Signals
    -------
    chosen
        The id of what the user chose; the same one again counts too.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self._theme = LIGHT
        self._shown: tuple[tuple[str, str], ...] = ()
        self.activated.connect(self._say)  # by hand only, unlike currentIndexChanged

    def show_choices(self, choices: tuple[tuple[str, str], ...], chosen: str, off_reason: str) -> None:
        """Show pairs of id and text, which one holds, and why nothing can be chosen (empty: it can)."""
        if choices != self._shown:
            self._shown = choices
            self.clear()
            for name, text in choices:
                self.addItem(text, name)
        at = self.findData(chosen)
        if at != self.currentIndex():
            self.setCurrentIndex(at)
        self.setEnabled(not off_reason)
        if self.toolTip() != off_reason:
            self.setToolTip(off_reason)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the column."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, text and arrow: a style sheet has no arrow in our colours and cuts without …."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = self.hasFocus() or (self.underMouse() and self.isEnabled())
        painter.setPen(QPen(QColor(theme.accent if marked else theme.line), 1))
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.faint))
        inside = self.rect().adjusted(8, 0, -20, 0)
        text = painter.fontMetrics().elidedText(
            self._shown_text(), Qt.TextElideMode.ElideRight, inside.width()
        )
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        x, y = self.width() - 13.0, self.height() / 2 - 1.0
        painter.setPen(QPen(QColor(theme.muted if self.isEnabled() else theme.line), 1.4))
        painter.drawPolyline([QPointF(x - 3.5, y - 1.5), QPointF(x, y + 2.5), QPointF(x + 3.5, y - 1.5)])

    def _shown_text(self) -> str:
        """Return what stands in the closed box."""
        return self.currentText()

    def _say(self, index: int) -> None:
        self.chosen.emit(str(self.itemData(index)))


LONGEST_TEXT = 1_000_000
"""Letters that a field for a text takes; Qt's own limit would cut 10 000 words without a word."""


class MarkedField(QLineEdit):
    """A line of text that shows when it cannot be used."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._is_refused = False
        self.textEdited.connect(self.accept)

    @property
    def is_refused(self) -> bool:
        """Whether the field holds a text that could not be used."""
        return self._is_refused

    def refuse(self) -> None:
        """Mark the text; it stays to be corrected."""
        self._mark(True)

    def accept(self) -> None:
        """Take the mark away."""
        self._mark(False)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._paint_mark()

    def _mark(self, refused: bool) -> None:
        if refused is not self._is_refused:
            self._is_refused = refused
            self._paint_mark()

    def _paint_mark(self) -> None:
        sheet = f"QLineEdit {{ border: 1px solid {self._theme.bad}; }}" if self._is_refused else ""
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)


class QuietField(MarkedField):
    """A line of text that is handed in by Enter or by leaving it, if it differs from what holds.

    Signals
    -------
    entered
        The text as typed.
    """

    entered = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = ""
        self._is_typed = False
        self.textEdited.connect(self._note_typing)
        self.editingFinished.connect(self.hand_in)

    def show_text(self, text: str) -> None:
        """Show what holds now. What is being typed stays."""
        self._shown = text
        if not self._is_typed:
            self.give_up()

    def hand_in(self) -> None:
        """Hand the text in, if it differs from what holds; mark it if nothing came of it."""
        self._is_typed = False  # the snapshot that follows may set the text
        if self.text() == self._shown:
            return
        self.entered.emit(self.text())
        if self.text() != self._shown:
            self._is_typed = True
            self.refuse()

    def give_up(self) -> None:
        """Go back to what holds."""
        self._is_typed = False
        self.accept()
        if self.text() != self._shown:
            self.setText(self._shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the text back on Esc, if there is something to take back."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self.give_up()
            return
        super().keyPressEvent(event)

    def _note_typing(self) -> None:
        self._is_typed = True
