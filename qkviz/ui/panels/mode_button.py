"""A card to choose by: a small picture of scores, a title and a few words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.projection_modes import ModeCard
from qkviz.ui.buttons import PaintedButton, wrapped_height, wrapping


class ModeButton(PaintedButton):
    """A card; the chosen one has a border and a ground in the accent colour."""

    MARGIN, PICTURE, GAP = 9, 44, 10

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card: ModeCard | None = None
        self._image = QImage()
        self.setCheckable(True)  # so that a screen reader tells which one is chosen
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def nextCheckState(self) -> None:
        """Stay as it is: the document tells what is chosen."""

    def show_card(self, card: ModeCard) -> None:
        """Show ``card``. Emits nothing."""
        before, self._card = self._card, card
        if before is not None and _looks_the_same(before, card):
            return
        self._image = _image(card.picture)
        self.setChecked(card.chosen)
        self.setEnabled(not card.off_reason)
        if before is None or (before.title, before.text, before.off_reason) != (
            card.title,
            card.text,
            card.off_reason,
        ):
            self.setText(card.title)
            self.setAccessibleName(card.title)
            self.setAccessibleDescription(card.text)
            self.setToolTip(card.off_reason)
            self.updateGeometry()
        self.update()

    @property
    def card(self) -> ModeCard | None:
        """What is shown."""
        return self._card

    def hasHeightForWidth(self) -> bool:
        """Return true: the words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height at ``width`` pixels."""
        room = width - self._text_left() - self.MARGIN
        words = "" if self._card is None else self._card.text
        height = wrapped_height(self.text(), self._bold(), room) + wrapped_height(words, self._small(), room)
        return max(height, self.PICTURE) + 2 * self.MARGIN

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(210, self.heightForWidth(210))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(150, self.PICTURE + 2 * self.MARGIN)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, picture, title and words."""
        card = self._card
        if card is None:
            return
        theme = self.theme
        with QPainter(self) as painter:
            self._paint_ground(
                painter,
                theme.accent_soft if card.chosen else theme.surface,
                theme.accent if card.chosen else theme.line,
                8,
            )
            self._paint_picture(painter)
            left, right = self._text_left(), self.width() - self.MARGIN
            title_height = wrapped_height(self.text(), self._bold(), right - left)
            words_height = wrapped_height(card.text, self._small(), right - left)
            top = max(self.MARGIN, (self.height() - title_height - words_height) / 2)
            off = bool(card.off_reason)
            painter.setFont(self._bold())
            painter.setPen(QColor(theme.faint if off else theme.accent if card.chosen else theme.text))
            start = Qt.AlignmentFlag.AlignLeft
            painter.drawText(QRectF(left, top, right - left, title_height), self.text(), wrapping(start))
            painter.setFont(self._small())
            painter.setPen(QColor(theme.faint if off else theme.muted))
            below = QRectF(left, top + title_height, right - left, words_height + 2)
            painter.drawText(below, card.text, wrapping(start))

    def _paint_picture(self, painter: QPainter) -> None:
        if self._image.isNull():
            return
        largest = max(self._image.width(), self._image.height())
        width, height = (
            self.PICTURE * self._image.width() / largest,
            self.PICTURE * self._image.height() / largest,
        )
        place = QRectF(self.MARGIN, (self.height() - height) / 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)  # cells have edges
        painter.drawImage(place, self._image)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.line), 1))
        painter.drawRect(place)

    def _text_left(self) -> int:
        return self.MARGIN + (0 if self._image.isNull() else self.PICTURE + self.GAP)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(10, round(QFontMetrics(font).height() * 0.68)))
        return font


def _looks_the_same(one: ModeCard, two: ModeCard) -> bool:
    words = (one.title, one.text, one.chosen, one.off_reason) == (
        two.title,
        two.text,
        two.chosen,
        two.off_reason,
    )
    if one.picture is None or two.picture is None:
        return words and one.picture is two.picture
    return words and np.array_equal(one.picture, two.picture)


def _image(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None) -> QImage:
    """Return an own copy of (m, n, 3) colours as an image."""
    if picture is None:
        return QImage()
    colors = np.ascontiguousarray(picture)
    rows, columns, _three = colors.shape
    return QImage(colors.data, columns, rows, 3 * columns, QImage.Format.Format_RGB888).copy()
