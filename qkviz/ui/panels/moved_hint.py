"""The line below a plane: how to drag, and after a drag what moved along."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.ui.plain_tip import plain_tip

LINES = 2


class MovedHint(QLabel):
    """Always two lines high: growing in the middle of a drag would move the plane under the hand."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "hint")
        self.setTextFormat(Qt.TextFormat.PlainText)  # it names tokens
        self.setWordWrap(True)
        self.setContentsMargins(14, 0, 0, 0)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._gestures = ""
        self._start: tuple[object, Snapshot] | None = None  # the gesture, and what was there before it
        self._told_of: Document | None = None

    def minimumSizeHint(self) -> QSize:
        """Return the height of the lines; the width is whatever there is."""
        return QSize(80, LINES * self.fontMetrics().lineSpacing() + 2)

    def sizeHint(self) -> QSize:
        """Return the same: it does not depend on the words."""
        return self.minimumSizeHint()

    def heightForWidth(self, width: int) -> int:
        """Return the height, whatever the width."""
        return self.minimumSizeHint().height()

    def show_gestures(self, text: str) -> None:
        """Say how to drag."""
        self._gestures = text
        self._told_of = None
        self._show(text)

    def show_drag(
        self,
        gesture: object,
        before: Snapshot,
        after: Snapshot,
        sentence: Callable[[Snapshot, Snapshot], str],
    ) -> None:
        """Say what a drag has moved from its beginning on.

        Parameters
        ----------
        gesture
            The drag.
        before, after
            Around its last move.
        sentence
            Says what differs between two snapshots.
        """
        if self._start is None or self._start[0] != gesture:
            self._start = gesture, before
        text = sentence(self._start[1], after)
        self._told_of = after.document
        self._show(text or self._gestures)

    def follow(self, snapshot: Snapshot) -> None:
        """Go back to the gestures when another change came after the drag."""
        if self._told_of is not None and snapshot.document is not self._told_of:
            self._told_of = None
            self._show(self._gestures)

    def _show(self, text: str) -> None:
        if text != self.text():
            self.setText(text)
            self.setToolTip(plain_tip(text))
