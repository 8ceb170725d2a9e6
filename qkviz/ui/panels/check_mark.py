"""A circle with a check mark: done."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from qkviz.translate import _
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


class CheckMark(QWidget):
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
