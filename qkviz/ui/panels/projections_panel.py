"""The panel of projections: cards of W_Q and W_K, and the smooth way from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.projection_modes import ProjectionMode, Projections, mode_projections, on_the_way
from qkviz.document.document import Document
from qkviz.document.edits import BlendProjections
from qkviz.document.session import Snapshot
from qkviz.presenters.projection_modes import favourites, mode_title, present_projection_modes
from qkviz.translate import Refusal, _
from qkviz.ui.motion import Motion
from qkviz.ui.panels.mode_button import ModeButton
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.quiet_scroll_area import QuietScrollArea
from qkviz.ui.theme import Theme

CARD_WIDTH = 205


@dataclass(frozen=True, eq=False)
class Journey:
    """The projections on their way: where from, where to, and the gesture that makes it one step of undo."""

    mode: ProjectionMode
    start: ProjectedInputs
    goal: Projections
    gesture: object


@dataclass(frozen=True, eq=False)
class Seen:
    """What the cards were drawn from: by identity what is compared slowly, the rest by value."""

    objects: tuple[object, ...]
    values: tuple[object, ...]

    @classmethod
    def of(cls, snapshot: Snapshot, going_to: ProjectionMode | None) -> Seen:
        """Return what the cards of a snapshot follow from; vectors moved by hand are no part of it."""
        inputs, document = snapshot.document.inputs, snapshot.document
        matrices: tuple[object, ...] = (inputs,)
        if isinstance(inputs, ProjectedInputs):
            matrices = (inputs.X_q, inputs.X_k, inputs.W_Q, inputs.W_K)
        return cls(
            (*matrices, document.options),
            (document.queries, document.keys, snapshot.focus.pair, going_to),
        )

    def is_same_as(self, other: Seen) -> bool:
        """Whether the same cards follow from both."""
        same = len(self.objects) == len(other.objects)
        return (
            same
            and all(one is two for one, two in zip(self.objects, other.objects, strict=True))
            and self.values == other.values
        )


class ProjectionsPanel(Panel):
    """Cards to choose W_Q and W_K by. Every frame of the change is an edit, hence a true trace."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._journey: Journey | None = None
        self._reached: Document | None = None  # what the last frame has made of the document
        self._is_own_edit = False
        self._seen: Seen | None = None
        self._reason = ""  # why there are no cards
        self._motion = Motion(self)
        self._motion.moved.connect(self._go_to)
        self._sentence = QLabel(self)
        self._sentence.setProperty("kind", "muted")
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.cards = {mode: ModeButton(self) for mode in ProjectionMode}
        self._cards_area = QuietScrollArea(self)
        inside = QWidget(self._cards_area)
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setSpacing(8)
        self._columns = 0
        for mode, card in self.cards.items():
            card.setParent(inside)
            card.clicked.connect(partial(self._choose, mode))
        self._cards_area.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 10)
        column.setSpacing(8)
        column.addWidget(self._sentence)
        column.addWidget(self._cards_area, 1)
        self._arrange()
        self.retranslate()

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``. If somebody else has changed the document, a change under way ends here."""
        self._snapshot = snapshot
        if self._journey is not None and not self._is_own_edit and snapshot.document is not self._reached:
            self.stop()
        going_to = None if self._journey is None else self._journey.mode
        seen = Seen.of(snapshot, going_to)
        # pointing at a cell, or dragging a vector alone, must not cost seven traces
        if self._seen is None or not seen.is_same_as(self._seen):
            self._seen = seen
            content = present_projection_modes(snapshot, going_to)
            self._reason = content.reason
            self._cards_area.setVisible(bool(content.cards))
            for card in content.cards:
                self.cards[card.mode].show_card(card)
        sentence = self._reason or favourites(snapshot)
        if sentence != self._sentence.text():
            self._sentence.setText(sentence)
            self._sentence.setVisible(bool(sentence))

    def stop(self) -> None:
        """Leave the projections where they are."""
        self._motion.stop()
        self._journey = None

    @property
    def is_moving(self) -> bool:
        """Whether the projections are on their way."""
        return self._journey is not None or self._motion.is_running

    def retranslate(self) -> None:
        """Set the fixed texts anew; those of the cards come with the content."""
        self.setAccessibleName(_("Projections"))
        self._seen = None

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for card in self.cards.values():
            card.restyle(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many cards side by side as fit."""
        super().resizeEvent(event)
        self._arrange()

    def hideEvent(self, event: QHideEvent) -> None:
        """Be at the end at once when the panel is put away: nobody is there to watch."""
        super().hideEvent(event)
        if self._journey is not None and not event.spontaneous():
            self._motion.finish()

    def _arrange(self) -> None:
        columns = max(1, min(4, (self.width() - 20) // CARD_WIDTH))
        if columns == self._columns:
            return
        for at in range(self._columns):
            self._grid.setColumnStretch(at, 0)
        self._columns = columns
        for number, card in enumerate(self.cards.values()):
            self._grid.addWidget(card, number // columns, number % columns)
        for at in range(columns):
            self._grid.setColumnStretch(at, 1)
        self._grid.setRowStretch(len(self.cards), 1)

    def _choose(self, mode: ProjectionMode) -> None:
        if self._snapshot is None:
            return
        start = self._snapshot.document.inputs
        if not isinstance(start, ProjectedInputs):
            return
        # what is swapped is where a change under way leads to, not what it happens to have reached
        journey = self._journey
        given = start if journey is None else on_the_way(journey.start, journey.goal, 1.0)
        try:
            goal = mode_projections(mode, given, self._snapshot.focus.pair)
        except Refusal as refusal:
            self.said.emit(str(refusal))
            return
        self._motion.stop()
        self._journey = Journey(mode, start, goal, object())
        self._reached = self._snapshot.document
        self._motion.start()

    def _go_to(self, share: float) -> None:
        journey = self._journey
        if journey is None or self._snapshot is None:
            return
        edit = BlendProjections(
            mode_title(journey.mode), journey.start, *journey.goal, share, journey.gesture
        )
        if share >= 1:
            self._journey = None
        self._is_own_edit = True
        try:
            self.edited.emit(edit)
        finally:
            self._is_own_edit = False
        self._reached = self._snapshot.document
        if share >= 1:
            self.refresh(self._snapshot)  # the last edit changes nothing when the way was none
