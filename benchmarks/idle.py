"""An open window that nobody touches: no repaint, no work."""

from __future__ import annotations

import os
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.interaction import open_window
from benchmarks.table import Row

SECONDS = 3.0


class PaintCounter(QObject):
    """Counts paint events of the whole application."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count, and let every event pass."""
        self.count += event.type() == QEvent.Type.Paint
        return False


def rows() -> list[Row]:
    """Leave the window alone for a while and look at what it did."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    window = open_window()
    _wait(1.0)
    counter = PaintCounter()
    app.installEventFilter(counter)
    begun = time.process_time()
    _wait(SECONDS)
    busy = 1000 * (time.process_time() - begun) / SECONDS
    app.removeEventFilter(counter)
    window.close()
    return [
        Row("repaints while idle", float(counter.count), None, "", "0", counter.count == 0),
        Row(
            "ms of CPU a second while idle", busy, None, "", "< 5 (the filter's own work included)", busy < 5
        ),
    ]


def _wait(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()
