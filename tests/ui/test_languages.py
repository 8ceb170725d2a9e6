"""Qt's own texts speak the language that was chosen last, whoever chose it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
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


def test_a_translator_of_the_program_around_us_stays(qtbot: QtBot) -> None:
    application = QCoreApplication.instance()
    theirs = QTranslator(application)
    speak("zh")
    speak("en")
    assert theirs in application.findChildren(QTranslator)
    theirs.deleteLater()
