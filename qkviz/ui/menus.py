"""Menus and toolbar, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from qkviz.translate import _
from qkviz.ui.actions import ACTIONS, GESTURES, MENUS, ActionRow, ShortcutRow
from qkviz.ui.recent_menu import RecentMenu

if TYPE_CHECKING:
    from qkviz.ui.main_window import MainWindow

_TOOLBAR = (
    "undo",
    "redo",
    "",
    "export",
    "copy_picture",
    "",
    "restore_lesson",
    "fit",
    "<>",
    "language",
    "theme",
)
"""Ids in order; an empty one is a line, ``<>`` pushes the rest to the right."""


class Menus(QObject):
    """The actions of the window, its menu bar and its toolbar; one object, so that all are renewed together.

    Signals
    -------
    lesson_chosen
        A lesson of the menu was chosen; carries its number.
    """

    lesson_chosen = Signal(int)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.actions: dict[str, QAction] = {}
        for row in ACTIONS:
            action = QAction(window)
            action.setObjectName(f"action-{row.id}")
            action.setShortcuts([QKeySequence(key) for key in row.keys])
            action.setCheckable(bool(row.checked))
            action.triggered.connect(partial(window.call, row))
            window.addAction(action)
            self.actions[row.id] = action
        self._menus = {name: window.menuBar().addMenu("") for name in MENUS}
        self._lesson_group = QActionGroup(window)
        self._lesson_group.triggered.connect(self._choose_lesson)
        self._fill_menus()
        self.recent = RecentMenu(window)
        files = self._menus["file"].actions()
        self._menus["file"].insertMenu(files[files.index(self.actions["open"]) + 1], self.recent)
        self.toolbar, self._middle = _toolbar(window, self.actions)
        self.retranslate()

    def _fill_menus(self) -> None:
        for name, menu in self._menus.items():
            part = None
            for row in sorted((row for row in ACTIONS if row.menu == name), key=_part_of):
                if part is not None and row.part != part:
                    menu.addSeparator()
                menu.addAction(self.actions[row.id])
                part = row.part

    def add_options(self, options: QWidget) -> None:
        """Put the document's options into the middle of the toolbar."""
        self.toolbar.insertWidget(self._middle, options)

    def add_docks(self, actions: Iterable[QAction]) -> None:
        """Put a switch for every dock on top of the View menu."""
        menu = self._menus["view"]
        first = menu.actions()[0]
        menu.insertActions(first, list(actions))
        menu.insertSeparator(first)

    def list_lessons(self, titles: Iterable[tuple[int, str]], current: int | None) -> None:
        """Show the lessons on top of their menu; the current one has the mark."""
        menu = self._menus["lessons"]
        for old in self._lesson_group.actions():
            self._lesson_group.removeAction(old)
            old.deleteLater()
        first = next(
            action for action in menu.actions() if action.isSeparator() or action in self.actions.values()
        )
        for number, title in titles:
            action = QAction(f"{number} · {title}".replace("&", "&&"), menu)
            action.setData(number)
            action.setCheckable(True)
            action.setChecked(number == current)
            self._lesson_group.addAction(action)
            menu.insertAction(first, action)

    def retranslate(self) -> None:
        """Set every text anew."""
        for row in ACTIONS:
            action = self.actions[row.id]
            action.setText(_(row.text))
            action.setToolTip(f"{_(row.text)}  {_native_keys(action)}".rstrip())
        for name, menu in self._menus.items():
            menu.setTitle(_(MENUS[name]))
        self.recent.retranslate()
        short = {
            "export": _("Export"),
            "copy_picture": _("Copy picture"),
            "restore_lesson": _("Restore lesson"),
            "fit": _("Fit"),
            "language": _("中文 / EN"),
            "theme": _("Theme"),
        }
        for name, text in short.items():
            self.actions[name].setIconText(text)
        self._set_undo_texts(None, None)

    def shortcut_rows(self) -> list[ShortcutRow]:
        """Return every key and gesture, in the language of the interface, for the overview."""
        commands = [
            (_(MENUS[row.menu]), _(row.text), _native_keys(self.actions[row.id]))
            for row in ACTIONS
            if row.keys
        ]
        return commands + [(_(row.group), _(row.text), _(row.keys)) for row in GESTURES]

    def show_ready(self, ready: bool) -> None:
        """Enable what can be called with a session, or without one."""
        for row in ACTIONS:
            self.actions[row.id].setEnabled(ready or not row.needs_session)

    def show_checks(self, is_on: Callable[[ActionRow], bool]) -> None:
        """Tick the switches that are on."""
        for row in ACTIONS:
            if row.checked:
                self.actions[row.id].setChecked(is_on(row))

    def show_undo(self, undo: str | None, redo: str | None) -> None:
        """Name what undo and redo would change; None turns them off."""
        self.actions["undo"].setEnabled(undo is not None)
        self.actions["redo"].setEnabled(redo is not None)
        self._set_undo_texts(undo, redo)

    def _set_undo_texts(self, undo: str | None, redo: str | None) -> None:
        for name, word, label in (("undo", _("Undo"), undo), ("redo", _("Redo"), redo)):
            self.actions[name].setText(f"{word}: {label}".replace("&", "&&") if label else word)
            self.actions[name].setIconText(word)

    def _choose_lesson(self, action: QAction) -> None:
        self.lesson_chosen.emit(int(action.data()))


def _native_keys(action: QAction) -> str:
    return ",  ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts())


def _part_of(row: ActionRow) -> int:
    return row.part


def _toolbar(window: MainWindow, actions: dict[str, QAction]) -> tuple[QToolBar, QAction]:
    """Return the toolbar, and the action in it before which there is room for more."""
    bar = QToolBar(window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    for name in _TOOLBAR:
        if name == "<>":
            gap = QWidget(bar)
            gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            middle = bar.addWidget(gap)
        elif name:
            bar.addAction(actions[name])
        else:
            bar.addSeparator()
    for button in bar.findChildren(QToolButton):
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    window.addToolBar(bar)
    return bar, middle


def context_menu(parent: QWidget) -> QMenu:
    """Return an empty menu that deletes itself, and with it its actions, when it closes."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu
