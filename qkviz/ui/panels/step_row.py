"""The row of the six steps: every one a click away, and buttons to walk and to play."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QLabel, QSizePolicy, QWidget

from qkviz.translate import _
from qkviz.ui.panels.step_buttons import HEIGHT, ShapeButton, StepPill
from qkviz.ui.theme import Theme

GAP = 7


class StepRow(QWidget):
    """Six pills on the left, ``‹ 3 / 5 ›`` and play on the right.

    Signals
    -------
    step_chosen
        The user clicked on a step.
    walked
        The user asked for one step forward (+1) or back (−1).
    play_toggled
        The user asked to play or to pause.
    """

    step_chosen = Signal(int)
    walked = Signal(int)
    play_toggled = Signal()

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._last = count - 1
        self._is_short = False
        self._current = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._pills = [StepPill(number, self) for number in range(count)]
        group = QButtonGroup(self)
        group.setExclusive(False)
        for pill in self._pills:
            group.addButton(pill, pill.number)
        group.idClicked.connect(self.step_chosen)
        self._back = ShapeButton("back", self)
        self._position = QLabel(self)
        self._position.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._forward = ShapeButton("forward", self)
        self._play = ShapeButton("play", self)
        self._back.clicked.connect(self._walk_back)
        self._forward.clicked.connect(self._walk_forward)
        self._play.clicked.connect(self.play_toggled)
        self.show_step(0)

    def buttons(self) -> list[QAbstractButton]:
        """Return all buttons from left to right: pills, back, forward, play."""
        return [*self._pills, self._back, self._forward, self._play]

    def set_titles(self, titles: Sequence[str]) -> None:
        """Take the titles of all steps, without their numbers."""
        if [pill.text() for pill in self._pills] != [
            f"{number} {title}" for number, title in enumerate(titles)
        ]:
            for pill, title in zip(self._pills, titles, strict=True):
                pill.set_title(title)
            self._arrange()

    def show_step(self, step: int) -> None:
        """Mark ``step`` as the current one."""
        self._current = step
        for pill in self._pills:
            pill.set_current(step)
        if self._is_short:
            self._arrange()  # the current step alone has its title
        self._position.setText(f"{step} / {self._last}")
        self._back.setEnabled(step > 0)
        self._forward.setEnabled(step < self._last)

    def show_playing(self, playing: bool) -> None:
        """Show the pause sign while playing, else the play sign."""
        self._play.set_shape("pause" if playing else "play")
        self._play.setAccessibleName(_("Pause") if playing else _("Play the steps"))
        self._play.setToolTip(_("Pause (Space)") if playing else _("Play the steps (Space)"))

    def retranslate(self) -> None:
        """Set the fixed texts anew; the titles come with the next content."""
        self._back.setAccessibleName(_("Previous step"))
        self._back.setToolTip(_("Previous step (←)"))
        self._forward.setAccessibleName(_("Next step"))
        self._forward.setToolTip(_("Next step (→)"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for button in (*self._pills, self._back, self._forward, self._play):
            button.restyle(theme)
        self._arrange()

    def sizeHint(self) -> QSize:
        """Return the width that shows all titles."""
        width = sum(pill.natural_width() + GAP for pill in self._pills) + self._controls_width()
        return QSize(width, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the width that shows all numbers."""
        return QSize(len(self._pills) * (HEIGHT + GAP) + self._controls_width(), HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the titles room, or leave them out."""
        super().resizeEvent(event)
        self._arrange()

    def _walk_back(self) -> None:
        self.walked.emit(-1)

    def _walk_forward(self) -> None:
        self.walked.emit(1)

    def _controls_width(self) -> int:
        return 3 * HEIGHT + self._position_width() + GAP

    def _position_width(self) -> int:
        return QFontMetrics(self._position.font()).horizontalAdvance(f"{self._last} / {self._last}") + 10

    def _arrange(self) -> None:
        """Place everything: full titles if they fit, else the titles of some, else numbers."""
        room = self.width() - self._controls_width() - GAP * len(self._pills)
        natural = [pill.natural_width() for pill in self._pills]
        short = self._is_short = sum(natural) > room
        current = self._current
        if not short:
            even = max(natural)
            wide = even if even * len(natural) <= room else 0  # equal widths look calmer, when there is room
            widths = [max(width, min(wide, 124)) for width in natural]
        else:
            widths = [HEIGHT + 4] * len(natural)
            left = room - sum(widths) + widths[current]
            widths[current] = max(min(natural[current], left), HEIGHT + 4)
        x = 0
        for pill, width in zip(self._pills, widths, strict=True):
            pill.set_short(short and (pill.number != current or width < pill.natural_width() // 2))
            pill.setGeometry(QRect(x, 0, width, HEIGHT))
            pill.update()
            x += width + GAP
        self._place_controls()

    def _place_controls(self) -> None:
        x = self.width() - self._controls_width()
        size = HEIGHT - 2
        self._back.setGeometry(x, 1, size, size)
        self._position.setGeometry(x + HEIGHT, 0, self._position_width(), HEIGHT)
        x += HEIGHT + self._position_width()
        self._forward.setGeometry(x, 1, size, size)
        self._play.setGeometry(x + HEIGHT + GAP // 2, 1, size, size)
