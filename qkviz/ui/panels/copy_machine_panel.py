"""The Copy machine panel: two heads that together find an earlier copy and say what followed it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from qkviz.capture.copy_accuracy import CopyAccuracies
from qkviz.document.captured_head import CapturedHead, ChooseHead
from qkviz.document.session import Snapshot
from qkviz.presenters.copy_machine import (
    CopyMachineContent,
    copy_machine_head,
    present_copy_machine,
)
from qkviz.presenters.heads import LiveModel
from qkviz.presenters.runs import Run
from qkviz.presenters.sentence_box import live_status
from qkviz.translate import _
from qkviz.ui.buttons import PlainButton
from qkviz.ui.items.head_look import HeadLookButton
from qkviz.ui.items.share_bars import ShareBars
from qkviz.ui.panels.copy_accuracy import CopyAccuracy
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.sequence_row import SequenceRow
from qkviz.ui.theme import Theme

LOOKS, GUESSES = 3, 5

SIDE_BY_SIDE = 560
"""From this width on the guesses stand beside the heads."""


class CopyMachinePanel(Panel):
    """Shows a document that is a head of the copy model; for any other it says how to come to one.

    Signals
    -------
    capture_wanted
        The model is to read a text with some heads off: text, frozenset of (layer, head) from 0.
    copy_model_wanted
        The copy model is to be opened.
    """

    capture_wanted = Signal(str, object)
    copy_model_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captured: CapturedHead | None = None
        self._is_stale = True
        self.row = SequenceRow(self)
        self.row.capture_wanted.connect(self.capture_wanted)
        self.looks = tuple(HeadLookButton(self) for _look in range(LOOKS))
        for look in self.looks:
            look.clicked.connect(partial(self._choose, look))
        self.story, self.note = RunsView(self), RunsView(self)
        self._guesses_title = QLabel(self)
        self._guesses_title.setProperty("kind", "muted")
        self.guesses = ShareBars(GUESSES, self)
        self.accuracy = CopyAccuracy(self)
        self.accuracy.measured.connect(self._tell_accuracy)
        self.empty = RunsView(self)
        self.open_button = PlainButton(self)
        self.open_button.clicked.connect(self.copy_model_wanted)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._scroll = QuietScrollArea(self)
        self._scroll.setWidget(self._full_page())
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty_page())
        self._pages.addWidget(self._scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the capture that the document began as; numbers changed by hand are shown elsewhere."""
        captured = copy_machine_head(snapshot.document)
        if captured is self._captured and not self._is_stale:
            return
        self._captured, self._is_stale = captured, False
        self._pages.setCurrentIndex(0 if captured is None else 1)
        if captured is not None:
            self.row.show_sequence(captured.captured_text.text, captured.captured_text.switched_off)
            self.show_content(present_copy_machine(captured))

    def show_content(self, content: CopyMachineContent) -> None:
        """Draw ``content``. Emits nothing."""
        for button, look in zip(self.looks, content.looks, strict=True):
            button.show_look(look)
        self.guesses.show_bars(content.guesses)
        self.story.show_paragraphs([Paragraph((Run(line),), gap=3) for line in content.story])
        notes = (Run(content.note, "strong"), Run(content.words, "muted"))
        self.note.show_paragraphs([Paragraph((run,), gap=4) for run in notes if run.text])
        self._scroll.lay_out_now()

    def show_live(self, live: LiveModel) -> None:
        """Show what the model is doing, and why the last words were refused. Emits nothing."""
        self.row.show_state(live_status(live), live.problem or "")

    def stop(self) -> None:
        """End a measurement, and wait for it."""
        self.accuracy.stop()

    def shown_text(self) -> str:
        """Return what is said in words."""
        return self.empty.text() if self._captured is None else self.story.text()

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._is_stale = True
        self.setAccessibleName(_("Copy machine"))
        self._guesses_title.setText(_("It says next"))
        self.guesses.setAccessibleName(_("It says next"))
        self.open_button.setText(_("Open the copy model"))
        head = Run(_("This document is no head of the copy model."), "strong")
        text = Run(
            _(
                "The copy model has two heads, small enough to look through: the first finds the word "
                "before, the second what followed an earlier copy. Lesson 14 is about it."
            ),
            "muted",
        )
        self.empty.show_paragraphs([Paragraph((head,)), Paragraph((text,), gap=4)])
        self.row.retranslate()
        self.accuracy.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.row.restyle(theme)
        for look in self.looks:
            look.restyle(theme)
        for text in (self.story, self.note, self.empty):
            text.restyle(theme)
        self.guesses.restyle(theme)
        self.accuracy.restyle(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put guesses beside the heads or below them."""
        super().resizeEvent(event)
        wide = self.width() >= SIDE_BY_SIDE
        self._halves.setDirection(
            QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        )

    def hideEvent(self, event: QHideEvent) -> None:
        """Measure nothing for nobody."""
        self.stop()
        super().hideEvent(event)

    def _full_page(self) -> QWidget:
        page = QWidget(self)
        self._halves.setSpacing(16)
        self._halves.addWidget(_column(page, *self.looks, self.story), 3)
        self._halves.addWidget(_column(page, self._guesses_title, self.guesses, self.accuracy), 2)
        column = QVBoxLayout(page)
        column.setContentsMargins(14, 4, 12, 8)
        column.setSpacing(8)
        column.addWidget(self.row)
        column.addLayout(self._halves)
        column.addWidget(self.note)
        column.addStretch(1)
        return page

    def _empty_page(self) -> QWidget:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(14, 6, 12, 10)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(self.empty)
        column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(2)
        return page

    def _choose(self, button: HeadLookButton) -> None:
        if button.look is not None:
            self.edited.emit(ChooseHead(*button.look.place))

    def _tell_accuracy(self, measured: CopyAccuracies) -> None:
        self.happened.emit("copying_measured", measured._asdict())


def _column(parent: QWidget, *parts: QWidget) -> QWidget:
    """Put widgets below each other; how wide they would like to be does not count."""
    half = QWidget(parent)
    half.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    column = QVBoxLayout(half)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    return half
