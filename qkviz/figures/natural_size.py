"""The size of a matrix picture when nobody asked for one."""

from __future__ import annotations

import math

from PySide6.QtCore import QSizeF

from qkviz.figures.axis_labels import plan_columns, plan_rows, upright_pitch
from qkviz.figures.fonts import line_height, text_width
from qkviz.figures.matrix_layout import (
    COLUMN_LABEL_GAP,
    LABEL_SHARE,
    LONGEST_LABEL,
    MARGIN,
    SMALLEST_BAR,
    left_of,
)
from qkviz.figures.matrix_parts import (
    MatrixFaces,
    bar_extent,
    checked_shape,
    foot_height,
    head_height,
    head_width,
    legend_entries,
    limit_texts,
    note_lines,
    widest_note,
)
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.matrix_looks import USUAL_DECIMALS
from qkviz.presenters.number_format import format_number


def natural_pitch(content: MatrixContent, style: FigureStyle) -> float:
    """Return the size of a cell in a picture whose size nobody asked for."""
    longer: int = max(content.values.shape)
    if longer <= 12:
        pitch = upright_pitch(content.column_labels, MatrixFaces.of(style).label, 48.0)
        return max(pitch, _numbers_pitch(content, style))
    if longer <= 24:
        return max(36.0, _numbers_pitch(content, style))
    if longer <= 512:
        return float(max(2, 768 // longer))
    return 1024.0 / longer


def _numbers_pitch(content: MatrixContent, style: FigureStyle) -> float:
    """Return the size of a cell that the numbers need when they have more decimals than usual."""
    if content.decimals <= USUAL_DECIMALS:
        return 0.0
    numbers = content.values[content.kinds == CellKind.VALUE].tolist()
    face = MatrixFaces.of(style).small
    widest = max((text_width(format_number(value, content.decimals), face) for value in numbers), default=0.0)
    return math.ceil(widest + 10.0)


def natural_size(content: MatrixContent, style: FigureStyle) -> QSizeF:
    """Return the size at which nothing is cut and the cells have their natural size."""
    rows, columns = checked_shape(content)
    pitch, faces = natural_pitch(content, style), MatrixFaces.of(style)
    row_plan = plan_rows(content.row_labels, faces.label, pitch, LONGEST_LABEL)
    column_plan = plan_columns(content.column_labels, faces.label, pitch, LONGEST_LABEL)
    left = left_of(row_plan, line_height(faces.axis) + 4.0 if content.row_axis else 0.0)
    bar = bar_extent(limit_texts(content), faces)
    # rooms for labels are shares of the whole, so the whole must be large enough for what they need
    width = max(left + columns * pitch + bar, row_plan.extent / LABEL_SHARE)
    width = max(width, left + min(head_width(content, faces), 480.0), widest_note(content.note, faces))
    legend = legend_entries(content, faces, width)
    height = (
        head_height(content, faces) + max(rows * pitch, SMALLEST_BAR) + COLUMN_LABEL_GAP + column_plan.extent
    )
    height += line_height(faces.axis) + 3.0 if content.column_axis else 0.0
    height += foot_height(legend, len(note_lines(content.note, faces, width)), faces)
    if column_plan.turned:
        height = max(height, column_plan.extent / LABEL_SHARE)
    return QSizeF(math.ceil(width + 2 * MARGIN), math.ceil(height + 2 * MARGIN))
