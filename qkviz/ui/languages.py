"""Qt's own texts (Cancel, Save …) in the language of the interface."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from qkviz.translate import use_language

_NAME = "qkviz-texts-of-qt"  # tells it from a translator of the program whose window this may be in
_QT_CATALOGUES = {"zh": "qtbase_zh_CN", "en": ""}


def speak(language: str) -> None:
    """Use ``language`` for our texts and for Qt's, in place of the one spoken so far.

    The application owns the translator of Qt's texts, so it outlives whoever chose the language and the next
    choice finds it.
    """
    use_language(language)
    application = QCoreApplication.instance()
    assert application is not None
    for spoken in application.findChildren(QTranslator, _NAME):
        QCoreApplication.removeTranslator(spoken)
        spoken.deleteLater()
    name = _QT_CATALOGUES[language]
    if name:
        translator = QTranslator(application)
        translator.setObjectName(_NAME)
        if translator.load(name, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            QCoreApplication.installTranslator(translator)
