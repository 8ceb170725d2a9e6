"""Dialogs that answer at once instead of waiting for a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from qkviz.ui.dialogs.save_path import FileFormat
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.dialogs.shortcuts_dialog import ShortcutRow


class RecordingDialogs(DialogService):
    """Remembers what was shown, and answers questions with what the test has put into it.

    Attributes
    ----------
    shown
        What was shown: ``"about"``, ``"shortcuts"``, or the sentence of an error.
    rows
        The rows of the shortcut overview.
    save_to
        The answer to "where to?"; None cancels.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.shown: list[str] = []
        self.rows: list[ShortcutRow] = []
        self.save_to: Path | None = None

    def show_about(self) -> None:
        self.shown.append("about")

    def show_shortcuts(self, rows: Sequence[ShortcutRow]) -> None:
        self.shown.append("shortcuts")
        self.rows = list(rows)

    def show_error(self, sentence: str, details: str = "") -> None:
        self.shown.append(sentence)

    def ask_save_path(
        self, suggested: Path, formats: Sequence[FileFormat], chosen: FileFormat, then: Callable[[Path], None]
    ) -> None:
        if self.save_to is not None:
            then(self.save_to)
