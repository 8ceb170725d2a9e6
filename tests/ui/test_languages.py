"""Qt's own texts speak the language that was chosen last, whoever chose it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTranslator
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from qkviz.translate import current_language
from qkviz.ui.languages import speak


@pytest.fixture(autouse=True)
def english_after(qapp: object) -> Iterator[None]:
    yield
    speak("en")


def _cancel(qtbot: QtBot) -> str:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    return box.buttons()[0].text().replace("&", "")


def test_the_last_choice_holds_for_qt_and_for_us(qtbot: QtBot) -> None:
    said = []
    for language in ("zh", "zh", "en", "zh", "en"):
        speak(language)
        said.append((current_language(), _cancel(qtbot)))
    assert said == [("zh", "取消"), ("zh", "取消"), ("en", "Cancel"), ("zh", "取消"), ("en", "Cancel")]


class _Theirs(QTranslator):
    """A translator of the program whose window ours is in."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return "theirs" if context == "Theirs" else ""


def test_a_translator_of_the_program_around_us_stays(qtbot: QtBot) -> None:
    theirs = _Theirs(QCoreApplication.instance())
    QCoreApplication.installTranslator(theirs)
    for language in ("zh", "en"):
        speak(language)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert QCoreApplication.translate("Theirs", "text") == "theirs"
    QCoreApplication.removeTranslator(theirs)
    theirs.deleteLater()
