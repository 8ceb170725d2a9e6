"""A seed to type, and the next one a click away."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from qkviz.translate import Refusal, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.option_choices import read_whole_number
from qkviz.ui.panels.quiet_fields import MarkedField
from qkviz.ui.theme import Theme

LARGEST = 10**18
"""Seeds are below it, as those that can be typed."""


class SeedRow(QWidget):
    """Title, field and ``+1``. The seed is taken by Enter.

    Signals
    -------
    seed_chosen
        The user wants another draw; `seed` tells with what.
    said
        Why something typed cannot be used.
    """

    seed_chosen = Signal()
    said = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._seed = 0
        self._title = QLabel(self)
        self._title.setProperty("kind", "muted")
        self.field = MarkedField(self)
        self.field.setText("0")
        self.field.setFixedWidth(self.fontMetrics().horizontalAdvance("0000000") + 16)
        self.next_button = QuietButton(self)
        self.next_button.setText("+1")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for widget in (self._title, self.field, self.next_button):
            row.addWidget(widget)
        self.field.returnPressed.connect(self._take)
        self.next_button.clicked.connect(self._take_next)
        self.retranslate()

    @property
    def seed(self) -> int:
        """The seed in force."""
        return self._seed

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self._title.setText(_("Seed"))
        self.field.setAccessibleName(_("Seed"))
        self.field.setToolTip(_("The same seed draws the same numbers."))
        self.next_button.setAccessibleName(_("Draw with the next seed"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.field.restyle(theme)

    def _take(self) -> None:
        try:
            seed = read_whole_number(self.field.text())
        except Refusal as refusal:
            self.field.refuse()
            self.said.emit(str(refusal))
            return
        self._use(seed)

    def _take_next(self) -> None:
        self._use((self._seed + 1) % LARGEST)

    def _use(self, seed: int) -> None:
        self._seed = seed
        self.field.setText(str(seed))
        self.field.accept()
        self.seed_chosen.emit()
