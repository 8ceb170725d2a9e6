"""The panel of embeddings: the same kind of plane, with x of every token to drag."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QVBoxLayout, QWidget

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import MoveEmbedding
from qkviz.document.session import Snapshot
from qkviz.presenters.drag_modes import moved_along
from qkviz.presenters.embeddings import embedding_plane_of, present_embeddings
from qkviz.translate import _
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.menus import context_menu
from qkviz.ui.panels.moved_hint import MovedHint
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.plane_chooser import PlaneChooser
from qkviz.ui.theme import Theme


class EmbeddingsPanel(Panel):
    """Where every q, k and v comes from. Dragging an x is an edit of X; all that comes from it follows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._shown: Snapshot | None = None  # what the canvas was painted from; None: it has to be anew
        self.canvas = PlaneCanvas(self)
        self.canvas.dragged.connect(self._move)
        self.canvas.tip_chosen.connect(self._choose_tip)
        self.canvas.menu_asked.connect(self._show_menu)
        self.hint = MovedHint(self)
        self._chooser = PlaneChooser(self)
        self._chooser.chosen.connect(self._choose_plane)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 10, 10)
        column.setSpacing(3)
        column.addWidget(self._chooser)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.hint)
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``."""
        before, self._snapshot = self._shown, snapshot
        self._shown = snapshot
        X = snapshot.trace.X_q  # (m, d_model)
        if X is None:
            self._chooser.show_choice(0, None)
        else:
            self._chooser.show_choice(X.shape[1], embedding_plane_of(snapshot))
        self.hint.follow(snapshot)
        self.hint.setVisible(isinstance(snapshot.document.inputs, ProjectedInputs))  # others drag no x
        if before is None or not _looks_the_same(before, snapshot):
            self.canvas.show_content(present_embeddings(snapshot))

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self.hint.show_gestures(_("Drag an x · Shift: grid · Ctrl: turn only · Tab, arrows: nudge"))
        self.canvas.setAccessibleName(_("Plane of the embeddings"))
        self._shown = None
        self._chooser.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.canvas.restyle(theme)

    def fit(self) -> None:
        """Bring all embeddings into view."""
        self.canvas.fit()

    def _move(self, role: Role, index: int, x: float, y: float, gesture: object) -> None:
        if self._snapshot is None:
            return
        before = self._snapshot
        self.edited.emit(MoveEmbedding(role, index, embedding_plane_of(before), x, y, gesture))
        self.hint.show_drag(gesture, before, self._snapshot, partial(moved_along, role=None, index=index))

    def _choose_tip(self, role: Role, index: int) -> None:
        """Make the token the query of the pair, or the key where keys have embeddings of their own."""
        if self._snapshot is not None:
            self.looked.emit(self._snapshot.focus.with_vector(role, index))

    def _choose_plane(self, dimensions: tuple[int, int] | None) -> None:
        if self._snapshot is None:
            return
        trace = self._snapshot.trace
        assert trace.X_q is not None  # the choice is hidden else
        assert trace.X_k is not None
        plane = (
            Plane.of_principal_directions(trace.X_q, trace.X_k)
            if dimensions is None
            else Plane.of_dimensions(trace.X_q.shape[1], *dimensions)
        )
        self.looked.emit(replace(self._snapshot.focus, embedding_plane=plane))
        self.canvas.fit()

    def _show_menu(self, at: QPoint, tip: tuple[Role, int] | None) -> None:
        menu = context_menu(self)
        menu.addAction(_("Fit the view")).triggered.connect(self.canvas.fit)
        menu.popup(at)


def _looks_the_same(one: Snapshot, two: Snapshot) -> bool:
    """Whether both show the same embeddings in the same way: a drag of q or k alone does not concern them."""
    return (
        one.trace.X_q is two.trace.X_q
        and one.trace.X_k is two.trace.X_k
        and (one.document.queries, one.document.keys) == (two.document.queries, two.document.keys)
        and (one.focus.query, one.focus.key, one.focus.step)
        == (two.focus.query, two.focus.key, two.focus.step)
        and one.focus.embedding_plane is two.focus.embedding_plane
    )
