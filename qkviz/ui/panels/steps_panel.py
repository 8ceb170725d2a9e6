"""The Steps panel: words → x → q, k → dot products → scaled scores → weights, with the arithmetic."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.document.focus import LAST_STEP
from qkviz.document.session import Snapshot
from qkviz.presenters.steps import STEP_COUNT, Run, StepsContent, present_steps
from qkviz.translate import _
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.step_row import StepRow
from qkviz.ui.theme import Theme

SECONDS_A_STEP = 2


class StepsPanel(Panel):
    """Shows one of the steps 0 … 5 and lets the user walk through them in any order.

    A step is only a part of the focus, so walking back is the exact inverse of walking forward.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._row = StepRow(STEP_COUNT, self)
        self._row.step_chosen.connect(self.go)
        self._row.walked.connect(self._walk)
        self._row.play_toggled.connect(self.toggle_play)
        self._text = RunsView()
        scroll = QuietScrollArea(self)
        scroll.setWidget(self._text)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 12, 6)
        column.setSpacing(8)
        column.addWidget(self._row)
        column.addWidget(scroll, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(1000 * SECONDS_A_STEP)
        self._timer.timeout.connect(self._play_on)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the step of ``snapshot``. A changed document ends playing: the story is another one now."""
        if self._snapshot is not None and snapshot.document is not self._snapshot.document:
            self._stop()
        self._snapshot = snapshot
        self.show_content(present_steps(snapshot))

    def show_content(self, content: StepsContent) -> None:
        """Draw ``content``. Emits nothing."""
        self._row.set_titles(content.titles)
        self._row.show_step(content.step)
        main, *more = content.lines or ((),)
        heading = _bold(content.heading)
        if content.formulas:
            heading += (Run(" " * 6), *content.formulas)
        paragraphs = [Paragraph(heading, 1.1), Paragraph(main, 1.55, gap=2)]
        paragraphs += [Paragraph(line, gap=4) for line in more]
        paragraphs.append(Paragraph(content.sentence, gap=6))
        self._text.show_paragraphs([paragraph for paragraph in paragraphs if paragraph.text()])

    def shown_text(self) -> str:
        """Return heading, arithmetic and sentence as plain text, a line each."""
        return self._text.text()

    def is_playing(self) -> bool:
        """Tell whether the steps advance by themselves."""
        return self._timer.isActive()

    def go(self, step: int) -> None:
        """Ask for ``step``, the nearest one that exists."""
        if self._snapshot is None:
            return
        wanted = min(max(step, 0), LAST_STEP)
        if self.is_playing():
            self._timer.start()  # a step chosen while playing is shown for its full time
        if wanted != self._snapshot.focus.step:
            self.looked.emit(replace(self._snapshot.focus, step=wanted))

    def toggle_play(self) -> None:
        """Play on from here (from the start if at the end), or pause. A hidden panel does not play."""
        if self.is_playing():
            self._stop()
        elif self._snapshot is not None and self.isVisible():
            if self._snapshot.focus.step == LAST_STEP:
                self.go(0)
            self._timer.start()
            self._row.show_playing(True)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._row.retranslate()
        self._row.show_playing(self.is_playing())
        self.setAccessibleName(_("Steps"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._row.restyle(theme)
        self._text.restyle(theme)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing: nobody sees it."""
        self._stop()
        super().hideEvent(event)

    def _walk(self, by: int) -> None:
        if self._snapshot is not None:
            self.go(self._snapshot.focus.step + by)

    def _play_on(self) -> None:
        self._walk(1)
        if self._snapshot is None or self._snapshot.focus.step == LAST_STEP:
            self._stop()

    def _stop(self) -> None:
        self._timer.stop()
        self._row.show_playing(False)


def _bold(line: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return a heading's runs with the plain ones set strong."""
    return tuple(Run(run.text, "strong") if run.tone == "plain" else run for run in line)
