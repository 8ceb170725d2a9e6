"""The Score functions panel: additive, dot and scaled dot on the same queries and keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from qkviz.attention.comparison import Comparison, compare_drawn, compare_score_functions
from qkviz.document.session import Snapshot
from qkviz.presenters.runs import Run
from qkviz.presenters.score_comparison import FunctionContent, present_comparison
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.score_times import ScoreTimes
from qkviz.ui.panels.seed_row import SeedRow
from qkviz.ui.panels.width_slider import WidthSlider
from qkviz.ui.score_timing import TimingResult
from qkviz.ui.theme import Theme

FUNCTIONS = ("additive", "dot", "scaled_dot")
DRAWN, OF_DOCUMENT = range(2)


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Whose Q and K: drawn ones of width ``d_k`` by ``seed``, or the document's."""

    source: int = DRAWN
    d_k: int = 16
    seed: int = 0


class ScoreFunctionsPanel(Panel):
    """A column for each score function, and one for their times."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options = ComparisonOptions()
        self._snapshot: Snapshot | None = None
        self._drawn_from: object = None
        self._contents: tuple[FunctionContent, ...] = ()
        self._sources = QButtonGroup(self)
        self._sources.idClicked.connect(self._choose_source)
        self.slider = WidthSlider(self.options.d_k, self)
        self.slider.moved.connect(self._choose_width)
        self.slider.settled.connect(self._tell)
        self.seed_row = SeedRow(self)
        self.seed_row.seed_chosen.connect(self._choose_seed)
        self.seed_row.said.connect(self.said)
        self._headings = tuple(RunsView(self) for _function in FUNCTIONS)
        self.scores = tuple(ChartCanvas(self) for _function in FUNCTIONS)
        self.weights = tuple(ChartCanvas(self) for _function in FUNCTIONS)
        self.times = ScoreTimes(self)
        self.times.set_width(self.options.d_k)
        self.times.measured.connect(self._tell_times)
        self._arrange()
        self.retranslate()

    @property
    def contents(self) -> tuple[FunctionContent, ...]:
        """What is shown of additive, dot and scaled dot."""
        return self._contents

    def refresh(self, snapshot: Snapshot) -> None:
        """Compare the functions, unless what they are compared on is what is shown already."""
        self._snapshot = snapshot
        has_vectors = snapshot.trace.Q is not None
        button = self._sources.button(OF_DOCUMENT)
        button.setEnabled(has_vectors)
        button.setToolTip("" if has_vectors else _("This document has scores only, no q and k."))
        if not has_vectors and self.options.source == OF_DOCUMENT:
            self._sources.button(DRAWN).setChecked(True)
            self.options = replace(self.options, source=DRAWN)
        self._compare()

    def stop(self) -> None:
        """End what runs beside the window, and wait for it."""
        self.times.stop()

    def shown_text(self) -> str:
        """Return what is said in words."""
        return "\n".join((*(view.text() for view in self._headings), self.times.text()))

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Score functions"))
        self._sources.button(DRAWN).setText(_("Random Q, K"))
        self._sources.button(OF_DOCUMENT).setText(_("This document’s"))
        for part in (self.slider, self.seed_row, self.times):
            part.retranslate()
        self._drawn_from = None

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for view in self._headings:
            view.restyle(theme)
        for canvas in (*self.scores, *self.weights):
            canvas.restyle(theme)
        self.slider.restyle(theme)
        self.seed_row.restyle(theme)
        self.times.restyle(theme)

    def hideEvent(self, event: QHideEvent) -> None:
        """Measure nothing for nobody."""
        self.stop()
        super().hideEvent(event)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(4)
        for number in (DRAWN, OF_DOCUMENT):
            button = QuietButton(self)
            button.setCheckable(True)
            button.setChecked(number == self.options.source)
            self._sources.addButton(button, number)
            top.addWidget(button)
        for widget in (self.slider, self.seed_row):
            top.addSpacing(10)
            top.addWidget(widget)
        top.addStretch(1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(6)
        grid.addLayout(top, 0, 0, 1, len(FUNCTIONS))
        for column in range(len(FUNCTIONS)):
            grid.addWidget(self._headings[column], 1, column)
            grid.addWidget(self.scores[column], 2, column)
            grid.addWidget(self.weights[column], 3, column)
        grid.addWidget(self.times, 0, len(FUNCTIONS), 4, 1)
        for column, share in enumerate((4, 4, 4, 5)):
            grid.setColumnStretch(column, share)
        grid.setRowStretch(2, 1)
        grid.setRowStretch(3, 1)
        page = QVBoxLayout(self)
        page.setContentsMargins(14, 4, 12, 8)
        page.addLayout(grid)

    def _choose_source(self, source: int) -> None:
        self.options = replace(self.options, source=source)
        self._compare()

    def _choose_width(self, d_k: int) -> None:
        self._sources.button(DRAWN).setChecked(True)
        self.options = replace(self.options, d_k=d_k, source=DRAWN)
        self.times.set_width(d_k)
        self._compare()

    def _choose_seed(self) -> None:
        self.options = replace(self.options, seed=self.seed_row.seed)
        self._compare()

    def _compare(self) -> None:
        trace = None if self._snapshot is None else self._snapshot.trace
        drawn_from = self.options if self.options.source == DRAWN else (self.options, trace)
        if drawn_from == self._drawn_from:
            return
        self._drawn_from = drawn_from
        self._contents = present_comparison(self._compared())
        for at, content in enumerate(self._contents):
            lines = [Paragraph((Run(line, "muted"),), gap=0) for line in content.lines]
            self._headings[at].show_paragraphs([Paragraph(content.heading), *lines])
            self.scores[at].show_content(content.scores)
            self.weights[at].show_content(content.weights)

    def _compared(self) -> Comparison:
        trace = None if self._snapshot is None else self._snapshot.trace
        if self.options.source == OF_DOCUMENT and trace is not None:
            assert trace.Q is not None  # else the drawn ones are chosen
            assert trace.K is not None
            return compare_score_functions(trace.Q, trace.K, self.options.seed)
        return compare_drawn(self.options.d_k, self.options.seed)

    def _tell(self, d_k: int) -> None:
        largest = {name: content.largest for name, content in zip(FUNCTIONS, self._contents, strict=True)}
        self.happened.emit("score_functions_compared", {"d_k": d_k, **largest})

    def _tell_times(self, times: TimingResult) -> None:
        last = {name: values[-1] for name, values in times.by_tokens.of.items()}
        self.happened.emit("times_measured", {"tokens": times.by_tokens.sizes[-1], **last})
