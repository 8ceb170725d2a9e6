"""Every dialog of the program, behind one object that a test can replace by another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

from qkviz.translate import _
from qkviz.ui.actions import ShortcutRow
from qkviz.ui.dialogs.answers import CloseAnswer, RestoreAnswer
from qkviz.ui.dialogs.save_path import FileFormat, path_with_suffix

if TYPE_CHECKING:
    from qkviz.document.document import Document
    from qkviz.document.session import Snapshot
    from qkviz.importers.sources import Source
    from qkviz.ui.dialogs.export_request import ExportRequest

Answer = TypeVar("Answer")


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
        from qkviz.ui.dialogs.about_dialog import AboutDialog  # noqa: PLC0415 -- not needed for the first paint

        AboutDialog(self._window).open()

    def show_shortcuts(self, rows: Sequence[ShortcutRow]) -> None:
        """Show the overview of keys and gestures."""
        from qkviz.ui.dialogs.shortcuts_dialog import ShortcutsDialog  # noqa: PLC0415 -- as above

        ShortcutsDialog(rows, self._window).open()

    def show_error(self, sentence: str, details: str = "") -> None:
        """Show what went wrong; ``details`` can be unfolded and copied."""
        box = self._box(QMessageBox.Icon.Warning, sentence)
        box.setDetailedText(details)
        box.addButton(QMessageBox.StandardButton.Ok)
        _open(box)

    def ask_export(
        self, snapshot: Snapshot, start: ExportRequest, then: Callable[[ExportRequest], None]
    ) -> None:
        """Ask what to export and how; ``then`` is called with what was chosen."""
        from qkviz.ui.dialogs.export_dialog import ExportDialog  # noqa: PLC0415  it loads torch

        dialog = ExportDialog(snapshot, start, self._window)
        dialog.requested.connect(then)
        dialog.open()

    def ask_import(self, source: Source, then: Callable[[Document], None]) -> None:
        """Ask what the arrays of ``source`` are; ``then`` is called with the document they make."""
        from qkviz.ui.dialogs.open_dialog import OpenDialog  # noqa: PLC0415  it loads torch

        dialog = OpenDialog(source, self._window)
        dialog.opened.connect(then)
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

    def ask_open_path(self, folder: Path, filters: Sequence[str], then: Callable[[Path], None]) -> None:
        """Ask which file to open.

        Parameters
        ----------
        folder
            Where to start looking.
        filters
            Kinds of files, as ``"qkviz document (*.qkviz)"``.
        then
            Is called with the path of a file.
        """
        dialog = QFileDialog(self._window, _("Open"), str(folder))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(filters)
        dialog.fileSelected.connect(partial(_path_chosen, then))
        dialog.open()

    def ask_folder(self, title: str, start: Path, then: Callable[[Path], None]) -> None:
        """Ask for a folder; ``then`` is called with its path."""
        dialog = QFileDialog(self._window, title, str(start))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(partial(_path_chosen, then))
        dialog.open()

    def ask_whether(self, question: str, yes: str, then: Callable[[], None]) -> None:
        """Ask whether to do what the button ``yes`` says; ``then`` is called on agreement."""
        box = self._box(QMessageBox.Icon.Question, question)
        agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        agree.clicked.connect(partial(_agreed, then))
        _open(box)

    def ask_save_changes(self, name: str, then: Callable[[CloseAnswer], None]) -> None:
        """Ask what to do with the changes of ``name`` before the window closes."""
        question = _("Save the changes of “{name}” before closing?", name=name)
        box = self._box(QMessageBox.Icon.Question, question)
        buttons = {
            box.addButton(QMessageBox.StandardButton.Save): CloseAnswer.SAVE,
            box.addButton(QMessageBox.StandardButton.Discard): CloseAnswer.DISCARD,
            box.addButton(QMessageBox.StandardButton.Cancel): CloseAnswer.CANCEL,
        }
        box.setDefaultButton(QMessageBox.StandardButton.Save)
        box.finished.connect(partial(_answered, box, buttons, CloseAnswer.CANCEL, then))
        _open(box)

    def ask_restore(self, name: str, when: str, then: Callable[[RestoreAnswer], None]) -> None:
        """Ask what to do with the unsaved work of a program that has not ended well."""
        box = self._box(
            QMessageBox.Icon.Question,
            _(
                "qkviz did not end properly. “{name}” of {when} was not saved. Restore it?",
                name=name,
                when=when,
            ),
        )
        restore = box.addButton(_("Restore"), QMessageBox.ButtonRole.AcceptRole)
        buttons = {
            restore: RestoreAnswer.RESTORE,
            box.addButton(QMessageBox.StandardButton.Discard): RestoreAnswer.DISCARD,
            box.addButton(_("Ask again later"), QMessageBox.ButtonRole.RejectRole): RestoreAnswer.LATER,
        }
        box.setDefaultButton(restore)
        box.finished.connect(partial(_answered, box, buttons, RestoreAnswer.LATER, then))
        _open(box)

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
            question = _("{name} exists already. Replace it?", name=path.name)
            self.ask_whether(question, _("Replace"), partial(then, path))
        else:
            then(path)

    def _box(self, icon: QMessageBox.Icon, text: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("qkviz")
        box.setIcon(icon)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(text)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return box


def _open(box: QMessageBox) -> None:
    """Show ``box``, its buttons without the coloured icons of Qt's own style."""
    for button in box.buttons():
        button.setIcon(QIcon())
    box.open()


def _agreed(then: Callable[[], None], _checked: bool = False) -> None:
    then()


def _path_chosen(then: Callable[[Path], None], name: str) -> None:
    then(Path(name))


def _answered(
    box: QMessageBox,
    answers: Mapping[QPushButton, Answer],
    otherwise: Answer,
    then: Callable[[Answer], None],
    _result: int,
) -> None:
    then(next((answer for button, answer in answers.items() if button is box.clickedButton()), otherwise))
