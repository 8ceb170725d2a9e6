"""The times of the score functions, measured on request."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.runs import Run
from qkviz.presenters.score_comparison import (
    present_times_by_tokens,
    present_times_by_width,
    times_sentence,
)
from qkviz.translate import _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.buttons import PlainButton, QuietButton
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.task_line import TaskLine
from qkviz.ui.score_timing import TimingResult, measure_times
from qkviz.ui.theme import Theme

BY_TOKENS, BY_WIDTH = range(2)


def time_functions(d_k: int, progress: Progress) -> TimingResult:
    """Measure at ``d_k``; the function that runs beside the window."""
    return measure_times(d_k, progress.report)


class ScoreTimes(QWidget):
    """A button to measure, the lines, and a sentence about them.

    Signals
    -------
    measured
        Times have been measured; carries them as a `TimingResult`.
    """

    measured = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._d_k = 0
        self._times: TimingResult | None = None
        self._task = NewestTask(self)
        self._task.progressed.connect(self._show_progress)
        self._task.finished.connect(self._take_times)
        self._task.failed.connect(self._fail)
        self.measure_button = PlainButton(self)
        self.measure_button.clicked.connect(self._measure)
        self.line = TaskLine(self)
        self.line.stop_asked.connect(self._stop_measuring)
        self._axes = QButtonGroup(self)
        self._axes.idClicked.connect(self._show)
        self.canvas = ChartCanvas(self)
        self._text = RunsView(self)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.measure_button)
        top.addWidget(self.line)
        top.addStretch(1)
        for number in (BY_TOKENS, BY_WIDTH):
            button = QuietButton(self)
            button.setCheckable(True)
            button.setChecked(number == BY_TOKENS)
            self._axes.addButton(button, number)
            top.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.canvas, 1)
        column.addWidget(self._text)
        self.retranslate()

    @property
    def is_measuring(self) -> bool:
        """Whether times are on their way."""
        return self._task.is_running

    @property
    def axis_buttons(self) -> tuple[QuietButton, ...]:
        """The buttons that choose what the times are drawn against: n, dₖ."""
        return tuple(button for button in self._axes.buttons() if isinstance(button, QuietButton))

    def text(self) -> str:
        """Return what is said in words."""
        return self._text.text()

    def set_width(self, d_k: int) -> None:
        """Take the width to measure at the next time."""
        self._d_k = d_k

    def stop(self) -> None:
        """End what runs beside the window, and wait for it."""
        self._task.wait(3.0)
        self._show_idle()

    def retranslate(self) -> None:
        """Set every text anew."""
        self.measure_button.setText(_("Measure times"))
        self.measure_button.setToolTip(
            _("Call every function again and again on this machine; some seconds.")
        )
        for button, name in zip(self._axes.buttons(), ("n", "dₖ"), strict=True):
            button.setText(name)
            button.setAccessibleName(_("Draw the times against {name}", name=name))
        self.line.retranslate()
        self._show()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)
        self._text.restyle(theme)
        self.line.restyle(theme)

    def _measure(self) -> None:
        self.line.show_share(0.0)
        self.measure_button.setEnabled(False)
        self._task.run(partial(time_functions, self._d_k))
        self._show()

    def _stop_measuring(self) -> None:
        self._task.cancel()
        self._show_idle()

    def _show_idle(self) -> None:
        self.line.show_share(None)
        self.measure_button.setEnabled(True)
        self._show()

    @Slot(float)
    def _show_progress(self, share: float) -> None:
        if self.is_measuring:
            self.line.show_share(share)

    @Slot(object)
    def _take_times(self, times: TimingResult) -> None:
        self._times = times
        self._show_idle()
        self.measured.emit(times)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._show_idle()
        raise error

    def _show(self, _axis: int = BY_TOKENS) -> None:
        times = self._times
        empty = _("Measuring …") if self.is_measuring else _("Press “Measure times” to see the curves.")
        if self._axes.checkedId() == BY_TOKENS:
            chart = present_times_by_tokens(None if times is None else times.by_tokens, empty)
        else:
            chart = present_times_by_width(None if times is None else times.by_width, empty)
        self.canvas.show_content(chart)
        sentence = "" if times is None else times_sentence(times.by_tokens)
        self._text.show_paragraphs([Paragraph((Run(sentence, "muted"),))] if sentence else [])
