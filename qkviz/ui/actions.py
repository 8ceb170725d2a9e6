"""The table of everything the user can call: text, keys, menu, and which method of the window does it.

Menus, toolbar, shortcuts and the shortcut overview are made from these rows; nothing of the kind is written
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.translate import N_


@dataclass(frozen=True)
class ActionRow:
    """One command.

    ``method`` names a method without arguments of ``owner``: ``"window"`` is `MainWindow` itself, the others
    are its parts of these names. With ``checked`` the action is a switch, and ``checked`` names the method
    that tells its state. ``part`` separates groups within a menu.
    """

    id: str
    text: str
    menu: str
    method: str
    keys: tuple[str, ...] = ()
    part: int = 0
    checked: str = ""
    owner: str = "commands"

    @property
    def needs_session(self) -> bool:
        """Whether its owner is there only once there is a session; until then the action is off."""
        return self.owner in ("commands", "documents", "models")


@dataclass(frozen=True)
class GestureRow:
    """Something done with keys or mouse inside a panel: listed in the overview, handled by the panel."""

    group: str
    text: str
    keys: str


ShortcutRow = tuple[str, str, str]
"""A line of the overview: group, what it does, keys or gesture; all as they are to be shown."""

MENUS = {
    "file": N_("File"),
    "edit": N_("Edit"),
    "view": N_("View"),
    "steps": N_("Steps"),
    "lessons": N_("Lessons"),
    "help": N_("Help"),
}

ACTIONS: tuple[ActionRow, ...] = (
    ActionRow("open", N_("Open…"), "file", "open", ("Ctrl+O",), part=-2, owner="documents"),
    ActionRow(
        "open_model", N_("Open model folder…"), "file", "open_folder", ("Ctrl+M",), part=-2, owner="models"
    ),
    ActionRow("save", N_("Save"), "file", "save", ("Ctrl+S",), part=-1, owner="documents"),
    ActionRow("save_as", N_("Save as…"), "file", "save_as", ("Ctrl+Shift+S",), part=-1, owner="documents"),
    ActionRow("export", N_("Export picture or numbers…"), "file", "export", ("Ctrl+Shift+E",)),
    ActionRow("handout", N_("Export handout…"), "file", "export_handout", ("Ctrl+Shift+H",)),
    ActionRow(
        "copy_picture", N_("Copy picture of the matrices"), "file", "copy_picture", ("Ctrl+Shift+C",), part=1
    ),
    ActionRow(
        "copy_plane", N_("Copy picture of the vector plane"), "file", "copy_plane", ("Ctrl+Shift+P",), part=1
    ),
    ActionRow(
        "copy_values", N_("Copy values of the matrices"), "file", "copy_values", ("Ctrl+Alt+C",), part=1
    ),
    ActionRow("quit", N_("Quit"), "file", "close", ("Ctrl+Q",), part=2, owner="window"),
    ActionRow("undo", N_("Undo"), "edit", "undo", ("Ctrl+Z",)),
    ActionRow("redo", N_("Redo"), "edit", "redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    ActionRow(
        "paste_document",
        N_("Paste as document…"),
        "edit",
        "paste_document",
        ("Ctrl+Alt+V",),
        part=3,
        owner="documents",
    ),
    ActionRow(
        "reset_vector",
        N_("Reset the chosen query and key"),
        "edit",
        "reset_chosen",
        ("Ctrl+Backspace",),
        part=1,
    ),
    ActionRow(
        "reset_vectors",
        N_("Reset all vectors moved by hand"),
        "edit",
        "reset_all",
        ("Ctrl+Shift+Backspace",),
        part=1,
    ),
    ActionRow("unpin", N_("Unpin the cell"), "edit", "unpin", (), part=2),
    ActionRow("fit", N_("Fit the view"), "view", "fit", ("Ctrl+0", "Ctrl+R")),
    ActionRow(
        "lock_range",
        N_("One colour range for all scores"),
        "view",
        "toggle_lock",
        ("Ctrl+L",),
        checked="range_is_locked",
    ),
    ActionRow(
        "theme", N_("Light or dark"), "view", "toggle_theme", ("Ctrl+Shift+T",), part=4, owner="appearance"
    ),
    ActionRow(
        "theme_system",
        N_("Follow the system’s theme"),
        "view",
        "follow_system_theme",
        (),
        part=4,
        checked="follows_system",
        owner="appearance",
    ),
    ActionRow(
        "language",
        N_("中文 / English"),
        "view",
        "toggle_language",
        ("Ctrl+Shift+L",),
        part=4,
        owner="appearance",
    ),
    ActionRow(
        "full_screen",
        N_("Full screen"),
        "view",
        "toggle_full_screen",
        ("F11",),
        part=4,
        checked="isFullScreen",
        owner="window",
    ),
    ActionRow(
        "reset_layout",
        N_("Reset layout"),
        "view",
        "reset",
        ("Ctrl+Shift+R",),
        part=2,
        owner="board",
    ),
    ActionRow("next_step", N_("Next step"), "steps", "next_step"),
    ActionRow("previous_step", N_("Previous step"), "steps", "previous_step"),
    ActionRow("first_step", N_("First step"), "steps", "first_step"),
    ActionRow("last_step", N_("Last step"), "steps", "last_step"),
    ActionRow("play", N_("Play or pause"), "steps", "toggle_play", part=1),
    ActionRow("next_lesson", N_("Next lesson"), "lessons", "next_lesson", ("Ctrl+PgDown",), part=1),
    ActionRow("previous_lesson", N_("Previous lesson"), "lessons", "previous_lesson", ("Ctrl+PgUp",), part=1),
    ActionRow(
        "restore_lesson", N_("Restore this lesson"), "lessons", "restore_lesson", ("Ctrl+Shift+Home",), part=1
    ),
    ActionRow("shortcuts", N_("Keys and gestures"), "help", "show_shortcuts", ("F1",), owner="window"),
    ActionRow("about", N_("About qkviz"), "help", "show_about", (), part=1, owner="dialogs"),
)

STEP_KEYS = {
    "Right": "next_step",
    "PgDown": "next_step",
    "Left": "previous_step",
    "PgUp": "previous_step",
    "Home": "first_step",
    "End": "last_step",
    "Space": "toggle_play",
    "Esc": "unpin",
}
"""Keys that reach the window when no field, tip or cell has taken them. ``0`` … ``5`` go to that step."""

GESTURES: tuple[GestureRow, ...] = (
    GestureRow(N_("Steps"), N_("Next, previous step"), "→ / PgDn,  ← / PgUp"),
    GestureRow(N_("Steps"), N_("First, last, a certain step"), "Home,  End,  0 … 5"),
    GestureRow(N_("Steps"), N_("Play or pause"), "Space"),
    GestureRow(N_("Vector plane"), N_("Move a vector"), N_("drag its tip")),
    GestureRow(N_("Vector plane"), N_("Snap to the grid"), N_("Shift + drag")),
    GestureRow(N_("Vector plane"), N_("Turn without stretching"), N_("Ctrl + drag")),
    GestureRow(N_("Vector plane"), N_("Choose the next tip"), "Tab,  Shift+Tab"),
    GestureRow(N_("Vector plane"), N_("Nudge the chosen tip (×10, ×0.1)"), N_("arrows (Shift, Alt)")),
    GestureRow(N_("Vector plane"), N_("Give the keys back"), "Esc"),
    GestureRow(N_("Vector plane"), N_("Zoom, pan, fit"), N_("wheel, drag the ground, double-click")),
    GestureRow(N_("Matrices"), N_("Pin a cell, unpin"), N_("click, Esc")),
    GestureRow(N_("Matrices"), N_("Move the pinned cell"), N_("arrows")),
    GestureRow(N_("Matrices"), N_("Choose a row and see its bars"), N_("click its label")),
    GestureRow(N_("Matrices"), N_("Zoom, pan, fit"), N_("wheel, drag, double-click")),
    GestureRow(N_("Matrices"), N_("Forbid a cell, pad a key, copy, export"), N_("right click")),
    GestureRow(N_("Inspector"), N_("Copy, paste a block of numbers"), "Ctrl+C,  Ctrl+V"),
)
