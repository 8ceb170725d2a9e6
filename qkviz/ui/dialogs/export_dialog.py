"""What to take away, in which format and size; the picture is seen before it is saved."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.document.session import Snapshot
from qkviz.figures.export import figure_image
from qkviz.figures.figure import missing_glyphs
from qkviz.figures.handout import missing_in_handout, page_image
from qkviz.figures.picture_size import PictureSize
from qkviz.presenters.number_format import full_number
from qkviz.translate import Refusal, _
from qkviz.ui.dialogs.export_form import ExportForm
from qkviz.ui.dialogs.export_preview import Preview
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    in_language,
    picture_style,
    requested_figure,
    requested_handout,
)
from qkviz.ui.dialogs.export_writing import preview_text


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
        self._form = ExportForm(snapshot, start, self if parent is None else parent.window(), self)
        self._preview = Preview(self)
        self._note, self._note_text = _note(self)
        self._save = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._ok = self._save.addButton(_("Save as…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._later = QTimer(self)  # several changes in one moment are painted once
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._arrange()
        self._form.edited.connect(self._take)
        self._form.refused.connect(self._refuse)
        self._later.timeout.connect(self._paint_preview)
        self._save.accepted.connect(self._accept_request)
        self._save.rejected.connect(self.reject)
        self.resize(1100, 690)
        self._form.begin()

    def request(self) -> ExportRequest:
        """Return what is chosen now."""
        return self._form.request

    def preview_image(self) -> QImage:
        """Return the image of the preview; null for numbers."""
        return self._preview.image()

    def preview_text(self) -> str:
        """Return the text of the preview; empty for a picture."""
        return self._preview.text()

    def note_text(self) -> str:
        """Return the warning in sight, empty if there is none."""
        return self._note_text.text() if self._note.isVisibleTo(self) else ""

    def _arrange(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(self._form)
        left.addWidget(self._note)
        left.addStretch(1)
        left.addWidget(self._save)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 16, 20, 14)
        row.setSpacing(22)
        row.addLayout(left)
        row.addWidget(self._preview, 1)

    def _take(self, _request: ExportRequest) -> None:
        self._ok.setEnabled(True)
        self._later.start()

    def _refuse(self, sentence: str) -> None:
        self._warn(sentence)
        self._ok.setEnabled(False)
        self._later.stop()

    def _paint_preview(self) -> None:
        request = self.request()
        try:
            if request.is_picture:
                self._paint_picture(request)
            elif request.subject is ExportSubject.HANDOUT:
                self._paint_first_page(request)
            else:
                self._show_text(request)
        except (Refusal, OSError) as error:  # not enough memory, or the format cannot hold it
            self._refuse(str(error))

    def _paint_picture(self, request: ExportRequest) -> None:
        figure = requested_figure(request, self._snapshot)
        missing = missing_glyphs(figure)
        self._warn(_missing_sentence(missing) if missing else "")
        image = figure_image(figure, request.size, picture_style(request))
        self._preview.show_image(image, _size_text(request.size))

    def _paint_first_page(self, request: ExportRequest) -> None:
        content = requested_handout(request, self._snapshot)
        missing = missing_in_handout(content)
        self._warn(_missing_sentence(missing) if missing else "")
        with in_language(request.language):
            image = page_image(content, 0)
        self._preview.show_image(image, _("page {number} of {count}", number=1, count=len(content.pages)))

    def _show_text(self, request: ExportRequest) -> None:
        self._warn("")
        text = preview_text(request, self._snapshot)
        if text is not None:
            self._preview.show_text(text, "")
        elif request.suffix == ".qkviz":
            self._preview.show_words(
                _("The whole document: words, matrices and options, to be opened again.")
            )
        else:
            self._preview.show_words(_("The numbers exactly as they are, with the labels; no rounding."))

    def _warn(self, sentence: str) -> None:
        self._note_text.setText(sentence)
        self._note.setVisible(bool(sentence))

    def _accept_request(self) -> None:
        self.accept()
        self.requested.emit(self.request())


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
