"""What the window has once there is a session, and the one subscription to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.document.session import Session, Snapshot
from qkviz.settings import Settings
from qkviz.translate import current_language
from qkviz.ui.autosave import Autosave, autosave_folder
from qkviz.ui.capturing import Capturing
from qkviz.ui.document_commands import DocumentCommands
from qkviz.ui.exporting import Exporting
from qkviz.ui.lesson_course import LessonCourse
from qkviz.ui.panels.panel import Panel
from qkviz.ui.session_commands import SessionCommands
from qkviz.ui.toolbar_options import ToolbarOptions

if TYPE_CHECKING:
    from qkviz.ui.main_window import MainWindow


class WindowSession:
    """Makes everything that works on the session, and shows in the window what becomes of it.

    Parameters
    ----------
    window
        Whose docks, menus, status line and title show the session.
    session, course
        What is shown, and the lessons that go with it.
    settings
        What was remembered of files and exports.
    """

    def __init__(
        self, window: MainWindow, session: Session, course: LessonCourse, settings: Settings
    ) -> None:
        self._window = window
        self._session = session
        self._course = course
        exporting = Exporting(
            session,
            window.dialogs,
            window.status.say,
            self._range_is_locked,
            settings.export_folder,
            settings.export,
        )
        self.commands = SessionCommands(
            session, course, exporting, window.board, window.status, window.show_checks
        )
        self.documents = DocumentCommands(
            self.commands,
            window.dialogs,
            Autosave(autosave_folder(), window),
            settings.recent,
            window.status.say,
            self._show_files,
            self._open_folder,
        )
        self.models = Capturing(
            session,
            window.dialogs,
            self.commands.apply,
            self.documents.show_new,
            self._show_heads,
            window.status,
            window,
        )
        self._options = ToolbarOptions(window.menus.toolbar)
        self._undo_texts: tuple[str | None, str | None] = ("", "")  # unlike any, so that they are shown
        self._listed = ("", 0)  # language and number of the current lesson in the menu
        self._connect()
        self._unsubscribe = session.subscribe(self._show)

    def _connect(self) -> None:
        """Let the menus and what is dropped on the window speak to the commands."""
        menus = self._window.menus
        menus.lesson_chosen.connect(self.commands.open_lesson)
        menus.recent.chosen.connect(self.documents.open_path)
        menus.recent.emptied.connect(self.documents.forget_recent)
        menus.add_options(self._options)
        self._options.edited.connect(self.commands.apply)
        self._window.drops.dropped.connect(self.documents.open_paths)

    # life

    def begin(self) -> None:
        """Build the panels in sight, and show everything."""
        board = self._window.board
        board.fill(self._wire, self._session.snapshot)
        if not board.has_own_places:
            self.commands.show_panels()
        board.share_room()  # the panels have other least sizes than the empty docks had
        self._window.menus.show_ready(True)
        self.show()
        self._show_files()

    def end(self) -> None:
        """Let go of the session; may be called again."""
        self.documents.close()
        self._unsubscribe()
        self.models.stop()

    def remembered(self, settings: Settings) -> Settings:
        """Return ``settings`` with what is to be remembered of session and files."""
        return self.documents.remembered(self.commands.remembered(settings))

    def speak(self) -> None:
        """Follow a change of language."""
        self._undo_texts = ("", "")
        self.documents.speak()
        self.show()

    def _wire(self, panel: Panel) -> None:
        """Connect a new panel to what it speaks to."""
        self.commands.wire(panel)
        self.models.wire(panel)

    # what is shown

    def show(self) -> None:
        """Show the present snapshot anew."""
        self._show(self._session.snapshot)

    def _show(self, snapshot: Snapshot) -> None:
        self._course.follow(snapshot)
        self.documents.follow(snapshot)
        self.models.follow(snapshot)
        self._window.board.show(snapshot)
        self.commands.show_lessons()
        self._options.show_document(snapshot.document)
        self._window.status.show_numbers(self.commands.hover_text(snapshot))
        self._window.status.show_work(self.commands.work_text(snapshot))
        self._show_undo(snapshot)
        self._list_lessons()
        self._show_title()
        self._window.show_checks()

    def _show_undo(self, snapshot: Snapshot) -> None:
        undo, redo = (
            None if label is None else str(label) for label in (snapshot.undo_label, snapshot.redo_label)
        )
        if (undo, redo) != self._undo_texts:
            self._undo_texts = (undo, redo)
            self._window.menus.show_undo(undo, redo)

    def _list_lessons(self) -> None:
        number = self._course.current.number
        if (current_language(), number) != self._listed:
            self._listed = (current_language(), number)
            self._window.menus.list_lessons(self.commands.lesson_titles(), number)

    def _show_title(self) -> None:
        title = self.documents.name().replace("[*]", "[*][*]") + "[*] — qkviz"  # Qt puts the mark there
        if title != self._window.windowTitle():
            self._window.setWindowTitle(title)
        self._window.setWindowModified(self.documents.is_modified)

    def _show_files(self) -> None:
        self._show_title()
        self._window.menus.recent.list_files(self.documents.recent)

    # what one part asks of another

    def _range_is_locked(self) -> bool:
        return self.commands.range_is_locked()

    def _open_folder(self, folder: Path) -> None:
        self.models.open_folder_at(folder)

    def _show_heads(self) -> None:
        """Bring the panel of heads into sight; where it was closed, with what a head is looked at with."""
        board = self._window.board
        if not board.docks["heads"].in_sight:
            board.show_only(("heads", "matrices", "steps"))
