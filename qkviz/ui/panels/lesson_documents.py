"""The documents of a lesson that has several: a button for each, and what the open one shows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.lesson import LessonDocumentContent
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.wrapping_button import WrappingButton
from qkviz.ui.theme import LIGHT, Theme


class LessonDocuments(QWidget):
    """Shows the documents of a lesson; out of sight where there is only one.

    Signals
    -------
    asked
        The user wants the document of this name.
    """

    asked = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._documents: tuple[LessonDocumentContent, ...] = ()
        self._buttons: list[WrappingButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self._ask)
        self._title = RunsView(self)
        self._text = RunsView(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(self._title)
        self._column.addWidget(self._text)
        self.hide()

    def show_documents(self, title: str, documents: Sequence[LessonDocumentContent]) -> None:
        """Show ``documents``, the open one marked. Emits nothing."""
        self._documents = tuple(documents)
        while len(self._buttons) > len(documents):
            button = self._buttons.pop()
            self._group.removeButton(button)
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        while len(self._buttons) < len(documents):
            button = WrappingButton(self)
            button.restyle(self._theme)
            self._group.addButton(button, len(self._buttons))
            self._column.insertWidget(1 + len(self._buttons), button)
            self._buttons.append(button)
        for button, document in zip(self._buttons, documents, strict=True):
            button.show_text(f"● {document.title}" if document.is_open else document.title)
            name = _("{document} (open)", document=document.title) if document.is_open else document.title
            button.setAccessibleName(name)
            button.set_tone("query" if document.is_open else "plain")
        self._title.show_paragraphs([Paragraph((Run(title, "strong"),))])
        text = next((document.text for document in documents if document.is_open), "")
        self._text.setVisible(bool(text))
        self._text.show_paragraphs([Paragraph(runs_of(text))] if text else [])
        self.setVisible(bool(documents))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._title.restyle(theme)
        self._text.restyle(theme)
        for button in self._buttons:
            button.restyle(theme)

    def _ask(self, at: int) -> None:
        if not self._documents[at].is_open:
            self.asked.emit(self._documents[at].name)
