"""The Diagonal panel: who looks most at itself, counted over rows and over random projections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from qkviz.attention.diagonal import DiagonalDraws, draw_diagonals
from qkviz.attention.trace import AttentionTrace
from qkviz.document.session import Snapshot
from qkviz.presenters.diagonal import DiagonalContent, DrawsContent, present_diagonal, present_draws
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.buttons import PlainButton
from qkviz.ui.items.draw_bars import DrawBars
from qkviz.ui.items.rank_list import RankList
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.task_line import TaskLine
from qkviz.ui.theme import Theme

SECONDS_TO_END = 5.0
"""How long a cancelled batch of draws may take at most; it takes a few milliseconds."""


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """How many pairs are drawn, and from which seed; no part of the document."""

    draws: int = 1000
    seed: int = 0


class DiagonalPanel(Panel):
    """A list of tokens with their ranks, and a button that asks chance."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._options = DrawOptions()
        self._drawn: DiagonalDraws | None = None
        self._drawn_seed = 0
        self._drawn_for: AttentionTrace | None = None
        self._task = NewestTask(self)
        self._task.progressed.connect(self._show_progress)
        self._task.finished.connect(self._take_draws)
        self._task.failed.connect(self._fail)
        self.headline, self.sentences, self.verdict = RunsView(self), RunsView(self), RunsView(self)
        self.list = RankList()
        self.list.row_chosen.connect(self._choose_row)
        self.bars = DrawBars(self)
        self.draw_button = PlainButton(self)
        self.draw_button.clicked.connect(self._draw)
        self.line = TaskLine(self)
        self.line.stop_asked.connect(self._stop_drawing)
        scroll = QuietScrollArea(self)
        scroll.setWidget(self.list)
        left = QVBoxLayout()
        left.setSpacing(4)
        left.addWidget(self.headline)
        left.addWidget(scroll, 1)
        left.addWidget(self.sentences)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.draw_button)
        buttons.addWidget(self.line)
        buttons.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addLayout(buttons)
        right.addWidget(self.bars)
        right.addWidget(self.verdict)
        right.addStretch(1)
        page = QHBoxLayout(self)
        page.setContentsMargins(14, 4, 12, 8)
        page.setSpacing(18)
        page.addLayout(left, 1)
        page.addLayout(right, 1)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the ranks; draws made for another X are thrown away."""
        self._snapshot = snapshot
        if self._drawn_for is not None and not _same_draws(self._drawn_for, snapshot.trace):
            self._drawn = self._drawn_for = None
            self._stop_drawing()
        self.show_content(present_diagonal(snapshot), self._draws_content())

    def show_content(self, content: DiagonalContent, draws: DrawsContent | None) -> None:
        """Draw both halves. Emits nothing."""
        head = Run(content.headline, "strong") if content.rows else Run(content.reason)
        self.headline.show_paragraphs([Paragraph((head,))])
        self.sentences.show_paragraphs([Paragraph((Run(content.sentence, "muted"),))])
        self.list.show_rows(content.rows, content.chosen)
        self.draw_button.setEnabled(not content.draw_reason)
        self.draw_button.setToolTip(content.draw_reason)
        self.bars.show_content(draws)
        words = _("How often would chance put the diagonal first?") if draws is None else draws.sentence
        self.verdict.show_paragraphs([Paragraph((Run(words, "muted"),))])

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Diagonal"))
        self.list.setAccessibleName(_("Rank of every token in its own row"))
        self.bars.setAccessibleName(_("How often the diagonal wins"))
        self.draw_button.setText(_("Draw {count} pairs W_Q, W_K", count=self._options.draws))
        self.line.retranslate()
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (self.headline, self.sentences, self.verdict, self.list, self.bars, self.line):
            part.restyle(theme)

    def stop(self) -> None:
        """End a running draw; returns when it has ended."""
        self._task.wait(SECONDS_TO_END)
        self.line.show_share(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing for a panel that nobody sees."""
        super().hideEvent(event)
        self.stop()

    def _choose_row(self, row: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, query=row, key=None))

    # draws

    def _draws_content(self) -> DrawsContent | None:
        return None if self._drawn is None else present_draws(self._drawn, self._drawn_seed)

    def _draw(self) -> None:
        if self._snapshot is None or not self._snapshot.document.is_self_attention:
            return
        trace = self._snapshot.trace
        self._options = replace(self._options, seed=self._options.seed + 1)
        self._drawn_for = trace
        self.line.show_share(0.0)
        draws, seed = self._options.draws, self._options.seed
        self._task.run(partial(_drawn, trace, draws, seed))

    def _stop_drawing(self) -> None:
        self._task.cancel()
        self.line.show_share(None)

    @Slot(float)
    def _show_progress(self, share: float) -> None:
        if self._task.is_running:
            self.line.show_share(share)

    @Slot(object)
    def _take_draws(self, drawn: DiagonalDraws) -> None:
        self._drawn, self._drawn_seed = drawn, self._options.seed  # only the newest draw is told
        self.line.show_share(None)
        if self._snapshot is not None:
            self.refresh(self._snapshot)
        values = {"draws": float(len(drawn.independent)), "rows": float(drawn.rows)}
        self.happened.emit("diagonals_drawn", values)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self.line.show_share(None)
        raise error


def _same_draws(trace: AttentionTrace, now: AttentionTrace) -> bool:
    """Tell whether the same would be drawn for both: one X, one width of the projections."""
    if trace.Q is None or now.Q is None:
        return False
    return now.X_q is trace.X_q and now.X_k is trace.X_q and now.Q.shape[1] == trace.Q.shape[1]


def _drawn(trace: AttentionTrace, draws: int, seed: int, progress: Progress) -> DiagonalDraws:
    assert trace.X_q is not None  # self-attention has one X
    assert trace.Q is not None
    return draw_diagonals(trace.X_q, trace.Q.shape[1], draws, seed, progress.report)
