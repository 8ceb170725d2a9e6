"""The picture of the vector plane: grid, arrows, and the geometry of the active pair."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.document.document import Role
from qkviz.figures.fonts import Face, ascent, draw_text, line_height, one_line, shortened, text_width
from qkviz.figures.line_clipping import segment_inside
from qkviz.figures.paint_pair import paint_pair, paint_pair_labels
from qkviz.figures.plane_layout import PlaneLayout, handle_radius
from qkviz.figures.plane_parts import readout_lines
from qkviz.figures.plane_ticks import grid_multiples
from qkviz.figures.style import FigureStyle, mixed
from qkviz.presenters.plane import ArrowContent, PlaneContent

FAINT_LINE, FAINT_LABEL = 0.42, 0.72
READOUT_GAP, SMALLEST_READOUT = 12.0, 10
ZERO_LENGTH = 1e-9
"""Pixels below which a vector is drawn as a dot at the origin."""


def paint_plane(painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle) -> None:
    """Paint the whole plane: grid, vectors and the numbers below.

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
    paint_plane_grid(painter, layout, content, style)
    paint_plane_vectors(painter, layout, content, style)
    paint_plane_readouts(painter, layout, content, style)


def paint_plane_grid(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint grid, axes, their numbers and names: what depends on the view alone; fit to be kept."""
    painter.save()
    painter.setClipRect(layout.plane)
    across, up = grid_multiples(layout.plane, layout.view, layout.origin)
    step = layout.view.grid_step
    painter.setPen(QPen(QColor(style.grid), 1.0))
    painter.drawLines([_upright(layout, k * step) for k in across] + [_level(layout, k * step) for k in up])
    painter.setPen(QPen(QColor(style.line), 1.25))
    painter.drawLines([_upright(layout, 0.0), _level(layout, 0.0)])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(style.muted))
    face = layout.faces.tick
    for tick in layout.ticks:
        draw_text(painter, tick.box[0], tick.box[1] + ascent(face), tick.text, face)
    for name in layout.axis_names:
        draw_text(painter, name.box[0], name.box[1] + ascent(layout.faces.note), name.text, layout.faces.note)
    painter.restore()


def _upright(layout: PlaneLayout, x: float) -> QLineF:
    at = round(layout.to_pixels(x, 0.0).x() - 0.5) + 0.5  # on whole pixels, so that it is one pixel wide
    return QLineF(at, layout.plane.top(), at, layout.plane.bottom())


def _level(layout: PlaneLayout, y: float) -> QLineF:
    at = round(layout.to_pixels(0.0, y).y() - 0.5) + 0.5
    return QLineF(layout.plane.left(), at, layout.plane.right(), at)


def paint_plane_vectors(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint the arrows with their labels, and the geometry of the active pair."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if content.lit:
        _paint_light(painter, layout, style)
    painter.setClipRect(layout.plane)
    if content.pair is not None:
        paint_pair(painter, layout, content.pair, content.arrows, style)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.muted))
    painter.drawEllipse(layout.origin, 2.0, 2.0)
    for arrow, tip in zip(content.arrows, layout.tips, strict=True):
        _paint_arrow(painter, layout, arrow, tip, style)
    for arrow in content.arrows:
        _paint_label(painter, layout, arrow, style)
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


def _paint_label(painter: QPainter, layout: PlaneLayout, arrow: ArrowContent, style: FigureStyle) -> None:
    placed = layout.labels.get((arrow.role, arrow.index))
    if placed is None:
        return
    painter.setPen(QColor(shade(arrow, style, FAINT_LABEL)))
    face = layout.face_of(arrow)
    draw_text(painter, placed.box[0], placed.box[1] + ascent(face), layout.label_text(arrow), face)


def paint_plane_readouts(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint the headline, the numbers of the active pair and the note below the plane."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = layout.faces
    room = QRectF(layout.rect)
    room.setTop(layout.plane.bottom() + 6.0)
    left, width = room.left() + 14.0, room.width() - 28.0
    headline = faces.headline if content.pair is not None else faces.readout
    painter.setPen(QColor(style.text if content.pair is not None else style.muted))
    draw_text(
        painter,
        left,
        room.top() + ascent(faces.headline),
        shortened(content.headline, headline, width),
        headline,
    )
    top = room.top() + line_height(faces.headline)
    painter.setPen(QColor(style.text))
    top += _paint_readings(painter, left, top, width, content, layout)
    painter.setPen(QColor(style.muted))
    note = shortened(one_line(content.note), faces.note, width)
    draw_text(painter, left, top + ascent(faces.note) + 1.0, note, faces.note)
    painter.restore()


def _paint_readings(
    painter: QPainter, left: float, top: float, width: float, content: PlaneContent, layout: PlaneLayout
) -> float:
    """Write the numbers of the pair in the lines kept for them, smaller if need be; return their height."""
    texts = [f"{readout.name} = {readout.text}" for readout in content.readouts]
    face, lines = layout.faces.readout, readout_lines(layout.rect.width())
    for line, row in enumerate(_in_lines(texts, lines, face, width)):
        fitting, x = face, left
        while fitting.size > SMALLEST_READOUT and _row_width(row, fitting) > width:
            fitting = fitting._replace(size=fitting.size - 1)
        baseline = top + line * line_height(face) + ascent(face)
        for text in row:
            draw_text(painter, x, baseline, shortened(text, fitting, max(0.0, left + width - x)), fitting)
            x += text_width(text, fitting) + READOUT_GAP
    return lines * line_height(face)


def _in_lines(texts: list[str], lines: int, face: Face, width: float) -> list[list[str]]:
    """Return the texts in one line where they fit or only one is kept, else in two of about equal length."""
    if lines == 1 or _row_width(texts, face) <= width:
        return [texts]
    half = min(
        range(1, len(texts)), key=lambda at: max(_row_width(texts[:at], face), _row_width(texts[at:], face))
    )
    return [texts[:half], texts[half:]]


def _row_width(texts: list[str], face: Face) -> float:
    return sum(text_width(text, face) for text in texts) + READOUT_GAP * (len(texts) - 1)
