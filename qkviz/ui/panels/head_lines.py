"""What is said of one head: a measure a line, in as many columns as there is room for."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from qkviz.presenters.runs import Run
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

MOST_COLUMNS = 3
GAP = 10
SLACK = 2.0
"""Pixels by which a column is wider than its widest line: fractions of glyphs must not wrap it."""


class HeadLines(QWidget):
    """Has the most columns in which no line is wrapped, else one; placed by its height at a width."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._by_columns = tuple(
            tuple(RunsView(self) for _column in range(columns)) for columns in range(MOST_COLUMNS, 0, -1)
        )
        self._lines: tuple[str, ...] = ()

    def text(self) -> str:
        """Return what is shown, a line a measure."""
        return "\n".join(self._lines)

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show ``lines`` instead of what was shown. Emits nothing."""
        self._lines = lines
        for views in self._by_columns:
            share = -(-len(lines) // len(views))  # rounded up
            for at, view in enumerate(views):
                part = lines[at * share : (at + 1) * share]
                view.show_paragraphs([Paragraph((Run(line, "muted"),), gap=1) for line in part])
        self._place()

    def heightForWidth(self, width: int) -> int:
        """Return the height that the lines need at ``width`` pixels."""
        chosen, widths = self._fitting(width)
        return max(view.heightForWidth(wide) for view, wide in zip(chosen, widths, strict=True))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for views in self._by_columns:
            for view in views:
                view.restyle(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the columns for the new width."""
        super().resizeEvent(event)
        self._place()

    def _fitting(self, width: int) -> tuple[tuple[RunsView, ...], tuple[int, ...]]:
        """Return the columns for ``width`` pixels, and how wide each is."""
        for views in self._by_columns:
            widths = tuple(self._widest(view) for view in views)
            if sum(widths) + GAP * (len(widths) - 1) <= width:
                return views, widths
        return self._by_columns[-1], (width,)

    def _widest(self, view: RunsView) -> int:
        advance = QFontMetricsF(self.font()).horizontalAdvance
        return round(max(map(advance, view.text().split("\n"))) + SLACK)

    def _place(self) -> None:
        chosen, widths = self._fitting(self.width())
        for views in self._by_columns:
            for view in views:
                view.setVisible(views is chosen)
        left = 0
        for view, wide in zip(chosen, widths, strict=True):
            view.setGeometry(left, 0, wide, self.height())
            left += wide + GAP
