"""The Row panel: scores and weights of one query as bars over the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from qkviz.attention.matrices import MatrixName
from qkviz.document.focus import Cell
from qkviz.document.session import Snapshot
from qkviz.presenters.row import RowContent, present_row
from qkviz.presenters.runs import Run
from qkviz.translate import N_, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import LIGHT, Theme

if TYPE_CHECKING:
    from qkviz.ui.items.row_chart import RowChart

STAGES = (
    (MatrixName.SCORES, N_("Scores"), "query"),
    (MatrixName.SCALED, N_("Scaled"), "query"),
    (MatrixName.WEIGHTS, N_("Weights"), "weight"),
)
"""What the bars can show: the matrix whose row it is, the word on the button, the tone of the bars."""


class RowPanel(Panel):
    """Bars of the chosen query's row. Pointing at a bar is pointing at its cell; a click pins it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._stage = len(STAGES) - 1
        self._theme: Theme = LIGHT
        self._chart: RowChart | None = None
        self._title = RunsView(self)  # labels may be long and hold markup
        self._title.setContentsMargins(0, 5, 0, 0)
        self._sentence = RunsView(self)
        self._empty = QLabel(self)
        self._empty.setProperty("kind", "muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._buttons = QButtonGroup(self)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self._title, 1)
        for number in range(len(STAGES)):
            button = QuietButton(self)
            button.setCheckable(True)
            self._buttons.addButton(button, number)
            top.addWidget(button)
        self._buttons.button(self._stage).setChecked(True)
        self._buttons.idClicked.connect(self._choose_stage)
        self._full = QWidget(self)
        self._column = QVBoxLayout(self._full)
        self._column.setContentsMargins(14, 4, 12, 8)
        self._column.setSpacing(6)
        self._column.addLayout(top)
        self._column.addWidget(self._sentence)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._full)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self._pages)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the row of the chosen query, or say how to choose one."""
        self._snapshot = snapshot
        content = present_row(snapshot)
        if content is None:
            self._pages.setCurrentWidget(self._empty)
        else:
            self.show_content(content)

    def show_content(self, content: RowContent) -> None:
        """Draw ``content``. Emits nothing."""
        name, _word, _tone = STAGES[self._stage]
        values = {
            MatrixName.SCORES: content.scores,
            MatrixName.SCALED: content.scaled,
            MatrixName.WEIGHTS: content.weights,
        }[name]
        key = None if self._snapshot is None else self._snapshot.focus.key
        chart = self._ready_chart()
        chart.show_row(content.key_labels, values, content.kinds, content.largest, key)
        chart.setAccessibleName(f"{content.title}. {content.sentence}")
        self._title.show_paragraphs([Paragraph((Run(content.title, "strong"),))])
        self._sentence.show_paragraphs([Paragraph((Run(content.sentence, "muted"),))])
        self._pages.setCurrentWidget(self._full)

    def shown_text(self) -> str:
        """Return what is said in words: title and sentence, or how to choose a row."""
        if self._pages.currentWidget() is self._empty:
            return self._empty.text()
        return f"{self._title.text()}\n{self._sentence.text()}"

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Row"))
        self._empty.setText(_("Click the label of a row in a matrix: its keys appear here as bars."))
        for number, (_name, word, _tone) in enumerate(STAGES):
            button = self._buttons.button(number)
            button.setText(_(word))
            button.setAccessibleName(_("Show as bars: {what}", what=_(word)))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._title.restyle(theme)
        self._sentence.restyle(theme)
        if self._chart is not None:
            self._chart.restyle(theme, STAGES[self._stage][2])

    def _ready_chart(self) -> RowChart:
        """Return the chart, built at its first use."""
        if self._chart is None:
            from qkviz.ui.items.row_chart import RowChart  # noqa: PLC0415  pyqtgraph takes half a second

            self._chart = RowChart(self._full)
            self._chart.restyle(self._theme, STAGES[self._stage][2])
            self._chart.key_hovered.connect(self._hover)
            self._chart.key_clicked.connect(self._pin)
            self._column.insertWidget(1, self._chart, 1)
        return self._chart

    def _choose_stage(self, number: int) -> None:
        self._stage = number
        self.restyle(self._theme)
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def _hover(self, key: int) -> None:
        if self._snapshot is None or self._snapshot.focus.query is None:
            return
        focus = self._snapshot.focus
        cell = None if key < 0 else Cell(STAGES[self._stage][0], self._snapshot.focus.query, key)
        self.looked.emit(replace(focus, hover=cell))

    def _pin(self, key: int) -> None:
        if self._snapshot is not None and self._snapshot.focus.query is not None:
            self.looked.emit(replace(self._snapshot.focus, key=key))
