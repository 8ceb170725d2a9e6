"""The Code panel: the PyTorch that computes what is on the screen, and ready experiments."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.code import CodeContent, present_code
from qkviz.presenters.experiments import present_experiments
from qkviz.presenters.formulas import document_formulas, formula_line
from qkviz.presenters.runs import Line
from qkviz.translate import _, current_language
from qkviz.ui.buttons import PlainButton
from qkviz.ui.items.python_highlighter import PythonHighlighter
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_fields import QuietChoice
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import FIXED_FAMILIES, Theme

_SCREEN = "screen"


class CodePanel(Panel):
    """A script to read, copy and save.

    Signals
    -------
    save_asked
        The script is to be saved; carries it as `CodeContent`.
    """

    save_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._spoken = ""
        self._chosen = _SCREEN
        self._lines: tuple[Line, ...] = ()
        self._scripts: dict[str, CodeContent] = {}
        self.choice = QuietChoice(self)
        self.choice.chosen.connect(self._choose)
        self.copy_button, self.save_button = PlainButton(self), PlainButton(self)
        self.copy_button.clicked.connect(self._copy)
        self.save_button.clicked.connect(self._save)
        self._formulas = RunsView(self)
        self.view = QPlainTextEdit(self)
        self.view.setReadOnly(True)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._highlighter = PythonHighlighter(self.view.document())
        head = QHBoxLayout()
        head.addWidget(self.choice, 1)
        head.addWidget(self.copy_button)
        head.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 12, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._formulas)
        column.addWidget(self.view, 1)
        self.retranslate()

    def formula_text(self) -> str:
        """Return the formulas over the script in words."""
        return self._formulas.text() if self._formulas.isVisibleTo(self) else ""

    @property
    def content(self) -> CodeContent | None:
        """The script shown."""
        return self._scripts.get(self._chosen)

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the script of ``snapshot``; written anew only for another document or language."""
        if snapshot.document is self._document and self._spoken == current_language():
            return
        if self._spoken != current_language():
            self._scripts = {script.file_name: script for script in present_experiments(current_language())}
        whole, *parts = document_formulas(snapshot)
        self._lines = (formula_line((whole,)), formula_line(tuple(parts)))
        self._document, self._spoken = snapshot.document, current_language()
        self._scripts = {**self._scripts, _SCREEN: present_code(snapshot)}
        self._show()

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.copy_button.setText(_("Copy"))
        self.save_button.setText(_("Save as .py…"))
        self.choice.setAccessibleName(_("Script"))
        self.view.setAccessibleName(_("PyTorch script"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.choice.restyle(theme)
        self._formulas.restyle(theme)
        font = QFont(self.font())
        font.setFamilies([*FIXED_FAMILIES, *theme.figure.font_family])  # the last ones have Chinese
        font.setStyleHint(QFont.StyleHint.Monospace)
        self.view.setFont(font)
        self._highlighter.restyle(theme)

    def _show(self) -> None:
        names = [_SCREEN, *(name for name in self._scripts if name != _SCREEN)]
        titles = tuple((name, self._scripts[name].title) for name in names)
        if self._chosen not in self._scripts:
            self._chosen = _SCREEN
        self.choice.show_choices(titles, self._chosen, "")
        self._formulas.setVisible(self._chosen == _SCREEN)  # the experiments have documents of their own
        self._formulas.show_paragraphs([Paragraph(line) for line in self._lines if line])
        content = self._scripts[self._chosen]
        if content.text != self.view.toPlainText():
            across, down = self.view.horizontalScrollBar().value(), self.view.verticalScrollBar().value()
            self.view.setPlainText(content.text)
            self.view.horizontalScrollBar().setValue(across)
            self.view.verticalScrollBar().setValue(down)

    def _choose(self, name: str) -> None:
        self._chosen = name
        self._show()

    def _copy(self) -> None:
        if self.content is not None:
            QGuiApplication.clipboard().setText(self.content.text)
            self.told.emit(
                _("The script is on the clipboard, its large arrays are not; “Save as .py…” writes both.")
                if self.content.arrays
                else _("The script is on the clipboard; paste it before you quit.")
            )

    def _save(self) -> None:
        if self.content is not None:
            self.save_asked.emit(self.content)
