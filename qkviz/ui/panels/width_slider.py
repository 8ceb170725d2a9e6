"""A slider for d_k whose steps are ratios."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from qkviz.translate import _
from qkviz.ui.panels.value_slider import ValueSlider
from qkviz.ui.theme import Theme

WIDTHS = (2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512)
"""Two steps to an octave."""


@dataclass(frozen=True, slots=True)
class WidthStops:
    """The widths of `WIDTHS`; equal ratios are nearly equal distances."""

    @property
    def last(self) -> int:
        """Number of the last stop."""
        return len(WIDTHS) - 1

    def value(self, stop: int) -> float:
        """Return the width of a stop."""
        return float(WIDTHS[stop])

    def position(self, value: float) -> float:
        """Return where a width stands."""
        return float(WIDTHS.index(round(value)))


class WidthSlider(QWidget):
    """``dₖ ——●—— 64``. The keys work once Tab has come to it.

    Signals
    -------
    moved
        Another d_k, by hand; also in the middle of a drag.
    settled
        The hand has let go, or a key was pressed.
    """

    moved = Signal(int)
    settled = Signal(int)

    def __init__(self, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        title = QLabel("dₖ", self)
        title.setProperty("kind", "muted")
        self.slider = ValueSlider(WidthStops(), self)
        self.slider.show_value(width)
        self.slider.setFixedWidth(160)
        self.number = QLabel(str(width), self)
        self.number.setMinimumWidth(self.fontMetrics().horizontalAdvance("0000"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        for widget in (title, self.slider, self.number):
            row.addWidget(widget)
        self.slider.moved.connect(self._tell)
        self.slider.settled.connect(self._settle)
        self.retranslate()

    @property
    def chosen(self) -> int:
        """The d_k in force."""
        return round(self.slider.value)

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.slider.setAccessibleName(_("Width dₖ of the vectors"))
        self.slider.setAccessibleDescription(str(self.chosen))
        self.slider.setToolTip(_("Width dₖ of the vectors, {low} to {high}", low=WIDTHS[0], high=WIDTHS[-1]))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.slider.restyle(theme)

    def _tell(self, width: float, _gesture: object) -> None:
        self.slider.show_value(width)
        self.slider.setAccessibleDescription(str(self.chosen))
        self.number.setText(str(self.chosen))
        self.moved.emit(self.chosen)

    def _settle(self) -> None:
        self.settled.emit(self.chosen)
