"""What every panel is: it draws snapshots and says what the user wants."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qkviz.document.session import Snapshot
from qkviz.ui.theme import Theme


class Panel(QWidget):
    """The content of a dock.

    A panel keeps the last snapshot to redraw from, and nothing else of the document. It changes nothing: it
    emits.

    Signals
    -------
    edited
        The user wants the document changed; carries an edit.
    looked
        The user looks elsewhere; carries a `Focus`.
    said
        A sentence for the status bar, already translated: why something typed was refused, for example.
    told
        A sentence about what was done.
    happened
        Something took place that no document shows, a finished sampling for example: its name in
        `lessons.happenings` and its numbers.
    """

    edited = Signal(object)
    looked = Signal(object)
    said = Signal(str)
    told = Signal(str)
    happened = Signal(str, object)

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``. Emits nothing."""
        raise NotImplementedError

    def retranslate(self) -> None:
        """Set every fixed text anew, after the language changed. `refresh` follows."""
        raise NotImplementedError

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``. `refresh` follows."""
        raise NotImplementedError

    def tools(self) -> QWidget | None:
        """Return what stands in the title line of the dock; None for nothing. Made once, kept by the dock."""
        return None

    def stop(self) -> None:
        """End what runs in the background; the window is closing. Most panels have nothing there."""
