"""Slow functions, run beside the window."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


class Task(QObject):
    """One run of a function in a thread of its own.

    Exactly one of ``finished`` (with what the function returned) and ``failed`` (with the exception) is
    emitted, in the thread this object lives in. The function must not touch a widget.

    A plain thread instead of a thread pool, so that `wait` can be told how long to wait.
    """

    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, function: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._function = function
        self._thread = threading.Thread(target=self._run, name="qkviz task", daemon=True)

    def start(self) -> None:
        """Begin; once only."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Block until the function returned, at most ``seconds``; tell whether it did."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            result = self._function()
        except BaseException as error:  # noqa: BLE001 -- whatever it is, the window must hear of it
            self.failed.emit(error)
        else:
            self.finished.emit(result)
