"""One line of the panel of cosines: a vector's name, a slider for its length alone, and the number."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from qkviz.document.document import Role
from qkviz.document.edits import SetLength
from qkviz.document.session import Snapshot
from qkviz.presenters.axis_limits import round_limit_above
from qkviz.presenters.cosine import LengthContent
from qkviz.presenters.runs import Run, Tone
from qkviz.translate import _
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.value_slider import ValueSlider
from qkviz.ui.theme import Theme

LEAST_REACH = 5.0


@dataclass(frozen=True, slots=True)
class LengthStops:
    """Lengths from 0 to ``reach``, a hundred steps."""

    reach: float

    @property
    def last(self) -> int:
        """Number of the last stop."""
        return 100

    def value(self, stop: int) -> float:
        """Return the length of a stop."""
        return stop * self.reach / 100

    def position(self, value: float) -> float:
        """Return where a length stands."""
        return value / self.reach * 100


class LengthRow(QWidget):
    """Asks for another length along the direction that the vector has, or had before it became zero.

    Signals
    -------
    asked
        A `SetLength`.
    """

    asked = Signal(object)

    def __init__(self, role: Role, parent: QWidget) -> None:
        super().__init__(parent)
        self._role = role
        self._length: LengthContent | None = None
        self._directions: dict[int, tuple[float, ...]] = {}  # by index, the last that was not zero
        self._name, self._text = RunsView(self), QLabel(self)
        self._name.setFixedWidth(110)
        self.slider = ValueSlider(LengthStops(LEAST_REACH), self)
        self.slider.moved.connect(self._ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._name, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.slider, 1)
        row.addWidget(self._text)

    def begin(self, snapshot: Snapshot) -> None:
        """Reach twice as far as the longest vector of a new document; forget directions of the old one."""
        trace = snapshot.trace
        vectors = trace.Q if self._role is Role.QUERY else trace.K
        longest = 0.0 if vectors is None else float(vectors.norm(dim=1).max())
        self.slider.set_stops(LengthStops(round_limit_above(2 * longest, LEAST_REACH)))
        self._directions = {}

    def show_length(self, length: LengthContent) -> None:
        """Show the length of the vector of the active pair. Emits nothing."""
        self._length = length
        if length.direction is not None:
            self._directions[length.index] = length.direction
        tone: Tone = "query" if self._role is Role.QUERY else "key"
        self._name.show_paragraphs([Paragraph((Run(length.name, tone),))])
        self._text.setText(length.text)
        self._text.setMinimumWidth(QFontMetrics(self._text.font()).horizontalAdvance("0.0000"))
        self.slider.show_value(length.value)
        self.slider.setAccessibleName(_("Length of {vector}", vector=length.name.strip("‖")))
        self.slider.setAccessibleDescription(length.text)
        can = length.index in self._directions
        self.slider.setEnabled(can)
        self.slider.setToolTip(
            _("Longer or shorter, without a turn")
            if can
            else _("The zero vector has no direction to be longer in; drag its tip instead.")
        )

    def retranslate(self) -> None:
        """Set the fixed texts anew: all of them come with the next length."""

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._name.restyle(theme)
        self.slider.restyle(theme, "query" if self._role is Role.QUERY else "key")

    def _ask(self, length: float, gesture: object) -> None:
        if self._length is not None and self._length.index in self._directions:
            direction = self._directions[self._length.index]
            self.asked.emit(SetLength(self._role, self._length.index, direction, length, gesture))
