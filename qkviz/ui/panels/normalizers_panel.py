"""The panel of normalisers: a row of scores to be dragged, and what each makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.normalizers import Softmax
from qkviz.document.editable import LARGEST
from qkviz.document.edits import EditableMatrix, SetCell, SetNormalizer
from qkviz.document.session import Snapshot
from qkviz.presenters.normalizers import NormalizersContent, present_normalizers
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.items.score_bars import ScoreBars
from qkviz.ui.items.weight_card import WeightCard
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.value_slider import ValueSlider
from qkviz.ui.theme import Theme

CARDS = 5


@dataclass(frozen=True, slots=True)
class TemperatureStops:
    """Temperatures from 0.01 to 100, twenty a factor of ten, rounded to two digits; 1 is one of them."""

    @property
    def last(self) -> int:
        """Number of the last stop."""
        return 80

    def value(self, stop: int) -> float:
        """Return the temperature of a stop."""
        return float(f"{10.0 ** (stop / 20 - 2):.2g}")

    def position(self, value: float) -> float:
        """Return where a temperature stands; equal ratios are equal distances."""
        distances = [abs(self.value(stop) - value) / self.value(stop) for stop in range(self.last + 1)]
        return float(distances.index(min(distances)))


@dataclass(frozen=True, slots=True)
class NormalizersOptions:
    """What the panel remembers by itself: the temperature that was chosen last."""

    temperature: float = 0.5


class NormalizersPanel(Panel):
    """Dragging a bar edits the scores of the document; clicking a card chooses its normaliser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._content: NormalizersContent | None = None
        self._options = NormalizersOptions()
        self._title = RunsView(self)
        self._words = RunsView(self)
        self.bars = ScoreBars(self)
        self.bars.dragged.connect(self._drag)
        self.bars.bar_chosen.connect(self._choose_bar)
        self.slider = ValueSlider(TemperatureStops(), self)
        self.slider.moved.connect(self._warm)
        self._slider_name, self._slider_text = QLabel(self), QLabel(self)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self._choose_card)
        self.cards = tuple(WeightCard(self) for _number in range(CARDS))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 2, 14, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self.bars, 5)
        column.addWidget(self._words)
        column.addLayout(self._slider_row())
        column.addLayout(self._card_row(), 4)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show the chosen row of ``snapshot``, else its first."""
        self._snapshot = snapshot
        normalizer = snapshot.document.options.normalizer
        if isinstance(normalizer, Softmax) and normalizer != Softmax():
            self._options = replace(self._options, temperature=normalizer.temperature)
        self.show_content(present_normalizers(snapshot, self._options.temperature))

    def show_content(self, content: NormalizersContent) -> None:
        """Draw ``content``. Emits nothing."""
        self._content = content
        self._title.show_paragraphs([Paragraph((Run(_("Scores of {row}", row=content.title), "strong"),))])
        words = [Paragraph((Run(content.sentence),))]
        if content.note:
            words.append(Paragraph((Run(content.note, "muted"),), gap=2))
        self._words.show_paragraphs(words)
        self.bars.show_content(content)
        self.slider.show_value(content.temperature)
        self.slider.setAccessibleDescription(content.temperature_text)
        self._slider_text.setText(content.temperature_text)
        for card, row in zip(self.cards, content.rows, strict=True):
            card.show_content(row, content.labels)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.setAccessibleName(_("Normalisers"))
        self.bars.setAccessibleName(_("Scores as bars"))
        hint = _("Drag the end of a bar · Shift: grid · Tab, arrows: choose and nudge")
        self.bars.setToolTip(hint)
        self._slider_name.setText(_("Temperature τ of the second card"))
        self.slider.setAccessibleName(_("Temperature τ of the second card"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._title.restyle(theme)
        self._words.restyle(theme)
        self.bars.restyle(theme)
        self.slider.restyle(theme, "weight")
        for card in self.cards:
            card.restyle(theme)

    def shown_text(self) -> str:
        """Return what is said in words."""
        return f"{self._title.text()}\n{self._words.text()}"

    def _slider_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.slider.setMaximumWidth(320)
        row.addWidget(self._slider_name)
        row.addWidget(self.slider)
        self._slider_text.setMinimumWidth(44)
        row.addWidget(self._slider_text)
        row.addStretch(1)
        return row

    def _card_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for number, card in enumerate(self.cards):
            self._group.addButton(card, number)
            row.addWidget(card)
        return row

    # what the hand does

    def _drag(self, key: int, height: float, gesture: object) -> None:
        if self._content is not None:
            score = max(-LARGEST, min(LARGEST, height / self._content.scale))
            self.edited.emit(SetCell(EditableMatrix.SCORES, self._content.query, key, score, gesture))

    def _choose_bar(self, key: int) -> None:
        if self._snapshot is not None and self._content is not None:
            self.looked.emit(replace(self._snapshot.focus, query=self._content.query, key=key))

    def _warm(self, temperature: float, gesture: object) -> None:
        self._options = replace(self._options, temperature=temperature)
        before = self._snapshot
        self.edited.emit(SetNormalizer(Softmax(temperature), gesture))
        if (
            self._snapshot is before and before is not None
        ):  # τ = 1 where it is 1 already: no edit, but a move
            self.refresh(before)

    def _choose_card(self, number: int) -> None:
        if self._content is not None:
            self.edited.emit(SetNormalizer(self._content.rows[number].normalizer))
