"""The panel that holds dot product, scaled dot product and cosine of the same vectors side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.document.edits import SetLength, SetScoreFunction
from qkviz.document.focus import Cell
from qkviz.document.session import Snapshot
from qkviz.figures.matrix_view import CellView
from qkviz.presenters.cosine import (
    FUNCTIONS,
    CosineContent,
    Stage,
    can_be_compared,
    present_cosine,
    under_each_function,
)
from qkviz.presenters.runs import Run
from qkviz.translate import N_, _
from qkviz.ui.buttons import PlainButton, QuietButton
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.panels.length_row import LengthRow
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

STAGES: tuple[tuple[Stage, str], ...] = (("scores", N_("Scores")), ("weights", N_("Weights")))


AROUND = 160
"""Pixels of height that buttons, words and sliders take."""


@dataclass(frozen=True, eq=False, slots=True)
class CosineOptions:
    """What the panel shows, and since when changes are counted; no part of the document."""

    stage: Stage = "scores"
    since: Snapshot | None = None


class CosinePanel(Panel):
    """Lengths to change alone, and three times two matrices: what is there now, and what changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._options = CosineOptions()
        self._now: tuple[Snapshot, ...] = ()
        self._before: tuple[Snapshot, ...] = ()
        self.now = tuple(MatrixCanvas(self) for _function in FUNCTIONS)
        self.change = tuple(MatrixCanvas(self) for _function in FUNCTIONS)
        self.lengths = (LengthRow(Role.QUERY, self), LengthRow(Role.KEY, self))
        for row in self.lengths:
            row.asked.connect(self._stretch)
        self._words = RunsView(self)
        self._empty = QLabel(self)
        self._empty.setProperty("kind", "muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stages, self._choices = QButtonGroup(self), QButtonGroup(self)
        self._choices.setExclusive(False)  # the document may use a fourth function
        self._use = QLabel(self)
        self.since_button = PlainButton(self)
        self.since_button.clicked.connect(self._count_from_here)
        self._full = QWidget(self)
        column = QVBoxLayout(self._full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._head())
        self._grid = QGridLayout()
        self._grid.setSpacing(4)
        column.addLayout(self._grid, 1)
        below = QHBoxLayout()
        below.addWidget(self._words, 1)
        below.addWidget(self.since_button, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(below)
        for row in self.lengths:
            column.addWidget(row)
        page = QVBoxLayout(self)
        page.setContentsMargins(12, 2, 12, 10)
        page.addWidget(self._empty, 1)
        page.addWidget(self._full, 1)
        self._connect_canvases()
        self._arrange()
        self.retranslate()

    def resizeEvent(self, event: QEvent) -> None:
        """Lay the matrices out for the new shape."""
        self._arrange()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot`` beside what was there before, or begin to count changes from it."""
        is_news = self._snapshot is None or self._snapshot.trace is not snapshot.trace
        if is_news or not self._now:
            self._now = under_each_function(snapshot)
        else:
            self._now = tuple(replace(one, focus=snapshot.focus) for one in self._now)
        self._snapshot = snapshot
        if self._options.since is None or not can_be_compared(self._options.since, snapshot):
            self._begin(snapshot)
        if len(self._before) != len(self._now):
            self._before = self._now
        self.show_content(present_cosine(snapshot, self._now, self._before, self._options.stage))

    def show_content(self, content: CosineContent) -> None:
        """Draw ``content``. Emits nothing."""
        self._empty.setText(content.note)
        self._empty.setVisible(not content.functions)
        self._full.setVisible(bool(content.functions))
        for at, function in enumerate(content.functions):
            self.now[at].show_content(function.now, "")
            self.change[at].show_content(function.change, "")
            self._choices.button(at).setChecked(function.is_chosen)
        for row, length in zip(self.lengths, content.lengths, strict=False):
            row.show_length(length)
        words = [Paragraph((Run(content.sentence),))]
        if content.note:
            words.append(Paragraph((Run(content.note, "strong"),), gap=2))
        self._words.show_paragraphs(words if content.functions else [])

    def shown_text(self) -> str:
        """Return what is said in words."""
        return self._words.text() if self._full.isVisible() else self._empty.text()

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Dot product and cosine"))
        for at, (_stage, word) in enumerate(STAGES):
            self._stages.button(at).setText(_(word))
            self._stages.button(at).setAccessibleName(_("Compare: {what}", what=_(word)))
        self._use.setText(_("The document uses"))
        for at, (_score, word, _formula) in enumerate(FUNCTIONS):
            self._choices.button(at).setText(_(word))
            self._choices.button(at).setAccessibleName(_("The document uses: {what}", what=_(word)))
        self.since_button.setText(_("Count changes from here"))
        self.since_button.setToolTip(_("What changes later is held against what is here now."))
        for row in self.lengths:
            row.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for canvas in (*self.now, *self.change):
            canvas.restyle(theme)
        self._words.restyle(theme)
        for row in self.lengths:
            row.restyle(theme)

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(2)
        for at in range(len(STAGES)):
            head.addWidget(_switch(self, self._stages, at))
        self._stages.button(0).setChecked(True)
        self._stages.idClicked.connect(self._choose_stage)
        head.addStretch(1)
        self._use.setProperty("kind", "hint")
        head.addWidget(self._use)
        for at in range(len(FUNCTIONS)):
            head.addWidget(_switch(self, self._choices, at))
        self._choices.idClicked.connect(self._choose_function)
        return head

    def _connect_canvases(self) -> None:
        for canvas in (*self.now, *self.change):
            canvas.hovered.connect(self._hover)
            canvas.cell_clicked.connect(self._pin)
            canvas.row_clicked.connect(self._choose_row)
            canvas.cell_stepped.connect(self._step)
            canvas.viewed.connect(self._look_through)

    def _arrange(self) -> None:
        """Put the functions side by side or one below the other, as makes the squares larger."""
        shape = (1, 1) if self._snapshot is None else tuple(self._snapshot.trace.scores.shape)
        width, height = self.width(), self.height() - AROUND
        across = _square(width / 3, height / 2, shape) >= _square(width / 2, height / 3, shape)
        for at, (now, change) in enumerate(zip(self.now, self.change, strict=True)):
            self._grid.addWidget(now, *((0, at) if across else (at, 0)))
            self._grid.addWidget(change, *((1, at) if across else (at, 1)))
        for line in range(3):
            self._grid.setRowStretch(line, 0 if across and line == 2 else 1)
            self._grid.setColumnStretch(line, 1 if across or line < 2 else 0)

    def _begin(self, snapshot: Snapshot) -> None:
        self._options = replace(self._options, since=snapshot)
        self._before = self._now
        for row in self.lengths:
            row.begin(snapshot)
        self._arrange()

    # what the hand does

    def _stretch(self, edit: SetLength) -> None:
        self.edited.emit(edit)

    def _choose_stage(self, at: int) -> None:
        self._options = replace(self._options, stage=STAGES[at][0])
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def _choose_function(self, at: int) -> None:
        self.edited.emit(SetScoreFunction(FUNCTIONS[at][0]))
        if self._snapshot is not None:
            self.refresh(self._snapshot)  # a click on the one in use must not switch its button off

    def _count_from_here(self) -> None:
        if self._snapshot is not None:
            self._begin(self._snapshot)
            self.refresh(self._snapshot)

    def _hover(self, name: MatrixName, cell: tuple[int, int] | None) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, hover=None if cell is None else Cell(name, *cell)))

    def _pin(self, _name: MatrixName, row: int, column: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, query=row, key=column))

    def _choose_row(self, _name: MatrixName, row: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, query=row))

    def _step(self, rows: int, columns: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(self._snapshot.focus.stepped(rows, columns, self._snapshot.document))

    def _look_through(self, _name: MatrixName, view: CellView | None) -> None:
        for canvas in (*self.now, *self.change):
            canvas.show_view(view)


def _square(width: float, height: float, shape: tuple[int, ...]) -> float:
    """Return about how large a cell is in a picture so wide and high, labels and colour bar taken off."""
    return min((width - 120) / shape[1], (height - 100) / shape[0])


def _switch(panel: QWidget, group: QButtonGroup, at: int) -> QuietButton:
    button = QuietButton(panel)
    button.setCheckable(True)
    group.addButton(button, at)
    return button
