"""The picture of the vector plane: grid, arrows, and the geometry of the active pair."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.document.document import Role
from qkviz.figures.fonts import ascent, draw_text, text_width
from qkviz.figures.line_clipping import segment_inside
from qkviz.figures.paint_pair import paint_pair, paint_pair_labels
from qkviz.figures.paint_readouts import paint_plane_readouts
from qkviz.figures.plane_labels import TipLabel
from qkviz.figures.plane_layout import PlaneLayout, handle_radius
from qkviz.figures.plane_parts import DOT, is_dot
from qkviz.figures.plane_ticks import grid_multiples
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.plane import ArrowContent, PlaneContent

__all__ = [
    "arrow_color",
    "ground_of",
    "paint_plane",
    "paint_plane_ground",
    "paint_plane_readouts",
    "paint_plane_vectors",
    "shade",
]

FAINT_LINE, FAINT_LABEL = 0.42, 0.72
ZERO_LENGTH = 1e-9
"""Pixels below which a vector is drawn as a dot at the origin."""


def paint_plane(painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle) -> None:
    """Paint the whole plane: grid, vectors and the numbers.

    Parameters
    ----------
    painter
        Open on any device; left as it was.
    layout
        Made for this content.
    content
        What to paint.
    style
        Colours; the ground itself is not painted.
    """
    paint_plane_ground(painter, layout, content, style)
    paint_plane_vectors(painter, layout, content, style)
    paint_plane_readouts(painter, layout, content, style)


def paint_plane_ground(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint grid, axes, light and the faint arrows: what stays while a tip of the active pair moves.

    The picture is the same as long as `ground_of` is, and the layout's grid: it is fit to be kept.
    """
    painter.save()
    painter.setClipRect(layout.plane)
    across, up = grid_multiples(layout.plane, layout.view, layout.origin)
    step = layout.view.grid_step
    painter.setPen(QPen(QColor(style.grid), 1.0))
    painter.drawLines([_upright(layout, k * step) for k in across] + [_level(layout, k * step) for k in up])
    painter.setPen(QPen(QColor(style.line), 1.25))
    painter.drawLines([_upright(layout, 0.0), _level(layout, 0.0)])
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if content.lit:  # its frame stands over the grid
        _paint_light(painter, layout, style)
    painter.setClipRect(layout.plane)
    _paint_arrows(painter, layout, content, style, active=False)
    painter.restore()


def ground_of(content: PlaneContent) -> tuple[bool, tuple[ArrowContent, ...]]:
    """Return what of the content `paint_plane_ground` shows: whether it is lit, and the arrows."""
    return content.lit, tuple(arrow for arrow in content.arrows if not arrow.active)


def _paint_along_axes(painter: QPainter, layout: PlaneLayout, style: FigureStyle) -> None:
    painter.setPen(QColor(style.muted))
    for face, texts in ((layout.faces.tick, layout.ticks), (layout.faces.note, layout.axis_names)):
        for text in texts:
            draw_text(painter, text.box[0], text.box[1] + ascent(face), text.text, face)


def _upright(layout: PlaneLayout, x: float) -> QLineF:
    at = round(layout.to_pixels(x, 0.0).x() - 0.5) + 0.5  # on whole pixels, so that it is one pixel wide
    return QLineF(at, layout.plane.top(), at, layout.plane.bottom())


def _level(layout: PlaneLayout, y: float) -> QLineF:
    at = round(layout.to_pixels(0.0, y).y() - 0.5) + 0.5
    return QLineF(layout.plane.left(), at, layout.plane.right(), at)


def paint_plane_vectors(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint the active pair with its geometry, and all labels, above `paint_plane_ground`.

    Below them the numbers and names of the axes, which give way to tips and labels.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(layout.plane)
    _paint_along_axes(painter, layout, style)
    if content.pair is not None:
        paint_pair(painter, layout, content.pair, content.arrows, style)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.muted))
    painter.drawEllipse(layout.origin, 2.0, 2.0)
    _paint_arrows(painter, layout, content, style, active=True)
    for label in reversed(layout.tip_labels):
        _paint_label(painter, layout, label, style)
    if content.pair is not None:
        paint_pair_labels(painter, layout, content.pair, style)
    painter.restore()


def arrow_color(role: Role | None, style: FigureStyle) -> str:
    """Return the colour of the vectors of a role; None stands for embeddings."""
    if role is Role.QUERY:
        return style.query
    return style.key if role is Role.KEY else style.embedding


def shade(arrow: ArrowContent, style: FigureStyle, faint: float) -> str:
    """Return the colour of an arrow, or that part of it when the arrow is not of the active pair."""
    color = arrow_color(None if arrow.is_embedding else arrow.role, style)
    return color if arrow.active else mixed(color, style.surface, faint)


def _paint_light(painter: QPainter, layout: PlaneLayout, style: FigureStyle) -> None:
    line = QColor(style.accent)
    line.setAlphaF(0.55)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(line, 1.5))
    painter.drawRoundedRect(layout.rect.adjusted(2.0, 2.0, -2.0, -2.0), 8.0, 8.0)


def _paint_arrows(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle, active: bool
) -> None:
    dots: dict[str, list[QPointF]] = {}
    for arrow, tip, is_near in zip(content.arrows, layout.tips, layout.is_near, strict=True):
        if arrow.active is not active:
            continue
        if not is_dot(arrow, len(content.arrows)):
            _paint_arrow(painter, layout, arrow, tip, style)
        elif is_near:
            dots.setdefault(shade(arrow, style, FAINT_LINE), []).append(tip)
    for color, tips in dots.items():
        painter.setPen(QPen(QColor(color), 2 * DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(tips)


def _paint_arrow(
    painter: QPainter, layout: PlaneLayout, arrow: ArrowContent, tip: QPointF, style: FigureStyle
) -> None:
    color = QColor(shade(arrow, style, FAINT_LINE))
    radius = handle_radius(arrow)
    length = math.hypot(tip.x() - layout.origin.x(), tip.y() - layout.origin.y())
    near = layout.plane.adjusted(-50.0, -50.0, 50.0, 50.0)
    if length > radius:  # the shaft ends at the rim of the handle, so that the handle stays open
        rim = tip + (layout.origin - tip) * (radius / length)
        shaft = segment_inside(layout.origin, rim, near)
        if shaft is not None:
            pen = QPen(color, 3.0 if arrow.active else 2.0)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # six times as fast as round ones
            painter.setPen(pen)
            painter.drawLine(QLineF(*shaft))
    if not near.contains(tip):
        return
    _paint_handle(painter, arrow, tip, radius, color, style, zero=length < ZERO_LENGTH)


def _paint_handle(
    painter: QPainter,
    arrow: ArrowContent,
    tip: QPointF,
    radius: float,
    color: QColor,
    style: FigureStyle,
    zero: bool,
) -> None:
    """Paint a ring; filled for embeddings, with a dot inside for a zero vector or one moved by hand."""
    if arrow.role is None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(tip, radius, radius)
        return
    width = 2.75 if arrow.active else 2.0
    painter.setBrush(QColor(style.surface))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(tip, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, width))
    painter.drawEllipse(tip, radius - width / 2, radius - width / 2)
    if zero or arrow.moved:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        inner = radius * (0.55 if zero else 0.36)
        painter.drawEllipse(tip, inner, inner)


def _paint_label(painter: QPainter, layout: PlaneLayout, label: TipLabel, style: FigureStyle) -> None:
    placed = layout.labels.get(label.key)
    if placed is None:
        return
    left, baseline = placed.box[0], placed.box[1] + ascent(label.face)
    for text, arrow in label.pieces:
        # in a label of the active pair the letters of the others are strong as well: it is one word
        shown = arrow if arrow.active == label.arrow.active else replace(arrow, active=True)
        painter.setPen(QColor(shade(shown, style, FAINT_LABEL)))
        draw_text(painter, left, baseline, text, label.face)
        left += text_width(text, label.face)
