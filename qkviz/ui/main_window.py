"""The window: docks and menus around one session, and the one subscription to it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget, QWidget

from qkviz.settings import Settings
from qkviz.translate import _, current_language
from qkviz.ui import window_layout
from qkviz.ui.actions import STEP_KEYS, ActionRow
from qkviz.ui.card_dock import CardDock
from qkviz.ui.dock_board import DockBoard
from qkviz.ui.file_drops import FileDrops
from qkviz.ui.languages import speak
from qkviz.ui.menus import Menus
from qkviz.ui.status_line import StatusLine
from qkviz.ui.theme import Theme, apply_theme, theme_for

if TYPE_CHECKING:  # these load torch; the window is painted before that
    from qkviz.document.session import Session, Snapshot
    from qkviz.ui.capturing import Capturing
    from qkviz.ui.dialogs.service import DialogService
    from qkviz.ui.document_commands import DocumentCommands
    from qkviz.ui.lesson_course import LessonCourse
    from qkviz.ui.panels.panel import Panel
    from qkviz.ui.session_commands import SessionCommands
    from qkviz.ui.toolbar_options import ToolbarOptions


class MainWindow(QMainWindow):
    """An empty shell at first; alive once `attach` has brought a session.

    Parameters
    ----------
    settings
        What was remembered; `settings_now` tells what is to be.
    dialogs
        Makes, for this window, what shows every dialog.

    Signals
    -------
    painted
        Once, after the first paint.
    closed
        The window is gone; carries the settings to save.
    """

    painted = Signal()
    closed = Signal(object)

    def __init__(self, settings: Settings, dialogs: Callable[[QWidget], DialogService]) -> None:
        super().__init__()
        self.setObjectName("main-window")
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setMinimumSize(640, 420)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # where the keys are when nothing else has them
        theme = theme_for(settings.theme)
        apply_theme(_application(), theme)  # before any child: it would keep the old font
        self._settings = settings
        self._dialogs = dialogs(self)
        self._theme_choice = settings.theme
        self._was_painted = False
        self._notice = ""  # said at the start, and again when the lesson is there
        self._was_shown = False
        self._commands: SessionCommands | None = None
        self._documents: DocumentCommands | None = None
        self._models: Capturing | None = None
        self._drops = FileDrops(self)
        self._options: ToolbarOptions | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._undo_texts: tuple[str | None, str | None] = (None, None)
        self._listed = ("", 0)  # language and number of the current lesson in the menu
        self._board = DockBoard(self, settings)
        self.menus = Menus(self)
        self.menus.add_docks(dock.toggleViewAction() for dock in self.docks.values())
        self.menus.lesson_chosen.connect(self._open_lesson)
        self.status = StatusLine(self)
        self.setStatusBar(self.status)
        self._place()
        for dock in self.docks.values():
            dock.keys.connect(self.keyPressEvent)
            dock.came_into_sight.connect(self._watch_drops)
        self._show_theme(theme)
        self._retranslate()
        self.menus.show_ready(False)
        self.say_everywhere(_("Loading …"))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._restyle)

    # life

    @property
    def commands(self) -> SessionCommands | None:
        """What can be done with the session; None while it is loading."""
        return self._commands

    @property
    def documents(self) -> DocumentCommands | None:
        """What can be done with files; None while the session is loading."""
        return self._documents

    @property
    def dialogs(self) -> DialogService:
        """What asks and tells over this window."""
        return self._dialogs

    @property
    def docks(self) -> dict[str, CardDock]:
        """The docks by name."""
        return self._board.docks

    @property
    def panels(self) -> dict[str, Panel]:
        """The panels built so far, by name."""
        return self._board.panels

    def say_everywhere(self, sentence: str) -> None:
        """Show a sentence in every dock that has no panel yet."""
        self._board.say(sentence)

    def attach(self, session: Session, course: LessonCourse) -> None:
        """Bring the window to life: build the panels in sight and subscribe to the session."""
        from qkviz.ui.autosave import Autosave, autosave_folder  # noqa: PLC0415 -- these load torch
        from qkviz.ui.capturing import Capturing  # noqa: PLC0415
        from qkviz.ui.document_commands import DocumentCommands  # noqa: PLC0415
        from qkviz.ui.exporting import Exporting  # noqa: PLC0415
        from qkviz.ui.session_commands import SessionCommands  # noqa: PLC0415
        from qkviz.ui.toolbar_options import ToolbarOptions  # noqa: PLC0415

        exporting = Exporting(
            session,
            self._dialogs,
            self.status.say,
            self._range_is_locked,
            self._settings.export_folder,
            self._settings.export,
        )
        self._commands = SessionCommands(
            session, course, exporting, self._board, self.status, self._show_checks
        )
        self._documents = DocumentCommands(
            self._commands,
            self._dialogs,
            Autosave(autosave_folder(), self),
            self._settings.recent,
            self.status.say,
            self._show_files,
            self._open_folder,
        )
        self.menus.recent.chosen.connect(self._documents.open_path)
        self.menus.recent.emptied.connect(self._documents.forget_recent)
        self._drops.dropped.connect(self._documents.open_paths)
        self._options = ToolbarOptions(self.menus.toolbar)
        self._options.edited.connect(self._commands.apply)
        self.menus.add_options(self._options)
        self._unsubscribe = session.subscribe(self._show)
        self._models = Capturing(
            session,
            self._dialogs,
            self._commands.apply,
            self._documents.show_new,
            self._show_heads,
            self.status,
            self,
        )
        self._board.fill(self._wire, session.snapshot)
        if not self._board.has_own_places:
            self._commands.show_panels()
        self._board.share_room()  # the panels have other least sizes than the empty docks had
        self.menus.show_ready(True)
        self._undo_texts = ("", "")  # unlike any, so that they are shown
        self._show(session.snapshot)
        self._show_files()
        if self._notice:
            self.status.say(self._notice)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything and let go of the session, unless unsaved work keeps the window."""
        if self._documents is not None:
            if not self._documents.may_close(self._close):
                event.ignore()
                return
            self._documents.close()
        self._settings = self.settings_now()
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        if self._models is not None:
            self._models.stop()
        self._board.stop()
        self._board.hide_floating()
        event.accept()
        self.closed.emit(self._settings)

    def settings_now(self) -> Settings:
        """Return what to remember for the next start."""
        now = replace(
            self._settings,
            theme=self._theme_choice,
            geometry=window_layout.saved_geometry(self),
            layout=window_layout.saved_layout(self),
            layout_version=window_layout.LAYOUT_VERSION,
        )
        if self._commands is None or self._documents is None:
            return now
        return self._documents.remembered(self._commands.remembered(now))

    def event(self, event: QEvent) -> bool:
        """Tell once that the first paint is over."""
        handled = super().event(event)
        if event.type() == QEvent.Type.Paint and not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self.painted.emit)
        return handled

    def report_bug(self, sentence: str, details: str) -> None:
        """Tell of an error in the program itself, with what a report about it needs."""
        self._dialogs.show_error(
            _("Something went wrong in qkviz; your work is as it was. {error}", error=sentence), details
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Share the room out at the first show, when there is some; give the keys to nobody but the steps."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.setFocus()
            self._board.share_room()
            self._board.bring_floating_into_view()
            self._watch_drops()

    def _wire(self, panel: Panel) -> None:
        """Connect a new panel to what it speaks to."""
        assert self._commands is not None  # panels are built once there is a session
        assert self._models is not None
        self._commands.wire(panel)
        self._models.wire(panel)

    # the one subscription

    def _show(self, snapshot: Snapshot) -> None:
        commands, documents = self._commands, self._documents
        assert commands is not None  # the subscription begins with them
        assert documents is not None
        assert self._models is not None
        commands.course.follow(snapshot)
        documents.follow(snapshot)
        self._models.follow(snapshot)
        self._board.show(snapshot)
        commands.show_lessons()
        assert self._options is not None  # made together with the commands
        self._options.show_document(snapshot.document)
        self.status.show_numbers(commands.hover_text(snapshot))
        self.status.show_work(commands.work_text(snapshot))
        texts = tuple(
            None if label is None else str(label) for label in (snapshot.undo_label, snapshot.redo_label)
        )
        if texts != self._undo_texts:
            self._undo_texts = (texts[0], texts[1])
            self.menus.show_undo(*self._undo_texts)
        lesson = (current_language(), commands.course.current.number)
        if lesson != self._listed:
            self._listed = lesson
            self.menus.list_lessons(commands.lesson_titles(), commands.course.current.number)
        self._show_title(documents)
        self._show_checks()

    def _show_title(self, documents: DocumentCommands) -> None:
        title = documents.name().replace("[*]", "[*][*]") + "[*] — qkviz"  # Qt puts the mark there
        if title != self.windowTitle():
            self.setWindowTitle(title)
        self.setWindowModified(documents.is_modified)

    def _show_files(self) -> None:
        if self._documents is not None:
            self._show_title(self._documents)
            self.menus.recent.list_files(self._documents.recent)

    def _close(self) -> None:
        self.close()

    def _watch_drops(self, _name: str = "") -> None:
        """Take files that are dropped, on floating docks too; those are windows of their own."""
        for window in (self, *(dock for dock in self.docks.values() if dock.isFloating())):
            self._drops.watch(window)

    # commands of the window itself

    def call(self, row: ActionRow, _checked: bool = False) -> None:
        """Do what a row of the table says."""
        owner = self._owner(row)
        if owner is not None:
            getattr(owner, row.method)()
            self._show_checks()

    def _show_checks(self) -> None:
        self.menus.show_checks(self._is_on)

    def _range_is_locked(self) -> bool:
        return self._commands is not None and self._commands.range_is_locked()

    def _owner(self, row: ActionRow) -> object:
        """Return what has the method of a row; None while it is loading."""
        return getattr(self, f"_{row.owner}") if row.needs_session else self

    def _is_on(self, row: ActionRow) -> bool:
        owner = self._owner(row)
        return owner is not None and bool(getattr(owner, row.checked)())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the steps with the keys nobody else wanted."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = QKeySequence(event.key()).toString(QKeySequence.SequenceFormat.PortableText)
        if self._commands is None or not plain:
            super().keyPressEvent(event)
        elif key in STEP_KEYS:
            getattr(self._commands, STEP_KEYS[key])()
        elif key in "012345" and key:
            self._commands.go_to_step(int(key))
        else:
            super().keyPressEvent(event)

    def show_dock(self, name: str) -> None:
        """Bring a dock to the front, opening it if it was closed."""
        self._board.bring_to_front(name)

    def show_only(self, names: Collection[str]) -> None:
        """Open the docks of these names and close the others."""
        self._board.show_only(names)

    def reset_layout(self) -> None:
        """Put every panel back where it was at the first start."""
        self._board.reset()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or give it back."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def is_full_screen(self) -> bool:
        """Tell whether the window fills the screen."""
        return self.isFullScreen()

    def toggle_theme(self) -> None:
        """Change between light and dark, whatever the system says."""
        self._theme_choice = "light" if theme_for(self._theme_choice).name == "dark" else "dark"
        self._restyle()

    def follow_system_theme(self) -> None:
        """Be light or dark as the system is."""
        self._theme_choice = "system"
        self._restyle()

    def follows_system(self) -> bool:
        """Tell whether the theme is the system's."""
        return self._theme_choice == "system"

    def toggle_language(self) -> None:
        """Change between Chinese and English; everything else stays as it is."""
        language = "en" if current_language() == "zh" else "zh"
        speak(language)
        self._settings = replace(self._settings, language=language)
        self._retranslate()
        if self._commands is not None and self._documents is not None:
            self._documents.speak()
            self._show(self._commands.session.snapshot)

    def show_shortcuts(self) -> None:
        """Show all keys and gestures."""
        self._dialogs.show_shortcuts(self.menus.shortcut_rows())

    def show_about(self) -> None:
        """Show versions and licence."""
        self._dialogs.show_about()

    def _show_heads(self) -> None:
        """Bring the panel of heads into sight; where it was closed, with what a head is looked at with."""
        if not self.docks["heads"].in_sight:
            self._board.show_only(("heads", "matrices", "steps"))

    def _open_folder(self, folder: Path) -> None:
        if self._models is not None:
            self._models.open_folder_at(folder)

    def _open_lesson(self, number: int) -> None:
        if self._commands is not None:
            self._commands.open_lesson(number)

    def _place(self) -> None:
        """Give window and docks their saved places; what cannot be used falls back to the default."""
        settings = self._settings
        self.resize(1440, 900)
        window_layout.restore_geometry(self, settings.geometry)
        window_layout.bring_into_view(self)
        if not self._board.place():
            self._notice = _(
                "The saved arrangement of the panels could not be used; this is the default one."
            )
            self.status.say(self._notice)

    def _restyle(self) -> None:
        theme = theme_for(self._theme_choice)
        apply_theme(_application(), theme)
        self._show_theme(theme)

    def _show_theme(self, theme: Theme) -> None:
        self._board.restyle(theme)
        self.status.restyle(theme)
        if self._commands is not None:
            self._show(self._commands.session.snapshot)

    def _retranslate(self) -> None:
        self.menus.retranslate()
        self._board.retranslate()
        self._undo_texts = ("", "")
        if self._documents is None:
            self.setWindowTitle("qkviz")


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
