"""A short smooth change, unless the system asks for less motion."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QStyle

DURATION = 400
"""Milliseconds."""

FRAME = 16
"""Milliseconds from one step to the next; a slow machine makes fewer steps, not a longer change."""

SWITCH = "QKVIZ_REDUCED_MOTION"
"""Environment variable: anything but empty or 0 asks for no motion, on systems that Qt cannot ask."""


class Motion(QObject):
    """Goes from 0 to 1 in `DURATION`, slowly at both ends.

    Signals
    -------
    moved
        How far it is; 1 is told exactly once, at the end.
    """

    moved = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self._step)

    @property
    def is_running(self) -> bool:
        """Whether the end is still to come."""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin at 0; where less motion is asked for, be at the end at once."""
        if wants_less_motion():
            self.finish()
            return
        self._clock.start()
        self._timer.start()

    def stop(self) -> None:
        """Stay where it is; nothing more is told."""
        self._timer.stop()

    def finish(self) -> None:
        """Be at the end at once."""
        self._timer.stop()
        self.moved.emit(1.0)

    def _step(self) -> None:
        share = self._clock.elapsed() / DURATION
        if share >= 1:
            self.finish()
        else:
            self.moved.emit(eased(share))


def eased(share: float) -> float:
    """Return 3t² − 2t³: no jerk at the start and at the end."""
    return share * share * (3 - 2 * share)


def wants_less_motion() -> bool:
    """Return whether the user has asked for less motion: by `SWITCH`, by the style, or by Windows.

    Windows tells Qt whether its own lists unfold smoothly, which its setting "Animation effects" governs; the
    other systems tell through the style, if at all.
    """
    if os.environ.get(SWITCH, "") not in ("", "0"):
        return True
    if sys.platform == "win32" and not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateCombo):
        return True
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0
