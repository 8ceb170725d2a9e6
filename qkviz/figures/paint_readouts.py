"""The headline, the numbers of the active pair and the note, below the plane or beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QTextLayout, QTextOption

from qkviz.figures.fonts import Face, ascent, draw_text, font_of, line_height, one_line, shortened, text_width
from qkviz.figures.plane_layout import PlaneLayout
from qkviz.figures.plane_parts import readout_lines
from qkviz.figures.style import FigureStyle
from qkviz.presenters.plane import PlaneContent

READOUT_GAP, SMALLEST_READOUT = 12.0, 10
MARGIN = 14.0


def paint_plane_readouts(
    painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle
) -> None:
    """Paint the headline, the numbers of the active pair and the note in ``layout.readouts``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if layout.is_beside:
        _paint_column(painter, layout, content, style)
    else:
        _paint_rows(painter, layout, content, style)
    painter.restore()


def _paint_rows(painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle) -> None:
    faces, room = layout.faces, layout.readouts
    left, width = room.left() + MARGIN, room.width() - 2 * MARGIN
    headline = faces.headline if content.pair is not None else faces.readout
    painter.setPen(QColor(style.text if content.pair is not None else style.muted))
    top = room.top() + 6.0
    draw_text(
        painter, left, top + ascent(faces.headline), shortened(content.headline, headline, width), headline
    )
    top += line_height(faces.headline)
    painter.setPen(QColor(style.text))
    top += _paint_readings(painter, left, top, width, content, layout)
    painter.setPen(QColor(style.muted))
    note = shortened(one_line(content.note), faces.note, width)
    draw_text(painter, left, top + ascent(faces.note) + 1.0, note, faces.note)


def _paint_column(painter: QPainter, layout: PlaneLayout, content: PlaneContent, style: FigureStyle) -> None:
    """Write one under the other; words that are longer than the column is wide take several lines."""
    faces, room = layout.faces, layout.readouts.adjusted(MARGIN, MARGIN, -MARGIN, -8.0)
    numbers = [f"{readout.name} = {readout.text}" for readout in content.readouts]
    top = room.top()
    if content.pair is not None:
        face, width = faces.headline, room.width()
        while face.size > faces.readout.size and text_width(content.headline, face) > width:
            face = face._replace(size=face.size - 1)
        painter.setPen(QColor(style.text))
        draw_text(painter, room.left(), top + ascent(face), shortened(content.headline, face, width), face)
        top += line_height(faces.headline) + 4.0
    else:
        painter.setPen(QColor(style.muted))
        top = _write(painter, room, top, content.headline, faces.readout) + 4.0
    painter.setPen(QColor(style.text))
    for number in numbers:
        top = _write(painter, room, top, number, faces.readout) + 2.0
    painter.setPen(QColor(style.muted))
    _write(painter, room, top + 6.0, content.note, faces.note)


def _write(painter: QPainter, room: QRectF, top: float, text: str, face: Face) -> float:
    """Write a text in lines as wide as the room, as far as there is height; return where they end."""
    text = one_line(text)
    breaks = QTextLayout(text, font_of(face))
    breaks.setTextOption(QTextOption())  # breaks between words
    breaks.beginLayout()
    line = breaks.createLine()
    while line.isValid() and top + line_height(face) <= room.bottom():
        line.setLineWidth(room.width())
        start, length = line.textStart(), line.textLength()
        line = breaks.createLine()
        # the rest of the text, cut short, in the last line for which there is height
        is_last = top + 2 * line_height(face) > room.bottom()
        words = text[start:] if is_last else text[start : start + length]
        draw_text(
            painter, room.left(), top + ascent(face), shortened(words.rstrip(), face, room.width()), face
        )
        top += line_height(face)
    breaks.endLayout()
    return top


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
