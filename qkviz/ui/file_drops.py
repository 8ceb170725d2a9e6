"""Files dropped on a window, wherever in it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrops(QObject):
    """Takes files before any widget of a window sees them: views and text fields would swallow them.

    Signals
    -------
    dropped
        Files were dropped; carries their paths.
    """

    dropped = Signal(object)

    def watch(self, window: QWidget) -> None:
        """Take the files dropped on a window that is on the screen."""
        handle = window.windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)  # once, however often it was shown
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags that carry files; everything else goes its way."""
        if event.type() not in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
            return False
        paths = _files(event) if isinstance(event, QDropEvent) else ()
        if not paths or not isinstance(event, QDropEvent):
            return False
        event.acceptProposedAction()
        if event.type() is QEvent.Type.Drop:
            # after the drop has ended: a dialog within it would stop the program it comes from
            QTimer.singleShot(0, self, partial(self.dropped.emit, paths))
        return True


def _files(event: QDropEvent) -> tuple[Path, ...]:
    urls = event.mimeData().urls() if event.mimeData().hasUrls() else []
    return tuple(Path(url.toLocalFile()) for url in urls if url.isLocalFile())
