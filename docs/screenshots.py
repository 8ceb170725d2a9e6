"""Make the pictures of the documentation: every lesson, in both languages and both themes.

Run by ``make screenshots``. Needs no display.
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import product
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from qkviz.app import Program

FOLDER = Path(__file__).parent / "pictures"
SIZE = (1440, 900)
SETTLING = 1200
"""Milliseconds."""

STEPS = {1: 3, 2: 3, 3: 3, 4: 3, 5: 4, 6: 3, 7: 3, 8: 3, 9: 4, 10: 5, 12: 5, 13: 3, 14: 5}
"""The lessons, and the step each is shown at."""


def main() -> int:
    """Write ``lesson-7-zh-dark.png`` and its like."""
    app = QApplication(sys.argv[:1])
    FOLDER.mkdir(exist_ok=True)
    for lesson, language, theme in product(STEPS, ("zh", "en"), ("light", "dark")):
        path = FOLDER / f"lesson-{lesson}-{language}-{theme}.png"
        _take(app, lesson, language, theme, path)
        print(path.name)
    return 0


def _take(app: QApplication, lesson: int, language: str, theme: str, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:  # settings of a first start
        program = Program(app, Path(folder, "settings.json"), lesson, language, theme)
        program.window.resize(*SIZE)
        program.start()
        program.window.resize(*SIZE)  # a new window was fitted to the small screen of the offscreen platform
        while program.window.commands is None:
            app.processEvents()
        program.window.board.reset()
        program.window.commands.show_panels()
        program.window.commands.go_to_step(STEPS[lesson])
        app.processEvents()
        program.window.commands.fit()
        _let_it_finish()
        program.window.grab().save(str(path))
        program.window.close()
        program.window.deleteLater()
        program.finish()
        app.processEvents()


def _let_it_finish() -> None:
    """Wait for what panels compute in the background."""
    loop = QEventLoop()
    QTimer.singleShot(SETTLING, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
