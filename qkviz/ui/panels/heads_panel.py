"""The Heads panel: all heads of a trained model at a glance, and one of them as the document."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from qkviz.attention.head_views import ViewedWeights
from qkviz.document.captured_head import CapturedHead, ChooseHead, ChooseText, GoBackToHead
from qkviz.document.session import Snapshot
from qkviz.figures.head_grid_figure import head_grid_figure
from qkviz.presenters.head_preview import present_head_preview
from qkviz.presenters.head_words import head_tip
from qkviz.presenters.heads import (
    HeadsMode,
    HeadsOptions,
    LiveModel,
    Place,
    present_head_grid,
    present_picture_titles,
)
from qkviz.presenters.sentence_box import present_mark
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.head_computer import HeadComputer
from qkviz.ui.panels.heads_page import HeadsPage
from qkviz.ui.panels.heads_start import HeadsStart
from qkviz.ui.panels.panel import Panel
from qkviz.ui.theme import Theme

SECONDS_TO_END = 5.0
"""How long a cancelled computation may take at most; it ends with the head in hand."""


class HeadsPanel(Panel):
    """The heads are computed beside the window, one by one, and appear as they come.

    What was computed belongs to one text and one view, and is dropped with them.

    Signals
    -------
    text_typed
        Text, and its pair or None, that the live model is to look at.
    model_wanted, minilm_wanted, recorded_wanted, copy_model_wanted
        A model is wanted: a folder of the user's, all-MiniLM-L6-v2, the recorded sentences, the copy model.
    picture_asked
        The grid is to be saved; carries its `WindowFigure` and what it shows, for the name of the file.
    """

    text_typed = Signal(str, object)
    model_wanted = Signal()
    minilm_wanted = Signal()
    recorded_wanted = Signal()
    copy_model_wanted = Signal()
    picture_asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._captured: CapturedHead | None = None
        self._live = LiveModel()
        self._options = HeadsOptions()
        self._pointed: Place | None = None
        self.computer = HeadComputer(self)
        self.computer.changed.connect(self._show_heads)
        self.computer.seen.connect(self._show_large)
        self.start, self.page = HeadsStart(self), HeadsPage(self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.start)
        self._pages.addWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self._save = QuietButton(self)
        self._save.clicked.connect(self._ask_for_picture)
        self._connect_parts()
        self.retranslate()

    def tools(self) -> QWidget:
        """Return the button that saves the grid."""
        return self._save

    def _connect_parts(self) -> None:
        for source in (self.start, self.page.sentence):
            source.model_wanted.connect(self.model_wanted)
        self.start.minilm_wanted.connect(self.minilm_wanted)
        self.start.recorded_wanted.connect(self.recorded_wanted)
        self.start.copy_model_wanted.connect(self.copy_model_wanted)
        self.page.sentence.text_typed.connect(self.text_typed)
        self.page.sentence.text_chosen.connect(self._choose_text)
        self.page.bar.options_chosen.connect(self._choose_options)
        self.page.grid.pointed.connect(self._point)
        self.page.grid.chosen.connect(self._choose_head)
        self.page.grid.left.connect(self._go_back)

    @property
    def options(self) -> HeadsOptions:
        """What the user chose to see."""
        return self._options

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the heads of the capture that the document came from, or how to come to one."""
        captured = snapshot.document.captured
        if captured is None or captured is not self._captured:  # else only its numbers were changed by hand
            if captured is None or not self._is_same_text(captured):
                self._pointed = None
            self._captured = captured
            self._show()
        if captured is not None:
            self.page.sentence.show_mark(present_mark(captured, snapshot.focus.query))

    def show_live(self, live: LiveModel) -> None:
        """Show whether a model can be asked, and what it is doing. Emits nothing."""
        self._live = live
        self.start.show_live(live)
        if self._captured is not None:
            self.page.show_sentence(self._captured, live)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Heads"))
        self.start.retranslate()
        self.page.retranslate()
        self._save.setText(_("Save picture…"))
        self._save.setToolTip(_("Save the grid of heads as PNG, SVG or PDF"))
        self.computer.pause()  # the words of the picture in large follow with it
        self._show()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.start.restyle(theme)
        self.page.restyle(theme)

    def stop(self) -> None:
        """End what runs beside the window; returns when it has ended."""
        self.page.sentence.stop()
        self.computer.wait(SECONDS_TO_END)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what is missing when somebody looks."""
        super().showEvent(event)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        """Compute nothing for a panel that nobody sees."""
        super().hideEvent(event)
        self.computer.wait(SECONDS_TO_END)  # a thread must not speak to a panel that is deleted next

    # showing

    def _show(self) -> None:
        captured = self._captured
        self._pages.setCurrentWidget(self.start if captured is None else self.page)
        self._save.setEnabled(captured is not None and self._options.mode is not HeadsMode.LAYERS)
        self.computer.turn_to(None if captured is None else captured.captured_text, self._options.view)
        if captured is None:
            return
        self.page.show_capture(captured, self._live)
        self._show_heads()
        if self.isVisible():
            self.computer.compute()
            self.computer.enlarge(self._place)

    def _is_same_text(self, captured: CapturedHead) -> bool:
        return self._captured is not None and captured.captured_text is self._captured.captured_text

    def _show_heads(self) -> None:
        if self._captured is not None:
            self.page.show_heads(self._captured, self.computer.found, self._options)
            self.page.show_problem(self.computer.problem)
            self._show_words()

    @property
    def _place(self) -> Place:
        """The head that is pointed at, else the chosen one."""
        if self._pointed is not None or self._captured is None:
            return self._pointed or (0, 0)
        return self._captured.layer, self._captured.head

    def _show_words(self) -> None:
        if self._captured is not None:
            measures = self.computer.found.measures.get(self._place)
            self.page.show_words(head_tip(self._captured.captured_text, *self._place, measures))

    def _show_large(self, place: Place, seen: ViewedWeights) -> None:
        if self._captured is not None:
            self.page.preview.show_picture(present_head_preview(self._captured.captured_text, *place, seen))

    # what the user does

    def _point(self, place: Place | None) -> None:
        self._pointed = place
        self._show_words()
        if self.isVisible():  # a panel that is being closed loses the focus, too
            self.computer.enlarge(self._place)

    def _choose_head(self, layer: int, head: int) -> None:
        if self._captured is None:
            return
        if (layer, head) == (self._captured.layer, self._captured.head):
            self._go_back()
        else:
            self.edited.emit(ChooseHead(layer, head))

    def _go_back(self) -> None:
        if self._captured is not None and self._captured.before is None:
            self.said.emit(_("No other head was chosen before this one."))
        else:
            self.edited.emit(GoBackToHead())

    def _choose_text(self, number: int) -> None:
        self.edited.emit(ChooseText(number))

    def _choose_options(self, options: HeadsOptions) -> None:
        self._options = options
        self._show()

    def _ask_for_picture(self) -> None:
        if self._captured is not None:
            content = present_head_grid(self._captured, self.computer.found, self._options)
            titles = present_picture_titles(self._captured, self._options)
            self.picture_asked.emit(head_grid_figure(content, titles), "heads")
