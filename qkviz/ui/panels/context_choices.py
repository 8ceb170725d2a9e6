"""The word that is looked at, and the layer and head that look."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from qkviz.document.captured_head import CapturedHead
from qkviz.translate import _
from qkviz.ui.panels.quiet_fields import QuietChoice
from qkviz.ui.theme import Theme


class ContextChoices(QWidget):
    """Three lists to choose from in a row.

    Signals
    -------
    word_chosen
        A word, by its id.
    head_chosen
        Layer and head, from 0.
    """

    word_chosen = Signal(str)
    head_chosen = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._captured: CapturedHead | None = None
        self.word, self.layer, self.head = (QuietChoice(self) for _choice in range(3))
        self.word.chosen.connect(self.word_chosen)
        self.layer.chosen.connect(self._choose_layer)
        self.head.chosen.connect(self._choose_head)
        self._titles = tuple(QLabel(self) for _choice in range(3))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for title, choice, share in zip(
            self._titles, (self.word, self.layer, self.head), (1, 0, 0), strict=True
        ):
            title.setProperty("kind", "muted")
            row.addWidget(title)
            row.addWidget(choice, share)
        row.addStretch()
        for choice in (self.layer, self.head):
            choice.setMinimumContentsLength(2)
            choice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            choice.setFixedWidth(choice.fontMetrics().horizontalAdvance("000") + 30)
        self.word.setMaximumWidth(260)

    def show_choices(self, captured: CapturedHead, words: tuple[tuple[str, str], ...], word: str) -> None:
        """Show what can be chosen and what is. Emits nothing."""
        self._captured = captured
        self.word.show_choices(words, word, "")
        layers = len(captured.captured_text.layers)
        self.layer.show_choices(_numbers(layers), str(captured.layer), "")
        self.head.show_choices(_numbers(captured.captured_layer.heads), str(captured.head), "")

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        texts = (_("Word"), _("Layer"), _("Head"))
        for title, choice, text in zip(self._titles, (self.word, self.layer, self.head), texts, strict=True):
            title.setText(text)
            choice.setAccessibleName(text)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for choice in (self.word, self.layer, self.head):
            choice.restyle(theme)

    def _choose_layer(self, layer: str) -> None:
        if self._captured is not None:
            heads = self._captured.captured_text.layers[int(layer)].heads
            self.head_chosen.emit(int(layer), min(self._captured.head, heads - 1))

    def _choose_head(self, head: str) -> None:
        if self._captured is not None:
            self.head_chosen.emit(self._captured.layer, int(head))


def _numbers(count: int) -> tuple[tuple[str, str], ...]:
    return tuple((str(at), str(at + 1)) for at in range(count))
