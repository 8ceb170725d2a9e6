"""The numbers of one editable matrix, and how one of them is painted and read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from qkviz.presenters.inspector import TableContent
from qkviz.presenters.number_format import format_number, full_number
from qkviz.presenters.number_parse import parse_number
from qkviz.translate import _
from qkviz.ui.panels.sheet_cells import Index, SheetDelegate
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import Theme


class MatrixModel(QAbstractTableModel):
    """Hands the numbers of a `TableContent` to a view; `show_content` alone changes it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.content: TableContent | None = None

    def show_content(self, content: TableContent) -> None:
        """Show ``content``; rows that are equal to the last bit are not drawn again."""
        before, self.content = self.content, content
        if before is None or before.values.shape != content.values.shape:
            self.beginResetModel()
            self.endResetModel()
            return
        if before.values is not content.values:
            # bits instead of values: NaN equals itself, 0.0 differs from −0.0
            differs = (_bits(before.values) != _bits(content.values)).any(1)  # (rows,)
            rows = np.flatnonzero(differs)
            if rows.size:
                self._say_changed(int(rows[0]), int(rows[-1]))
        moved = before.moved ^ content.moved
        if moved:
            self._say_changed(min(moved), max(moved))
        if before.row_labels != content.row_labels:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(content.row_labels) - 1)
        if before.column_labels != content.column_labels:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(content.column_labels) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        """Return the number of rows."""
        return 0 if self.content is None or parent.isValid() else self.content.values.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        """Return the number of columns."""
        return 0 if self.content is None or parent.isValid() else self.content.values.shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every cell can be typed into."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the rounded number, the full one, or the name of a cell."""
        if self.content is None or not index.isValid():
            return None
        value = float(self.content.values[index.row(), index.column()])
        if role == Qt.ItemDataRole.DisplayRole:
            return format_number(value)
        if role == Qt.ItemDataRole.EditRole:
            return full_number(value)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index.row(), index.column(), value)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _(
                "{matrix}, row {row}, column {column}: {value}",
                matrix=self.content.title,
                row=index.row() + 1,
                column=index.column() + 1,
                value=full_number(value),
            )
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return a label, or as its tip the whole label."""
        if self.content is None:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        labels = self.content.row_labels if is_row else self.content.column_labels
        if not 0 <= section < len(labels):
            return None
        if role == Qt.ItemDataRole.ToolTipRole and is_row and section in self.content.moved:
            return plain_tip(_("{label}: moved by hand. Click ↺ to reset it.", label=labels[section]))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(labels[section])
        return labels[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _tip(self, row: int, column: int, value: float) -> str:
        assert self.content is not None
        place = f"{self.content.row_labels[row]}, {self.content.column_labels[column]}: {full_number(value)}"
        if row in self.content.moved:
            place = _("{cell} (moved by hand)", cell=place)
        return plain_tip(place)

    def _say_changed(self, first: int, last: int) -> None:
        columns = self.columnCount()
        self.dataChanged.emit(self.index(first, 0), self.index(last, columns - 1))


class MatrixDelegate(SheetDelegate):
    """Numbers, right-aligned in the colour of their matrix.

    Signals
    -------
    typed
        Row, column and the number that was typed, as exactly as it was typed.
    """

    typed = Signal(int, int, float)

    def __init__(self, parent: QObject) -> None:
        self._tone = "plain"
        super().__init__(parent)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        super().restyle(theme)
        self._color = QColor(theme.tone(self._tone))
        self._moved = QPen(self._color, 1, Qt.PenStyle.DashLine)

    def set_tone(self, tone: str) -> None:
        """Set the colour of the numbers."""
        if tone != self._tone:
            self._tone = tone
            self.restyle(self.theme)

    def shown_text(self, index: Index, painter: QPainter, width: int) -> str:
        """Return the number with as many decimals as fit, two at most; … ends what is too long even so."""
        value = float(_content(index).values[index.row(), index.column()])
        text = format_number(value)
        metrics = painter.fontMetrics()
        for decimals in (1, 0):
            if metrics.horizontalAdvance(text) <= width:
                return text
            text = format_number(value, decimals)
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)  # a lost digit or sign would lie

    def text_color(self, index: Index) -> QColor:
        """Return the colour of the matrix."""
        return self._color

    def border(self, index: Index) -> QPen:
        """Return a dashed border for what was moved by hand."""
        return self._moved if index.row() in _content(index).moved else self._line

    def read(self, index: Index, text: str) -> None:
        """Emit the typed number, unless it is the one that stands there."""
        value = parse_number(text)
        if value != _content(index).values[index.row(), index.column()]:
            self.typed.emit(index.row(), index.column(), value)


def _content(index: Index) -> TableContent:
    model = index.model()
    assert isinstance(model, MatrixModel)
    assert model.content is not None
    return model.content


def _bits(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(values).view(np.uint64)
