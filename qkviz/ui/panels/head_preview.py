"""One head in large beside the grid: its picture and its measures."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from qkviz.figures.matrix_view import CellView
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.runs import Run
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.items.matrix_fit import CellFit
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

LINES_WIDTH = 200
"""Pixels for the measures beside the picture."""

LEAST_PICTURE = 150


class HeadPreview(QWidget):
    """The picture, with the measures below it or beside it, as there is room; without them if there is none.

    Nothing can be chosen in it: it follows the pointer on the grid. The wheel looks closer.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.canvas = MatrixCanvas(self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.share(
            CellFit(low=True)
        )  # blue rows are queries, orange columns keys: no room for the words
        self.canvas.viewed.connect(self._show_part)
        self.canvas.fit_asked.connect(self._show_part)
        self.lines = RunsView(self)
        self.page = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self.page.setContentsMargins(0, 0, 0, 0)
        self.page.setSpacing(6)
        self.page.addWidget(self.canvas, 1)
        self.page.addWidget(self.lines)

    @property
    def shows_lines(self) -> bool:
        """Whether there is room for the measures."""
        return not self.isHidden() and self.lines.isVisibleTo(self)

    def show_picture(self, content: MatrixContent) -> None:
        """Show a head. Emits nothing."""
        self.canvas.show_content(content, "")

    def show_lines(self, text: str) -> None:
        """Show what is said of the head: its name first, then a measure a line."""
        self.lines.show_paragraphs([Paragraph((Run(line, "muted"),), gap=1) for line in text.split("\n")[1:]])
        self._arrange()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)
        self.lines.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return room for the picture alone."""
        return QSize(LEAST_PICTURE, 120)

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(260, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the measures where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _show_part(self, _name: object, part: CellView | None = None) -> None:
        self.canvas.show_view(part)

    def _arrange(self) -> None:
        below = self.height() - self.lines.heightForWidth(max(self.width(), 120)) - self.page.spacing()
        beside = self.width() - LINES_WIDTH - self.page.spacing()
        is_beside = min(beside, self.height()) > min(below, self.width())
        fits = max(min(below, self.width()), min(beside, self.height())) >= LEAST_PICTURE
        self.lines.setVisible(fits and bool(self.lines.text()))
        directions = QBoxLayout.Direction
        self.page.setDirection(directions.LeftToRight if is_beside else directions.TopToBottom)
        self.lines.setMaximumWidth(LINES_WIDTH if is_beside else 16_777_215)
