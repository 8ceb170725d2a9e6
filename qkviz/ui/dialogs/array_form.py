"""What one array of a file will be: its role, its axes, and which way round it is stored."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QSpinBox, QWidget

from qkviz.importers.found import ArrayKind, FoundArray
from qkviz.importers.roles import PROJECTIONS, WORDS, ArrayChoice, ArrayRole
from qkviz.presenters.found_arrays import role_text
from qkviz.translate import _


class ArrayForm(QWidget):
    """Fields for one array.

    Signals
    -------
    chosen
        Carries the `ArrayChoice` after the user changed a field.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choice = ArrayChoice()
        self._roles: list[ArrayRole | None] = []
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(7)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._name = QLabel(self)
        self._name.setProperty("kind", "section")
        self._role = combo(_("Will be"), self)
        self._turned = combo(_("Stored as"), self)
        self._rows = combo(_("Rows"), self)
        self._columns = combo(_("Columns"), self)
        self._axes: list[tuple[int, int]] = []
        self._indexes: list[QSpinBox] = []
        self._form.addRow(self._name)
        for box in (self._role, self._turned, self._rows, self._columns):
            self._add(box)
        self._role.activated.connect(self._choose_role)
        self._turned.activated.connect(self._choose_turned)
        self._rows.activated.connect(self._choose_rows)
        self._columns.activated.connect(self._choose_columns)
        self.hide()

    def show_array(self, array: FoundArray, choice: ArrayChoice) -> None:
        """Show the fields that an array has, as ``choice`` has them."""
        self._choice = choice
        self._name.setText(array.name or "“”")
        self._roles = [None, *_possible(array)]
        fill(self._role, [role_text(role) for role in self._roles], self._roles.index(choice.role))
        is_cut = len(array.shape) > 2
        axes = [
            _("axis {number}, length {size}", number=axis + 1, size=size)
            for axis, size in enumerate(array.shape)
        ]
        for box, axis in ((self._rows, choice.row_axis), (self._columns, choice.column_axis)):
            fill(box, axes if is_cut else [], axis if is_cut else -1)
            self._form.setRowVisible(box, is_cut)
        self._show_turned(array, choice)
        self._show_indexes(array, choice)
        self.show()

    def show_nothing(self) -> None:
        """Show that there is no array."""
        self.hide()

    def _add(self, field: QWidget) -> None:
        label = named(field.accessibleName(), self)
        label.setBuddy(field)
        self._form.addRow(label, field)

    def _show_turned(self, array: FoundArray, choice: ArrayChoice) -> None:
        is_asked = choice.role in PROJECTIONS and len(array.shape) >= 2
        if is_asked:
            rows, columns = array.shape[choice.row_axis], array.shape[choice.column_axis]
            texts = [
                _("(in, out): d_model = {rows}, d_k = {columns}", rows=rows, columns=columns),
                _(
                    "(out, in) as torch’s Linear: d_model = {columns}, d_k = {rows}",
                    rows=rows,
                    columns=columns,
                ),
            ]
            fill(self._turned, texts, int(choice.is_transposed))
        self._form.setRowVisible(self._turned, is_asked)

    def _show_indexes(self, array: FoundArray, choice: ArrayChoice) -> None:
        """Show a field for each axis beside rows and columns; a field in use stays the same object."""
        kept = (choice.row_axis, choice.column_axis)
        axes = [(axis, size) for axis, size in enumerate(array.shape) if axis not in kept]
        if len(array.shape) < 3:
            axes = []
        if axes != self._axes:
            for field in self._indexes:
                self._form.removeRow(field)
            self._axes = axes
            self._indexes = [self._index_field(axis, size) for axis, size in axes]
        for (axis, _size), field in zip(axes, self._indexes, strict=True):
            field.setValue(choice.at[axis] + 1)

    def _index_field(self, axis: int, size: int) -> QSpinBox:
        field = number(_("Part on axis {number}", number=axis + 1), max(size, 1), self)
        field.setSuffix(" " + _("of {size}", size=size))
        field.valueChanged.connect(partial(self._choose_index, axis))
        self._add(field)
        return field

    def _choose_role(self, index: int) -> None:
        self._say(replace(self._choice, role=self._roles[index]))

    def _choose_turned(self, index: int) -> None:
        self._say(replace(self._choice, is_transposed=bool(index)))

    def _choose_rows(self, axis: int) -> None:
        other = self._choice.row_axis if axis == self._choice.column_axis else self._choice.column_axis
        self._say(replace(self._choice, row_axis=axis, column_axis=other))

    def _choose_columns(self, axis: int) -> None:
        other = self._choice.column_axis if axis == self._choice.row_axis else self._choice.row_axis
        self._say(replace(self._choice, column_axis=axis, row_axis=other))

    def _choose_index(self, axis: int, value: int) -> None:
        at = list(self._choice.at)
        if at[axis] != value - 1:
            at[axis] = value - 1
            self._say(replace(self._choice, at=tuple(at)))

    def _say(self, choice: ArrayChoice) -> None:
        self._choice = choice
        self.chosen.emit(choice)


def _possible(array: FoundArray) -> list[ArrayRole]:
    if array.kind is ArrayKind.TEXT:
        return [role for role in ArrayRole if role in WORDS]
    if array.kind is ArrayKind.OTHER:
        return []
    if len(array.shape) < 2:
        return [ArrayRole.MASK, *WORDS]
    return list(ArrayRole)


LABEL_WIDTH = 128
"""Pixels of the names of fields, so that those of two forms stand in one column."""


def named(name: str, parent: QWidget) -> QLabel:
    """Return the label of a field."""
    label = QLabel(name, parent)
    label.setMinimumWidth(LABEL_WIDTH)
    return label


def combo(name: str, parent: QWidget) -> QComboBox:
    """Return an empty list to choose from, with a name for those who do not see its label."""
    box = QComboBox(parent)
    box.setAccessibleName(name)
    box.setMinimumContentsLength(18)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box


def number(name: str, largest: int, parent: QWidget) -> QSpinBox:
    """Return a field for a whole number from 1 on, with a name for those who do not see its label."""
    field = QSpinBox(parent)
    field.setRange(1, largest)
    field.setAccessibleName(name)
    field.lineEdit().setTextMargins(5, 0, 0, 0)  # as far in as the text of the lists
    return field


def fill(box: QComboBox, texts: list[str], chosen: int) -> None:
    """Show ``texts`` in a list, the ``chosen``-th one chosen; what stands there already stays."""
    if [box.itemText(at) for at in range(box.count())] != texts:
        box.clear()
        box.addItems(texts)
    box.setCurrentIndex(chosen)
