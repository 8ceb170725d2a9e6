"""Pictures and numbers out of the session: to a file, to the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtGui import QGuiApplication

from qkviz.attention.matrices import MatrixName
from qkviz.document.session import Session
from qkviz.exporters.csv_table import csv_text
from qkviz.exporters.python_script import write_script_content
from qkviz.figures.export import PICTURE_FORMATS, figure_image, write_picture
from qkviz.figures.figure import WindowFigure
from qkviz.figures.picture_size import PictureSize
from qkviz.presenters.code import CodeContent
from qkviz.presenters.provenance import present_provenance
from qkviz.translate import Refusal, _
from qkviz.ui.dialogs.export_memory import remembered_subject, request_to_data, with_remembered
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    first_request,
    formats_for,
    requested_contents,
    requested_figure,
)
from qkviz.ui.dialogs.export_writing import write_request
from qkviz.ui.dialogs.save_path import FileFormat
from qkviz.ui.dialogs.service import DialogService

COPIED_DPI = 192.0
"""Twice the screen's, so that a pasted picture is sharp on a projector."""


class Exporting:
    """Asks, saves and copies; the session is only read.

    Parameters
    ----------
    session
        Whose matrices and plane.
    dialogs
        Asks what and where.
    say
        Shows a sentence in the status line.
    range_is_locked
        Tells whether the matrices on the screen share one colour range; a picture of them does then too.
    folder
        Where the last file went; empty for the user's own folder.
    choices
        What was chosen in the dialog last, as `request_to_data` gives it.
    """

    def __init__(
        self,
        session: Session,
        dialogs: DialogService,
        say: Callable[[str], None],
        range_is_locked: Callable[[], bool],
        folder: str,
        choices: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._session = session
        self._dialogs = dialogs
        self._say = say
        self._range_is_locked = range_is_locked
        remembered = Path(folder)
        self.folder = remembered if folder and remembered.is_dir() else Path.home()
        self.choices: dict[str, Any] = dict(choices)

    def ask(self) -> None:
        """Ask what to export, then where to, then save; the dialog begins with the last choice."""
        self._ask(self._request(remembered_subject(self.choices)))

    def ask_for_matrix(self, name: MatrixName) -> None:
        """Ask how to export one matrix, then where to, then save."""
        self._ask(self._request(ExportSubject.MATRIX, name))

    def ask_for_script(self, script: CodeContent) -> None:
        """Ask where to save a Python script, then save it."""
        python = FileFormat(_("Python script"), ".py")
        self._dialogs.ask_save_path(
            self.folder / script.file_name, (python,), python, partial(self.save_script, script)
        )

    def ask_for_picture(self, figure: WindowFigure, subject: str) -> None:
        """Ask where to save a picture that a panel made of ``subject``, then save it."""
        formats = tuple(FileFormat(_(one.label), one.suffix) for one in PICTURE_FORMATS)
        first = formats[0]
        save = partial(self.save_picture, figure, subject)
        suggested = self.folder / f"qkviz-{subject}{first.suffix}"
        self._dialogs.ask_save_path(suggested, formats, first, save)

    def ask_for_handout(self) -> None:
        """Ask where to save the handout of the document, then save it."""
        self._ask_where(self._request(ExportSubject.HANDOUT))

    def copy_matrices(self) -> None:
        """Put the picture of the visible matrices on the clipboard, on white."""
        self._copy_picture(self._request(ExportSubject.MATRICES))

    def copy_matrix(self, name: MatrixName) -> None:
        """Put the picture of one matrix on the clipboard, on white."""
        self._copy_picture(self._request(ExportSubject.MATRIX, name))

    def copy_plane(self) -> None:
        """Put the picture of the vector plane on the clipboard, on white."""
        self._copy_picture(self._request(ExportSubject.PLANE))

    def copy_values(self) -> None:
        """Put the numbers of the visible matrices on the clipboard, separated by tabs, in full precision."""
        self._copy_values(self._request(ExportSubject.MATRICES))

    def copy_matrix_values(self, name: MatrixName) -> None:
        """Put the numbers of one matrix on the clipboard, separated by tabs, in full precision."""
        self._copy_values(self._request(ExportSubject.MATRIX, name))

    def save(self, request: ExportRequest, path: Path) -> None:
        """Write what was asked for in the format of the suffix of ``path``. A failure is told, not raised."""
        self._save(path, partial(write_request, request, self._session.snapshot))

    def save_picture(self, figure: WindowFigure, subject: str, path: Path) -> None:
        """Write a picture in the format of the suffix of ``path``. A failure is told, not raised."""
        provenance = present_provenance(self._session.snapshot, subject)
        size = PictureSize.natural(figure, COPIED_DPI)
        self._save(path, lambda to: write_picture(figure, to, size, provenance=provenance))

    def save_script(self, script: CodeContent, path: Path) -> None:
        """Write a Python script. A failure is told, not raised."""
        self._save(path, partial(write_script_content, script))

    def _save(self, path: Path, write: Callable[[Path], None]) -> None:
        try:
            write(path)
        except (OSError, Refusal) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            self._dialogs.show_error(
                _("{name} could not be saved: {reason}", name=path.name, reason=reason), f"{path}\n{error!r}"
            )
            return
        self.folder = path.parent
        self._say(_("Saved as {path}", path=path))

    def _request(self, subject: ExportSubject, name: MatrixName | None = None) -> ExportRequest:
        first = first_request(self._session.snapshot, subject, name)
        return replace(first, range_is_locked=self._range_is_locked())

    def _ask(self, start: ExportRequest) -> None:
        self._dialogs.ask_export(
            self._session.snapshot, with_remembered(start, self.choices), self._remember_and_ask_where
        )

    def _remember_and_ask_where(self, request: ExportRequest) -> None:
        self.choices = request_to_data(request)
        self._ask_where(request)

    def _ask_where(self, request: ExportRequest) -> None:
        formats = formats_for(request.subject)
        chosen = next(one for one in formats if one.suffix == request.suffix)
        suggested = self.folder / f"{self._name_of(request)}{request.suffix}"
        self._dialogs.ask_save_path(suggested, formats, chosen, partial(self.save, request))

    def _name_of(self, request: ExportRequest) -> str:
        lesson = self._session.snapshot.document.lesson
        subject = request.subject.value
        if request.subject is ExportSubject.MATRIX:
            subject = request.matrix.value
        elif request.subject is ExportSubject.ROW:
            subject = f"row-{request.query + 1}-{request.matrix}"
        return f"{lesson}-{subject}" if lesson else f"qkviz-{subject}"

    def _copy_picture(self, request: ExportRequest) -> None:
        figure = requested_figure(request, self._session.snapshot)
        QGuiApplication.clipboard().setImage(figure_image(figure, PictureSize.natural(figure, COPIED_DPI)))
        self._say(_("The picture is on the clipboard; paste it before you quit."))

    def _copy_values(self, request: ExportRequest) -> None:
        contents = requested_contents(request, self._session.snapshot)
        QGuiApplication.clipboard().setText(csv_text(contents, delimiter="\t"))
        self._say(_("The numbers are on the clipboard; paste them before you quit."))
