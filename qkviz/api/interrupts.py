"""Ctrl+C while Qt has the thread."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEventLoop, QTimer

_EVERY_MS = 200
"""How often Python is given a chance to notice a signal; inside Qt it has none."""


@contextmanager
def ending_at_interrupts(loop: QEventLoop) -> Iterator[None]:
    """End ``loop`` at Ctrl+C, and raise `KeyboardInterrupt` then.

    Where somebody handles Ctrl+C already, it stays theirs.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    interrupted = threading.Event()

    def interrupt(_number: int, _frame: object) -> None:
        interrupted.set()
        loop.quit()

    clock = QTimer(loop)
    clock.timeout.connect(_let_python_run)
    clock.start(_EVERY_MS)
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        clock.stop()
    if interrupted.is_set():
        raise KeyboardInterrupt


def _let_python_run() -> None:
    pass
