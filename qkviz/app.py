"""The program: the only place that knows everything. Start order, settings, language, session, window."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from qkviz import __version__
from qkviz.figures.fonts import load_fonts
from qkviz.resources import resource_path
from qkviz.settings import Settings, load_settings, save_settings, settings_path
from qkviz.start_model import ModelLayer, load_model_layer, load_torch
from qkviz.translate import _, language_for
from qkviz.ui.background import Progress, Task
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.languages import speak
from qkviz.ui.main_window import MainWindow

_log = logging.getLogger(__name__)

_PATIENCE = 20.0
"""Seconds to wait for an import of torch that quitting has overtaken; it takes two or three."""


def run(
    lesson: int | None = None,
    language: str | None = None,
    theme: str | None = None,
    files: Sequence[Path] = (),
) -> int:
    """Start the program, and return its exit code when the last window has closed.

    Parameters
    ----------
    lesson
        Number of the lesson to open; None for the one shown last.
    language, theme
        For this start and, since they are a choice, for the next ones; None for what was chosen before.
    files
        What to open; the first says of which kind they are.
    """
    if sys.platform == "win32":
        load_torch()  # there torch's libraries fail to load once Qt's are in the process
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    program = Program(app, settings_path(), lesson, language, theme, files)
    program.start()
    code = app.exec()
    program.finish()
    return code


class Program(QObject):
    """One run of the program in a given application.

    Parameters
    ----------
    app
        The application.
    path
        File of the settings.
    lesson, language, theme, files
        As for `run`.
    dialogs
        Makes what asks or tells something over the window; the tests pass their own.
    """

    def __init__(
        self,
        app: QApplication,
        path: Path,
        lesson: int | None = None,
        language: str | None = None,
        theme: str | None = None,
        files: Sequence[Path] = (),
        dialogs: Callable[[QWidget], DialogService] = DialogService,
    ) -> None:
        super().__init__()
        self._app = app
        self._path = path
        settings = load_settings(path)
        self._settings = replace(
            settings,
            lesson=settings.lesson if lesson is None else lesson,
            language=language or settings.language,
            theme=theme or settings.theme,
        )
        self._files = tuple(files)
        self._asked_lesson = lesson is not None  # then its own choice of matrices is wanted
        speak(self._settings.language or language_for(QLocale.system().uiLanguages()))
        app.setApplicationName("qkviz")
        app.setApplicationVersion(__version__)
        app.setDesktopFileName("qkviz")
        app.setWindowIcon(QIcon(str(resource_path("icons", "qkviz.svg"))))
        load_fonts()
        self.window = MainWindow(self._settings, dialogs)
        self._task = Task(_load, self)
        self._task.finished.connect(self._attach)
        self._task.failed.connect(self._tell_failure)
        self.window.painted.connect(self._task.start)
        self.window.closed.connect(self._save)
        self._old_hook = sys.excepthook

    def start(self) -> None:
        """Show the window; the model layer follows once it is painted."""
        sys.excepthook = self._report
        self.window.show()

    def finish(self) -> None:
        """Wait for a load that quitting has overtaken: a process must not end inside an import."""
        self._task.wait(_PATIENCE)
        sys.excepthook = self._old_hook

    def _attach(self, model: object) -> None:
        assert isinstance(model, ModelLayer)
        if self.window.isVisible():
            course = model.course(self._settings.lesson, self._settings.progress)
            session = model.session(course, () if self._asked_lesson else self._settings.matrices)
            self.window.attach(session, course)
            if self._asked_lesson and self.window.commands is not None:
                self.window.commands.show_panels()
            documents = self.window.documents
            assert documents is not None  # attached just now
            if self._files:
                documents.open_paths(self._files)
            documents.offer_left_work()

    def _tell_failure(self, error: object) -> None:
        _log.error(
            "the model layer did not load", exc_info=error if isinstance(error, BaseException) else None
        )
        self.window.board.say(_("PyTorch cannot be loaded: {error}", error=error))

    def _save(self, settings: Settings) -> None:
        """Save the settings, with the progress that another running program has saved meanwhile."""
        from qkviz.lessons.progress import LessonProgress  # noqa: PLC0415 -- not needed to paint the window

        saved = LessonProgress.from_data(load_settings(self._path).progress)
        progress = saved.merged(LessonProgress.from_data(settings.progress))
        save_settings(replace(settings, progress=progress.to_data()), self._path)

    def _report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log a bug and say so in the window; nothing of the user's is touched."""
        if issubclass(kind, KeyboardInterrupt):
            self._app.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        _log.error("%s", text)
        self.window.report_bug(f"{kind.__name__}: {error}", text)


def _load(_progress: Progress) -> ModelLayer:
    return load_model_layer()
