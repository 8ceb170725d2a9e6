"""The window of qkviz on a document from Python, in an application that may be somebody else's."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEventLoop, QLocale, QObject, Signal
from PySide6.QtGui import QIcon

from qkviz.api.interrupts import ending_at_interrupts
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.figures.fonts import load_fonts
from qkviz.resources import resource_path
from qkviz.settings import load_settings, save_settings, settings_path
from qkviz.start_model import ModelLayer
from qkviz.translate import language_for
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.languages import speak
from qkviz.ui.main_window import MainWindow

PANELS = ("plane", "inspector", "steps", "matrices", "row")
"""What is open at first: everything but the lessons."""


class DocumentWindow(QObject):
    """A window, and the document in it.

    Parameters
    ----------
    document, focus
        What is shown at first, and where the user looks.
    model
        What the window stands on. It is loaded before, not by a thread beside the window: while Python's own
        prompt waits for a line, no thread may run.
    application
        Its owner, so that it lives as long as it is open, whatever becomes of the Python objects.

    Signals
    -------
    changed
        The document or the focus is another one.
    closed
        The window is gone.
    """

    changed = Signal()
    closed = Signal()

    def __init__(self, document: Document, focus: Focus, model: ModelLayer, application: QObject) -> None:
        super().__init__(application)
        self.document = document
        self.focus = focus
        self.is_open = True
        # the arrangement of the panels belongs to the lessons; this window begins with its own
        settings = replace(load_settings(settings_path()), geometry="", layout="")
        speak(settings.language or language_for(QLocale.system().uiLanguages()))
        load_fonts()
        self.window = MainWindow(settings, DialogService)
        self.window.setWindowIcon(QIcon(str(resource_path("icons", "qkviz.svg"))))
        self.window.closed.connect(self._end)
        session = Session(document, focus)
        session.subscribe(self._follow)
        self.window.attach(session, model.course(settings.lesson, settings.progress))
        self.window.board.show_only(PANELS)
        self.window.show()

    def wait(self) -> None:
        """Run Qt's events until the window is closed.

        Raises
        ------
        KeyboardInterrupt
            At Ctrl+C; the window stays.
        """
        if self.is_open:
            loop = QEventLoop()
            self.closed.connect(loop.quit)
            with ending_at_interrupts(loop):
                loop.exec()

    def _follow(self, snapshot: Snapshot) -> None:
        self.document, self.focus = snapshot.document, snapshot.focus
        self.changed.emit()

    def _end(self) -> None:
        """Remember what was chosen for the program, and let the window go."""
        self.is_open = False
        before = load_settings(settings_path())  # a program that ran meanwhile may have saved
        now = replace(
            self.window.settings_now(),
            geometry=before.geometry,
            layout=before.layout,
            layout_version=before.layout_version,
            lesson=before.lesson,
            matrices=before.matrices,
        )
        save_settings(now, settings_path())
        self.closed.emit()
        self.window.deleteLater()
        self.deleteLater()
