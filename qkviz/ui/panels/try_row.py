"""One thing to do by hand, with its check mark."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.lesson import TryContent
from qkviz.ui.panels.check_mark import CheckMark
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme


class TryRow(QWidget):
    """One thing to do by hand: an empty circle, or a check mark and the remark."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = CheckMark(self)
        self._text = RunsView(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)

    def show_try(self, content: TryContent) -> None:
        """Show ``content``."""
        self._mark.set_done(content.is_done)
        paragraphs = [Paragraph(runs_of(content.text, "muted" if content.is_done else "plain"))]
        if content.remark:
            paragraphs.append(Paragraph(runs_of(content.remark), gap=3))
        self._text.show_paragraphs(paragraphs)

    def is_done(self) -> bool:
        """Tell whether the check mark is shown."""
        return self._mark.is_done()

    def text(self) -> str:
        """Return what is shown, a line each."""
        return self._text.text()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._mark.restyle(theme)
        self._text.restyle(theme)
