"""The window: docks, menus and status line, at first around nothing and then around one session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from qkviz.settings import Settings
from qkviz.translate import _
from qkviz.ui import window_layout
from qkviz.ui.actions import STEP_KEYS, ActionRow
from qkviz.ui.appearance import Appearance
from qkviz.ui.card_dock import CardDock
from qkviz.ui.dock_board import DockBoard
from qkviz.ui.file_drops import FileDrops
from qkviz.ui.menus import Menus
from qkviz.ui.status_line import StatusLine
from qkviz.ui.theme import Theme

if TYPE_CHECKING:  # these load torch; the window is painted before that
    from qkviz.document.session import Session
    from qkviz.ui.capturing import Capturing
    from qkviz.ui.dialogs.service import DialogService
    from qkviz.ui.document_commands import DocumentCommands
    from qkviz.ui.lesson_course import LessonCourse
    from qkviz.ui.panels.panel import Panel
    from qkviz.ui.session_commands import SessionCommands
    from qkviz.ui.window_session import WindowSession


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
        self.appearance = Appearance(settings, self)  # before any child: it would keep the old font
        self.dialogs = dialogs(self)
        self.board = DockBoard(self, settings)
        self.menus = Menus(self)
        self.status = StatusLine(self)
        self.drops = FileDrops(self)
        self._settings = settings
        self._session: WindowSession | None = None
        self._was_painted = False
        self._was_shown = False
        self._notice = ""  # said at the start, and again when the lesson is there
        self.menus.add_docks(dock.toggleViewAction() for dock in self.docks.values())
        self.setStatusBar(self.status)
        self._place()
        for dock in self.docks.values():
            dock.keys.connect(self.keyPressEvent)
            dock.came_into_sight.connect(self._watch_drops)
        self._restyle(self.appearance.theme)
        self._retranslate()
        self.menus.show_ready(False)
        self.board.say(_("Loading …"))
        self.appearance.restyled.connect(self._restyle)
        self.appearance.retranslated.connect(self._retranslate)

    # its parts

    @property
    def commands(self) -> SessionCommands | None:
        """What can be done with the session; None while it is loading."""
        return None if self._session is None else self._session.commands

    @property
    def documents(self) -> DocumentCommands | None:
        """What can be done with files; None while the session is loading."""
        return None if self._session is None else self._session.documents

    @property
    def models(self) -> Capturing | None:
        """What can be done with real models; None while the session is loading."""
        return None if self._session is None else self._session.models

    @property
    def docks(self) -> dict[str, CardDock]:
        """The docks by name."""
        return self.board.docks

    @property
    def panels(self) -> dict[str, Panel]:
        """The panels built so far, by name."""
        return self.board.panels

    # life

    def attach(self, session: Session, course: LessonCourse) -> None:
        """Bring the window to life: build the panels in sight and subscribe to the session."""
        from qkviz.ui.window_session import WindowSession  # noqa: PLC0415 -- loads torch

        self._session = WindowSession(self, session, course, self._settings)
        self._session.begin()
        if self._notice:
            self.status.say(self._notice)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything and let go of the session, unless unsaved work keeps the window."""
        if self._session is not None and not self._session.documents.may_close(self._close):
            event.ignore()
            return
        self._settings = self.settings_now()
        if self._session is not None:
            self._session.end()
        self.board.stop()
        self.board.hide_floating()
        event.accept()
        self.closed.emit(self._settings)

    def settings_now(self) -> Settings:
        """Return what to remember for the next start."""
        now = replace(
            self.appearance.remembered(self._settings),
            geometry=window_layout.saved_geometry(self),
            layout=window_layout.saved_layout(self),
            layout_version=window_layout.LAYOUT_VERSION,
        )
        return now if self._session is None else self._session.remembered(now)

    def event(self, event: QEvent) -> bool:
        """Tell once that the first paint is over."""
        handled = super().event(event)
        if event.type() == QEvent.Type.Paint and not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self.painted.emit)
        return handled

    def report_bug(self, sentence: str, details: str) -> None:
        """Tell of an error in the program itself, with what a report about it needs."""
        self.dialogs.show_error(
            _("Something went wrong in qkviz; your work is as it was. {error}", error=sentence), details
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Share the room out at the first show, when there is some; give the keys to nobody but the steps."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.setFocus()
            self.board.share_room()
            self.board.bring_floating_into_view()
            self._watch_drops()

    def _close(self) -> None:
        self.close()

    def _watch_drops(self, _name: str = "") -> None:
        """Take files that are dropped, on floating docks too; those are windows of their own."""
        for window in (self, *(dock for dock in self.docks.values() if dock.isFloating())):
            self.drops.watch(window)

    # commands of the window itself

    def call(self, row: ActionRow, _checked: bool = False) -> None:
        """Do what a row of the table says."""
        owner = self._owner(row)
        if owner is not None:
            getattr(owner, row.method)()
            self.show_checks()

    def show_checks(self) -> None:
        """Tick the switches of the menus anew."""
        self.menus.show_checks(self._is_on)

    def _owner(self, row: ActionRow) -> object:
        """Return what has the method of a row; None while it is loading."""
        if row.needs_session:
            return None if self._session is None else getattr(self._session, row.owner)
        return self if row.owner == "window" else getattr(self, row.owner)

    def _is_on(self, row: ActionRow) -> bool:
        owner = self._owner(row)
        return owner is not None and bool(getattr(owner, row.checked)())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the steps with the keys nobody else wanted."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = QKeySequence(event.key()).toString(QKeySequence.SequenceFormat.PortableText)
        if self._session is None or not plain:
            super().keyPressEvent(event)
        elif key in STEP_KEYS:
            getattr(self._session.commands, STEP_KEYS[key])()
        elif key in "012345" and key:
            self._session.commands.go_to_step(int(key))
        else:
            super().keyPressEvent(event)

    def toggle_full_screen(self) -> None:
        """Fill the screen, or give it back."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_shortcuts(self) -> None:
        """Show all keys and gestures."""
        self.dialogs.show_shortcuts(self.menus.shortcut_rows())

    def _place(self) -> None:
        """Give window and docks their saved places; what cannot be used falls back to the default."""
        settings = self._settings
        self.resize(1440, 900)
        window_layout.restore_geometry(self, settings.geometry)
        window_layout.bring_into_view(self)
        if not self.board.place():
            self._notice = _(
                "The saved arrangement of the panels could not be used; this is the default one."
            )
            self.status.say(self._notice)

    def _restyle(self, theme: Theme) -> None:
        self.board.restyle(theme)
        self.status.restyle(theme)
        if self._session is not None:
            self._session.show()

    def _retranslate(self) -> None:
        self.menus.retranslate()
        self.board.retranslate()
        if self._session is None:
            self.setWindowTitle("qkviz")
        else:
            self._session.speak()
