"""What is said of one head: a measure a line, in one column or two."""

from __future__ import annotations

from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from qkviz.presenters.runs import Run
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

GAP = 10
SLACK = 2.0
"""Pixels by which a column is wider than its widest line: fractions of glyphs must not wrap it."""


class HeadLines(QWidget):
    """One column, or two where no line has to be wrapped for it; it is placed by its height at a width."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._whole, self._first, self._second = (RunsView(self) for _view in range(3))
        self._lines: tuple[str, ...] = ()

    def text(self) -> str:
        """Return what is shown, a line a measure."""
        return "\n".join(self._lines)

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show ``lines`` instead of what was shown. Emits nothing."""
        self._lines = lines
        half = -(-len(lines) // 2)
        for view, part in (
            (self._whole, lines),
            (self._first, lines[:half]),
            (self._second, lines[half:]),
        ):
            view.show_paragraphs([Paragraph((Run(line, "muted"),), gap=1) for line in part])
        self._place()

    def heightForWidth(self, width: int) -> int:
        """Return the height that the lines need at ``width`` pixels."""
        columns = self._columns(width)
        if columns is None:
            return self._whole.heightForWidth(width)
        return max(view.heightForWidth(wide) for view, wide in zip(self._halves, columns, strict=True))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for view in (self._whole, *self._halves):
            view.restyle(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the columns for the new width."""
        super().resizeEvent(event)
        self._place()

    @property
    def _halves(self) -> tuple[RunsView, RunsView]:
        return self._first, self._second

    def _columns(self, width: int) -> tuple[int, int] | None:
        """Return the widths of two columns; None if ``width`` has room for one alone."""
        metrics = QFontMetricsF(self.font())
        first, second = (
            round(max(map(metrics.horizontalAdvance, view.text().split("\n"))) + SLACK)
            for view in self._halves
        )
        return (first, width - first - GAP) if first + GAP + second <= width else None

    def _place(self) -> None:
        columns = self._columns(self.width())
        self._whole.setVisible(columns is None)
        self._whole.setGeometry(self.rect())
        left = 0
        for view, wide in zip(self._halves, columns or (0, 0), strict=True):
            view.setVisible(columns is not None)
            view.setGeometry(left, 0, wide, self.height())
            left += wide + GAP
