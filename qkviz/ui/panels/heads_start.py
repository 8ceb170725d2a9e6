"""What the Heads panel offers while no head of a model is the document."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.presenters.heads import LiveModel
from qkviz.presenters.runs import Run
from qkviz.presenters.sentence_box import live_status
from qkviz.translate import _
from qkviz.ui.buttons import PlainButton
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

WIDTH = 420


class HeadsStart(QWidget):
    """A few sentences, and a button for each way to come to a model.

    Signals
    -------
    model_wanted, minilm_wanted, recorded_wanted, copy_model_wanted
        A folder of the user's, all-MiniLM-L6-v2 if it is installed, the recorded sentences, the copy model.
    """

    model_wanted = Signal()
    minilm_wanted = Signal()
    recorded_wanted = Signal()
    copy_model_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._live = LiveModel()
        self.words = RunsView(self)
        self.recorded_button, self.copy_button = PlainButton(self), PlainButton(self)
        self.minilm_button, self.folder_button = PlainButton(self), PlainButton(self)
        self.recorded_button.clicked.connect(self.recorded_wanted)
        self.copy_button.clicked.connect(self.copy_model_wanted)
        self.minilm_button.clicked.connect(self.minilm_wanted)
        self.folder_button.clicked.connect(self.model_wanted)
        self.status = RunsView(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 12, 10)
        column.setSpacing(8)
        column.addStretch(1)
        for part in (self.words, *self.buttons, self.status):
            part.setMaximumWidth(WIDTH)
            column.addWidget(part)
        column.addStretch(2)
        column.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.retranslate()

    @property
    def buttons(self) -> tuple[PlainButton, ...]:
        """The ways, the one that always works first."""
        return self.recorded_button, self.copy_button, self.minilm_button, self.folder_button

    def show_live(self, live: LiveModel) -> None:
        """Show what is being opened, and whether all-MiniLM-L6-v2 can be."""
        self._live = live
        self.minilm_button.setVisible(live.minilm_installed)
        runs = [Run(live.problem, "bad")] if live.problem else []
        if live.busy is not None:
            runs.append(Run(live_status(live), "muted"))
        self.status.show_paragraphs([Paragraph((run,)) for run in runs])

    def minimumSizeHint(self) -> QSize:
        """Return room for the buttons."""
        return QSize(220, 180)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        head = Run(_("No head of a model is open."), "strong")
        text = Run(
            _(
                "Here all heads of a trained model stand side by side. "
                "Choose one, and it becomes the document: its queries, keys, scores and weights."
            ),
            "muted",
        )
        self.words.show_paragraphs([Paragraph((head,)), Paragraph((text,), gap=4)])
        self.recorded_button.setText(_("Recorded sentences"))
        self.copy_button.setText(_("The copy model"))
        self.minilm_button.setText("all-MiniLM-L6-v2")
        self.folder_button.setText(_("Open model folder…"))
        self.recorded_button.setToolTip(_("Sentences that all-MiniLM-L6-v2 has looked at, all heads"))
        self.copy_button.setToolTip(_("Two layers with one head each, trained by this project to copy"))
        self.minilm_button.setToolTip(_("The model itself, for sentences of your own"))
        self.folder_button.setToolTip(_("A folder with config.json, weights and tokenizer"))
        self.show_live(self._live)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.words.restyle(theme)
        self.status.restyle(theme)
