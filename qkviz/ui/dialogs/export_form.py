"""The fields of the export dialog: what is in them is an `ExportRequest` at any moment."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QWidget

from qkviz.attention.matrices import MatrixName
from qkviz.document.session import Snapshot
from qkviz.figures.picture_size import PictureSize
from qkviz.presenters.color_scales import ColorScale
from qkviz.presenters.matrix_looks import MatrixLooks
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.translate import LANGUAGES, N_, Refusal, _
from qkviz.ui.dialogs.export_looks import LooksFields
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    formats_for,
    matrices_for,
    natural_size,
    requested_contents,
    row_labels,
)
from qkviz.ui.dialogs.export_size import SizeFields
from qkviz.ui.dialogs.window_picture import window_figure

_SUBJECTS = {
    ExportSubject.MATRIX: N_("One matrix"),
    ExportSubject.MATRICES: N_("The matrices in view"),
    ExportSubject.ROW: N_("The bars of a row"),
    ExportSubject.PLANE: N_("The vector plane"),
    ExportSubject.WINDOW: N_("The whole window"),
    ExportSubject.HANDOUT: N_("The handout"),
    ExportSubject.DOCUMENT: N_("The document"),
}


class ExportForm(QWidget):
    """Lets the user change a request. Fields that make no difference to the file are disabled.

    Parameters
    ----------
    snapshot
        What there is to take away.
    start
        What is chosen at first.
    window
        The window whose picture can be taken.

    Signals
    -------
    edited
        The user changed something; carries the new request.
    refused
        What was typed makes no request; carries the sentence why.
    """

    edited = Signal(object)
    refused = Signal(str)

    def __init__(
        self, snapshot: Snapshot, start: ExportRequest, window: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._request = start
        self._window = window_figure(window)
        self._subjects = list(ExportSubject)
        self._languages = list(LANGUAGES)
        self._subject = _choice(_("What"), [_(_SUBJECTS[subject]) for subject in self._subjects], self)
        self._matrix = _choice(_("Matrix"), [], self)
        self._row = _choice(_("Query"), row_labels(snapshot), self)
        self._format = _choice(_("Format"), [], self)
        self._language = _choice(_("Language of the picture"), list(LANGUAGES.values()), self)
        self._size = SizeFields(self)
        self._looks = LooksFields(self)
        self._values = QCheckBox(_("Numbers in the cells"), self)
        self._colored = QCheckBox(_("Coloured cells"), self)
        self._has_title = QCheckBox(_("Title"), self)
        self._title = QLineEdit(self)
        self._title.setAccessibleName(_("Text of the title"))
        self._transparent = QCheckBox(_("Transparent background"), self)
        self._arrange()
        self._connect()
        if start.size_choice is not None:
            self._size.show_choice(start.size_choice)
        self._has_title.setChecked(start.title is not None)
        self._title.setText(start.title or "")

    @property
    def request(self) -> ExportRequest:
        """What is chosen now."""
        return self._request

    def begin(self) -> None:
        """Show what is chosen at first, and emit `edited` or `refused` for it."""
        self._show(self._request)

    def _arrange(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_("What"), self._subject)
        form.addRow(_("Matrix"), self._matrix)
        form.addRow(_("Query"), self._row)
        form.addRow(_("Format"), self._format)
        form.addRow(_("Size"), self._size)
        form.addRow(_("Language"), self._language)
        form.addRow(_("Scores"), self._looks.diverging)
        form.addRow(_("Weights"), self._looks.sequential)
        form.addRow(_("Range"), self._looks.range)
        form.addRow(_("Decimals"), self._looks.decimals)
        form.addRow(self._has_title, self._title)
        for tick in (self._values, self._transparent, self._colored):
            form.addRow("", tick)

    def _connect(self) -> None:
        self._subject.activated.connect(self._choose_subject)
        self._matrix.activated.connect(self._choose_matrix)
        self._row.activated.connect(self._choose_row)
        self._format.activated.connect(self._choose_format)
        self._language.activated.connect(self._choose_language)
        self._size.edited.connect(self._choose_size)
        self._size.refused.connect(self.refused)
        self._looks.edited.connect(self._choose_looks)
        self._looks.refused.connect(self.refused)
        self._values.clicked.connect(self._choose_values)
        self._colored.clicked.connect(self._choose_colored)
        self._has_title.clicked.connect(self._choose_title)
        self._title.textEdited.connect(self._choose_title)
        self._transparent.clicked.connect(self._choose_transparent)

    def _choose_subject(self, index: int) -> None:
        subject = self._subjects[index]
        suffixes = [one.suffix for one in formats_for(subject)]
        suffix = self._request.suffix if self._request.suffix in suffixes else suffixes[0]
        matrices = matrices_for(subject, self._snapshot)
        matrix = self._request.matrix if self._request.matrix in matrices else matrices[-1]
        self._show(replace(self._request, subject=subject, suffix=suffix, matrix=matrix))

    def _choose_matrix(self, index: int) -> None:
        matrices = matrices_for(self._request.subject, self._snapshot)
        self._show(replace(self._request, matrix=matrices[index]))

    def _choose_row(self, index: int) -> None:
        self._show(replace(self._request, query=index))

    def _choose_looks(self, looks: MatrixLooks, locked: bool) -> None:
        self._show(replace(self._request, looks=looks, range_is_locked=locked))

    def _choose_colored(self, checked: bool) -> None:
        self._show(replace(self._request, colored=checked))

    def _choose_format(self, index: int) -> None:
        self._show(replace(self._request, suffix=formats_for(self._request.subject)[index].suffix))

    def _choose_language(self, index: int) -> None:
        self._show(replace(self._request, language=self._languages[index]))

    def _choose_size(self, size: PictureSize) -> None:
        self._show(replace(self._request, size=size))

    def _choose_values(self, checked: bool) -> None:
        self._show(replace(self._request, with_values=checked))

    def _choose_title(self, _new: object = None) -> None:
        title = self._title.text().strip() if self._has_title.isChecked() else ""
        self._show(replace(self._request, title=title or None))

    def _choose_transparent(self, checked: bool) -> None:
        self._show(replace(self._request, transparent=checked))

    def _show(self, request: ExportRequest) -> None:
        """Show ``request`` in every field; the size is that of the picture it gives."""
        request, problem = replace(request, window=self._window), ""
        try:
            self._looks.check()
            if request.is_picture:
                request = self._sized(request)
        except Refusal as refusal:
            problem = str(refusal)
        self._request = request
        _refill(self._matrix, [matrix_title(self._snapshot, name) for name in self._matrices()])
        _refill(self._format, [one.label for one in formats_for(request.subject)])
        self._subject.setCurrentIndex(self._subjects.index(request.subject))
        self._matrix.setCurrentIndex(self._matrices().index(request.matrix))
        self._row.setCurrentIndex(request.query)
        suffixes = [one.suffix for one in formats_for(request.subject)]
        self._format.setCurrentIndex(suffixes.index(request.suffix))
        self._language.setCurrentIndex(self._languages.index(request.language))
        self._looks.show_looks(request.looks, request.range_is_locked)
        self._values.setChecked(request.with_values)
        self._title.setEnabled(self._has_title.isChecked())
        self._transparent.setChecked(request.transparent)
        self._colored.setChecked(request.colored)
        self._enable(request)
        if problem:
            self.refused.emit(problem)
        else:
            self.edited.emit(request)

    def _sized(self, request: ExportRequest) -> ExportRequest:
        """Return ``request`` with the size in the fields, or the natural one while nobody gave another."""
        natural = natural_size(request, self._snapshot)
        self._size.offer(natural)
        size = self._size.fit(natural.height / natural.width)
        return replace(request, size=size, size_choice=self._size.choice)

    def _matrices(self) -> tuple[MatrixName, ...]:
        return matrices_for(self._request.subject, self._snapshot)

    def _enable(self, request: ExportRequest) -> None:
        """Let the user change only what makes a difference to the file."""
        subject, picture = request.subject, request.is_picture
        painted = picture and subject is not ExportSubject.WINDOW
        contents = requested_contents(request, self._snapshot)
        has_colors = picture or (request.suffix == ".tex" and request.colored)
        weights = {content.name is MatrixName.WEIGHTS for content in contents}
        if contents:
            self._looks.offer_range(*_ends(contents[0].scale))
        has_words = painted or subject is ExportSubject.HANDOUT or request.suffix in (".tex", ".md", ".py")
        has_cells = request.has_matrices or subject is ExportSubject.ROW
        for field, enabled in (
            (self._matrix, subject in (ExportSubject.MATRIX, ExportSubject.ROW)),
            (self._row, subject is ExportSubject.ROW),
            (self._size, picture),
            (self._language, has_words),
            (self._looks.diverging, has_colors and False in weights),
            (self._looks.sequential, has_colors and True in weights),
            (self._looks.range, has_colors and bool(contents)),
            (self._looks.decimals, (picture and has_cells) or request.suffix == ".tex"),
            (self._has_title, painted),
            (self._transparent, painted),
            (self._values, picture and has_cells),
        ):
            field.setEnabled(enabled)
        self._colored.setVisible(request.suffix == ".tex")


def _ends(scale: ColorScale) -> tuple[float, float]:
    """Return the range that a range of one's own begins with: that of the matrix, in few digits."""
    low, high = -_rounded_up(-scale.low), _rounded_up(scale.high)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def _rounded_up(value: float) -> float:
    """Return ``value`` in four digits; not below it, but for an error of rounding."""
    rounded = float(f"{value:.4g}")
    if rounded >= value - 1e-12 * abs(value) or value == 0.0:
        return rounded
    return float(f"{rounded + 10.0 ** (math.floor(math.log10(abs(value))) - 3):.4g}")


def _refill(box: QComboBox, texts: list[str]) -> None:
    if [box.itemText(index) for index in range(box.count())] != texts:
        box.clear()
        box.addItems(texts)


def _choice(name: str, texts: list[str], parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    box.addItems(texts)
    box.setAccessibleName(name)
    return box
