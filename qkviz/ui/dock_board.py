"""The docks of the window and the panels in them: where they stand, and which have to be drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

from qkviz.settings import Settings
from qkviz.ui import window_layout
from qkviz.ui.card_dock import CardDock
from qkviz.ui.panel_table import PANELS
from qkviz.ui.theme import Theme

if TYPE_CHECKING:  # these load torch; the docks are there before
    from qkviz.document.session import Snapshot
    from qkviz.ui.panels.panel import Panel


class DockBoard:
    """A dock for every row of the table of panels.

    A panel is built when its dock is first seen, and one out of sight is drawn when it comes back.

    Parameters
    ----------
    window
        Whose docks they are.
    settings
        Hold the arrangement of the last time.
    """

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        self._window = window
        self._saved = settings.layout
        self._wire: Callable[[Panel], None] | None = None
        self._snapshot: Snapshot | None = None
        self._theme: Theme | None = None
        self._stale: set[str] = set()
        self.docks = {row.name: CardDock(row.name, row.title, window) for row in PANELS}
        self.panels: dict[str, Panel] = {}
        for dock in self.docks.values():
            dock.came_into_sight.connect(self._provide)
        window_layout.arrange_default(window, self.docks)

    # panels

    def say(self, sentence: str) -> None:
        """Show a sentence in every dock that has no panel yet."""
        for dock in self.docks.values():
            dock.say(sentence)

    def fill(self, wire: Callable[[Panel], None], snapshot: Snapshot) -> None:
        """Build the panels in sight; ``wire`` connects each new one to the session."""
        self._wire, self._snapshot = wire, snapshot
        self._stale = set(self.docks)
        for name, dock in self.docks.items():
            if dock.in_sight:
                self._provide(name)

    def show(self, snapshot: Snapshot) -> None:
        """Draw ``snapshot`` in the panels that can be seen; the others follow when they come into sight."""
        self._snapshot = snapshot
        for name, panel in self.panels.items():
            if self.docks[name].in_sight:
                panel.refresh(snapshot)
            else:
                self._stale.add(name)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for dock in self.docks.values():
            dock.restyle(theme)
        for panel in self.panels.values():
            panel.restyle(theme)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        for dock in self.docks.values():
            dock.retranslate()
        for panel in self.panels.values():
            panel.retranslate()

    def _provide(self, name: str) -> None:
        """Build or draw the panel of a dock that has come into sight."""
        if self._wire is None or self._snapshot is None or name not in self._stale:
            return
        self._stale.discard(name)
        if name not in self.panels:
            panel = next(row for row in PANELS if row.name == name).build()
            self.panels[name] = panel
            self._wire(panel)
            if self._theme is not None:
                panel.restyle(self._theme)
            self.docks[name].setWidget(panel)
            tools = panel.tools()
            if tools is not None:
                self.docks[name].show_tools(tools)
        self.panels[name].refresh(self._snapshot)

    # places

    def place(self) -> bool:
        """Put the docks where they were the last time; tell whether what was saved could be used."""
        if not self._saved or window_layout.restore_layout(self._window, self._saved):
            return True
        window_layout.arrange_default(self._window, self.docks)
        self._saved = ""
        return False

    @property
    def has_own_places(self) -> bool:
        """Whether the docks stand as the user has left them the last time."""
        return bool(self._saved)

    def share_room(self) -> None:
        """Give the docks their sizes: the saved ones, or those of the first start."""
        if not window_layout.restore_layout(self._window, self._saved):
            self.reset_sizes()

    def reset_sizes(self) -> None:
        """Give the docks in sight their first shares of the window."""
        window_layout.size_default(self._window, self.docks)

    def reset(self) -> None:
        """Put every dock back where it was at the first start."""
        window_layout.arrange_default(self._window, self.docks)
        self.reset_sizes()

    def bring_to_front(self, name: str) -> None:
        """Show a dock, opening it if it was closed."""
        self.docks[name].show()
        self.docks[name].raise_()

    def show_only(self, names: Collection[str]) -> None:
        """Open the named docks and close the others."""
        seen = {name for name, dock in self.docks.items() if dock.isVisible()}
        for name, dock in self.docks.items():
            dock.setVisible(name in names)
        self._window.setFocus()  # hiding a dock hands the keys to whatever comes next
        if seen != set(names):
            self.reset_sizes()

    def bring_floating_into_view(self) -> None:
        """Move floating docks onto a screen that is there."""
        for dock in self.docks.values():
            if dock.isFloating():
                window_layout.bring_into_view(dock)

    def stop(self) -> None:
        """End what the panels run in the background."""
        for panel in self.panels.values():
            panel.stop()

    def hide_floating(self) -> None:
        """Take floating docks off the screen; they are windows and would outlive the main one."""
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()
