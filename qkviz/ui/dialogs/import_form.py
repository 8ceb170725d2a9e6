"""What a whole file means: heads, mask, scale; and how a text table is written."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from qkviz.importers.found import Found, TableChoices
from qkviz.importers.roles import HAS_HEADS, ArrayRole, ImportChoices
from qkviz.importers.table_file import ENCODINGS
from qkviz.importers.table_rows import SEPARATORS
from qkviz.translate import N_, _
from qkviz.ui.dialogs.array_form import combo, fill, named, number

_MOST_HEADS = 256
_ENCODING_NAMES = ("UTF-8", "GB18030")
_SEPARATOR_NAMES = (N_("tab"), N_("semicolon ;"), N_("comma ,"), N_("blanks"))
_YES_OR_NO = (None, True, False)


class ImportForm(QWidget):
    """Fields for the file as a whole; those that do not matter to it are hidden.

    Signals
    -------
    chosen
        Carries the `ImportChoices` after the user changed a field.
    table_chosen
        Carries the `TableChoices`; the file is to be read anew.
    """

    chosen = Signal(object)
    table_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = ImportChoices(())
        self._table = TableChoices()
        self._heads = number(_("Heads side by side"), _MOST_HEADS, self)
        self._head = number(_("Head to show"), _MOST_HEADS, self)
        self._mask = combo(_("1 in the mask means"), self)
        self._encoding = combo(_("Encoding"), self)
        self._separator = combo(_("Separator"), self)
        self._header = combo(_("First row"), self)
        self._labels = combo(_("First column"), self)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(7)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._of_table = (self._encoding, self._separator, self._header, self._labels)
        for field in (self._heads, self._head, self._mask, *self._of_table):
            label = named(field.accessibleName(), self)
            label.setBuddy(field)
            self._form.addRow(label, field)
            self._form.setRowVisible(field, False)
        self._fill()
        self._connect()

    def show_choices(self, found: Found, choices: ImportChoices) -> None:
        """Show the fields that matter to a file and its roles."""
        self._choices = choices
        roles = {choice.role for choice in choices.arrays}
        has_heads = bool(roles & HAS_HEADS)
        self._form.setRowVisible(self._heads, has_heads)
        self._form.setRowVisible(self._head, has_heads and choices.heads > 1)
        self._head.setMaximum(choices.heads)
        self._heads.setValue(choices.heads)
        self._head.setValue(choices.head + 1)
        self._form.setRowVisible(self._mask, ArrayRole.MASK in roles)
        self._mask.setCurrentIndex(0 if choices.mask_allows else 1)
        self.show_table(found.is_table, self._table)

    def show_table(self, is_table: bool, table: TableChoices) -> None:
        """Show how a text table is read, or none of that."""
        self._table = table
        for field in self._of_table:
            self._form.setRowVisible(field, is_table)
        self._encoding.setCurrentIndex(ENCODINGS.index(table.encoding))
        self._separator.setCurrentIndex(
            0 if table.separator is None else SEPARATORS.index(table.separator) + 1
        )
        self._header.setCurrentIndex(_YES_OR_NO.index(table.has_header))
        self._labels.setCurrentIndex(_YES_OR_NO.index(table.has_labels))

    def _fill(self) -> None:
        fill(self._mask, [_("may look"), _("is masked")], 0)
        fill(self._encoding, list(_ENCODING_NAMES), 0)
        fill(self._separator, [_("found out"), *(_(name) for name in _SEPARATOR_NAMES)], 0)
        for box in (self._header, self._labels):
            fill(box, [_("found out"), _("labels"), _("numbers")], 0)

    def _connect(self) -> None:
        self._heads.valueChanged.connect(self._choose_heads)
        self._head.valueChanged.connect(self._choose_head)
        self._mask.activated.connect(self._choose_mask)
        for box in self._of_table:
            box.activated.connect(self._choose_table)

    def _choose_heads(self, heads: int) -> None:
        if heads != self._choices.heads:
            self._say(replace(self._choices, heads=heads, head=min(self._choices.head, heads - 1)))

    def _choose_head(self, head: int) -> None:
        if head != self._choices.head + 1:
            self._say(replace(self._choices, head=head - 1))

    def _choose_mask(self, index: int) -> None:
        self._say(replace(self._choices, mask_allows=index == 0))

    def _choose_table(self, _index: int) -> None:
        separator = self._separator.currentIndex()
        table = TableChoices(
            ENCODINGS[self._encoding.currentIndex()],
            None if separator == 0 else SEPARATORS[separator - 1],
            _YES_OR_NO[self._header.currentIndex()],
            _YES_OR_NO[self._labels.currentIndex()],
        )
        if table != self._table:
            self._table = table
            self.table_chosen.emit(table)

    def _say(self, choices: ImportChoices) -> None:
        self._choices = choices
        self.chosen.emit(choices)
