"""The choice of the two directions in which vectors of more than two dimensions are seen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from qkviz.attention.plane import Plane
from qkviz.translate import _


class PlaneChooser(QWidget):
    """Two lists of dimensions, and the principal directions; hidden while there are no more than two.

    Signals
    -------
    chosen
        The dimensions that the user chose, ``(across, up)`` from 0; None for the principal directions.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self._label.setProperty("kind", "hint")
        self.across, self.up = QComboBox(self), QComboBox(self)
        self._dimensions = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.addWidget(self._label)
        for box in (self.across, self.up):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            box.activated.connect(self._say)
            row.addWidget(box)
        row.addStretch(1)
        self.retranslate()

    def show_choice(self, dimensions: int, plane: Plane | None) -> None:
        """Offer ``dimensions`` directions and show the ones of ``plane``; hide where there is no choice."""
        self.setVisible(dimensions > 2)
        if dimensions <= 2 or plane is None:
            self._dimensions = dimensions
            return
        if dimensions != self._dimensions:
            self._dimensions = dimensions
            self._fill()
        at = _dimensions_of(plane)
        self.across.setCurrentIndex(self._dimensions if at is None else at[0])
        self.up.setCurrentIndex(1 if at is None else at[1])
        self.up.setVisible(at is not None)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._label.setText(_("Seen from"))
        self.across.setAccessibleName(_("Horizontal direction of the plane"))
        self.up.setAccessibleName(_("Vertical direction of the plane"))
        if self._dimensions > 2:
            self._fill()

    def _say(self) -> None:
        across, up = self.across.currentIndex(), self.up.currentIndex()
        if across >= self._dimensions:
            self.chosen.emit(None)
        else:
            self.chosen.emit((across, (across + 1) % self._dimensions if across == up else up))

    def _fill(self) -> None:
        names = [_("dimension {number}", number=number + 1) for number in range(self._dimensions)]
        for box in (self.across, self.up):
            box.clear()
            box.addItems(names)
        self.across.addItem(_("the two principal directions"))


def _dimensions_of(plane: Plane) -> tuple[int, int] | None:
    """Return the two dimensions that ``plane`` shows; None for a plane across them."""
    rows = [[index for index, part in enumerate(row) if part] for row in plane.basis.tolist()]
    return (rows[0][0], rows[1][0]) if all(len(row) == 1 for row in rows) else None
