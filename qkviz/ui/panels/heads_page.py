"""What the Heads panel shows of a capture: sentence, grid or chart, one head in large, the facts."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.capture_facts import present_capture_facts
from qkviz.presenters.head_charts import present_layer_chart
from qkviz.presenters.head_words import tells_values
from qkviz.presenters.heads import FoundHeads, HeadsMode, HeadsOptions, LiveModel, present_head_grid
from qkviz.presenters.runs import Run
from qkviz.presenters.sentence_box import present_sentence
from qkviz.translate import Refusal, _
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.items.head_grid import HeadGrid, HeadGridScroll
from qkviz.ui.panels.head_preview import HeadPreview
from qkviz.ui.panels.head_view_bar import HeadViewBar
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.sentence_box import SentenceBox
from qkviz.ui.theme import Theme

WIDE = 1.15
"""From this ratio of width to height on, the preview stands beside the grid instead of below it."""


class HeadsPage(QWidget):
    """Puts the parts together; it shows what it is given and remembers nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence, self.bar = SentenceBox(self), HeadViewBar(self)
        self.caption, self.facts = RunsView(self), RunsView(self)
        self.area, self.chart, self.preview = HeadGridScroll(self), ChartCanvas(self), HeadPreview(self)
        self._heads = QStackedWidget(self)
        self._heads.addWidget(self.area)
        self._heads.addWidget(self.chart)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(12)
        self._body.addWidget(self._heads, 3)
        self._body.addWidget(self.preview, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.sentence)
        column.addWidget(self.bar)
        column.addWidget(self.caption)
        column.addLayout(self._body, 1)
        column.addWidget(self.facts)

    @property
    def grid(self) -> HeadGrid:
        """The heads."""
        return self.area.grid

    def show_capture(self, captured: CapturedHead, live: LiveModel) -> None:
        """Show the text, and what there is to say of the model."""
        self.show_sentence(captured, live)
        lines = present_capture_facts(captured.capture, captured.captured_text)
        self.facts.show_paragraphs([Paragraph(line, gap=2) for line in lines])

    def show_sentence(self, captured: CapturedHead, live: LiveModel) -> None:
        """Show the text and the state of the model."""
        self.sentence.show_content(present_sentence(captured, live))

    def show_heads(self, captured: CapturedHead, found: FoundHeads, options: HeadsOptions) -> None:
        """Show the heads as far as they are known."""
        text = captured.captured_text
        self.bar.show_options(options, tells_values(text))
        if options.mode is HeadsMode.LAYERS:
            self._heads.setCurrentWidget(self.chart)
            self.chart.show_content(present_layer_chart(text, found, options.measure))
            self.caption.setVisible(False)
            return
        content = present_head_grid(captured, found, options)
        self._heads.setCurrentWidget(self.area)
        self.caption.setVisible(True)
        self.caption.show_paragraphs([Paragraph((Run(content.caption, "muted"),))])
        self.grid.show_content(content)
        self.area.refit()

    def show_problem(self, problem: Refusal | None) -> None:
        """Say why there are no pictures, if there are none."""
        if problem is not None:
            self.caption.setVisible(True)
            self.caption.show_paragraphs([Paragraph((Run(str(problem), "key"),))])

    def show_words(self, text: str) -> None:
        """Say this of the head that is shown in large."""
        self.preview.show_lines(text)
        self.grid.show_tip("" if self.preview.shows_lines else text)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.sentence.retranslate()
        self.bar.retranslate()
        self.grid.setAccessibleName(_("Heads: layers down, heads across"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (
            self.sentence, self.bar, self.caption, self.facts, self.grid, self.chart, self.preview
        ):  # fmt: skip
            part.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return room for a small grid with its words."""
        return QSize(240, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the preview where there is room."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_wide = self.width() > WIDE * self.height()
        self._body.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)
