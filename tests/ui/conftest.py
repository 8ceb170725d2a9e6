"""The window as a user has it, in this process: built at once, alive, and gone after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.figures.fonts import load_fonts
from qkviz.settings import Settings
from qkviz.start_model import load_model_layer
from qkviz.translate import use_language
from qkviz.ui.languages import QtLanguage
from qkviz.ui.main_window import MainWindow
from tests.ui.recording_dialogs import RecordingDialogs

OpenWindow = Callable[..., MainWindow]


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[OpenWindow]:
    """Return a function that opens the program: ``open_window(7, language="zh", theme="dark")``."""
    load_fonts()
    model = load_model_layer()
    language_of_qt = QtLanguage()
    opened: list[MainWindow] = []

    def open_it(
        lesson: int = 7, language: str = "en", theme: str = "light", settings: Settings | None = None
    ) -> MainWindow:
        language_of_qt.use(language)
        window = MainWindow(
            settings or Settings(theme=theme, language=language), language_of_qt, RecordingDialogs
        )
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
    language_of_qt.use("en")
    use_language("en")


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    """Return the program at lesson 7, in English."""
    return open_window(7)
