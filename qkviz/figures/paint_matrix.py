"""The picture of one matrix: on the screen, in a file, on the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.document.document import Role
from qkviz.figures.axis_labels import TIGHT, fitted, shown_positions
from qkviz.figures.fonts import Face, ascent, draw_text, line_height, one_line, shortened, text_width
from qkviz.figures.hatch import paint_swatch
from qkviz.figures.matrix_layout import COLUMN_LABEL_GAP, LABEL_GAP, MARGIN, MatrixLayout
from qkviz.figures.matrix_parts import BAR_TEXT_GAP, FOOT_GAP, SWATCH, SWATCH_GAP, foot_line
from qkviz.figures.paint_cells import paint_cells
from qkviz.figures.paint_numbers import paint_numbers
from qkviz.figures.paint_outlines import paint_chosen_row, paint_outlines
from qkviz.figures.palette import bar_gradient
from qkviz.figures.style import FigureStyle
from qkviz.presenters.matrix import MatrixContent
from qkviz.translate import _


def paint_matrix(painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle) -> None:
    """Paint a matrix with everything that belongs to it, numbers included, in one pass.

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
    paint_matrix_without_numbers(painter, layout, content, style)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_numbers(painter, layout, content, style)
    painter.restore()


def paint_matrix_without_numbers(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    """Paint a matrix as `paint_matrix` does, but no values into its cells."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)  # a PDF would hold JPEG otherwise
    if content.lit:
        _paint_light(painter, layout, style)
    _paint_head(painter, layout, content, style)
    paint_cells(painter, layout, content, style)
    paint_chosen_row(painter, layout, content, style)
    paint_outlines(painter, layout, content, style)
    _paint_row_labels(painter, layout, content, style)
    _paint_column_labels(painter, layout, content, style)
    _paint_axis_names(painter, layout, content, style)
    _paint_bar(painter, layout, content, style)
    _paint_foot(painter, layout, content, style)
    painter.restore()


def pooling_note(layout: MatrixLayout) -> str:
    """Return the sentence that says what a pixel stands for; empty when every cell has pixels of its own."""
    side = layout.cells_per_pixel
    if side == 1:
        return ""
    return _("each pixel shows the largest of {side} × {side} cells", side=side)


def role_color(role: Role | None, style: FigureStyle) -> str:
    """Return the colour of the labels of a role."""
    if role is Role.QUERY:
        return style.query
    return style.key if role is Role.KEY else style.muted


def _paint_light(painter: QPainter, layout: MatrixLayout, style: FigureStyle) -> None:
    frame = layout.rect.adjusted(2.0, 2.0, -2.0, -2.0)
    frame.setBottom(min(frame.bottom(), layout.bottom))
    fill, line = QColor(style.accent), QColor(style.accent)
    fill.setAlphaF(0.045)
    line.setAlphaF(0.55)
    painter.setBrush(fill)
    painter.setPen(QPen(line, 1.5))
    painter.drawRoundedRect(frame, 8.0, 8.0)


def _paint_head(painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle) -> None:
    room = layout.rect.adjusted(MARGIN, 0.0, -MARGIN, 0.0)
    top = layout.body.top() - layout.head
    lines = [
        (shortened(one_line(text), face, room.width()), face, color)
        for text, face, color in (
            (content.title, layout.faces.title, style.text),
            (content.subtitle, layout.faces.subtitle, style.muted),
        )
        if text
    ]
    widest = max((text_width(shown, face) for shown, face, _color in lines), default=0.0)
    # above the cells, but both further to the left rather than one of them cut
    left = max(room.left(), min(layout.body.left(), room.right() - widest))
    for shown, face, color in lines:
        painter.setPen(QColor(color))
        draw_text(painter, left, top + ascent(face), shown, face)
        top += line_height(face)


def _paint_row_labels(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    face, plan, view = layout.faces.label, layout.row_plan, layout.view
    marked = [outline.row for outline in content.outlines[::-1]]
    if content.chosen_row is not None:
        marked.insert(0, content.chosen_row)
    painter.setPen(QColor(role_color(content.row_role, style)))
    right = layout.body.left() - LABEL_GAP
    for row in shown_positions(view.first_row, view.rows, layout.rows, plan.stride, marked):
        lines = fitted(content.row_labels[row], face, plan)
        middle = layout.cell_rect(row, 0).center().y() - (len(lines) - 1) * TIGHT * face.size / 2
        for at, text in enumerate(lines):
            baseline = middle + 0.36 * face.size + at * TIGHT * face.size
            draw_text(painter, right - text_width(text, face), baseline, text, face)


def _paint_column_labels(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    face, plan, view = layout.faces.label, layout.column_plan, layout.view
    marked = [outline.column for outline in content.outlines[::-1]]
    painter.setPen(QColor(role_color(content.column_role, style)))
    top = layout.body.bottom() - layout.gap + COLUMN_LABEL_GAP
    for column in shown_positions(view.first_column, view.columns, layout.columns, plan.stride, marked):
        lines = fitted(content.column_labels[column], face, plan)
        middle = layout.cell_rect(0, column).center().x()
        for at, text in enumerate(lines):
            width = text_width(text, face)
            if plan.turned:
                baseline = middle + 0.36 * face.size + (at - (len(lines) - 1) / 2) * TIGHT * face.size
                _draw_turned(painter, QPointF(baseline, top + width), text, face)
            else:
                baseline = top + ascent(face) + at * TIGHT * face.size
                draw_text(painter, middle - width / 2, baseline, text, face)


def _draw_turned(painter: QPainter, start: QPointF, text: str, face: Face) -> None:
    """Draw text that is read from below upwards, its base line starting at ``start``."""
    painter.save()
    painter.translate(start)
    painter.rotate(-90.0)
    draw_text(painter, 0.0, 0.0, text, face)
    painter.restore()


def _paint_axis_names(
    painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle
) -> None:
    face, body = layout.faces.axis, layout.body
    painter.setPen(QColor(style.muted))
    if content.column_axis:
        name = shortened(one_line(content.column_axis), face, layout.rect.width() - 2 * MARGIN)
        left = body.center().x() - layout.gap / 2 - text_width(name, face) / 2
        left = max(
            layout.rect.left() + MARGIN, min(left, layout.rect.right() - MARGIN - text_width(name, face))
        )
        draw_text(painter, left, layout.column_labels_bottom + 3.0 + ascent(face), name, face)
    if content.row_axis:
        name = shortened(one_line(content.row_axis), face, max(body.height(), 60.0))
        left = body.left() - LABEL_GAP - layout.row_plan.extent - 7.0
        start = QPointF(left, body.center().y() - layout.gap / 2 + text_width(name, face) / 2)
        _draw_turned(painter, start, name, face)


def _paint_bar(painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle) -> None:
    bar, face = layout.bar, layout.faces.small
    painter.fillRect(bar, bar_gradient(content.scale, bar))
    if content.scale.kind == "constant":  # it may be white on white
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(style.line), 1.0))
        painter.drawRect(bar)
    painter.setPen(QColor(style.muted))
    for place, text in layout.limits:
        middle = bar.bottom() - place * bar.height()
        # the outer numbers stay within the height of the bar
        middle = max(bar.top() + 0.42 * face.size, min(middle, bar.bottom() - 0.42 * face.size))
        draw_text(painter, bar.right() + BAR_TEXT_GAP, middle + 0.36 * face.size, text, face)


def _paint_foot(painter: QPainter, layout: MatrixLayout, content: MatrixContent, style: FigureStyle) -> None:
    """Paint the legend of the cells that are no numbers, and the notes."""
    face = layout.faces.small
    top = layout.column_labels_bottom + layout.axis_height + FOOT_GAP
    room = layout.rect.adjusted(MARGIN, 0.0, -MARGIN, 0.0)
    legend_width = max(
        (entry.x + SWATCH + SWATCH_GAP + text_width(entry.text, face) for entry in layout.legend), default=0
    )
    left = max(room.left(), min(layout.body.left(), room.right() - legend_width))
    for entry in layout.legend:
        line_top = top + entry.line * foot_line(layout.faces)
        corner = QPointF(left + entry.x, line_top + 2.0)
        paint_swatch(painter, corner, SWATCH, entry.kind, style)
        painter.setPen(QColor(style.muted))
        draw_text(painter, corner.x() + SWATCH + SWATCH_GAP, line_top + ascent(face), entry.text, face)
    if layout.legend:
        top += (layout.legend[-1].line + 1) * foot_line(layout.faces)
    for note in filter(None, (*layout.notes, pooling_note(layout))):
        shown = shortened(one_line(note), face, room.width())
        left = max(room.left(), min(layout.body.left(), room.right() - text_width(shown, face)))
        painter.setPen(QColor(style.muted))
        draw_text(painter, left, top + ascent(face), shown, face)
        top += foot_line(layout.faces)
