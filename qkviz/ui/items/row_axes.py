"""The axes of the bars of a row: labels of keys, and numbers written as everywhere else."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPen

from qkviz.presenters.number_format import format_limit

LEAST_LABEL = 42
"""Pixels that a key's label needs to be worth drawing."""

GAP = 2.0
"""Pixels between two labels that need all their room."""


class KeyAxis(pg.AxisItem):  # type: ignore[misc]
    """Labels of the keys, cut to the room between them; of many keys only every second or fifth or so."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self._labels: Sequence[str] = ()
        self._room = 0.0
        self.setStyle(tickLength=0, tickTextOffset=6, hideOverlappingLabels=False)

    def set_labels(self, labels: Sequence[str]) -> None:
        """Take the labels by position."""
        if tuple(labels) != tuple(self._labels):
            self._labels = labels
            self.picture = None
            self.update()

    def restyle(self, ink: str, line: str) -> None:
        """Take the colours of text and line."""
        self.setPen(QPen(QColor(line), 1))
        self.setTextPen(QColor(ink))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the positions to be labelled."""
        a_key = size / max(maxVal - minVal, 1e-9)
        step = max(1, math.ceil(LEAST_LABEL / max(a_key, 1e-9)))
        self._room = a_key * step - GAP
        first = math.ceil(max(minVal, 0) / step) * step
        last = min(maxVal, len(self._labels) - 1)
        return [(float(step), [float(key) for key in range(first, math.floor(last) + 1, step)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the labels, shortened to the room."""
        font = self.style["tickFont"] or self.font()
        metrics = QFontMetricsF(font)
        cut = Qt.TextElideMode.ElideRight
        return [metrics.elidedText(self._labels[int(value)], cut, self._room) for value in values]


class NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """Numbers at the limit, at half of it and at zero, written as everywhere else."""

    def __init__(self) -> None:
        super().__init__("left")
        self._limit = 1.0
        self.setStyle(tickLength=0, tickTextOffset=6)
        self.setWidth(64)

    def set_limit(self, limit: float) -> None:
        """Take the value that the height 1 stands for."""
        if limit != self._limit:
            self._limit = limit
            self.picture = None
            self.update()

    def restyle(self, ink: str, line: str) -> None:
        """Take the colours of text and line."""
        self.setPen(QPen(QColor(line), 1))
        self.setTextPen(QColor(ink))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the heights to be labelled."""
        heights = (-1.0, 0.0, 1.0) if size < 150 and minVal < 0 else (-1.0, -0.5, 0.0, 0.5, 1.0)
        return [(0.5, [height for height in heights if minVal <= height <= maxVal])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the heights as numbers."""
        return [format_limit(value * self._limit) if value else "0" for value in values]
