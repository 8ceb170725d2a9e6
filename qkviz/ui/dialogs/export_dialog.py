"""What to take away, in which format and size; the picture is seen before it is saved."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from qkviz.attention.matrices import available_matrices
from qkviz.document.session import Snapshot
from qkviz.figures.export import figure_image
from qkviz.figures.figure import missing_glyphs
from qkviz.figures.picture_size import PictureSize
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.number_format import full_number
from qkviz.translate import LANGUAGES, Refusal, _
from qkviz.ui.dialogs.export_preview import Preview
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    formats_for,
    natural_size,
    picture_style,
    requested_figure,
)
from qkviz.ui.dialogs.export_size import SizeFields


class ExportDialog(QDialog):
    """Asks for an `ExportRequest`. Writes nothing.

    Parameters
    ----------
    snapshot
        What there is to take away; the dialog shows this moment, whatever happens behind it.
    start
        What is chosen at first.

    Signals
    -------
    requested
        The user wants it; carries the request.
    """

    requested = Signal(object)

    def __init__(self, snapshot: Snapshot, start: ExportRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Export"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._snapshot = snapshot
        self._request = start
        self._subjects = list(ExportSubject)
        self._matrices = list(available_matrices(snapshot.trace))
        self._languages = list(LANGUAGES)
        self._subject = _choice(
            _("What"), [_("One matrix"), _("The matrices in view"), _("The vector plane")], self
        )
        self._matrix = _choice(_("Matrix"), [matrix_title(snapshot, name) for name in self._matrices], self)
        self._format = _choice(_("Format"), [], self)
        self._language = _choice(_("Language of the picture"), list(LANGUAGES.values()), self)
        self._size = SizeFields(self)
        self._values = QCheckBox(_("Numbers in the cells"), self)
        self._has_title = QCheckBox(_("Title"), self)
        self._title = QLineEdit(self)
        self._title.setAccessibleName(_("Text of the title"))
        self._transparent = QCheckBox(_("Transparent ground"), self)
        self._preview = Preview(self)
        self._note, self._note_text = _note(self)
        self._save = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._ok = self._save.addButton(_("Save as…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._later = QTimer(self)  # several changes in one moment are painted once
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._arrange()
        self._connect()
        self.resize(1080, 680)
        self._size.show_size(start.size)
        self._show(start)

    def request(self) -> ExportRequest:
        """Return what is chosen now."""
        return self._request

    def preview_image(self) -> QImage:
        """Return the image of the preview; null for numbers."""
        return self._preview.image()

    def note_text(self) -> str:
        """Return the warning in sight, empty if there is none."""
        return self._note_text.text() if self._note.isVisibleTo(self) else ""

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(9)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_("What"), self._subject)
        form.addRow(_("Matrix"), self._matrix)
        form.addRow(_("Format"), self._format)
        form.addRow(_("Size"), self._size)
        form.addRow(_("Language"), self._language)
        form.addRow("", self._values)
        form.addRow(self._has_title, self._title)
        form.addRow("", self._transparent)
        left = QVBoxLayout()
        left.setSpacing(12)
        left.addLayout(form)
        left.addWidget(self._note)
        left.addStretch(1)
        left.addWidget(self._save)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 18, 20, 16)
        row.setSpacing(22)
        row.addLayout(left)
        row.addWidget(self._preview, 1)

    def _connect(self) -> None:
        self._subject.activated.connect(self._choose_subject)
        self._matrix.activated.connect(self._choose_matrix)
        self._format.activated.connect(self._choose_format)
        self._language.activated.connect(self._choose_language)
        self._size.edited.connect(self._choose_size)
        self._size.refused.connect(self._refuse)
        self._values.clicked.connect(self._choose_values)
        self._has_title.clicked.connect(self._choose_title)
        self._title.textEdited.connect(self._choose_title)
        self._transparent.clicked.connect(self._choose_transparent)
        self._later.timeout.connect(self._paint_preview)
        self._save.accepted.connect(self._accept_request)
        self._save.rejected.connect(self.reject)

    def _choose_subject(self, index: int) -> None:
        subject = self._subjects[index]
        suffixes = [one.suffix for one in formats_for(subject)]
        suffix = self._request.suffix if self._request.suffix in suffixes else suffixes[0]
        self._show(replace(self._request, subject=subject, suffix=suffix))

    def _choose_matrix(self, index: int) -> None:
        self._show(replace(self._request, matrix=self._matrices[index]))

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

    def _refuse(self, sentence: str) -> None:
        self._warn(sentence)
        self._ok.setEnabled(False)

    def _show(self, request: ExportRequest) -> None:
        """Show ``request`` in every field; the size is that of the picture it gives."""
        picture = request.is_picture
        self._ok.setEnabled(True)
        if picture:
            natural = natural_size(request, self._snapshot)
            try:
                request = replace(request, size=self._size.fit(natural.height / natural.width))
            except Refusal as refusal:
                self._refuse(str(refusal))
        self._request = request
        formats = formats_for(request.subject)
        self._subject.setCurrentIndex(self._subjects.index(request.subject))
        self._matrix.setCurrentIndex(self._matrices.index(request.matrix))
        self._matrix.setEnabled(request.subject is ExportSubject.MATRIX)
        if [self._format.itemText(index) for index in range(self._format.count())] != [
            one.label for one in formats
        ]:
            self._format.clear()
            self._format.addItems([one.label for one in formats])
        self._format.setCurrentIndex([one.suffix for one in formats].index(request.suffix))
        self._language.setCurrentIndex(self._languages.index(request.language))
        self._values.setChecked(request.with_values)
        self._title.setEnabled(self._has_title.isChecked())
        self._transparent.setChecked(request.transparent)
        for field in (self._size, self._language, self._has_title, self._transparent):
            field.setEnabled(picture)
        self._values.setEnabled(picture and request.subject is not ExportSubject.PLANE)
        if self._ok.isEnabled():
            self._later.start()

    def _paint_preview(self) -> None:
        request = self._request
        if not request.is_picture:
            self._warn("")
            self._preview.show_words(_("The numbers exactly as they are, with the labels; no rounding."))
            return
        figure = requested_figure(request, self._snapshot)
        missing = missing_glyphs(figure)
        self._warn(_missing_sentence(missing) if missing else "")
        try:
            image = figure_image(figure, request.size, picture_style(request))
        except Refusal as refusal:  # not enough memory
            self._refuse(str(refusal))
            return
        self._preview.show_image(image, _size_text(request.size))

    def _warn(self, sentence: str) -> None:
        self._note_text.setText(sentence)
        self._note.setVisible(bool(sentence))

    def _accept_request(self) -> None:
        self.accept()
        self.requested.emit(self._request)


def _missing_sentence(missing: str) -> str:
    return _(
        "No installed font has these characters: {characters}. They would appear as boxes; "
        "install a font that has them, or use other labels.",
        characters=missing,
    )


def _size_text(size: PictureSize) -> str:
    return _(
        "{width} × {height} pixels · {width_mm} × {height_mm} mm at {dpi} dpi",
        width=size.width,
        height=size.height,
        width_mm=full_number(round(size.width_mm, 1)),
        height_mm=full_number(round(size.height_mm, 1)),
        dpi=full_number(size.dpi),
    )


def _choice(name: str, texts: list[str], parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    box.addItems(texts)
    box.setAccessibleName(name)
    return box


def _note(parent: QWidget) -> tuple[QFrame, QLabel]:
    card = QFrame(parent)
    card.setProperty("kind", "note")
    text = QLabel(card)
    text.setTextFormat(Qt.TextFormat.PlainText)
    text.setWordWrap(True)
    inside = QVBoxLayout(card)
    inside.addWidget(text)
    card.hide()
    return card, text
