"""The menu of the files opened or saved before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from qkviz.translate import _
from qkviz.ui.plain_tip import plain_tip


class RecentMenu(QMenu):
    """Lists files; a name that occurs twice is told apart by its folder in the tool tip.

    Signals
    -------
    chosen
        A file was chosen; carries its path.
    emptied
        The list is to be forgotten.
    """

    chosen = Signal(object)
    emptied = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)
        self._paths: tuple[Path, ...] = ()
        self.triggered.connect(self._choose)

    def list_files(self, paths: Sequence[Path]) -> None:
        """Show ``paths``, the newest first."""
        self._paths = tuple(paths)
        self.clear()
        for path in self._paths:
            action = self.addAction(_shown(path, self._paths).replace("&", "&&"))
            action.setData(str(path))
            action.setToolTip(plain_tip(str(path)))
        if self._paths:
            self.addSeparator()
            self.addAction(_("Forget these files"))
        self.setEnabled(bool(self._paths))

    def retranslate(self) -> None:
        """Set every text anew."""
        self.setTitle(_("Open recent"))
        self.list_files(self._paths)

    def _choose(self, action: QAction) -> None:
        path = action.data()
        if path is None:
            self.emptied.emit()
        else:
            self.chosen.emit(Path(path))


def _shown(path: Path, paths: Sequence[Path]) -> str:
    """Return the name of a file, with its folder where another in the list has the same."""
    if sum(other.name == path.name for other in paths) == 1:
        return path.name
    return f"{path.name} — {path.parent}"
