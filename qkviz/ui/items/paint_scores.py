"""Paints the bars of a row of scores and the cuts of the sparse normalisers."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from qkviz.figures.hatch import fill_hatched
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.normalizers import NormalizersContent, is_movable
from qkviz.presenters.number_format import format_limit, format_number
from qkviz.ui.items.key_slots import bar_span, paint_labels
from qkviz.ui.theme import Theme

HEADROOM = 1.18
"""Ends of the axis relative to its limit: numbers stand beyond the bars."""

NUMBERS, CUTS = 48.0, 156.0
"""Pixels for the numbers at the left and for the names of the cuts at the right."""


class ScoreAxis:
    """Where scores stand: ±``limit``, with some room beyond, fills the height of ``plot``."""

    def __init__(self, rect: QRectF, limit: float, font: QFont) -> None:
        self.font, self.limit = font, limit
        self.label_height = QFontMetricsF(font).height() + 4
        cuts = CUTS if rect.width() > 420 else 0.0
        self.plot = rect.adjusted(NUMBERS, 4, -cuts - 4, -self.label_height - 4)

    def y(self, score: float) -> float:
        """Return the height of a score in pixels; beyond the axis it stays at its end."""
        share = min(max(score / (HEADROOM * self.limit), -1.0), 1.0)
        return self.plot.center().y() - share * self.plot.height() / 2

    def score(self, y: float) -> float:
        """Return the score at a height in pixels; the axis goes on beyond its ends."""
        return (self.plot.center().y() - y) / (self.plot.height() / 2) * HEADROOM * self.limit


def paint_score_bars(
    painter: QPainter, axis: ScoreAxis, content: NormalizersContent, theme: Theme, focused: int | None
) -> None:
    """Paint axis, bars, cuts and labels; ``focused`` is the bar that has the keys."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(axis.font)
    _paint_axis(painter, axis, theme)
    for key in range(len(content.labels)):
        _paint_bar(painter, axis, content, theme, key, key == focused)
    for at, cut in enumerate(content.cuts):
        _paint_cut(painter, axis, cut.height, cut.text, theme, is_dotted=at > 0)
    for key in range(len(content.labels)):
        _paint_number(painter, axis, content, theme, key)
    plot = axis.plot
    labels = QRectF(plot.left(), plot.bottom() + 4, plot.width(), axis.label_height)
    paint_labels(painter, labels, content.labels, theme.key)


def _paint_axis(painter: QPainter, axis: ScoreAxis, theme: Theme) -> None:
    plot = axis.plot
    for share in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y = axis.y(share * axis.limit)
        painter.setPen(QPen(QColor(theme.line if share else theme.muted), 1))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        painter.setPen(QColor(theme.muted))
        text = format_limit(share * axis.limit) if share else "0"
        box = QRectF(0, y - 10, NUMBERS - 6, 20)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)


def _paint_bar(
    painter: QPainter, axis: ScoreAxis, content: NormalizersContent, theme: Theme, key: int, has_keys: bool
) -> None:
    left, width = bar_span(axis.plot, len(content.labels), key)
    kind, score = CellKind(int(content.kinds[key])), float(content.scores[key])
    if kind is not CellKind.VALUE or not math.isfinite(score):
        column = QRectF(left, axis.plot.top(), width, axis.plot.height())
        fill_hatched(painter, [column], 0, CellKind.NAN if kind is CellKind.VALUE else kind, theme.figure)
        _write(painter, column.center(), kind_name(kind), theme.muted)
        return
    base, end = axis.y(0.0), axis.y(score)
    color = QColor(theme.query)
    color.setAlphaF(0.55)
    painter.fillRect(QRectF(left, min(base, end), width, abs(end - base)), color)
    if content.cuts and score > content.cuts[0].height:
        _paint_rest(painter, axis, theme, (left, width), (content.cuts[0].height, score))
    if is_movable(content, key):
        _paint_handle(painter, QPointF(left + width / 2, end), theme, key == content.chosen, has_keys)


def _paint_number(
    painter: QPainter, axis: ScoreAxis, content: NormalizersContent, theme: Theme, key: int
) -> None:
    """Write the score at the end of its bar, on a ground of its own where a cut crosses it."""
    if content.kinds[key] != CellKind.VALUE or not math.isfinite(content.scores[key]):
        return
    score, text = float(content.scores[key]), format_number(float(content.scores[key]))
    slot = axis.plot.width() / len(content.labels)
    metrics = QFontMetricsF(painter.font())
    if metrics.horizontalAdvance(text) > slot:
        return
    left, width = bar_span(axis.plot, len(content.labels), key)
    middle = QPointF(left + width / 2, axis.y(score) + (-15.0 if score >= 0 else 15.0))
    ground = QRectF(0, 0, metrics.horizontalAdvance(text) + 4, metrics.height() - 3)
    ground.moveCenter(middle)
    painter.fillRect(ground, QColor(theme.surface))
    _write(painter, middle, text, theme.text)


def _paint_rest(
    painter: QPainter, axis: ScoreAxis, theme: Theme, place: tuple[float, float], ends: tuple[float, float]
) -> None:
    """Paint what stands out above the cut of sparsemax in the colour of weights: it is the weight."""
    (left, width), (cut, score) = place, ends
    color = QColor(theme.weight)
    color.setAlphaF(0.8)
    painter.fillRect(QRectF(left, axis.y(score), width, axis.y(cut) - axis.y(score)), color)


def _paint_handle(painter: QPainter, end: QPointF, theme: Theme, is_chosen: bool, has_keys: bool) -> None:
    painter.setPen(QPen(QColor(theme.query), 3 if is_chosen else 2))
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(end, 5, 5)
    if has_keys:
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(end, 9, 9)


def _paint_cut(
    painter: QPainter, axis: ScoreAxis, height: float, text: str, theme: Theme, is_dotted: bool
) -> None:
    plot = axis.plot
    if abs(height) > HEADROOM * axis.limit:
        return
    y = axis.y(height)
    style = Qt.PenStyle.DotLine if is_dotted else Qt.PenStyle.DashLine
    painter.setPen(QPen(QColor(theme.weight), 1.6, style))
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right() + 6, y))
    # that of entmax never lies above that of sparsemax by more than its name is high: one up, one down
    box = QRectF(plot.right() + 8, y if is_dotted else y - 18, CUTS - 6, 18)
    painter.setPen(QColor(theme.weight))
    metrics = QFontMetricsF(axis.font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


def _write(painter: QPainter, middle: QPointF, text: str, color: str) -> None:
    metrics = QFontMetricsF(painter.font())
    box = QRectF(0, 0, metrics.horizontalAdvance(text) + 4, metrics.height())
    box.moveCenter(middle)
    painter.setPen(QColor(color))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
