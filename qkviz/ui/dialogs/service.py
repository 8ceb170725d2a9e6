"""Every dialog of the program, behind one object that a test can replace by another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from qkviz.translate import _
from qkviz.ui.dialogs.about_dialog import AboutDialog
from qkviz.ui.dialogs.save_path import FileFormat, path_with_suffix
from qkviz.ui.dialogs.shortcuts_dialog import ShortcutRow, ShortcutsDialog

if TYPE_CHECKING:
    from qkviz.document.session import Snapshot
    from qkviz.ui.dialogs.export_request import ExportRequest


class DialogService:
    """Shows dialogs over a window.

    Nothing waits: an answer comes by a call of ``then``, and after Cancel there is none.

    Parameters
    ----------
    window
        What the dialogs stand over and belong to.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def show_about(self) -> None:
        """Show versions and licence."""
        AboutDialog(self._window).open()

    def show_shortcuts(self, rows: Sequence[ShortcutRow]) -> None:
        """Show the overview of keys and gestures."""
        ShortcutsDialog(rows, self._window).open()

    def show_error(self, sentence: str, details: str = "") -> None:
        """Show what went wrong; ``details`` can be unfolded and copied."""
        box = self._box(QMessageBox.Icon.Warning, sentence)
        box.setDetailedText(details)
        box.addButton(QMessageBox.StandardButton.Ok)
        box.open()

    def ask_export(
        self, snapshot: Snapshot, start: ExportRequest, then: Callable[[ExportRequest], None]
    ) -> None:
        """Ask what to export and how; ``then`` is called with what was chosen."""
        from qkviz.ui.dialogs.export_dialog import ExportDialog  # noqa: PLC0415  it loads torch

        dialog = ExportDialog(snapshot, start, self._window)
        dialog.requested.connect(then)
        dialog.open()

    def ask_save_path(
        self,
        suggested: Path,
        formats: Sequence[FileFormat],
        chosen: FileFormat,
        then: Callable[[Path], None],
    ) -> None:
        """Ask where to save.

        Parameters
        ----------
        suggested
            Folder and name to start with.
        formats, chosen
            The formats on offer and the one preselected.
        then
            Is called with a path whose suffix is that of one of the formats. If that file exists, the
            user has agreed to replace it.
        """
        dialog = QFileDialog(self._window, _("Save as"), str(suggested.parent))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([one.filter for one in formats])
        dialog.selectNameFilter(chosen.filter)
        dialog.selectFile(suggested.with_suffix("").name + chosen.suffix)
        dialog.fileSelected.connect(partial(self._name_chosen, dialog, suggested, tuple(formats), then))
        dialog.open()

    def _name_chosen(
        self,
        dialog: QFileDialog,
        suggested: Path,
        formats: Sequence[FileFormat],
        then: Callable[[Path], None],
        name: str,
    ) -> None:
        selected = dialog.selectedNameFilter()
        chosen = next((one for one in formats if one.filter == selected), formats[0])
        path = path_with_suffix(Path(name), formats, chosen, suggested.stem)
        if path != Path(name) and path.exists():  # Qt's dialog has asked about the name as it was typed
            self._ask_to_replace(path, then)
        else:
            then(path)

    def _ask_to_replace(self, path: Path, then: Callable[[Path], None]) -> None:
        box = self._box(QMessageBox.Icon.Question, _("{name} exists already. Replace it?", name=path.name))
        replace = box.addButton(_("Replace"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        replace.clicked.connect(partial(_agreed, then, path))
        box.open()

    def _box(self, icon: QMessageBox.Icon, text: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("qkviz")
        box.setIcon(icon)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(text)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return box


def _agreed(then: Callable[[Path], None], path: Path, _checked: bool = False) -> None:
    then(path)
