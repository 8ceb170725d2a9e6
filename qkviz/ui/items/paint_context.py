"""Painting a line of tokens that are shaded by the weight they get."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.figures.style import mixed
from qkviz.presenters.context_lines import ContextChip, ContextLine
from qkviz.ui.items.context_flow import (
    AT_RIGHT,
    GAP_X,
    INKS,
    MIDDLE,
    PAD_X,
    WRAPPED,
    ContextFonts,
    LineFlow,
    ink_on,
)
from qkviz.ui.theme import Theme

FAINT_LETTER = "B"
"""In lines that are on neither side: they can become B."""


def paint_line(
    painter: QPainter, line: ContextLine, flow: LineFlow, fonts: ContextFonts, theme: Theme
) -> None:
    """Paint a line at its upper left corner."""
    _paint_badge(painter, line, flow.badge, fonts, theme)
    for chip, box in zip(line.chips, flow.chips, strict=True):
        _paint_chip(painter, chip, box, fonts, theme)
    painter.setFont(fonts.small)
    painter.setPen(QColor(theme.muted))
    painter.drawText(flow.summary, WRAPPED, line.summary)


def _paint_badge(
    painter: QPainter, line: ContextLine, box: QRectF, fonts: ContextFonts, theme: Theme
) -> None:
    ground, border, ink = {
        "A": (theme.accent, theme.accent, theme.on_accent),
        "B": (theme.key, theme.key, theme.surface),
    }.get(line.mark, ("", theme.line, theme.muted))
    painter.setPen(QPen(QColor(border), 1))
    painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(box)
    painter.setFont(fonts.bold if line.mark else fonts.small)
    painter.setPen(QColor(ink))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), line.mark or FAINT_LETTER)


def _paint_chip(painter: QPainter, chip: ContextChip, box: QRectF, fonts: ContextFonts, theme: Theme) -> None:
    """Paint a token. The one that asks has a thick border, its like a thin one, specials a dashed one."""
    ground = mixed(theme.weight, theme.surface, chip.shade)
    is_quiet = chip.is_forbidden or (chip.is_special and chip.shade < 0.1)
    ink = theme.muted if is_quiet else ink_on(ground, *INKS)
    painter.setBrush(QColor(ground))
    painter.setPen(_border(chip, theme))
    half = 1.0 if chip.is_asking else 0.5
    painter.drawRoundedRect(box.adjusted(half, half, -half, -half), 5, 5)
    inside = box.adjusted(PAD_X, 0, -PAD_X, 0)
    painter.setPen(QColor(ink))
    if chip.number:
        painter.setFont(fonts.small)
        painter.drawText(inside, AT_RIGHT, chip.number)
        inside.setRight(inside.right() - fonts.width(chip.number, fonts.small) - GAP_X)
    font = fonts.of(chip)
    painter.setFont(font)
    label = fonts.metrics[id(font)].elidedText(chip.label, Qt.TextElideMode.ElideRight, inside.width() + 1)
    painter.drawText(inside.adjusted(0, 0, 2, 0), MIDDLE, label)
    if chip.is_forbidden:  # struck out: colour alone must not say it
        middle = box.center().y() + 1
        painter.drawLine(QPointF(box.left() + PAD_X, middle), QPointF(box.right() - PAD_X, middle))


def _border(chip: ContextChip, theme: Theme) -> QPen:
    if chip.is_asking:
        return QPen(QColor(theme.query), 2)
    if chip.place is not None:
        return QPen(QColor(theme.query), 1)
    if chip.is_special:
        return QPen(QColor(theme.muted), 1, Qt.PenStyle.DashLine)
    return QPen(QColor(theme.line), 1)
