"""The pieces of the Lessons panel: an entry of the list, answers side by side, a try with its check mark."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from qkviz.presenters.lesson import ChoiceContent, LessonEntry, LessonState, TryContent
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.panels.buttons import PaintedButton, WrappingButton, wrapped_height, wrapping
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import LIGHT, Theme


def paint_check(painter: QPainter, circle: QRectF, ground: str, ink: str) -> None:
    """Paint a filled circle with a check mark."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground))
    painter.drawEllipse(circle)
    pen = QPen(QColor(ink), circle.width() * 0.1)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle, unit = circle.center(), circle.width()
    corners = ((-0.2, 0.02), (-0.06, 0.16), (0.2, -0.14))
    painter.drawPolyline(
        QPolygonF([QPointF(middle.x() + x * unit, middle.y() + y * unit) for x, y in corners])
    )


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


class ChoiceButtons(QWidget):
    """The answers to choose from: side by side when they fit, else one below the other.

    Signals
    -------
    chosen
        The user chose an answer, by its index.
    """

    chosen = Signal(int)
    GAP = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._buttons: list[WrappingButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self.chosen)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def buttons(self) -> list[WrappingButton]:
        """Return the buttons in order."""
        return list(self._buttons)

    def show_choices(self, choices: Sequence[ChoiceContent]) -> None:
        """Show ``choices``; after the guess the right one and a wrong guess are marked, and all are off."""
        while len(self._buttons) > len(choices):
            button = self._buttons.pop()
            self._group.removeButton(button)
            button.hide()
            button.deleteLater()
        while len(self._buttons) < len(choices):
            button = WrappingButton(self)
            button.restyle(self._theme)
            button.show()
            self._group.addButton(button, len(self._buttons))
            self._buttons.append(button)
        for button, choice in zip(self._buttons, choices, strict=True):
            self._show_choice(button, choice)
        self._arrange()
        self.updateGeometry()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for button in self._buttons:
            button.restyle(theme)
        self._arrange()

    def hasHeightForWidth(self) -> bool:
        """Return true: buttons wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all buttons at ``width`` pixels."""
        places = self._places(width)
        return max((place.bottom() + 1 for place in places), default=0)

    def sizeHint(self) -> QSize:
        """Return the size with one button below the other, if need be."""
        return QSize(200, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(80, self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the buttons anew."""
        super().resizeEvent(event)
        self._arrange()

    @staticmethod
    def _show_choice(button: WrappingButton, choice: ChoiceContent) -> None:
        guessed = choice.is_right is not None
        mark = "" if not guessed else "✓ " if choice.is_right else "✗ " if choice.is_chosen else ""
        button.setText(mark + choice.text)
        name = choice.text
        if choice.is_right:
            name = _("{choice} (right)", choice=choice.text)
        elif guessed and choice.is_chosen:
            name = _("{choice} (your guess)", choice=choice.text)
        button.setAccessibleName(name)
        button.setEnabled(not guessed)
        tone = (
            "plain" if not guessed else "good" if choice.is_right else "bad" if choice.is_chosen else "muted"
        )
        button.set_tone(tone)

    def _arrange(self) -> None:
        for button, place in zip(self._buttons, self._places(self.width()), strict=True):
            button.setGeometry(place)

    def _places(self, width: int) -> list[QRect]:
        count = len(self._buttons)
        if not count:
            return []
        each = (width - self.GAP * (count - 1)) // count
        natural = max(button.natural_width() for button in self._buttons)
        if natural <= each:
            each = min(each, max(natural, 84))
            height = max(button.heightForWidth(each) for button in self._buttons)
            return [QRect(number * (each + self.GAP), 0, each, height) for number in range(count)]
        places, y = [], 0
        for button in self._buttons:
            height = button.heightForWidth(width)
            places.append(QRect(0, y, width, height))
            y += height + self.GAP
        return places


class TryRow(QWidget):
    """One thing to do by hand: an empty circle, or a check mark and the remark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = _Mark(self)
        self._text = RunsView(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)

    def show_try(self, content: TryContent) -> None:
        """Show ``content``."""
        self._mark.set_done(content.is_done)
        paragraphs = [Paragraph((Run(content.text, "muted" if content.is_done else "plain"),))]
        if content.remark:
            paragraphs.append(Paragraph((Run(content.remark),), gap=3))
        self._text.show_paragraphs(paragraphs)

    def is_done(self) -> bool:
        """Tell whether the check mark is shown."""
        return self._mark.is_done()

    def text(self) -> str:
        """Return what is shown, a line each."""
        return self._text.text()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._mark.restyle(theme)
        self._text.restyle(theme)


class _Mark(QWidget):
    """A circle, empty or with a check mark."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._done = False
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_done(self, done: bool) -> None:
        self._done = done
        self.setAccessibleName(_("done") if done else _("to do"))
        self.update()

    def is_done(self) -> bool:
        return self._done

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        size = int(QFontMetrics(self.font()).height() * 1.1)
        return QSize(size, size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._done:
            paint_check(painter, circle, self._theme.good, self._theme.surface)
        else:
            painter.setPen(QPen(QColor(self._theme.faint), 1.2))
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
