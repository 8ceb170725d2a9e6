"""What a file holds and what is to become of it; the resulting document is seen before it is opened."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from qkviz.document.document import Document
from qkviz.importers.found import Found, NumberRange, TableChoices
from qkviz.importers.guesses import guessed_choices
from qkviz.importers.new_document import document_from
from qkviz.importers.roles import ArrayChoice, ImportChoices
from qkviz.importers.sources import Source
from qkviz.presenters.found_arrays import file_sentence, look_at_ranges
from qkviz.translate import Refusal, _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.dialogs.array_form import ArrayForm
from qkviz.ui.dialogs.found_list import FoundList
from qkviz.ui.dialogs.import_form import ImportForm
from qkviz.ui.dialogs.import_result import ImportResult


@dataclass(frozen=True, eq=False, slots=True)
class _ReadFile:
    """What the reading thread gives."""

    found: Found
    ranges: list[NumberRange | None]
    choices: ImportChoices


class OpenDialog(QDialog):
    """Asks what the arrays of a source are. Changes nothing itself.

    Reading runs beside the window; Cancel and Esc end it.

    Parameters
    ----------
    source
        Where the arrays come from.

    Signals
    -------
    opened
        The user wants the document; carries it.
    """

    opened = Signal(object)

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Open {name}", name=source.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._source = source
        self._table = TableChoices()
        self._read: _ReadFile | None = None
        self._at = 0
        self._document: Document | None = None
        self._task = NewestTask(self)
        self._file = QLabel(self)
        self._file.setProperty("kind", "heading")
        self._file.setTextFormat(Qt.TextFormat.PlainText)
        self._list = FoundList(self)
        self._array = ArrayForm(self)
        self._form = ImportForm(self)
        self._result = ImportResult(self)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._ok = self._buttons.addButton(_("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._ok.setDefault(True)
        self._later = QTimer(self)  # several changes in one moment make one document
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._arrange()
        self._connect()
        self.resize(1180, 720)
        self._start()

    def document(self) -> Document | None:
        """Return the document that would be opened; None while there is none."""
        return self._document

    def problem_text(self) -> str:
        """Return why there is no document; empty if there is one."""
        return self._result.problem_text()

    def done(self, result: int) -> None:
        """End the reading along with the dialog."""
        self._task.cancel()
        super().done(result)

    def _arrange(self) -> None:
        fields = QWidget(self)
        inside = QVBoxLayout(fields)
        inside.setContentsMargins(0, 0, 8, 0)
        inside.setSpacing(12)
        inside.addWidget(self._array)
        inside.addWidget(self._form)
        inside.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(fields)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(self._file)
        left.addWidget(self._list, 3)
        left.addWidget(scroll, 3)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._result, 1)
        right.addWidget(self._buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 18, 20, 16)
        row.setSpacing(22)
        row.addLayout(left, 6)
        row.addLayout(right, 5)

    def _connect(self) -> None:
        self._task.finished.connect(self._take)
        self._task.failed.connect(self._fail)
        self._task.progressed.connect(self._result.show_progress)
        self._list.array_chosen.connect(self._choose_array)
        self._array.chosen.connect(self._choose_for_array)
        self._form.chosen.connect(self._choose)
        self._form.table_chosen.connect(self._read_anew)
        self._later.timeout.connect(self._make_document)
        self._buttons.accepted.connect(self._accept_document)
        self._buttons.rejected.connect(self.reject)

    # reading

    def _start(self) -> None:
        source, table = self._source, self._table

        def read(progress: Progress) -> _ReadFile:
            found = source.read(table, progress.report)
            progress.report(1.0)
            return _ReadFile(found, look_at_ranges(found.arrays), guessed_choices(found))

        self._ok.setEnabled(False)
        self._result.show_reading()
        self._file.setText(_("Reading {name} …", name=source.name))
        self._task.run(read)

    def _read_anew(self, table: TableChoices) -> None:
        self._table = table
        self._start()

    def _take(self, read: _ReadFile) -> None:
        self._read = read
        self._file.setText(file_sentence(read.found))
        roles = [choice.role for choice in read.choices.arrays]
        self._at = next((at for at, role in enumerate(roles) if role is not None), 0)
        self._list.show_arrays(read.found.arrays, read.ranges, read.choices.arrays, self._at)
        self._list.setFocus()
        self._show()

    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, Refusal):
            raise error
        self._read = None
        self._file.setText(self._source.name)
        self._list.show_arrays((), (), (), 0)
        self._array.show_nothing()
        # the remedy may be another encoding or separator
        self._form.show_table(self._source.may_be_table, self._table)
        self._refuse(str(error))

    # choosing

    def _choose_array(self, at: int) -> None:
        self._at = at
        if self._read is not None:
            self._array.show_array(self._read.found.arrays[at], self._read.choices.arrays[at])

    def _choose_for_array(self, choice: ArrayChoice) -> None:
        assert self._read is not None  # the form is off until then
        arrays = list(self._read.choices.arrays)
        arrays[self._at] = choice
        self._choose(replace(self._read.choices, arrays=tuple(arrays)))

    def _choose(self, choices: ImportChoices) -> None:
        assert self._read is not None
        self._read = replace(self._read, choices=choices)
        self._list.show_choices(choices.arrays)
        self._show()

    def _show(self) -> None:
        assert self._read is not None
        self._choose_array(self._at)
        self._form.show_choices(self._read.found, self._read.choices)
        self._later.start()

    # the document

    def _make_document(self) -> None:
        if self._read is None:
            return
        try:
            document = document_from(self._read.found, self._read.choices)
            self._result.show_document(self._read.found, self._read.choices, document)
        except Refusal as refusal:
            self._refuse(str(refusal))
        else:
            self._document = document
            self._ok.setEnabled(True)

    def _refuse(self, sentence: str) -> None:
        self._document = None
        self._ok.setEnabled(False)
        self._result.show_problem(sentence)

    def _accept_document(self) -> None:
        document = self._document
        if document is not None:
            self.accept()
            self.opened.emit(document)
