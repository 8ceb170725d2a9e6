"""A small spreadsheet: boxed cells, quiet labels beside them, and the keys of a spreadsheet."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QTableView, QWidget

from qkviz.ui.buttons import STEP_KEYS
from qkviz.ui.panels.sheet_cells import CellEditor, SheetDelegate
from qkviz.ui.panels.sheet_header import SheetHeader
from qkviz.ui.theme import Theme

SHOWN_WHOLE = 8
"""Tables of up to so many rows are shown whole; longer ones scroll and show …"""
SHOWN_OF_MORE = 6.5
"""… so many, the half row saying that there are more."""


class SheetView(QTableView):
    """A table with the manners of a spreadsheet.

    Typing, F2, Enter or a double click opens a cell; Enter goes down, Tab to the right and, behind the last
    cell, out of the table; text that cannot be read keeps its field open.

    Signals
    -------
    refused
        A sentence: why typed text cannot be read.
    """

    refused = Signal(str)

    def __init__(self, model: QAbstractItemModel, delegate: SheetDelegate, parent: QWidget) -> None:
        super().__init__(parent)
        self.sheet_delegate = delegate
        self.row_header = SheetHeader(Qt.Orientation.Vertical, self)
        self.column_header = SheetHeader(Qt.Orientation.Horizontal, self)
        self.setVerticalHeader(self.row_header)
        self.setHorizontalHeader(self.column_header)
        self.column_header.hide()
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not by the wheel
        self.setTabKeyNavigation(False)  # see focusNextPrevChild
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setCornerWidget(QWidget(self))  # nothing, instead of a frame between the scroll bars
        self.setWordWrap(False)
        self._minimum_column = 1
        delegate.confirmed.connect(self._go_down)
        delegate.stepped.connect(self.focusNextPrevChild)
        delegate.refused.connect(self.refused)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.sheet_delegate.restyle(theme)
        self.row_header.restyle(theme)
        self.column_header.restyle(theme)
        self.viewport().update()

    def lay_out(self, label_width: int, minimum_column: int, shows_columns: bool) -> None:
        """Set row height, label width, least column width (all in pixels) and whether columns have labels."""
        height = self.fontMetrics().height() + 8
        if self.row_header.defaultSectionSize() != height:
            self.row_header.setDefaultSectionSize(height)
        self.row_header.set_extent(label_width)
        self.column_header.set_extent(height - 4 if shows_columns else 0)
        if self.column_header.isHidden() is shows_columns:
            self.column_header.setHidden(not shows_columns)
        self._minimum_column = minimum_column
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width among the columns."""
        super().resizeEvent(event)
        self._fit()

    def current_row(self) -> int:
        """Return the row of the current cell, −1 if there is none."""
        return self.currentIndex().row()

    def go_to(self, row: int, column: int) -> None:
        """Make a cell the current one, within the table."""
        model = self.model()
        row, column = min(max(row, 0), model.rowCount() - 1), min(max(column, 0), model.columnCount() - 1)
        self.selectionModel().setCurrentIndex(
            model.index(row, column), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def bar_width(self, rows: int) -> int:
        """Return the width in pixels of the scroll bar of a table of so many rows; 0 when shown whole."""
        return self.verticalScrollBar().sizeHint().width() if rows > SHOWN_WHOLE else 0

    def open_editor(self) -> CellEditor | None:
        """Return the field that is open over a cell, if one is."""
        for editor in self.viewport().findChildren(CellEditor):
            if not editor.isHidden():
                return editor
        return None

    def drop_editor(self) -> None:
        """Close an open field and forget what was typed into it."""
        editor = self.open_editor()
        if editor is not None:
            self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.RevertModelCache)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Close the field, but not over text that was refused, unless by Esc."""
        given_up = hint == QAbstractItemDelegate.EndEditHint.RevertModelCache
        if isinstance(editor, CellEditor) and editor.is_refused and not given_up:
            return
        super().closeEditor(editor, hint)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go back to a refused text first, as a spreadsheet does."""
        editor = self.open_editor()
        if editor is not None and editor.is_refused:
            editor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the cell on Enter; keep the arrows, even where there is no further cell."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.edit(self.currentIndex())
            return
        super().keyPressEvent(event)
        if event.key() in STEP_KEYS:  # Qt lets them through to the window when there is no further cell
            event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Start at the first cell when Tab comes in, at the last when Shift+Tab does."""
        if event.reason() == Qt.FocusReason.TabFocusReason:
            self.go_to(0, 0)
        elif event.reason() == Qt.FocusReason.BacktabFocusReason:
            self.go_to(self.model().rowCount() - 1, self.model().columnCount() - 1)
        super().focusInEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next or previous cell, and out of the table behind the last or before the first."""
        columns = self.model().columnCount()
        current = self.currentIndex()
        place = current.row() * columns + current.column() + (1 if forward else -1)
        if current.isValid() and 0 <= place < self.model().rowCount() * columns:
            self.go_to(*divmod(place, columns))
            return True
        return super().focusNextPrevChild(forward)

    def _go_down(self) -> None:
        row, column = self.currentIndex().row() + 1, self.currentIndex().column()
        if row == self.model().rowCount() and column + 1 < self.model().columnCount():
            row, column = 0, column + 1
        self.go_to(row, column)

    def _fit(self) -> None:
        rows, columns = self.model().rowCount(), self.model().columnCount()
        row_height = self.row_header.defaultSectionSize()
        shown = rows if rows <= SHOWN_WHOLE else SHOWN_OF_MORE
        room = self.width() - self.row_header.width() - self.bar_width(rows)
        column_width = max(self._minimum_column, room // max(columns, 1))
        if self.column_header.defaultSectionSize() != column_width:
            self.column_header.setDefaultSectionSize(column_width)
        scrolls = column_width * columns > room
        height = round(shown * row_height) + (self.column_header.height() if self._shows_columns() else 0)
        height += self.horizontalScrollBar().sizeHint().height() if scrolls else 0
        if self.height() != height:
            self.setFixedHeight(height)

    def _shows_columns(self) -> bool:
        return not self.column_header.isHidden()
