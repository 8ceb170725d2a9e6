"""The panel of the vector plane: the canvas, the numbers of the active pair, and the choice of plane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.inputs import GivenScores
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import Edit, MoveVector, ResetAllVectors, ResetVector
from qkviz.document.session import Snapshot
from qkviz.presenters.plane import plane_of, present_plane
from qkviz.translate import _
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.menus import context_menu
from qkviz.ui.panels.panel import Panel
from qkviz.ui.theme import Theme


class PlanePanel(Panel):
    """Vectors to drag, and what follows from the active pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self.canvas = PlaneCanvas(self)
        self.canvas.dragged.connect(self._move)
        self.canvas.tip_chosen.connect(self._choose_tip)
        self.canvas.menu_asked.connect(self._show_menu)
        self._hint = QLabel(self)
        self._hint.setProperty("kind", "hint")
        self._hint.setWordWrap(True)
        self._hint.setContentsMargins(14, 0, 0, 0)
        self._chooser = _PlaneChooser(self)
        self._chooser.across.activated.connect(self._choose_plane)
        self._chooser.up.activated.connect(self._choose_plane)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 10, 10)
        column.setSpacing(3)
        column.addWidget(self._chooser)
        column.addWidget(self.canvas, 1)
        column.addWidget(self._hint)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``."""
        self._snapshot = snapshot
        self._chooser.show_choice(snapshot)
        self.canvas.show_content(present_plane(snapshot))

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._hint.setText(
            _("Drag a tip · Shift: grid · Ctrl: turn only · Tab, arrows: nudge · double-click: fit")
        )
        self.canvas.setAccessibleName(_("Vector plane"))
        self._chooser.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)

    def fit(self) -> None:
        """Bring all vectors into view."""
        self.canvas.fit()

    def _move(self, role: Role, index: int, x: float, y: float, gesture: object) -> None:
        if self._snapshot is not None:
            self.edited.emit(MoveVector(role, index, plane_of(self._snapshot), x, y, gesture))

    def _choose_tip(self, role: Role, index: int) -> None:
        if self._snapshot is None:
            return
        focus = self._snapshot.focus
        query, key = focus.pair or (0, 0)
        chosen = (index, key) if role is Role.QUERY else (query, index)
        self.looked.emit(replace(focus, query=chosen[0], key=chosen[1]))

    def _choose_plane(self) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, plane=self._chooser.plane(self._snapshot)))
            self.canvas.fit()

    def _show_menu(self, at: QPoint, tip: tuple[Role, int] | None) -> None:
        menu = context_menu(self)
        if tip is not None:
            menu.addAction(_("Reset this vector")).triggered.connect(
                partial(self._emit_edit, ResetVector(*tip))
            )
        menu.addAction(_("Reset all vectors moved by hand")).triggered.connect(
            partial(self._emit_edit, ResetAllVectors())
        )
        menu.addAction(_("Fit the view")).triggered.connect(self.canvas.fit)
        menu.popup(at)

    def _emit_edit(self, edit: Edit, _checked: bool = False) -> None:
        self.edited.emit(edit)


class _PlaneChooser(QWidget):
    """Which two directions are seen; hidden while the vectors have no more than two dimensions."""

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
            row.addWidget(box)
        row.addStretch(1)

    def show_choice(self, snapshot: Snapshot) -> None:
        """Offer the dimensions of the document and show the ones in use."""
        inputs = snapshot.document.inputs
        dimensions = 0 if isinstance(inputs, GivenScores) else inputs.d_k
        self.setVisible(dimensions > 2)
        if dimensions <= 2:
            self._dimensions = dimensions
            return
        if dimensions != self._dimensions:
            self._dimensions = dimensions
            self._fill()
        at = _dimensions_of(plane_of(snapshot))
        self.across.setCurrentIndex(self._dimensions if at is None else at[0])
        self.up.setCurrentIndex(1 if at is None else at[1])
        self.up.setVisible(at is not None)

    def plane(self, snapshot: Snapshot) -> Plane:
        """Return the plane that is chosen now; a principal one is fitted to the vectors as they stand."""
        trace = snapshot.trace
        if self.across.currentIndex() >= self._dimensions and trace.Q is not None and trace.K is not None:
            return Plane.of_principal_directions(trace.Q, trace.K)
        across, up = self.across.currentIndex(), self.up.currentIndex()
        if across == up:
            up = (across + 1) % self._dimensions
        return Plane.of_dimensions(self._dimensions, across, up)

    def retranslate(self) -> None:
        self._label.setText(_("Seen from"))
        self.across.setAccessibleName(_("Horizontal direction of the plane"))
        self.up.setAccessibleName(_("Vertical direction of the plane"))
        if self._dimensions > 2:
            self._fill()

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
