"""One head in large: its picture."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.figures.matrix_view import CellView
from qkviz.presenters.matrix import MatrixContent
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.items.matrix_fit import CellFit
from qkviz.ui.theme import Theme

LEAST_PICTURE = 150


class HeadPreview(QWidget):
    """Nothing can be chosen in the picture: it follows the pointer on the grid. The wheel looks closer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.canvas = MatrixCanvas(self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.share(
            CellFit(low=True)
        )  # blue rows are queries, orange columns keys: no room for the words
        self.canvas.viewed.connect(self._show_part)
        self.canvas.fit_asked.connect(self._show_part)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self.canvas)

    def show_picture(self, content: MatrixContent) -> None:
        """Show a head. Emits nothing."""
        self.canvas.show_content(content, "")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return room for a small picture."""
        return QSize(LEAST_PICTURE, 120)

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(260, 320)

    def _show_part(self, _name: object, part: CellView | None = None) -> None:
        self.canvas.show_view(part)
