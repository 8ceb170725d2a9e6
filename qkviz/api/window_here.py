"""A window in this process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QThread
from PySide6.QtWidgets import QApplication

from qkviz.start_model import load_model_layer_beside_others

if TYPE_CHECKING:
    from qkviz.api.document_window import DocumentWindow
    from qkviz.document.document import Document
    from qkviz.document.focus import Focus


def may_share_application(has_loop: bool) -> bool:
    """Tell whether the application object of this process, if any, can carry our window.

    One that was made for pictures alone cannot; and our colours and fonts would reach into the windows of
    others.

    Parameters
    ----------
    has_loop
        Whether somebody will run Qt's events if nobody does now.
    """
    application = QCoreApplication.instance()
    if application is None:
        return has_loop
    if not isinstance(application, QApplication):
        return False
    from qkviz.ui.main_window import MainWindow  # noqa: PLC0415  the module table is loaded for a window only

    others = [one for one in application.topLevelWidgets() if not isinstance(one, MainWindow)]
    if any(one.isVisible() and one.parentWidget() is None for one in others):
        return False
    return has_loop or QThread.currentThread().loopLevel() > 0


class WindowHere:
    """The handle of a window in this process; see `ShownWindow`."""

    def __init__(self, document: Document, focus: Focus) -> None:
        from qkviz.api.document_window import DocumentWindow  # noqa: PLC0415  loads the window

        application = QCoreApplication.instance() or QApplication(sys.argv[:1] or ["qkviz"])
        self._shown: DocumentWindow = DocumentWindow(
            document, focus, load_model_layer_beside_others(), application
        )

    def __repr__(self) -> str:
        return f"<qkviz window, {'open' if self.is_open else 'closed'}>"

    @property
    def document(self) -> Document:
        """What the window shows now; the last state once it is closed."""
        return self._shown.document

    @property
    def is_open(self) -> bool:
        """Whether the window is there."""
        return self._shown.is_open

    def wait(self) -> None:
        """Block until the user has closed the window."""
        self._shown.wait()

    def close(self) -> None:
        """Close the window."""
        if self.is_open:
            self._shown.window.close()
