"""The panel of the vector plane: the canvas, the choice of what a drag moves, and the choice of plane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.attention.inputs import GivenScores
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.drag_mode import DragMode
from qkviz.document.edits import DRAGS, Edit, ResetAllVectors, ResetVector
from qkviz.document.session import Snapshot
from qkviz.presenters.drag_modes import moved_along, present_drag_modes
from qkviz.presenters.plane import plane_of, present_plane
from qkviz.translate import _
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.menus import context_menu
from qkviz.ui.panels.drag_chooser import DragChooser
from qkviz.ui.panels.moved_hint import MovedHint
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.plane_chooser import PlaneChooser
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
        self.hint = MovedHint(self)
        self.drag_chooser = DragChooser(self)
        self.drag_chooser.chosen.connect(self._choose_drag)
        self._chooser = PlaneChooser(self)
        self._chooser.chosen.connect(self._choose_plane)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 10, 10)
        column.setSpacing(3)
        column.addWidget(self.drag_chooser)
        column.addWidget(self._chooser)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.hint)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``."""
        self._snapshot = snapshot
        inputs = snapshot.document.inputs
        if isinstance(inputs, GivenScores):
            self._chooser.show_choice(0, None)
        else:
            self._chooser.show_choice(inputs.d_k, plane_of(snapshot))
        self.drag_chooser.show_content(present_drag_modes(snapshot))
        self.hint.follow(snapshot)
        self.canvas.show_content(present_plane(snapshot))

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.hint.show_gestures(
            _("Drag a tip · Shift: grid · Ctrl: turn only · Tab, arrows: nudge · double-click: fit")
        )
        self.canvas.setAccessibleName(_("Vector plane"))
        self._chooser.retranslate()
        self.drag_chooser.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)

    def fit(self) -> None:
        """Bring all vectors into view."""
        self.canvas.fit()

    def _move(self, role: Role, index: int, x: float, y: float, gesture: object) -> None:
        if self._snapshot is None:
            return
        before = self._snapshot
        mode = before.focus.drag.fitting(before.document)
        self.edited.emit(DRAGS[mode](role, index, plane_of(before), x, y, gesture))
        if mode is not DragMode.VECTOR:
            self.hint.show_drag(gesture, before, self._snapshot, partial(moved_along, role=role, index=index))

    def _choose_drag(self, mode: DragMode) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, drag=mode))

    def _choose_tip(self, role: Role, index: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(self._snapshot.focus.with_vector(role, index))

    def _choose_plane(self, dimensions: tuple[int, int] | None) -> None:
        if self._snapshot is None:
            return
        trace = self._snapshot.trace
        assert trace.Q is not None  # the choice is hidden else
        assert trace.K is not None
        plane = (
            Plane.of_principal_directions(trace.Q, trace.K)
            if dimensions is None
            else Plane.of_dimensions(trace.Q.shape[1], *dimensions)
        )
        self.looked.emit(replace(self._snapshot.focus, plane=plane))
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
