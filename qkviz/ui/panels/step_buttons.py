"""The buttons of the row of steps: a pill for each step, painted signs for walking and playing."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from qkviz.translate import _
from qkviz.ui.buttons import PaintedButton

HEIGHT = 30

_SHAPES = {
    "back": (((8.5, -9.0), (-8.5, 0.0), (8.5, 9.0)),),
    "forward": (((-8.5, -9.0), (8.5, 0.0), (-8.5, 9.0)),),
    "play": (((-8.0, -10.0), (10.0, 0.0), (-8.0, 10.0)),),
    "pause": (
        ((-8.0, -9.0), (-2.0, -9.0), (-2.0, 9.0), (-8.0, 9.0)),
        ((2.0, -9.0), (8.0, -9.0), (8.0, 9.0), (2.0, 9.0)),
    ),
}
"""Outlines round the centre, in units of 0.55 pixels; painted, since fonts make emoji of such signs."""


class StepPill(PaintedButton):
    """One step: done, current or to come. Short of room it shows its number only."""

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.number = number
        self._title = ""
        self._short = False
        self._current = 0

    def set_title(self, title: str) -> None:
        """Take the title of the step, without its number."""
        self._title = title
        self.setText(f"{self.number} {title}")
        self.setAccessibleName(_("Step {number}: {title}", number=self.number, title=title))
        self.setToolTip(self.text())

    def set_current(self, step: int) -> None:
        """Show this step as done, current or to come."""
        if step != self._current:
            self._current = step
            self.update()

    def set_short(self, short: bool) -> None:
        """Show the number alone, or number and title."""
        self._short = short

    def natural_width(self) -> int:
        """Return the width for number and title, in pixels."""
        return QFontMetrics(self._bold()).horizontalAdvance(self.text()) + 22

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pill."""
        theme = self.theme
        if self.number == self._current:
            ground, ink, font = theme.accent, theme.on_accent, self._bold()
        elif self.number < self._current:
            ground, ink, font = theme.accent_soft, theme.accent, self.font()
        else:
            ground, ink, font = f"#70{theme.line[1:]}", theme.muted, self.font()  # 44 % of the line colour
        painter = QPainter(self)
        self._paint_ground(painter, ground, ground, (self.height() - 2) / 2)
        painter.setFont(font)
        painter.setPen(QColor(ink))
        inside = self.rect().adjusted(4, 0, -4, 0)
        text = str(self.number) if self._short else self.text()
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignCenter), shown)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font


class ShapeButton(PaintedButton):
    """A small button with a painted sign: ``back``, ``forward``, ``play`` or ``pause``."""

    def __init__(self, shape: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._shape = shape

    def set_shape(self, shape: str) -> None:
        """Paint another sign."""
        self._shape = shape
        self.update()

    def sizeHint(self) -> QSize:
        """Return the fixed size."""
        return QSize(HEIGHT - 2, HEIGHT - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sign; lines for the arrows, solid shapes for play and pause."""
        theme = self.theme
        painter = QPainter(self)
        ground = theme.accent_soft if self.underMouse() and self.isEnabled() else theme.surface
        self._paint_ground(painter, ground, ground, 6)
        ink = QColor(theme.text if self.isEnabled() else theme.line)
        painter.translate(QRectF(self.rect()).center())
        painter.scale(0.55, 0.55)
        solid = self._shape in ("play", "pause")
        pen = painter.pen()
        pen.setColor(ink)
        pen.setWidthF(1.0 if solid else 3.2)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(ink if solid else Qt.BrushStyle.NoBrush)
        for outline in _SHAPES[self._shape]:
            shape = QPolygonF([QPointF(x, y) if solid else QPointF(x * 0.6, y) for x, y in outline])
            if solid:
                painter.drawPolygon(shape)
            else:
                painter.drawPolyline(shape)
