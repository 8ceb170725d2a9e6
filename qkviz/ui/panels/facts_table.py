"""A small table of numbers that line up: a head, and a row for each matrix compared."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from qkviz.presenters.compare import CompareRow


class FactsTable(QWidget):
    """Labels in a grid, made once and only given other texts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: dict[tuple[int, int], QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(1)

    def show_rows(self, heads: Sequence[str], rows: Sequence[CompareRow]) -> None:
        """Show a head and rows under it; nothing at all without a head."""
        texts: dict[tuple[int, int], str] = {}
        if heads:
            texts |= {(0, column + 1): head for column, head in enumerate(heads)}
            for line, row in enumerate(rows, start=1):
                texts[line, 0] = row.name
                texts |= {(line, column + 1): text for column, text in enumerate(row.texts)}
        for place in texts.keys() - self._labels.keys():
            self._labels[place] = self._label(*place)
        for place, label in self._labels.items():
            label.setVisible(place in texts)
            if place in texts and label.text() != texts[place]:
                label.setText(texts[place])

    def texts(self) -> list[list[str]]:
        """Return what is shown, line by line."""
        lines: dict[int, list[str]] = {}
        for (line, _column), label in sorted(self._labels.items()):
            if not label.isHidden():
                lines.setdefault(line, []).append(label.text())
        return list(lines.values())

    def _label(self, line: int, column: int) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", "hint" if line == 0 else "section" if column == 0 else "")
        side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
        label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(label, line, column)
        return label
