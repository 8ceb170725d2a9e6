"""What the Heads panel shows of a capture: sentence, grid or chart, one head in large, the facts."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.capture_facts import present_capture_facts, present_least_facts
from qkviz.presenters.head_charts import present_layer_chart
from qkviz.presenters.head_words import MEASURE_SENTENCES, tells_values
from qkviz.presenters.heads import FoundHeads, HeadsMode, HeadsOptions, LiveModel, present_head_grid
from qkviz.presenters.runs import Run
from qkviz.presenters.sentence_box import present_sentence
from qkviz.translate import Refusal, _
from qkviz.ui.items.head_grid import HeadGrid
from qkviz.ui.panels.head_preview import HeadPreview
from qkviz.ui.panels.head_view_bar import HeadViewBar
from qkviz.ui.panels.heads_body import HeadsBody
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.sentence_box import SentenceBox
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import Theme

LOW = 540
"""Below this height the heads get the room of the words: only what must be said stays."""


class HeadsPage(QWidget):
    """Puts the parts together; it shows what it is given."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence, self.bar = SentenceBox(self), HeadViewBar(self)
        self.caption, self.facts, self.least_facts = RunsView(self), RunsView(self), RunsView(self)
        self.body = HeadsBody(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.sentence)
        column.addWidget(self.bar)
        words = QHBoxLayout()
        words.setSpacing(8)
        words.addWidget(self.bar.measure_choice)
        words.addWidget(self.caption, 1)
        column.addLayout(words)
        column.addWidget(self.body, 1)
        column.addWidget(self.facts)
        column.addWidget(self.least_facts)

    @property
    def grid(self) -> HeadGrid:
        """The heads."""
        return self.body.area.grid

    @property
    def preview(self) -> HeadPreview:
        """One head in large."""
        return self.body.preview

    def show_capture(self, captured: CapturedHead, live: LiveModel) -> None:
        """Show the text, and what there is to say of the model."""
        self.show_sentence(captured, live)
        capture, text = captured.capture, captured.captured_text
        facts, least = present_capture_facts(capture, text), present_least_facts(capture, text)
        self.facts.show_paragraphs([Paragraph(line, gap=2) for line in facts])
        self.least_facts.show_paragraphs([Paragraph(line, gap=2) for line in least])
        self.least_facts.setToolTip(plain_tip(self.facts.text()))

    def show_sentence(self, captured: CapturedHead, live: LiveModel) -> None:
        """Show the text and the state of the model."""
        self.sentence.show_content(present_sentence(captured, live))

    def show_heads(self, captured: CapturedHead, found: FoundHeads, options: HeadsOptions) -> None:
        """Show the heads as far as they are known."""
        text = captured.captured_text
        self.bar.show_options(options, tells_values(text))
        content = present_head_grid(captured, found, options)
        is_pictures = options.mode is HeadsMode.PICTURES
        said = content.caption if is_pictures else _(MEASURE_SENTENCES[options.measure])
        self.caption.show_paragraphs([Paragraph((Run(said, "muted"),))])
        if options.mode is HeadsMode.LAYERS:
            self.body.chart.show_content(present_layer_chart(text, found, options.measure))
            self.body.show_chart()
            return
        self.grid.setAccessibleDescription(content.caption)
        self.grid.show_content(content)
        self.body.show_grid()

    def show_problem(self, problem: Refusal | None) -> None:
        """Say why there are no pictures, if there are none."""
        if problem is not None:
            self.caption.show()
            self.caption.show_paragraphs([Paragraph((Run(str(problem), "bad"),))])

    def show_words(self, text: str) -> None:
        """Say this of the head that is shown in large."""
        _name, *lines = text.split("\n")
        self.body.show_lines(tuple(lines))
        self.grid.show_tip("" if self.body.shows_lines else text)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.sentence.retranslate()
        self.bar.retranslate()
        self.grid.setAccessibleName(_("Heads: layers down, heads across"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (self.sentence, self.bar, self.caption, self.facts, self.least_facts, self.body):
            part.restyle(theme)

    def minimumSizeHint(self) -> QSize:
        """Return room for a small grid with its words."""
        return QSize(334, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many words as there is room for."""
        super().resizeEvent(event)
        is_low = self.height() < LOW
        self.caption.setVisible(not is_low)
        self.facts.setVisible(not is_low)
        self.least_facts.setVisible(is_low)
