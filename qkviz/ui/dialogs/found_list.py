"""The arrays of a file as a list: name, shape, type, range, and what each one will be."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from qkviz.importers.found import FoundArray, NumberRange
from qkviz.importers.roles import ArrayChoice
from qkviz.presenters.found_arrays import present_array, role_text, role_word
from qkviz.translate import N_, _

_HEADINGS = (N_("Name"), N_("Shape"), N_("Type"), N_("Range"), N_("Will be"))
_WIDTHS = (None, 104, 92, None, 84)
"""Pixels of the columns; None for those that share the rest."""

_ROLE = len(_HEADINGS) - 1

Index = QModelIndex | QPersistentModelIndex


class FoundModel(QAbstractTableModel):
    """Texts of the list; made when they come into sight, for there may be thousands."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._arrays: Sequence[FoundArray] = ()
        self._ranges: Sequence[NumberRange | None] = ()
        self._choices: Sequence[ArrayChoice] = ()

    def show_arrays(
        self,
        arrays: Sequence[FoundArray],
        ranges: Sequence[NumberRange | None],
        choices: Sequence[ArrayChoice],
    ) -> None:
        """Show another file."""
        self.beginResetModel()
        self._arrays, self._ranges, self._choices = arrays, ranges, choices
        self.endResetModel()

    def show_choices(self, choices: Sequence[ArrayChoice]) -> None:
        """Show what the arrays will be now."""
        self._choices = choices
        if choices:
            self.dataChanged.emit(self.index(0, _ROLE), self.index(len(choices) - 1, _ROLE))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- an index that is nowhere
        return 0 if parent.isValid() else len(self._arrays)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        at = index.row()
        if index.column() == _ROLE:
            chosen = self._choices[at].role
            if chosen is None:
                return "–"
            return role_text(chosen) if role == Qt.ItemDataRole.ToolTipRole else role_word(chosen)
        row = present_array(self._arrays[at], self._ranges[at])
        return (row.name, row.shape, row.dtype, row.range)[index.column()]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(_HEADINGS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None


class _WholeRows(QStyledItemDelegate):
    """Paints the chosen row as one: no frame round the cell that has the keys."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus


class FoundList(QTableView):
    """The list; one array is chosen.

    Signals
    -------
    array_chosen
        Carries the position of the array that was chosen by hand.
    """

    array_chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = FoundModel(self)
        self.setModel(self._model)
        self.setAccessibleName(_("Arrays in the file"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)  # Tab goes on to the fields
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setItemDelegate(_WholeRows(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(26)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            if width is None:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
            else:
                self.setColumnWidth(column, width)
        self.selectionModel().currentRowChanged.connect(self._tell)

    def show_arrays(
        self,
        arrays: Sequence[FoundArray],
        ranges: Sequence[NumberRange | None],
        choices: Sequence[ArrayChoice],
        chosen: int,
    ) -> None:
        """Show another file, with the ``chosen``-th array chosen."""
        self._model.show_arrays(arrays, ranges, choices)
        if arrays:
            self.selectionModel().setCurrentIndex(
                self._model.index(chosen, 0),
                QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
            )

    def show_choices(self, choices: Sequence[ArrayChoice]) -> None:
        """Show what the arrays will be now."""
        self._model.show_choices(choices)

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.array_chosen.emit(current.row())
