"""Pictures and numbers out of the session: to a file, to the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qkviz.attention.matrices import MatrixName
from qkviz.document.session import Session
from qkviz.ui.dialogs.service import DialogService


class Exporting:
    """x"""

    def __init__(self, session: Session, dialogs: DialogService, say: Callable[[str], None], folder: str) -> None:
        self.folder = Path(folder or Path.home())

    def ask(self) -> None: ...
    def ask_for_matrix(self, name: MatrixName) -> None: ...
    def copy_matrices(self) -> None: ...
    def copy_plane(self) -> None: ...
    def copy_values(self) -> None: ...
    def copy_matrix(self, name: MatrixName) -> None: ...
    def copy_matrix_values(self, name: MatrixName) -> None: ...
