"""How well the copy model copies, whole and without each head, measured on request."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from qkviz.capture.copy_accuracy import CopyAccuracies, measure_heads
from qkviz.presenters.copy_machine import accuracy_sentence, present_accuracies
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.buttons import PlainButton
from qkviz.ui.items.share_bars import ShareBars
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.task_line import TaskLine
from qkviz.ui.theme import Theme

SEQUENCES = 200


def measure_fresh(seed: int, progress: Progress) -> CopyAccuracies:
    """Measure; the function that runs beside the window."""
    return measure_heads(SEQUENCES, seed, progress.report)


class CopyAccuracy(QWidget):
    """A button to measure, three bars, and a sentence about them. Every measurement draws new sequences.

    Signals
    -------
    measured
        Carries the result as `CopyAccuracies`.
    """

    measured = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._seed = 0
        self._result: CopyAccuracies | None = None
        self._task = NewestTask(self)
        self._task.progressed.connect(self._show_progress)
        self._task.finished.connect(self._take)
        self._task.failed.connect(self._fail)
        self.button = PlainButton(self)
        self.button.clicked.connect(self._measure)
        self.line = TaskLine(self)
        self.line.stop_asked.connect(self._stop)
        self.bars = ShareBars(3, self)
        self._text = RunsView(self)
        self._top = QStackedWidget(self)  # in place of each other: a narrow panel has no room for both
        self._top.addWidget(self.button)
        self._top.addWidget(self.line)
        self._top.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._top)
        column.addWidget(self.bars)
        column.addWidget(self._text)
        self.retranslate()

    @property
    def is_measuring(self) -> bool:
        """Whether a result is on its way."""
        return self._task.is_running

    def text(self) -> str:
        """Return what is said in words."""
        return self._text.text()

    def stop(self) -> None:
        """End what runs beside the window, and wait for it."""
        self._task.wait(3.0)
        self._show_idle()

    def retranslate(self) -> None:
        """Set every text anew."""
        self.button.setText(_("Measure {count} sequences", count=SEQUENCES))
        self.button.setToolTip(
            _("Copying on fresh sequences, with both heads and without each of them; about a second.")
        )
        self.bars.setAccessibleName(_("Accuracy"))
        self.line.retranslate()
        self._show()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.bars.restyle(theme)
        self._text.restyle(theme)
        self.line.restyle(theme)

    def _measure(self) -> None:
        self.line.show_share(0.0)
        self._top.setCurrentWidget(self.line)
        self._task.run(partial(measure_fresh, self._seed))

    def _stop(self) -> None:
        self._task.cancel()
        self._show_idle()

    def _show_idle(self) -> None:
        self.line.show_share(None)
        self._top.setCurrentWidget(self.button)

    @Slot(float)
    def _show_progress(self, share: float) -> None:
        if self.is_measuring:
            self.line.show_share(share)

    @Slot(object)
    def _take(self, result: CopyAccuracies) -> None:
        self._result = result
        self._seed += 1
        self._show_idle()
        self._show()
        self.measured.emit(result)

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        self._show_idle()
        raise error

    def _show(self) -> None:
        result = self._result
        self.bars.show_bars(() if result is None else present_accuracies(result))
        self.bars.setVisible(result is not None)
        words = (
            _("How much of the copying is left without a head?")
            if result is None
            else accuracy_sentence(result)
        )
        self._text.show_paragraphs([Paragraph((Run(words, "muted"),))])
