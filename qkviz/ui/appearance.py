"""Light or dark, Chinese or English: what is chosen, and the application in it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from qkviz.settings import Settings
from qkviz.translate import current_language
from qkviz.ui.languages import speak
from qkviz.ui.theme import Theme, apply_theme, theme_for


class Appearance(QObject):
    """Gives the application its theme at once, and another theme or language whenever one is chosen.

    Parameters
    ----------
    settings
        What was chosen the last time. Its language is spoken already, as texts were needed before.
    parent
        Whom it belongs to.

    Signals
    -------
    restyled
        The application has another theme; carries it.
    retranslated
        The application speaks another language.
    """

    restyled = Signal(object)
    retranslated = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._choice = settings.theme
        self._language = settings.language  # empty until one is chosen: then the system's is spoken
        apply_theme(_application(), self.theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._restyle)

    @property
    def theme(self) -> Theme:
        """The theme that follows from the choice and, if that is left to the system, from the system."""
        return theme_for(self._choice)

    def toggle_theme(self) -> None:
        """Change between light and dark, whatever the system says."""
        self._choice = "light" if self.theme.name == "dark" else "dark"
        self._restyle()

    def follow_system_theme(self) -> None:
        """Be light or dark as the system is."""
        self._choice = "system"
        self._restyle()

    def follows_system(self) -> bool:
        """Tell whether the theme is the system's."""
        return self._choice == "system"

    def toggle_language(self) -> None:
        """Change between Chinese and English; everything else stays as it is."""
        self._language = "en" if current_language() == "zh" else "zh"
        speak(self._language)
        self.retranslated.emit()

    def remembered(self, settings: Settings) -> Settings:
        """Return ``settings`` with what was chosen."""
        return replace(settings, theme=self._choice, language=self._language)

    def _restyle(self) -> None:
        apply_theme(_application(), self.theme)
        self.restyled.emit(self.theme)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
