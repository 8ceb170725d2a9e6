"""The picture of a whole window, painted anew at every size and in every format."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QWidget

from qkviz.figures.figure import WindowFigure

PARTS = QWidget.RenderFlag.DrawWindowBackground | QWidget.RenderFlag.DrawChildren


def window_figure(window: QWidget) -> WindowFigure:
    """Return the figure of ``window`` as it is when it is painted."""

    def paint(painter: QPainter) -> None:
        window.render(painter, QPoint(), QRegion(), PARTS)

    return WindowFigure(paint, float(window.width()), float(window.height()), window.windowTitle())
