"""Qt's own texts (Cancel, Save …) in the language of the interface."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from qkviz.translate import use_language

_QT_CATALOGUES = {"zh": "qtbase_zh_CN", "en": ""}


class QtLanguage:
    """Holds the translator that is installed, since Qt does not keep it alive."""

    def __init__(self) -> None:
        self._translator: QTranslator | None = None

    def use(self, language: str) -> None:
        """Use ``language`` for our texts and for Qt's."""
        use_language(language)
        if self._translator is not None:
            QCoreApplication.removeTranslator(self._translator)
            self._translator = None
        name = _QT_CATALOGUES[language]
        if name:
            translator = QTranslator()
            if translator.load(name, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
                QCoreApplication.installTranslator(translator)
                self._translator = translator
