"""Where everything in the picture of a row of bars lies."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSizeF

from qkviz.figures.axis_labels import LabelPlan, plan_columns, upright_pitch
from qkviz.figures.fonts import line_height, text_width
from qkviz.figures.matrix_layout import COLUMN_LABEL_GAP, LONGEST_LABEL, MARGIN
from qkviz.figures.matrix_parts import HEAD_GAP, MatrixFaces
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.number_format import format_number
from qkviz.presenters.row_chart import RowChartContent

PLOT_HEIGHT = 220.0
TICK_GAP = 8.0
BAR_SHARE = 0.7
"""Width of a bar, of the distance between two keys."""

HEADROOM = 20.0
"""Room for the number of the largest bar."""

WIDEST_SLOT = 90.0
"""Few keys share the room that there is, up to this."""

LEAST_WIDTH = 240.0
SENTENCE_WIDTH = 480.0
NUMBERED_KEYS = 24
"""Up to so many keys there is room for a number at every bar."""


class RowLayout:
    """The places of one row picture in ``rect``.

    Attributes
    ----------
    plot
        From the lower to the upper end of the value axis, all keys wide.
    slot
        Distance between two keys.
    head
        Height of title and subtitle with the gap below.
    plan
        How the labels of the keys are drawn.
    labels_top
        Where they begin.
    """

    def __init__(self, content: RowChartContent, rect: QRectF, style: FigureStyle) -> None:
        self.content, self.rect = content, rect
        self.faces = faces = MatrixFaces.of(style)
        self.head = _head(faces)
        left = MARGIN + _axis_width(content, faces)
        count = len(content.key_labels)
        width = max(rect.width() - left - MARGIN, 1.0)
        self.slot = min(width / count, max(_slot(content, faces), WIDEST_SLOT))
        self.plan = _plan(content, faces, self.slot)
        top = rect.top() + MARGIN + self.head + HEADROOM
        room = HEADROOM if content.low < 0 else 0.0
        foot = rect.bottom() - MARGIN - _foot(content, faces, self.plan)
        self.labels_top, bottom = foot + COLUMN_LABEL_GAP, foot - room
        self.plot = QRectF(rect.left() + left, top, self.slot * count, max(bottom - top, 1.0))

    def bar(self, key: int) -> QRectF:
        """Return the bar of a key that has a finite value."""
        base, end = self.y(0.0), self.y(float(self.content.values[key]))
        column = self.column(key)
        return QRectF(column.left(), min(base, end), column.width(), abs(end - base))

    def column(self, key: int) -> QRectF:
        """Return the column of a key from the lower to the upper end of the axis."""
        left = self.plot.left() + (key + (1 - BAR_SHARE) / 2) * self.slot
        return QRectF(left, self.plot.top(), self.slot * BAR_SHARE, self.plot.height())

    def y(self, value: float) -> float:
        """Return the height at which a value stands."""
        low, high = self.content.low, self.content.high
        limit = max(-low, high)
        share = (value / limit - low / limit) / (high / limit - low / limit)
        return self.plot.bottom() - min(max(share, 0.0), 1.0) * self.plot.height()


def natural_row_size(content: RowChartContent, style: FigureStyle) -> QSizeF:
    """Return the size at which nothing is cut."""
    faces = MatrixFaces.of(style)
    slot = _slot(content, faces)
    plan = _plan(content, faces, slot)
    width = _axis_width(content, faces) + slot * len(content.key_labels)
    heading = max(text_width(content.title, faces.title), text_width(content.subtitle, faces.subtitle))
    sentence = text_width(content.sentence, faces.small)
    width = max(width, LEAST_WIDTH, min(max(heading, sentence), SENTENCE_WIDTH))
    rooms = HEADROOM * (2 if content.low < 0 else 1)
    height = _head(faces) + rooms + PLOT_HEIGHT + _foot(content, faces, plan)
    return QSizeF(math.ceil(width + 2 * MARGIN), math.ceil(height + 2 * MARGIN))


def _head(faces: MatrixFaces) -> float:
    return line_height(faces.title) + line_height(faces.subtitle) + HEAD_GAP


def _axis_width(content: RowChartContent, faces: MatrixFaces) -> float:
    return max(text_width(text, faces.small) for _value, text in content.ticks) + TICK_GAP


def _foot(content: RowChartContent, faces: MatrixFaces, plan: LabelPlan) -> float:
    """Return the height of what stands below the plot: labels, the name of the axis, the sentence."""
    height = COLUMN_LABEL_GAP + plan.extent + line_height(faces.axis) + 3.0
    return height + (line_height(faces.small) + 6.0 if content.sentence else 0.0)


def _plan(content: RowChartContent, faces: MatrixFaces, slot: float) -> LabelPlan:
    return plan_columns(content.key_labels, faces.label, slot, LONGEST_LABEL)


def _slot(content: RowChartContent, faces: MatrixFaces) -> float:
    count = len(content.key_labels)
    if count > NUMBERED_KEYS:
        return max(768.0 / count, 1024.0 / max(count, 512))
    numbers = content.values[content.kinds == CellKind.VALUE].tolist()
    texts = (f"▴ {format_number(value, content.decimals)}" for value in numbers)
    widest = max((text_width(text, faces.axis) for text in texts), default=0.0) + 8.0
    usual = upright_pitch(content.key_labels, faces.label, 56.0) if count <= 12 else 36.0
    return max(usual, widest)
