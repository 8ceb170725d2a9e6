"""An entry of the list of lessons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.lesson import LessonEntry, LessonState
from qkviz.translate import _
from qkviz.ui.buttons import PaintedButton, wrapped_height, wrapping
from qkviz.ui.panels.check_mark import paint_check


class LessonButton(PaintedButton):
    """An entry of the list: a circle with the number, or a check mark once done, and the title."""

    MARGIN = 9

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry: LessonEntry | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_entry(self, entry: LessonEntry) -> None:
        """Show ``entry``."""
        if entry == self._entry:
            return
        self._entry = entry
        self.setText(entry.title)
        words = {"number": entry.number, "title": entry.title}
        name = (
            _("Lesson {number}, done: {title}", **words)
            if entry.finished
            else _("Lesson {number}: {title}", **words)
        )
        self.setAccessibleName(name)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return true: the title wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped title at ``width`` pixels."""
        text = wrapped_height(self.text(), self._bold(), width - self._text_left() - self.MARGIN)
        return max(text, self._circle_size()) + 14

    def sizeHint(self) -> QSize:
        """Return the size of the title on one line."""
        width = self._text_left() + QFontMetrics(self._bold()).horizontalAdvance(self.text()) + self.MARGIN
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(120, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, circle and title."""
        if self._entry is None:
            return
        theme, current = self.theme, self._entry.state is LessonState.CURRENT
        painter = QPainter(self)
        ground = theme.accent_soft if current or self.underMouse() else "#00000000"
        if self.hasFocus():
            self._paint_ground(painter, ground, ground, 7)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(self.rect(), 7, 7)
        self._paint_circle(painter, current)
        painter.setFont(self._bold() if current else self.font())
        painter.setPen(QColor(theme.accent if current else theme.text))
        inside = QRectF(self.rect()).adjusted(self._text_left(), 0, -self.MARGIN, 0)
        painter.drawText(inside, self.text(), wrapping(Qt.AlignmentFlag.AlignVCenter))

    def _paint_circle(self, painter: QPainter, current: bool) -> None:
        assert self._entry is not None
        theme, size = self.theme, self._circle_size()
        circle = QRectF(self.MARGIN, (self.height() - size) / 2, size, size)
        if self._entry.finished:
            paint_check(painter, circle, theme.accent if current else theme.good, theme.surface)
            return
        painter.setPen(QPen(QColor(theme.accent if current else theme.faint), 1.2))
        painter.setBrush(QColor(theme.accent) if current else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle.adjusted(0.6, 0.6, -0.6, -0.6))
        font = self._bold()
        font.setPointSizeF(font.pointSizeF() * 0.82)
        painter.setFont(font)
        painter.setPen(QColor(theme.on_accent if current else theme.muted))
        painter.drawText(circle, int(Qt.AlignmentFlag.AlignCenter), str(self._entry.number))

    def _circle_size(self) -> int:
        return int(QFontMetrics(self.font()).height() * 1.2)

    def _text_left(self) -> int:
        return self.MARGIN + self._circle_size() + 9

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font
