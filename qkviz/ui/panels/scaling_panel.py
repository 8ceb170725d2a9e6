"""The Scaling panel: random pairs show that Var(q·k) = d_k, and what softmax makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.sampling import DIMENSIONS, ScalingSample, sample_scaling
from qkviz.document.session import Snapshot
from qkviz.presenters.runs import Run
from qkviz.presenters.scaling import inside_band, present_scaling, thousands
from qkviz.translate import _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.chart_grid import ChartGrid
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.seed_row import SeedRow
from qkviz.ui.panels.task_line import TaskLine
from qkviz.ui.theme import Theme

PAIR_COUNTS = (100, 1_000, 10_000, 100_000)
"""Sample sizes to choose from; the largest takes some seconds."""


@dataclass(frozen=True, slots=True)
class ScalingOptions:
    """How to sample."""

    pairs: int = 1_000
    seed: int = 0


def draw_sample(options: ScalingOptions, progress: Progress) -> ScalingSample:
    """Sample as `options` say; the function that runs beside the window."""
    return sample_scaling(options.pairs, options.seed, progress.report)


class ScalingPanel(Panel):
    """Five charts of one sample. The sample is drawn beside the window when the panel is first seen.

    Signals
    -------
    sampled
        A sample has arrived, asked for by the user or not.
    """

    sampled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = ScalingOptions()
        self._sample: ScalingSample | None = None
        self._is_asked = False
        self._is_stale = True
        self._task = NewestTask(self)
        self._task.progressed.connect(self._show_progress)
        self._task.finished.connect(self._take_sample)
        self._task.failed.connect(self._fail)
        self._pairs_title = QLabel(self)
        self._pairs_title.setProperty("kind", "muted")
        self._buttons = QButtonGroup(self)
        self.seed_row = SeedRow(self)
        self.seed_row.seed_chosen.connect(self._choose_seed)
        self.seed_row.said.connect(self.said)
        self._line = TaskLine(self)
        self._line.stop_asked.connect(self._stop_sampling)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self._pairs_title)
        for number, pairs in enumerate(PAIR_COUNTS):
            button = QuietButton(self)
            button.setCheckable(True)
            button.setText(thousands(pairs))
            button.setChecked(pairs == self.options.pairs)
            self._buttons.addButton(button, number)
            top.addWidget(button)
        self._buttons.idClicked.connect(self._choose_pairs)
        top.addSpacing(14)
        top.addWidget(self.seed_row)
        top.addStretch(1)
        top.addWidget(self._line)
        self._grid = ChartGrid((2, 3), 150, self)
        self._text = RunsView(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 12, 8)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self._grid, 1)
        column.addWidget(self._text)
        self.retranslate()

    @property
    def sample(self) -> ScalingSample | None:
        """What is shown; None before the first sample."""
        return self._sample

    @property
    def is_sampling(self) -> bool:
        """Whether a sample is on its way."""
        return self._task.is_running

    @property
    def pair_buttons(self) -> tuple[QAbstractButton, ...]:
        """The buttons for the numbers of pairs, in the order of `PAIR_COUNTS`."""
        return tuple(self._buttons.buttons())

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the sample, if words or colours are new: it does not follow the document."""
        if self._is_stale:
            self._show()

    def stop(self) -> None:
        """End what runs beside the window, and wait for it."""
        self._task.wait(3.0)
        self._line.show_share(None)

    def shown_text(self) -> str:
        """Return what is said in words."""
        return self._text.text()

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Scaling"))
        self._pairs_title.setText(_("Pairs q, k"))
        for number, pairs in enumerate(PAIR_COUNTS):
            self._buttons.button(number).setAccessibleName(_("Sample {count} pairs", count=thousands(pairs)))
        self._is_stale = True
        self.seed_row.retranslate()
        self._line.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._grid.restyle(theme)
        self._text.restyle(theme)
        self.seed_row.restyle(theme)
        self._line.restyle(theme)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw a first sample when somebody looks."""
        super().showEvent(event)
        if self._sample is None and not self.is_sampling:
            self._sample_anew()

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing for nobody."""
        self.stop()
        super().hideEvent(event)

    def _choose_pairs(self, number: int) -> None:
        self.options = replace(self.options, pairs=PAIR_COUNTS[number])
        self._ask()

    def _choose_seed(self) -> None:
        self.options = replace(self.options, seed=self.seed_row.seed)
        self._ask()

    def _ask(self) -> None:
        self._is_asked = True
        self._sample_anew()

    def _sample_anew(self) -> None:
        self._line.show_share(0.0)
        self._task.run(partial(draw_sample, self.options))
        self._show()

    def _stop_sampling(self) -> None:
        self._task.cancel()
        self._line.show_share(None)
        self._show()

    def _show(self) -> None:
        self._is_stale = False
        content = present_scaling(self._sample, self.is_sampling)
        self._grid.show_charts(content.charts)
        runs = (Run(content.sentence), Run(content.formula, "muted"), Run(content.note, "muted"))
        self._text.show_paragraphs([Paragraph((run,), gap=3) for run in runs if run.text])

    @Slot(float)
    def _show_progress(self, share: float) -> None:
        if self.is_sampling:
            self._line.show_share(share)

    @Slot(object)
    def _take_sample(self, sample: ScalingSample) -> None:
        self._sample = sample
        self._line.show_share(None)
        self._show()
        self.sampled.emit()
        if self._is_asked:
            self._is_asked = False
            numbers = {"pairs": sample.pairs, "seed": sample.seed, "points": len(DIMENSIONS)}
            self.happened.emit("scaling_sampled", {**numbers, "inside": inside_band(sample)})

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._line.show_share(None)
        raise error
