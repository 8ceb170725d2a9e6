"""The document that a file will be: its size, what to know of it, its picture; or why there is none."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QVBoxLayout, QWidget

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.figures.export import figure_image
from qkviz.figures.figure import MatrixFigure, figure_size
from qkviz.figures.picture_size import SCREEN_DPI, PictureSize
from qkviz.importers.found import Found
from qkviz.importers.roles import ImportChoices
from qkviz.presenters.found_arrays import document_notes, document_sentence
from qkviz.presenters.matrix import present_matrices
from qkviz.translate import _
from qkviz.ui.dialogs.export_preview import Preview

_LARGEST_PREVIEW = 1400.0
"""Pixels of the longer side."""


class ImportResult(QWidget):
    """Shows one of three things: that a file is being read, a problem, or the document."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sentence = _words(self, "section")
        self._notes = _words(self, "muted")
        self._problem = QFrame(self)
        self._problem.setProperty("kind", "note")
        self._problem_text = _words(self._problem, "plain")
        self._problem_text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._problem_text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        QVBoxLayout(self._problem).addWidget(self._problem_text)
        self._progress = QProgressBar(self)
        self._progress.setTextVisible(False)
        self._preview = Preview(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self._progress, self._problem, self._sentence, self._notes):
            column.addWidget(part)
        column.addWidget(self._preview, 1)
        self._problem.hide()

    def problem_text(self) -> str:
        """Return the problem in sight; empty if there is none."""
        return self._problem_text.text() if self._problem.isVisibleTo(self) else ""

    def words(self) -> str:
        """Return what is said of the document."""
        return f"{self._sentence.text()}\n{self._notes.text()}"

    def show_reading(self) -> None:
        """Show that a file is being read."""
        self._show("", "")
        self._progress.setRange(0, 0)
        self._progress.show()

    def show_progress(self, share: float) -> None:
        """Show how much of it is read."""
        self._progress.setRange(0, 1000)
        self._progress.setValue(round(1000 * share))

    def show_problem(self, sentence: str) -> None:
        """Show why there is no document."""
        self._show("", "")
        self._problem_text.setText(sentence)
        self._problem.show()

    def show_document(self, found: Found, choices: ImportChoices, document: Document) -> None:
        """Show the document and what to know of it.

        Raises
        ------
        Refusal
            If its options do not suit its matrices, or there is not enough memory.
        """
        focus = Focus(matrices=(MatrixName.SCORES, MatrixName.WEIGHTS))
        contents = present_matrices(Session(document, focus).snapshot, locked=False)
        figure = MatrixFigure(contents, columns=1)
        size = figure_size(figure)
        ratio = self.devicePixelRatioF() * min(1.0, _LARGEST_PREVIEW / max(size.width(), size.height()))
        image = figure_image(figure, PictureSize.natural(figure, SCREEN_DPI * ratio))
        self._show(document_sentence(document), "\n".join(document_notes(found, choices, document)))
        self._preview.show_image(image, _("The document as it will be: its scores and weights."))

    def _show(self, sentence: str, notes: str) -> None:
        self._progress.hide()
        self._problem.hide()
        self._sentence.setText(sentence)
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))
        self._preview.show_words("")


def _words(parent: QWidget, kind: str) -> QLabel:
    label = QLabel(parent)
    label.setProperty("kind", kind)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
