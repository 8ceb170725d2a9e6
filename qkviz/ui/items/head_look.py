"""Where a head looks from one word: the sequence as chips, each as dark as its weight; a button too."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qkviz.figures.style import mixed
from qkviz.presenters.copy_machine import HeadLook, LookedAt
from qkviz.presenters.number_format import full_number
from qkviz.translate import _
from qkviz.ui.buttons import PaintedButton
from qkviz.ui.items.context_flow import INKS, ink_on
from qkviz.ui.plain_tip import plain_tip

PAD, GAP, CHIP, INSIDE = 9.0, 4.0, 22.0, 7.0
DARKEST, OFF = 0.55, 0.05
"""Opacity of a weight of 1, and of one in a head that is off; the word on it stays readable."""


class Chip(NamedTuple):
    """A word with its place."""

    word: LookedAt
    rect: QRectF


class HeadLookButton(PaintedButton):
    """A card with the name of the head, from where it looks, and the chips. A click chooses the head."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._look: HeadLook | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setCheckable(True)  # so that a screen reader tells which head is chosen

    def nextCheckState(self) -> None:
        """Stay as it is: the document tells what is chosen."""

    @property
    def look(self) -> HeadLook | None:
        """What is shown."""
        return self._look

    def show_look(self, look: HeadLook) -> None:
        """Show ``look``. Emits nothing."""
        if look == self._look:
            return
        self._look = look
        self.setChecked(look.is_chosen)
        self.setText(look.name)
        self.setAccessibleName(_("{head}, {title}", head=look.name, title=look.title))
        self.setAccessibleDescription(look.sentence)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return true: the chips wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the chips need at ``width`` pixels."""
        chips = self.chips(width)
        bottom = chips[-1].rect.bottom() if chips else self._top()
        return round(bottom + PAD)

    def sizeHint(self) -> QSize:
        """Return the height for the present width."""
        return QSize(360, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow width; `heightForWidth` tells the rest."""
        return QSize(150, round(self._top() + CHIP + PAD))

    def chips(self, width: int | None = None) -> list[Chip]:
        """Return the words with their places at a width, the present one by default."""
        if self._look is None:
            return []
        room = (self.width() if width is None else width) - PAD
        x, y, chips = PAD, self._top(), []
        for word in self._look.words:
            wide = min(self._chip_width(word), room - PAD)
            if x > PAD and x + wide > room:
                x, y = PAD, y + CHIP + GAP
            chips.append(Chip(word, QRectF(x, y, wide, CHIP)))
            x += wide + GAP
        return chips

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint card, title and chips."""
        look, theme = self._look, self.theme
        if look is None:
            return
        with QPainter(self) as painter:
            ground = theme.accent_soft if look.is_chosen else theme.surface
            self._paint_ground(painter, ground, theme.accent if look.is_chosen else theme.line, 8)
            self._paint_title(painter, look)
            for chip in self.chips():
                self._paint_chip(painter, chip, look.is_off)

    def event(self, event: QEvent) -> bool:
        """Tell the full weight of the word under the pointer."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip_at(self, at: QPointF) -> str:
        """Return what is said at a point of the card."""
        look = self._look
        for chip in self.chips():
            if look is not None and chip.rect.contains(at):
                weight = full_number(round(chip.word.weight, 6))
                return _(
                    "{head} → {word}: weight {weight}", head=look.name, word=chip.word.label, weight=weight
                )
        return "" if look is None else _("Click: {head} becomes the document.", head=look.name)

    def _paint_title(self, painter: QPainter, look: HeadLook) -> None:
        bold = self._bold()
        title = _("{title} · off", title=look.title) if look.is_off else look.title
        line = QRectF(PAD, 4, self.width() - 2 * PAD, self._top() - 4)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(bold)
        painter.setPen(QColor(self.theme.text))
        painter.drawText(line, middle, look.name)
        used = QFontMetricsF(bold).horizontalAdvance(look.name) + GAP * 2
        painter.setFont(self.font())
        painter.setPen(QColor(self.theme.muted))
        room = line.adjusted(used, 0, 0, 0)
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, round(room.width()))
        painter.drawText(room, middle, shown)

    def _paint_chip(self, painter: QPainter, chip: Chip, is_off: bool) -> None:
        word, rect, theme = chip.word, chip.rect, self.theme
        card = theme.accent_soft if self._look is not None and self._look.is_chosen else theme.surface
        ground = mixed(theme.weight, card, (OFF if is_off else DARKEST) * min(word.weight, 1.0))
        ink = QColor(theme.muted if is_off else ink_on(ground, *INKS) if word.text else theme.text)
        border = QColor(theme.query if word.is_looking else theme.line)
        painter.setPen(QPen(border, 2 if word.is_looking else 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 6, 6)
        inside, middle = rect.adjusted(INSIDE, 0, -INSIDE, 0), int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(self._bold() if word.text else self.font())
        painter.setPen(QColor(theme.query) if word.is_looking and not word.text else ink)
        metrics = QFontMetricsF(painter.font())
        painter.drawText(
            inside, middle, metrics.elidedText(word.label, Qt.TextElideMode.ElideRight, inside.width())
        )
        painter.setFont(self.font())
        painter.setPen(ink)
        painter.drawText(inside, middle | int(Qt.AlignmentFlag.AlignRight), word.text)

    def _chip_width(self, word: LookedAt) -> float:
        plain = QFontMetricsF(self.font())
        if not word.text:
            return plain.horizontalAdvance(word.label) + 2 * INSIDE
        label = QFontMetricsF(self._bold()).horizontalAdvance(word.label)
        return label + 5 + plain.horizontalAdvance(word.text) + 2 * INSIDE

    def _top(self) -> float:
        """Return where the first line of chips begins."""
        return round(QFontMetricsF(self.font()).height()) + 12.0

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font
