"""One editable matrix: title, shape, and the numbers in boxes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from qkviz.document.document import Role
from qkviz.document.edits import EditableMatrix, PasteBlock, ResetAllVectors, ResetVector, SetCell
from qkviz.presenters.inspector import TableContent
from qkviz.presenters.number_format import MINUS, full_number
from qkviz.presenters.number_parse import parse_block
from qkviz.translate import Refusal, _
from qkviz.ui.panels.lit_block import LitBlock
from qkviz.ui.panels.matrix_cells import MatrixDelegate, MatrixModel
from qkviz.ui.panels.sheet_view import SheetView
from qkviz.ui.theme import Theme

ROLES = {EditableMatrix.Q: Role.QUERY, EditableMatrix.K: Role.KEY}
"""Matrices whose rows can be moved by hand, and whose rows these are."""

NUMBERED_ROWS = frozenset({EditableMatrix.W_Q, EditableMatrix.W_K, EditableMatrix.W_V})
"""Matrices whose rows are dimensions and not tokens."""

MARGIN_LEFT, MARGIN_RIGHT = 7, 4


class MatrixView(SheetView):
    """A sheet of numbers that talks to the clipboard.

    Signals
    -------
    pasted
        Row and column of the current cell, and the block read from the clipboard.
    row_reset
        A row that was moved by hand shall go back.
    all_reset
        All rows that were moved by hand shall go back.
    """

    pasted = Signal(int, int, object)
    row_reset = Signal(int)
    all_reset = Signal()

    def __init__(self, model: MatrixModel, delegate: MatrixDelegate, parent: QWidget) -> None:
        super().__init__(model, delegate, parent)
        self._numbers = model
        self.row_header.reset_asked.connect(self.row_reset)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy and paste; Delete puts a moved row back."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste_block()
        elif event.key() == Qt.Key.Key_Delete and self._current_is_moved():
            self.reset_current_row()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what the keys do."""
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.context_menu().popup(place)

    def context_menu(self) -> QMenu:
        """Return a new menu of what can be done at the current cell; it is deleted when it closes."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = _added(menu, _("Copy"), QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copy_selection)
        paste = _added(menu, _("Paste numbers"), QKeySequence(QKeySequence.StandardKey.Paste))
        paste.triggered.connect(self.paste_block)
        if self._numbers.content is not None and self._numbers.content.moved:
            menu.addSeparator()
            reset = _added(menu, _("Reset this vector"), QKeySequence(Qt.Key.Key_Delete))
            reset.setEnabled(self._current_is_moved())
            reset.triggered.connect(self.reset_current_row)
            _added(menu, _("Reset all vectors moved by hand"), QKeySequence()).triggered.connect(
                self.all_reset
            )
        return menu

    def copy_selection(self) -> None:
        """Copy the selected numbers to the last digit, tab-separated, with a minus that spreadsheets read."""
        content, chosen = self._numbers.content, self.selectionModel().selection()
        if content is None or chosen.isEmpty():
            return
        block = chosen.first()  # a contiguous selection is one rectangle
        rows = content.values[block.top() : block.bottom() + 1, block.left() : block.right() + 1].tolist()
        lines = ["\t".join(full_number(value).replace(MINUS, "-") for value in row) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def paste_block(self) -> None:
        """Read a block of numbers from the clipboard, for the current cell and those right and below."""
        current = self.currentIndex()
        if not current.isValid():
            return
        try:
            block = parse_block(QGuiApplication.clipboard().text())
        except Refusal as refusal:
            self.refused.emit(str(refusal))
            return
        self.pasted.emit(current.row(), current.column(), block)

    def reset_current_row(self) -> None:
        """Ask to put the current row back."""
        self.row_reset.emit(self.current_row())

    def _current_is_moved(self) -> bool:
        content = self._numbers.content
        return content is not None and self.current_row() in content.moved


class MatrixTable(LitBlock):
    """A titled matrix.

    Signals
    -------
    edited
        An edit, after something was typed, pasted or put back.
    said
        Why something typed or pasted cannot be read.
    """

    edited = Signal(object)
    said = Signal(str)

    def __init__(self, matrix: EditableMatrix, parent: QWidget) -> None:
        super().__init__(parent)
        self.matrix = matrix
        self._tone = "plain"
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._shape = QLabel(self)
        self._shape.setProperty("kind", "hint")
        self._model = MatrixModel(self)
        self._delegate = MatrixDelegate(self)
        self.view = MatrixView(self._model, self._delegate, self)
        heading = QHBoxLayout()
        heading.addWidget(self._title, 1)
        heading.addWidget(self._shape)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_LEFT, 5, MARGIN_RIGHT, 5)
        column.setSpacing(3)
        column.addLayout(heading)
        column.addWidget(self.view)
        self._delegate.typed.connect(self._set_cell)
        self.view.pasted.connect(self._paste)
        self.view.row_reset.connect(self._reset_row)
        self.view.all_reset.connect(self._reset_all)
        self.view.refused.connect(self.said)

    @property
    def content(self) -> TableContent | None:
        """What is shown."""
        return self._model.content

    def show_content(self, content: TableContent, label_width: int) -> None:
        """Show a matrix; its row labels get ``label_width`` pixels."""
        before = self._model.content
        self._model.show_content(content)
        is_numbered = self.matrix in NUMBERED_ROWS
        self.view.row_header.show_labels("muted" if is_numbered else "plain", is_numbered, content.moved)
        tone = "plain" if content.tone == "embedding" else content.tone  # grey numbers look switched off
        if tone != self._tone:
            self._tone = tone
            self.restyle(self._theme)
        self.set_lit(content.lit)
        if before is None or before.title != content.title or before.shape != content.shape:
            self._title.setText(content.title)
            self._shape.setText(content.shape)
            self.view.setAccessibleName(f"{content.title}, {content.shape}")
        shows_columns = content.column_role is not None or content.values.shape[1] > 8
        self.view.column_header.show_labels(
            "muted" if content.column_role is None else "plain", content.column_role is None, frozenset()
        )
        self.view.lay_out(label_width, self._least_width(), shows_columns)

    def width_left_for_labels(self, width: int, shape: tuple[int, ...]) -> int:
        """Return what cells of ``shape`` leave of ``width`` pixels when they are as narrow as they may be."""
        room = width - MARGIN_LEFT - MARGIN_RIGHT
        return room - self.view.bar_width(shape[0]) - shape[1] * self._least_width()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        super().restyle(theme)
        self._title.setStyleSheet(f"font-weight: 600; color: {theme.tone(self._tone)};")
        self._delegate.set_tone(self._tone)
        self.view.restyle(theme)

    def _least_width(self) -> int:
        return self.view.fontMetrics().horizontalAdvance("−0.00") + 6

    def _set_cell(self, row: int, column: int, value: float) -> None:
        self.edited.emit(SetCell(self.matrix, row, column, value))

    def _paste(self, row: int, column: int, block: tuple[tuple[float, ...], ...]) -> None:
        self.edited.emit(PasteBlock(self.matrix, row, column, block))

    def _reset_row(self, row: int) -> None:
        self.edited.emit(ResetVector(ROLES[self.matrix], row))

    def _reset_all(self) -> None:
        self.edited.emit(ResetAllVectors())


def _added(menu: QMenu, text: str, keys: QKeySequence) -> QAction:
    action = menu.addAction(text)
    action.setShortcut(keys)
    return action
