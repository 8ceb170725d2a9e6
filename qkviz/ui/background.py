"""Slow functions, run beside the window."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot


class Cancelled(Exception):
    """Raised inside a task when its result is no longer wanted."""


class Progress:
    """What a running function is given: it tells how far it is, and learns whether to go on."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        self._tell = tell
        self._unwanted = threading.Event()

    def report(self, share: float) -> None:
        """Tell the share that is done, 0 to 1; raises `Cancelled` once the result is no longer wanted."""
        if self._unwanted.is_set():
            raise Cancelled
        self._tell(share)

    def cancel(self) -> None:
        """Let the next `report` end the function."""
        self._unwanted.set()


class Task(QObject):
    """One run of a function in a thread of its own.

    Exactly one of ``finished`` (with what the function returned), ``failed`` (with the exception) and
    ``cancelled`` is emitted, in the thread this object lives in. The function must not touch a widget.

    A plain thread instead of a thread pool, so that `wait` can be told how long to wait.
    """

    progressed = Signal(float)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, function: Callable[[Progress], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._function = function
        self._progress = Progress(partial(self._tell, self.progressed))
        self._thread = threading.Thread(target=self._run, name="qkviz task", daemon=True)

    def start(self) -> None:
        """Begin; once only."""
        self._thread.start()

    def cancel(self) -> None:
        """Ask the function to end; ``cancelled`` follows, unless it was done already."""
        self._progress.cancel()

    def wait(self, seconds: float) -> bool:
        """Block until the function returned, at most ``seconds``; tell whether it did."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            result = self._function(self._progress)
        except Cancelled:
            self._tell(self.cancelled)
        except BaseException as error:  # noqa: BLE001 -- whatever it is, the window must hear of it
            self._tell(self.failed, error)
        else:
            self._tell(self.finished, result)

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        with contextlib.suppress(RuntimeError):  # the owner has gone, and nobody is left to hear it
            signal.emit(*values)


class NewestTask(QObject):
    """Runs functions one after another; a new one makes the older unwanted, and only its result is told.

    Signals
    -------
    progressed, finished, failed
        As those of `Task`, of the newest function only.
    """

    progressed = Signal(float)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._task: Task | None = None
        self._old: list[Task] = []

    @property
    def is_running(self) -> bool:
        """Whether a result is still to come."""
        return self._task is not None

    def run(self, function: Callable[[Progress], object]) -> None:
        """Run ``function`` instead of whatever is running."""
        self.cancel()
        task = Task(function, self)
        task.progressed.connect(self._pass_progress)
        task.finished.connect(self._pass_result)
        task.failed.connect(self._pass_failure)
        task.cancelled.connect(self._forget)
        self._task = task
        task.start()

    def cancel(self) -> None:
        """Make the running function unwanted."""
        if self._task is not None:
            self._task.cancel()
            self._old.append(self._task)
            self._task = None

    def wait(self, seconds: float) -> bool:
        """Cancel, and block until every function has ended, at most ``seconds`` each; tell if all did."""
        self.cancel()
        return all(task.wait(seconds) for task in self._old)

    @Slot(float)
    def _pass_progress(self, share: float) -> None:
        if self.sender() is self._task:
            self.progressed.emit(share)

    @Slot(object)
    def _pass_result(self, result: object) -> None:
        if self._ended():
            self.finished.emit(result)

    @Slot(object)
    def _pass_failure(self, error: object) -> None:
        if self._ended():
            self.failed.emit(error)

    @Slot()
    def _forget(self) -> None:
        self._ended()

    def _ended(self) -> bool:
        """Let go of the task that has just ended; tell whether it was the newest."""
        task = self.sender()
        newest = task is self._task
        if newest:
            self._task = None
        elif task in self._old:
            self._old.remove(task)
        if isinstance(task, Task):
            task.wait(1.0)  # its thread may still be inside `emit`, which fails on a deleted sender
            task.deleteLater()
        return newest
