"""The weights of one row under one normaliser, as a button that chooses it."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.presenters.normalizers import WeightsContent
from qkviz.presenters.number_format import format_number
from qkviz.translate import _
from qkviz.ui.buttons import PaintedButton
from qkviz.ui.items.key_slots import bar_span, paint_labels

PAD = 8.0

SMALL, ABOVE_ZERO = "<0.01", ">0"
"""What is written of a weight where the slot is too narrow for its own number."""


class WeightCard(PaintedButton):
    """Title, formula, a bar from 0 to 1 for every key, and over how many keys the row spreads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: WeightsContent | None = None
        self._labels: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(84, 130)

    def sizeHint(self) -> QSize:
        """Return a size at which four keys read well."""
        return QSize(180, 220)

    @property
    def content(self) -> WeightsContent | None:
        """What is shown."""
        return self._content

    def show_content(self, content: WeightsContent, labels: tuple[str, ...]) -> None:
        """Show ``content``, the keys called ``labels``. Emits nothing."""
        self._content, self._labels = content, labels
        self.setText(content.title)
        name = _("{normalizer} (in use)", normalizer=content.title) if content.is_chosen else content.title
        self.setAccessibleName(name)
        pairs = "; ".join(f"{label} {text}" for label, text in zip(labels, content.texts, strict=True))
        self.setAccessibleDescription(f"{pairs}. {content.foot}")
        self.setToolTip(_("Click: the document uses {normalizer}.", normalizer=content.title))
        self.update()

    def plot(self) -> QRectF:
        """Return the area of the bars: its height is the weight 1."""
        line = QFontMetricsF(self.font()).height()
        top, bottom = PAD + 2 * line + 10 + line, self.height() - PAD - 2 * line - 6
        return QRectF(PAD + 2, top, self.width() - 2 * PAD - 4, max(bottom - top, 1.0))

    def bar_rect(self, key: int) -> QRectF:
        """Return the bar of a key; empty where there is no weight."""
        content, plot = self._content, self.plot()
        if content is None or not math.isfinite(content.weights[key]):
            return QRectF()
        left, width = bar_span(plot, len(content.weights), key)
        height = float(content.weights[key]) * plot.height()
        return QRectF(left, plot.bottom() - height, width, height)

    def number_of(self, key: int) -> str:
        """Return the number written over a key's bar; empty where the slot of the key is too narrow for it.

        A weight above 0 then has a shorter number, for it must not look emptier than the 0 beside it.
        """
        content = self._content
        if content is None:
            return ""
        weight = float(content.weights[key])
        shorter = (SMALL,) if 0.0 < weight < 0.01 else (format_number(weight, 1),) if weight >= 0.05 else ()
        texts = (content.texts[key], *shorter, *((ABOVE_ZERO,) if weight > 0.0 else ()))
        room = self.plot().width() / len(content.texts) + 2
        metrics = QFontMetricsF(self.font())
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= room)
        return next(fitting, "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint card and bars."""
        content = self._content
        with QPainter(self) as painter:
            chosen = content is not None and content.is_chosen
            ground = self.theme.accent_soft if chosen else self.theme.surface
            self._paint_ground(painter, ground, self.theme.accent if chosen else self.theme.line, 8)
            if content is not None:
                self._paint_words(painter, content)
                self._paint_bars(painter, content)

    def _paint_words(self, painter: QPainter, content: WeightsContent) -> None:
        metrics = QFontMetricsF(self.font())
        line, inside = metrics.height(), self.width() - 2 * PAD
        strong = QFont(self.font())
        strong.setWeight(QFont.Weight.DemiBold)
        rows = (
            (PAD, content.title, strong, self.theme.text),
            (PAD + line + 2, content.formula, self.font(), self.theme.muted),
            (self.height() - PAD - line, content.foot, self.font(), self.theme.muted),
        )
        for top, text, font, color in rows:
            painter.setFont(font)
            painter.setPen(QColor(color))
            shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, inside)
            room = QRectF(PAD, top - 3, inside, line + 6)  # Chinese is higher than the line of the first font
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), shown)

    def _paint_bars(self, painter: QPainter, content: WeightsContent) -> None:
        plot, metrics = self.plot(), QFontMetricsF(self.font())
        painter.setFont(self.font())
        room = plot.width() / max(len(content.weights), 1)
        for key in range(len(content.texts)):
            bar, text = self.bar_rect(key), self.number_of(key)
            color = QColor(self.theme.weight)
            color.setAlphaF(1.0 if key in content.largest else 0.5)
            painter.fillRect(bar, color)
            if text:
                top = (bar.top() if bar.height() else plot.bottom()) - metrics.height() - 1
                middle = plot.left() + (key + 0.5) * room
                painter.setPen(QColor(self.theme.text if content.weights[key] else self.theme.faint))
                box = QRectF(middle - room, top, 2 * room, metrics.height())
                painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter), text)
        painter.setPen(QPen(QColor(self.theme.muted), 1))
        painter.drawLine(QPointF(plot.left(), plot.bottom()), QPointF(plot.right(), plot.bottom()))
        labels = QRectF(plot.left(), plot.bottom() + 2, plot.width(), metrics.height() + 4)
        paint_labels(painter, labels, self._labels, self.theme.key)
