"""The window as a user has it, in this process: built at once, alive, and gone after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.figures.fonts import load_fonts
from qkviz.settings import Settings
from qkviz.start_model import load_model_layer
from qkviz.ui.languages import speak
from qkviz.ui.main_window import MainWindow
from tests.ui.recording_dialogs import RecordingDialogs

OpenWindow = Callable[..., MainWindow]


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[OpenWindow]:
    """Return a function that opens the program: ``open_window(7, language="zh", theme="dark")``."""
    load_fonts()
    model = load_model_layer()
    opened: list[MainWindow] = []

    def open_it(
        lesson: int = 7, language: str = "en", theme: str = "light", settings: Settings | None = None
    ) -> MainWindow:
        speak(language)
        window = MainWindow(settings or Settings(theme=theme, language=language), RecordingDialogs)
        opened.append(window)
        window.resize(1440, 900)
        window.show()
        course = model.course(lesson, {} if settings is None else settings.progress)
        window.attach(model.session(course, ()), course)
        qtbot.waitUntil(lambda: window.isVisible() and bool(window.panels), timeout=10_000)
        QApplication.processEvents()
        return window

    yield open_it
    for window in opened:
        window.close()
        window.panels.clear()  # pytest keeps the window a while; pyqtgraph's menus have no parent
        window.deleteLater()
    speak("en")


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    """Return the program at lesson 7, in English."""
    return open_window(7)
