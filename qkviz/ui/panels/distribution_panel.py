"""The Distribution panel: scores, or weights, with projections and without, as histograms in common bins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from qkviz.document.session import Snapshot
from qkviz.presenters.distribution import Stage, present_distribution
from qkviz.presenters.histogram import HistogramContent
from qkviz.translate import N_, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.items.histogram_canvas import HistogramCanvas
from qkviz.ui.panels.panel import Panel
from qkviz.ui.theme import Theme

STAGES = ((Stage.SCORES, N_("Scores")), (Stage.WEIGHTS, N_("Weights")))


@dataclass(frozen=True, slots=True)
class DistributionOptions:
    """What the panel shows; no part of the document."""

    stage: Stage = Stage.SCORES


class DistributionPanel(Panel):
    """Two histograms on one axis, of scores or of weights."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._options = DistributionOptions()
        self._canvas = HistogramCanvas(self)
        self._buttons = QButtonGroup(self)
        head = QHBoxLayout()
        head.setSpacing(4)
        for number in range(len(STAGES)):
            button = QuietButton(self)
            button.setCheckable(True)
            self._buttons.addButton(button, number)
            head.addWidget(button)
        head.addStretch(1)
        self._buttons.button(0).setChecked(True)
        self._buttons.idClicked.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 10, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._canvas, 1)
        self.retranslate()

    @property
    def canvas(self) -> HistogramCanvas:
        """The picture."""
        return self._canvas

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the distributions of ``snapshot``."""
        unchanged = self._snapshot is not None and snapshot.trace is self._snapshot.trace
        self._snapshot = snapshot
        if not unchanged:
            self._redraw()

    def show_content(self, content: HistogramContent) -> None:
        """Draw ``content``. Emits nothing."""
        self._canvas.show_content(content)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Distribution"))
        self._canvas.setAccessibleName(_("Histogram"))
        for number, (_stage, word) in enumerate(STAGES):
            button = self._buttons.button(number)
            button.setText(_(word))
            button.setAccessibleName(_("Show as histogram: {what}", what=_(word)))
        self._redraw()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._canvas.restyle(theme)

    def _choose(self, number: int) -> None:
        self._options = replace(self._options, stage=STAGES[number][0])
        self._redraw()

    def _redraw(self) -> None:
        if self._snapshot is not None:
            self.show_content(present_distribution(self._snapshot, self._options.stage))
