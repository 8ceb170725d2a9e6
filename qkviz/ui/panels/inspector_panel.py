"""The Inspector: every matrix, the tokens and the options, to read and to change."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs
from qkviz.document.document import Document, Role
from qkviz.document.edits import EditableMatrix
from qkviz.document.session import Snapshot
from qkviz.presenters.inspector import InspectorContent, present_inspector
from qkviz.translate import _
from qkviz.ui.panels.matrix_table import MatrixTable
from qkviz.ui.panels.options_form import OptionsForm
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.sheet_header import SheetHeader
from qkviz.ui.panels.token_list import TokenList
from qkviz.ui.theme import Theme

LABEL_SHARE = 0.26
"""Row labels take at most this share of the width; longer ones are cut, with the whole text as tip."""
LEFT, GAP = 5, 3
"""Pixels left of the column, and between it and the scroll bar."""


class InspectorPanel(Panel):
    """A column of tables with the tokens and the options below them."""

    def __init__(self) -> None:
        super().__init__()
        self._snapshot: Snapshot | None = None
        self._is_fresh = False
        self._content: InspectorContent | None = None
        self._measured: tuple[tuple[tuple[str, ...], ...], int] = ((), 0)
        self._absence = QLabel(self)
        self._absence.setWordWrap(True)
        self._absence.setProperty("kind", "hint")
        self._absence.setContentsMargins(7, 2, 4, 2)
        self._inside = inside = QWidget(self)
        # made in the order in which they stand, which is the order of Tab and of the computation
        self._tables = {matrix: MatrixTable(matrix, inside) for matrix in EditableMatrix}
        self._queries = TokenList(Role.QUERY, inside)
        self._keys = TokenList(Role.KEY, inside)
        self._options = OptionsForm(inside)
        self._column = column = QVBoxLayout(inside)
        column.setSpacing(6)
        for widget in (self._absence, *self._tables.values(), self._queries, self._keys, self._options):
            column.addWidget(widget)
        column.addStretch(1)
        self._scroll = QuietScrollArea(self)
        self._scroll.setWidget(inside)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._keep_room_for_the_bar)
        self._keep_room_for_the_bar()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)
        for table in self._tables.values():
            table.hide()
            table.edited.connect(self.edited)
            table.said.connect(self.said)
        for tokens in (self._queries, self._keys):
            tokens.edited.connect(partial(self._edit_tokens, tokens))
        self._options.edited.connect(self.edited)
        self._options.said.connect(self.said)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``. Emits nothing."""
        before, self._snapshot = self._snapshot, snapshot
        if (
            self._is_fresh
            and before is not None
            and before.document is snapshot.document
            and before.focus.step == snapshot.focus.step
        ):
            return  # looking elsewhere changes nothing here
        self._is_fresh = True
        self._content = present_inspector(snapshot)
        self._show_tables(self._content)
        self._show_tokens(snapshot.document, self._content)
        self._options.show_content(snapshot.document, self._content)
        if before is not None and before.document.lesson != snapshot.document.lesson:
            self._scroll.verticalScrollBar().setValue(0)

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self._is_fresh = False
        self._scroll.setAccessibleName(_("Inspector"))
        for part in (self._queries, self._keys, self._options):
            part.retranslate()
        self.updateGeometry()  # the words decide how narrow the column can be

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``; the font may be another too."""
        self._is_fresh = False
        self._measured = ((), 0)
        for table in self._tables.values():
            table.restyle(theme)
        for part in (self._queries, self._keys, self._options):
            part.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return the least width at which nothing is cut off beside the scroll bar."""
        hint = super().minimumSizeHint()
        column = self._inside.minimumSizeHint().width()
        if self._column.contentsMargins().right() == GAP:
            column += self._bar_width()
        return QSize(max(hint.width(), column), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the row labels their share of the new width."""
        super().resizeEvent(event)
        if self._content is not None:
            self._show_tables(self._content)

    def table(self, matrix: EditableMatrix) -> MatrixTable:
        """Return the table of a matrix, shown or not."""
        return self._tables[matrix]

    def _show_tables(self, content: InspectorContent) -> None:
        label_width = self._label_width(content)
        present = {one.matrix for one in content.tables}
        for table in content.tables:
            self._tables[table.matrix].show_content(table, label_width)
        for matrix, widget in self._tables.items():
            if matrix not in present:
                widget.view.drop_editor()  # or hiding it would hand in what was typed
            widget.setVisible(matrix in present)

    def _show_tokens(self, document: Document, content: InspectorContent) -> None:
        self._queries.show_tokens(content.queries, content.query_labels, content.is_self_attention)
        self._keys.show_tokens(content.keys, content.key_labels, False)
        for tokens in (self._queries, self._keys):
            tokens.set_lit(content.tokens_lit)
        if content.is_self_attention:
            self._keys.view.drop_editor()
        self._keys.setVisible(not content.is_self_attention)
        absence = _absence(document)
        if self._absence.text() != absence:
            self._absence.setText(absence)
        self._absence.setVisible(bool(absence))

    def _keep_room_for_the_bar(self) -> None:
        """Leave the bar its room also while there is none: nothing moves when it comes."""
        bar = 0 if self._scroll.verticalScrollBar().maximum() > 0 else self._bar_width()
        self._column.setContentsMargins(LEFT, 2, GAP + bar, 12)

    def _bar_width(self) -> int:
        return self._scroll.verticalScrollBar().sizeHint().width()

    def _edit_tokens(self, tokens: TokenList, edit: object) -> None:
        """Hand an edit on, and keep the pressed button below the pointer: tables above grow and shrink."""
        before = tokens.mapTo(self, QPoint(0, 0)).y()
        self.edited.emit(edit)
        self._scroll.lay_out_now()
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.value() + tokens.mapTo(self, QPoint(0, 0)).y() - before)

    def _label_width(self, content: InspectorContent) -> int:
        labels = tuple(table.row_labels for table in content.tables)
        if labels != self._measured[0]:  # measuring 64 labels costs more than all the rest of a refresh
            advance = self.fontMetrics().horizontalAdvance
            longest = max(map(advance, set().union(*labels)), default=0)
            self._measured = labels, longest
        movable = SheetHeader.RESET_WIDTH - 6 if content.has_projections else 0
        width = min(self._measured[1] + 6, round(self.width() * LABEL_SHARE)) + movable
        # where the cells would be too narrow, labels become shorter first
        least = movable + self.fontMetrics().horizontalAdvance("0…")
        room = self.width() - self._bar_width() - LEFT - GAP
        for one in content.tables:
            left = self._tables[one.matrix].width_left_for_labels(room, one.values.shape)
            if least <= left < width:
                width = left
        return width


def _absence(document: Document) -> str:
    match document.inputs:
        case ProjectedInputs():
            return ""
        case DirectInputs() if document.inputs.X_q is not None:
            return _("Q and K were recorded in a model; the X beside them is in Matrices and Embeddings.")
        case DirectInputs():
            return _("This document starts at queries and keys; it has no embeddings X and no projections W.")
        case GivenScores():
            return _("These scores are given; the queries and keys behind them are not known.")
