"""The Compare panel: S against Sᵀ, XXᵀ against QKᵀ, and what stands between X and Xᵀ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.matrices import MatrixName
from qkviz.document.edits import DrawProjections, TieProjections
from qkviz.document.focus import Cell
from qkviz.document.session import Snapshot
from qkviz.figures.matrix_view import CellView
from qkviz.presenters.compare import CompareContent, CompareView, present_compare
from qkviz.presenters.hover import present_hover
from qkviz.presenters.relations import RELATIONS
from qkviz.translate import N_, _
from qkviz.ui.buttons import PlainButton, QuietButton
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.panels.facts_table import FactsTable
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

VIEWS = (
    (CompareView.EMBEDDINGS, "XXᵀ | QKᵀ", N_("Compare XXᵀ with QKᵀ, on one range of colours")),
    (CompareView.TRANSPOSE, "S | Sᵀ", N_("Compare the scores with their transpose")),
    (CompareView.WEIGHTS, N_("Weights"), N_("Compare the weights with their transpose")),
    (CompareView.BETWEEN, "I | W_Q W_Kᵀ", N_("What stands between X and Xᵀ")),
)
"""A view, the text on its button, and what it is for."""


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """What the panel shows, and the seed of the next draw; no part of the document."""

    view: CompareView = CompareView.EMBEDDINGS
    next_seed: int = 1


class ComparePanel(Panel):
    """Two matrices side by side; a click in either pins the pair, and both its cells are outlined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._content: CompareContent | None = None
        self._options = CompareOptions()
        self.left, self.right = MatrixCanvas(self), MatrixCanvas(self)
        self.facts = FactsTable(self)
        self.sentences = RunsView(self)
        self._reason = QLabel(self)
        self._reason.setWordWrap(True)
        self._reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._reason.setProperty("kind", "muted")
        self._buttons = QButtonGroup(self)
        head = QHBoxLayout()
        head.setSpacing(2)
        for number in range(len(VIEWS)):
            button = QuietButton(self)
            button.setCheckable(True)
            self._buttons.addButton(button, number)
            head.addWidget(button)
        head.addStretch(1)
        self._buttons.button(0).setChecked(True)
        self._buttons.idClicked.connect(self._choose)
        self.draw_button, self.tie_button = PlainButton(self), PlainButton(self)
        self.draw_button.clicked.connect(self._draw)
        self.tie_button.clicked.connect(self._tie)
        below = QHBoxLayout()
        below.setSpacing(6)
        below.addWidget(self.draw_button)
        below.addWidget(self.tie_button)
        below.addStretch(1)
        pictures = QHBoxLayout()
        pictures.setSpacing(2)
        for canvas in (self.left, self.right):
            pictures.addWidget(canvas, 1)
            canvas.hovered.connect(partial(self._hover, canvas))
            canvas.cell_clicked.connect(partial(self._pin, canvas))
            canvas.cell_stepped.connect(partial(self._step_pin, canvas))
            canvas.row_clicked.connect(partial(self._choose_row, canvas))
            canvas.viewed.connect(self._show_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 10, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._reason, 1)
        column.addLayout(pictures, 1)
        column.addWidget(self.facts)
        column.addWidget(self.sentences)
        column.addLayout(below)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``."""
        self._snapshot = snapshot
        self.show_content(present_compare(snapshot, self._options.view), present_hover(snapshot, 20))

    def show_content(self, content: CompareContent, hover_text: str) -> None:
        """Draw ``content``. Emits nothing."""
        self._content = content
        for canvas, picture in zip((self.left, self.right), (*content.pictures, None, None), strict=False):
            if picture is not None:
                canvas.show_content(picture, "" if self._is_identity(canvas) else hover_text)
            canvas.setVisible(picture is not None)
        if self._reason.text() != content.reason:
            self._reason.setText(content.reason)
        self._reason.setVisible(bool(content.reason))
        self.facts.show_rows(content.heads, content.rows)
        self.sentences.show_paragraphs([Paragraph(line, gap=2) for line in content.lines])
        for button, reason in (
            (self.tie_button, content.tie_reason),
            (self.draw_button, content.draw_reason),
        ):
            button.setEnabled(not reason)
            if button.toolTip() != reason:
                button.setToolTip(reason)

    def view_button(self, view: CompareView) -> QuietButton:
        """Return the button that chooses a view."""
        button = self._buttons.button([one for one, _text, _tip in VIEWS].index(view))
        assert isinstance(button, QuietButton)
        return button

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Compare"))
        for number, (_view, text, tip) in enumerate(VIEWS):
            button = self._buttons.button(number)
            button.setText(_(text))
            button.setToolTip(_(tip))
            button.setAccessibleName(_(tip))
        self.draw_button.setText(_("Draw other W_Q, W_K"))
        self.tie_button.setText(_("Tie W_K = W_Q"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.left.restyle(theme)
        self.right.restyle(theme)
        self.facts.restyle(theme)
        self.sentences.restyle(theme)

    # what the hand does

    def _choose(self, number: int) -> None:
        self._options = replace(self._options, view=VIEWS[number][0])
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def _draw(self) -> None:
        seed = self._options.next_seed
        self._options = replace(self._options, next_seed=seed + 1)
        self.edited.emit(DrawProjections(seed))

    def _tie(self) -> None:
        self.edited.emit(TieProjections())

    def _is_identity(self, canvas: MatrixCanvas) -> bool:
        """Tell whether a canvas shows the I beside W_Q W_Kᵀ, which is no matrix of the document."""
        pictures = () if self._content is None else self._content.pictures
        return canvas is self.left and len(pictures) == 2 and self._options.view is CompareView.BETWEEN

    def _in_document(self, canvas: MatrixCanvas, row: int, column: int) -> tuple[int, int]:
        """Return the query and the key of a cell: in the transpose the rows are keys."""
        mirrored = canvas is self.right and self._content is not None and self._content.mirrored
        return (column, row) if mirrored else (row, column)

    def _hover(self, canvas: MatrixCanvas, name: MatrixName, cell: tuple[int, int] | None) -> None:
        if self._snapshot is None or self._is_identity(canvas):
            return
        hover = None if cell is None else Cell(name, *self._in_document(canvas, *cell))
        self.looked.emit(replace(self._snapshot.focus, hover=hover))

    def _pin(self, canvas: MatrixCanvas, name: MatrixName, row: int, column: int) -> None:
        if self._snapshot is None or name not in RELATIONS:
            return
        focus, pair = self._snapshot.focus, self._in_document(canvas, row, column)
        query, key = (None, None) if focus.pair == pair else pair
        self.looked.emit(replace(focus, query=query, key=key))

    def _step_pin(self, canvas: MatrixCanvas, rows: int, columns: int) -> None:
        if self._snapshot is not None:
            step = self._in_document(canvas, rows, columns)
            self.looked.emit(self._snapshot.focus.stepped(*step, self._snapshot.document))

    def _choose_row(self, canvas: MatrixCanvas, name: MatrixName, row: int) -> None:
        mirrored = self._in_document(canvas, 0, 1) == (1, 0)
        if self._snapshot is not None and name in RELATIONS and not mirrored:
            self.looked.emit(replace(self._snapshot.focus, query=row, key=None))

    def _show_view(self, _name: MatrixName, view: CellView | None) -> None:
        self.left.show_view(view)
        self.right.show_view(view)
