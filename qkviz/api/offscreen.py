"""Qt for pictures alone: an application object without a screen, where there is none yet."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from qkviz.figures.fonts import load_fonts
from qkviz.qt_start import installation_problem
from qkviz.translate import Refusal

_PLATFORM = "QT_QPA_PLATFORM"


def ready_for_pictures() -> None:
    """See to an application object and our fonts. The one that is there is used; one made here stays.

    Qt keeps it until the process ends: fonts that are kept for the next picture must not outlive it.

    Raises
    ------
    Refusal
        If Qt cannot start on this machine, or the application that is there has no fonts.
    """
    application = QCoreApplication.instance()
    if application is None:
        _start()
    elif not isinstance(application, QGuiApplication):
        raise Refusal("The QCoreApplication of this process has no fonts; make it a QGuiApplication.")
    load_fonts()


def _start() -> None:
    before = os.environ.get(_PLATFORM)
    if sys.platform.startswith("linux"):  # elsewhere this platform has no fonts
        os.environ[_PLATFORM] = "offscreen"
    try:
        problem = installation_problem(os.environ)
        if problem is not None:
            raise Refusal("{problem}", problem=problem)
        QGuiApplication(["qkviz"])
    finally:  # what this process starts later may want its screen
        if before is None:
            os.environ.pop(_PLATFORM, None)
        else:
            os.environ[_PLATFORM] = before
