"""Dialogs that answer at once instead of waiting for a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from qkviz.ui.actions import ShortcutRow
from qkviz.ui.dialogs.answers import CloseAnswer, RestoreAnswer
from qkviz.ui.dialogs.save_path import FileFormat
from qkviz.ui.dialogs.service import DialogService


class RecordingDialogs(DialogService):
    """Remembers what was shown, and answers questions with what the test has put into it.

    Attributes
    ----------
    shown
        What was shown: ``"about"``, ``"shortcuts"``, or the sentence of an error.
    rows
        The rows of the shortcut overview.
    save_to, open_from
        The answers to "where to?" and "which file or folder?"; None cancels.
    closing, restoring, agreeing
        The answers to "save before closing?", "restore?" and "shall it be done?".
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.shown: list[str] = []
        self.rows: list[ShortcutRow] = []
        self.save_to: Path | None = None
        self.open_from: Path | None = None
        self.closing = CloseAnswer.DISCARD
        self.restoring = RestoreAnswer.LATER
        self.agreeing = True

    def show_about(self) -> None:
        self.shown.append("about")

    def show_shortcuts(self, rows: Sequence[ShortcutRow]) -> None:
        self.shown.append("shortcuts")
        self.rows = list(rows)

    def show_error(self, sentence: str, details: str = "") -> None:
        self.shown.append(sentence)

    def ask_open_path(self, folder: Path, filters: Sequence[str], then: Callable[[Path], None]) -> None:
        if self.open_from is not None:
            then(self.open_from)

    def ask_folder(self, title: str, start: Path, then: Callable[[Path], None]) -> None:
        if self.open_from is not None:
            then(self.open_from)

    def ask_whether(self, question: str, yes: str, then: Callable[[], None]) -> None:
        self.shown.append(question)
        if self.agreeing:
            then()

    def ask_save_changes(self, name: str, then: Callable[[CloseAnswer], None]) -> None:
        self.shown.append(f"save {name}?")
        then(self.closing)

    def ask_restore(self, name: str, when: str, then: Callable[[RestoreAnswer], None]) -> None:
        self.shown.append(f"restore {name}?")
        then(self.restoring)

    def ask_save_path(
        self, suggested: Path, formats: Sequence[FileFormat], chosen: FileFormat, then: Callable[[Path], None]
    ) -> None:
        if self.save_to is not None:
            then(self.save_to)
