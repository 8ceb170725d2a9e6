"""The Measures panel: numbers that sum up the whole matrix, and the histogram of its scores."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.document.session import Snapshot
from qkviz.presenters.measures import MeasuresContent, present_measures
from qkviz.translate import _
from qkviz.ui.items.histogram_canvas import HistogramCanvas
from qkviz.ui.panels.measure_row import MeasureRow
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.theme import LIGHT, Theme

HISTOGRAM_HEIGHT = 150


class MeasuresPanel(Panel):
    """A column of measures; hover over one for its sentence and formula."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._theme: Theme = LIGHT
        self._rows: dict[str, MeasureRow] = {}
        self._histogram = HistogramCanvas()
        self._histogram.setFixedHeight(HISTOGRAM_HEIGHT)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(14, 4, 10, 8)
        self._column.setSpacing(7)
        self._column.addWidget(self._histogram)
        self._column.addStretch(1)
        scroll = QuietScrollArea(self)
        scroll.setWidget(inside)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(scroll)
        self.retranslate()

    @property
    def rows(self) -> dict[str, MeasureRow]:
        """The measures shown, by their ids."""
        return self._rows

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the measures of ``snapshot``; a mere look elsewhere changes none."""
        unchanged = self._snapshot is not None and snapshot.trace is self._snapshot.trace
        self._snapshot = snapshot
        if not unchanged:
            self.show_content(present_measures(snapshot))

    def show_content(self, content: MeasuresContent) -> None:
        """Draw ``content``. Emits nothing."""
        for at, measure in enumerate(content.measures):
            if measure.id not in self._rows:
                self._rows[measure.id] = MeasureRow()
                self._rows[measure.id].restyle(self._theme)
                self._column.insertWidget(at, self._rows[measure.id])
            self._rows[measure.id].show_content(measure)
        self._histogram.show_content(content.histogram)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Measures"))
        self._histogram.setAccessibleName(_("Histogram"))
        if self._snapshot is not None:
            self.show_content(present_measures(self._snapshot))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._histogram.restyle(theme)
        for row in self._rows.values():
            row.restyle(theme)
