"""A scroll area that leaves the arrow keys to the steps."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from qkviz.ui.buttons import STEP_KEYS


class QuietScrollArea(QScrollArea):
    """Scrolls downwards by wheel and bar; what has the focus inside is brought into view as anywhere.

    Qt's own takes arrows, Home and End even where there is nothing to scroll, and buttons inside hand theirs
    on.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the step keys to the window."""
        if event.key() in STEP_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def lay_out_now(self) -> None:
        """Give everything inside its place at once.

        Qt hands a new height up one widget with every turn of the event loop, and until it has come to the
        top what is below is cut off.
        """
        body = self.widget()
        if body is None or not body.isVisible():
            return
        parts = [part for part in body.findChildren(QWidget) if part.isVisible()]
        for part in reversed(parts):  # a parent comes before its children
            part.updateGeometry()
        for _pass in range(2):  # the bar may come or go, which changes the width
            QCoreApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))
            for part in (body, *parts):
                layout = part.layout()
                if layout is not None:
                    layout.activate()
