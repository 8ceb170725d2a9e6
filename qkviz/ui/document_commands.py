"""Documents and files: open, save, what is unsaved, and what of it outlives a crash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from qkviz.document.document import Document
from qkviz.document.edits import ReplaceDocument
from qkviz.document.files import SUFFIX, SavedDocument, write_document
from qkviz.document.focus import Focus
from qkviz.document.session import Snapshot
from qkviz.settings import Settings
from qkviz.translate import Phrase, Refusal, _
from qkviz.ui.autosave import Autosave
from qkviz.ui.dialogs.answers import CloseAnswer
from qkviz.ui.dialogs.save_path import FileFormat
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.document_origins import DocumentOrigins, OpenFile, stamp_of
from qkviz.ui.importing import Importing
from qkviz.ui.left_work import LeftWork
from qkviz.ui.openers import OPENERS, opener_for
from qkviz.ui.session_commands import SessionCommands
from qkviz.ui.unsaved_work import UnsavedWork

_RECENT = 10
"""Files that the menu remembers."""


class DocumentCommands:
    """The commands about files. Only they know which file the present document is of.

    Parameters
    ----------
    commands
        What can be done with the session.
    dialogs
        Asks what and where.
    autosave
        Keeps what is unsaved.
    recent
        Files opened or saved before, the newest first.
    say
        Shows a sentence in the status line.
    show_files
        Is called when another file is the present one, or the recent ones have changed.
    open_folder
        Opens a folder as a model.
    """

    def __init__(
        self,
        commands: SessionCommands,
        dialogs: DialogService,
        autosave: Autosave,
        recent: Sequence[str],
        say: Callable[[str], None],
        show_files: Callable[[], None],
        open_folder: Callable[[Path], None],
    ) -> None:
        self._commands = commands
        self._session = commands.session
        self._dialogs = dialogs
        self._say = say
        self._show_files = show_files
        self._open_folder = open_folder
        self._importing = Importing(dialogs, self.show_new, self._remember, say)
        self._origins = DocumentOrigins(self._session.snapshot.document, commands.course.is_untouched)
        self._unsaved = UnsavedWork(autosave, dialogs, say, self._restore)
        self._asking = False
        self._leaving = False
        self.recent = tuple(Path(name) for name in recent)

    # what the window shows of it

    @property
    def is_modified(self) -> bool:
        """Whether leaving the present document would lose something."""
        return self._origins.is_modified

    def name(self) -> str:
        """Return what the present document is called: its file, or its lesson."""
        path = self._origins.file.path
        if path is not None:
            return path.name
        return self._commands.title() if self._session.snapshot.document.lesson else _("Untitled")

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of what the session shows now, and keep it if it is unsaved."""
        self._origins.follow(snapshot.document)
        if self._origins.is_modified:
            self._unsaved.keep(self._to_save(), self.name(), self._origins.file.path)
        else:
            self._unsaved.forget()

    def remembered(self, settings: Settings) -> Settings:
        """Return ``settings`` with what is to be remembered of the files."""
        return replace(settings, recent=tuple(str(path) for path in self.recent))

    def speak(self) -> None:
        """Follow a change of language with the lesson's own labels; that alone is no change to be saved."""
        self._origins.rewrite(self._commands.speak())
        self.follow(self._session.snapshot)

    # open

    def open(self) -> None:
        """Ask which file to open, and open it."""
        self._dialogs.ask_open_path(self._folder(), _filters(), self.open_path)

    def open_path(self, path: Path) -> None:
        """Open a file, whatever kind it is of."""
        self.open_paths((path,))

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files that were chosen together; the first says of which kind they are."""
        if paths[0].is_dir():
            self._open_folder(paths[0])
            return
        try:
            opener_for(paths[0]).open(paths, self)
        except Refusal as refusal:
            if not paths[0].exists():
                self._remember(())
            self._dialogs.show_error(str(refusal), str(paths[0]))

    def show_file(self, saved: SavedDocument, path: Path) -> None:
        """Show a document that stands in the file ``path``. Undo brings back what was there.

        Raises
        ------
        Refusal
            If it cannot be shown; what was there stays.
        """
        path = path.absolute()
        self._show(saved, OpenFile(path, saved.document, saved, stamp_of(path)), _open_label(path))
        self._remember((path,))
        self._say(_("Opened {path}", path=path))

    def show_new(self, document: Document, focus: Focus, label: Phrase) -> None:
        """Show a document that stands in no file yet. Undo brings back what was there.

        Raises
        ------
        Refusal
            If it cannot be shown; what was there stays.
        """
        self._show(SavedDocument(document, focus), OpenFile(), label)

    def ask_import(self, paths: Sequence[Path]) -> None:
        """Ask what the arrays in files of other programs are, and show the document that they make.

        Raises
        ------
        Refusal
            If one of the files is of no known format.
        """
        self._importing.open_paths(paths)

    def paste_document(self) -> None:
        """Ask what the table on the clipboard is, and show the document that it makes."""
        self._importing.paste()

    def forget_recent(self) -> None:
        """Empty the list of files opened or saved before."""
        self.recent = ()
        self._show_files()

    def _show(self, saved: SavedDocument, file: OpenFile, label: Phrase) -> None:
        self._origins.expect(saved.document, file)
        self._session.apply(ReplaceDocument(saved.document, label))
        self._session.look_at(saved.focus)
        self._commands.fit()

    # save

    def save(self) -> None:
        """Save into the file of the document; ask for one if it has none."""
        self._save(_do_nothing)

    def save_as(self) -> None:
        """Ask where to save, and save there."""
        self._save_as(_do_nothing)

    def _save(self, then: Callable[[], None]) -> None:
        file = self._origins.file
        if file.path is None:
            self._save_as(then)
        elif file.path.exists() and stamp_of(file.path) != file.stamp:
            question = _(
                "Another program has changed {name} since it was opened here. Replace it?",
                name=file.path.name,
            )
            self._dialogs.ask_whether(question, _("Replace"), partial(self._save_to, then, file.path))
        else:
            self._save_to(then, file.path)

    def _save_as(self, then: Callable[[], None]) -> None:
        document = FileFormat(_("qkviz document"), SUFFIX)
        path = self._origins.file.path
        lesson = self._session.snapshot.document.lesson
        suggested = path or self._folder() / f"{lesson or _('Untitled')}{SUFFIX}"
        self._dialogs.ask_save_path(suggested, (document,), document, partial(self._save_to, then))

    def _save_to(self, then: Callable[[], None], path: Path) -> None:
        path = path.absolute()
        saved = self._to_save()
        try:
            write_document(saved, path)
        except Refusal as refusal:
            self._dialogs.show_error(str(refusal), str(path))
            return
        self._origins.saved(path, saved)
        self.follow(self._session.snapshot)
        self._remember((path,))
        self._say(_("Saved as {path}", path=path))
        then()

    def _to_save(self) -> SavedDocument:
        """Return the present state, with what the file holds besides."""
        snapshot, stored = self._session.snapshot, self._origins.file.stored
        saved = SavedDocument(snapshot.document, _lasting(snapshot.focus))
        return saved if stored is None else replace(saved, extra=stored.extra, others=stored.others)

    def _folder(self) -> Path:
        known = next((path.parent for path in self.recent if path.parent.is_dir()), None)
        return known or Path.home()

    def _remember(self, paths: Sequence[Path]) -> None:
        """Put ``paths`` on top of the recent files; what is no more goes."""
        others = (path for path in self.recent if path not in paths and path.exists())
        self.recent = (*paths, *others)[:_RECENT]
        self._show_files()

    # the end

    def may_close(self, leave: Callable[[], None]) -> bool:
        """Tell whether the window may close. If not, the user is asked, and ``leave`` called on agreement."""
        if self.is_modified and not self._leaving and not self._asking:
            self._asking = True
            self._dialogs.ask_save_changes(self.name(), partial(self._answer_close, leave))
        return self._leaving or not self.is_modified

    def close(self) -> None:
        """Let go of what was kept: everything is saved, or given up on purpose."""
        self._unsaved.forget()

    def _answer_close(self, leave: Callable[[], None], answer: CloseAnswer) -> None:
        self._asking = False
        match answer:
            case CloseAnswer.SAVE:
                self._save(partial(self._leave, leave))
            case CloseAnswer.DISCARD:
                self._leave(leave)
            case CloseAnswer.CANCEL:
                pass

    def _leave(self, leave: Callable[[], None]) -> None:
        self._leaving = True
        leave()

    # after a crash

    def offer_left_work(self) -> None:
        """Ask what to do with the unsaved work of a program that was killed, if there is any."""
        self._unsaved.offer()

    def _restore(self, left: LeftWork) -> None:
        # its file may have been saved by somebody since: the stamp is unknown, so saving asks
        file = OpenFile(left.file, stored=left.saved)
        self._show(left.saved, file, Phrase("Restore unsaved work"))
        self._show_files()


def _lasting(focus: Focus) -> Focus:
    """Return the focus without what the pointer happens to be over."""
    return replace(focus, hover=None)


def _open_label(path: Path) -> Phrase:
    return Phrase("Open {name}", name=path.name)


def _filters() -> list[str]:
    """Return the entries of a file dialog: everything that can be opened, and each kind by itself."""
    patterns = [[f"*{suffix}" for suffix in opener.suffixes] for opener in OPENERS]
    every = sorted({pattern for row in patterns for pattern in row})
    rows = [(_("Everything that qkviz opens"), every)] if len(OPENERS) > 1 else []
    rows += [(_(opener.label), row) for opener, row in zip(OPENERS, patterns, strict=True)]
    return [f"{label} ({' '.join(row)})" for label, row in rows] + [_("All files") + " (*)"]


def _do_nothing() -> None:
    pass
