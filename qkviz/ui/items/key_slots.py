"""Places for one bar a key, side by side, and the labels under them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

WIDEST = 64.0
"""A bar is not wider than this, in pixels."""

LEAST_LABEL = 16.0
"""Pixels that a label needs to be worth drawing."""


def bar_span(rect: QRectF, count: int, key: int) -> tuple[float, float]:
    """Return left edge and width of a key's bar: 0.62 of the width that each of ``count`` keys has."""
    slot = rect.width() / max(count, 1)
    width = min(0.62 * slot, WIDEST)
    return rect.left() + (key + 0.5) * slot - width / 2, width


def key_at(rect: QRectF, count: int, x: float) -> int | None:
    """Return the key in whose column ``x`` is, None beside all of them."""
    if not rect.left() <= x < rect.right() or not count:
        return None
    return min(int((x - rect.left()) / rect.width() * count), count - 1)


def paint_labels(painter: QPainter, rect: QRectF, labels: Sequence[str], color: str) -> None:
    """Write the labels into the columns of ``rect``, cut to their room; of many only every second or so."""
    if not labels or rect.width() <= 0:
        return
    slot = rect.width() / len(labels)
    step = max(1, int(-(-LEAST_LABEL // slot)))
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(color))
    for key in range(0, len(labels), step):
        room = QRectF(rect.left() + key * slot, rect.top(), step * slot, rect.height()).adjusted(1, 0, -1, 0)
        text = metrics.elidedText(labels[key], Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)
