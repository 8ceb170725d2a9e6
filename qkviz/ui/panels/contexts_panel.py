"""The Contexts panel: one word in several sentences that the same model has read."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from qkviz.document.captured_head import CapturedHead, ChooseHead, ChooseText
from qkviz.document.session import Snapshot
from qkviz.presenters.contexts import (
    ContextsChoice,
    ContextsContent,
    CosineScope,
    WordRows,
    gather_rows,
    place_at,
    present_contexts,
)
from qkviz.presenters.heads import LiveModel
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.items.context_list import ContextList
from qkviz.ui.panels.context_choices import ContextChoices
from qkviz.ui.panels.context_pair_view import ContextPairView
from qkviz.ui.panels.own_sentence import OwnSentence
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

SIDE_BY_SIDE = 940
"""From this width on the pair stands beside the lines, else below them."""


class ContextsPanel(Panel):
    """Lines of shaded tokens, two of which are held together.

    Signals
    -------
    text_added
        A sentence that the model is to read beside those of the capture.
    """

    text_added = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._choice = ContextsChoice()
        self._rows: WordRows | None = None
        self._shown: tuple[CapturedHead | None, ContextsChoice] | None = None
        self.choices = ContextChoices(self)
        self.choices.word_chosen.connect(self._choose_word)
        self.choices.head_chosen.connect(self._choose_head)
        self.headline, self._hint = RunsView(self), RunsView(self)
        self.list = ContextList(self)
        self.list.line_chosen.connect(self._choose_line)
        self.list.other_chosen.connect(self._choose_other)
        self.pair = ContextPairView(self)
        self.pair.scope_chosen.connect(self._choose_scope)
        self.own = OwnSentence(self)
        self.own.text_added.connect(self.text_added)
        left = QVBoxLayout()
        left.setSpacing(4)
        left.addWidget(self.headline)
        left.addWidget(self.list)
        left.addWidget(self._hint)
        left.addStretch(1)
        body = QWidget(self)
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom, body)
        self._halves.setContentsMargins(0, 0, 6, 0)
        self._halves.setSpacing(14)
        self._halves.addLayout(left)
        self._halves.addWidget(self.pair, 1, Qt.AlignmentFlag.AlignTop)
        self._scroll = QuietScrollArea(self)
        self._scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.choices)
        column.addWidget(self._scroll, 1)
        column.addWidget(self.own)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``; the word follows the chosen row where other sentences have it too."""
        before, self._snapshot = self._snapshot, snapshot
        captured = snapshot.document.captured
        rows = self._gathered(captured)
        if captured is not None and rows is not None:
            was = None if before is None else before.focus.query
            self._choice = self._followed(was, snapshot.focus.query, captured, rows)
        if self._shown == (captured, self._choice):
            return
        self._rows = self._gathered(captured)
        self._shown = (captured, self._choice)
        self.show_content(present_contexts(captured, self._rows, self._choice))

    def show_content(self, content: ContextsContent) -> None:
        """Draw ``content``. Emits nothing."""
        captured = None if self._snapshot is None else self._snapshot.document.captured
        has_lines = bool(content.lines)
        head = [Paragraph((Run(content.headline, "strong"),))] if has_lines else []
        words = content.note or content.reason
        if words:
            head.append(Paragraph((Run(words, "muted"),), gap=2))
        self.headline.show_paragraphs(head)
        if captured is not None and has_lines:
            self.choices.show_choices(captured, content.words, content.word)
        for part in (self.choices, self.list, self._hint, self.pair):
            part.setVisible(has_lines)
        self.own.setVisible(captured is not None)
        self.list.show_lines(content.lines, _("Hold against the text on the screen"))
        if content.pair is not None:
            self.pair.show_pair(content.pair, self._choice.scope)
        self._scroll.lay_out_now()

    @Slot(object)
    def show_live(self, live: LiveModel) -> None:
        """Show whether a model is there to read a sentence of the user's own, and what it does."""
        self.own.show_live(live)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Contexts"))
        self.list.setAccessibleName(_("The word in every sentence"))
        hint = _("Click a line to look at it: it is A. Click a letter B to hold another line against it.")
        self._hint.show_paragraphs([Paragraph((Run(hint, "muted"),), size=0.9)])
        for part in (self.choices, self.pair, self.own):
            part.retranslate()
        self._shown = None
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (self.choices, self.headline, self._hint, self.list, self.pair, self.own):
            part.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return room for the words, also where there are no lines yet."""
        return super().minimumSizeHint().expandedTo(QSize(220, 150))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the pair beside the lines where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if way != self._halves.direction():
            self._halves.setDirection(way)
            self._halves.setStretch(0, 3 if wide else 0)
            self._halves.setStretch(1, 2 if wide else 1)

    # what is looked at

    def _gathered(self, captured: CapturedHead | None) -> WordRows | None:
        """Return the rows of the chosen word, those there are if they still hold."""
        if captured is None:
            return None
        if self._rows is None or not self._rows.is_for(captured, self._choice):
            self._rows = gather_rows(captured, self._choice)
        return self._rows

    def _followed(
        self, was: int | None, query: int | None, captured: CapturedHead, rows: WordRows
    ) -> ContextsChoice:
        """Return the choice of the word in the row ``query``, if somebody chose that row.

        A row that stays as it ``was`` is left over from another text; it changes no word that can be shown.
        """
        choice, is_chosen = self._choice, query != was
        if rows.word.casefold() != choice.word.casefold():  # nobody chose one, or not one of these
            choice, is_chosen = choice.with_word(rows.word), True
        found = place_at(captured, query, rows.words) if is_chosen and query is not None else None
        return choice if found is None else choice.with_word(found[0]).with_place(captured.text, found[1])

    def _choose_word(self, word: str) -> None:
        self._choice = self._choice.with_word(word)
        self._show_choice()
        if self._snapshot is not None and self._snapshot.document.captured is not None:
            self._pin(self._snapshot.document.captured.text)

    def _choose_line(self, text: int, place: int) -> None:
        shown = None if self._snapshot is None else self._snapshot.document.captured
        if shown is None:
            return
        if text == self._other():
            self._choice = replace(self._choice, other=shown.text)  # the two change places
        self._choice = self._choice.with_place(text, place)
        if text == shown.text:
            self._show_choice()
        else:
            self.edited.emit(ChooseText(text))
        self._pin(text)

    def _choose_other(self, text: int) -> None:
        self._choice = replace(self._choice, other=text)
        self._show_choice()

    def _choose_scope(self, scope: CosineScope) -> None:
        self._choice = replace(self._choice, scope=scope)
        self._show_choice()

    def _choose_head(self, layer: int, head: int) -> None:
        self.edited.emit(ChooseHead(layer, head))

    def _other(self) -> int | None:
        return next((line.text for line in self.list.lines if line.mark == "B"), None)

    def _show_choice(self) -> None:
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def _pin(self, text: int) -> None:
        """Choose the row of the word, if the text is on the screen and has it."""
        snapshot, rows = self._snapshot, self._rows
        if snapshot is None or snapshot.document.captured is None or rows is None:
            return
        row = next((row for row in rows.rows if row.place.text == text), None)
        if row is not None and snapshot.document.captured.text == text:
            self.looked.emit(replace(snapshot.focus, query=row.place.query, key=None))
