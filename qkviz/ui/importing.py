"""Matrices from outside: files that are no documents of ours, and tables from the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.importers.formats import importer_for
from qkviz.importers.sources import FileSource, Source, TextSource
from qkviz.translate import Phrase, _
from qkviz.ui.dialogs.service import DialogService


class Importing:
    """Asks what is what in a source, then hands the document over.

    Parameters
    ----------
    dialogs
        Shows what was found.
    show_new
        Takes a document that stands in no file of ours, where to look, and what to call it in the menu.
    opened
        Hears which files a document came from.
    say
        Shows a sentence in the status line.
    """

    def __init__(
        self,
        dialogs: DialogService,
        show_new: Callable[[Document, Focus, Phrase], None],
        opened: Callable[[Sequence[Path]], None],
        say: Callable[[str], None],
    ) -> None:
        self._dialogs = dialogs
        self._show_new = show_new
        self._opened = opened
        self._say = say

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Ask what the arrays of files are; several files make one document.

        Raises
        ------
        Refusal
            If one of them is of no format that can be read.
        """
        for path in paths:
            importer_for(path)
        source = FileSource(tuple(path.absolute() for path in paths))
        self._dialogs.ask_import(source, partial(self._take_files, source))

    def paste(self) -> None:
        """Ask what the table on the clipboard is."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._say(_("There is no table on the clipboard; copy one first."))
            return
        source = TextSource(text)
        self._dialogs.ask_import(source, partial(self._take, source))

    def _take_files(self, source: FileSource, document: Document) -> None:
        self._take(source, document)
        self._opened(source.paths)
        self._say(_("Opened {path}", path=", ".join(map(str, source.paths))))

    def _take(self, source: Source, document: Document) -> None:
        self._show_new(document, Focus(), Phrase("Open {name}", name=source.name))
