"""Every figure needs a running QGuiApplication and the bundled fonts."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from qkviz.figures.fonts import load_fonts


@pytest.fixture(autouse=True)
def fonts(qapp: QApplication) -> None:
    load_fonts()
