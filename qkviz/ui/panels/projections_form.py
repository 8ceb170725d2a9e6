"""What can be done with the projections: draw them by seed, tie them, put moved vectors back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from qkviz.attention.inputs import ProjectedInputs
from qkviz.document.document import Document
from qkviz.document.edits import DrawProjections, ResetAllVectors, TieProjections
from qkviz.presenters.inspector import InspectorContent
from qkviz.translate import Refusal, _
from qkviz.ui.buttons import PlainButton, QuietButton
from qkviz.ui.panels.option_choices import read_whole_number
from qkviz.ui.panels.quiet_fields import MarkedField
from qkviz.ui.theme import Theme


class ProjectionsForm(QWidget):
    """Seed, width and three buttons. The seed is no part of the document: only what is drawn with it is.

    Signals
    -------
    edited
        An edit.
    said
        Why something typed cannot be read.
    """

    edited = Signal(object)
    said = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._heading = QLabel(self)
        self._heading.setProperty("kind", "section")
        self._seed_title, self._width_title = QLabel(self), QLabel(self)
        self.seed, self.width_field = MarkedField(self), MarkedField(self)
        self.seed.setText("0")
        for field in (self.seed, self.width_field):
            field.setMinimumWidth(5 * self.fontMetrics().horizontalAdvance("0"))  # narrow docks
        self.next_button = QuietButton(self)
        self.next_button.setText("+1")
        self.draw_button, self.tie_button, self.reset_button = (PlainButton(self) for _button in range(3))
        for button in (self.draw_button, self.tie_button, self.reset_button):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        numbers = QHBoxLayout()
        numbers.setSpacing(4)
        for widget, stretch in (
            (self._seed_title, 0),
            (self.seed, 3),
            (self.next_button, 0),
            (self._width_title, 0),
            (self.width_field, 2),
        ):
            numbers.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._heading)
        column.addLayout(numbers)
        for button in (self.draw_button, self.tie_button, self.reset_button):
            column.addWidget(button)
        self.seed.returnPressed.connect(self._draw)
        self.width_field.returnPressed.connect(self._draw)
        self.draw_button.clicked.connect(self._draw)
        self.next_button.clicked.connect(self._draw_next)
        self.tie_button.clicked.connect(self._tie)
        self.reset_button.clicked.connect(self._reset)
        self.retranslate()

    def show_content(self, document: Document, content: InspectorContent) -> None:
        """Show what can be done with ``document``, and why the rest cannot."""
        missing = "" if content.has_projections else _("This document has no W_Q and W_K.")
        tied = _("W_K equals W_Q already.") if content.projections_tied else ""
        unmoved = "" if content.moved_by_hand else _("No vector was moved by hand.")
        for widget, reason in (
            (self.width_field, missing),
            (self.next_button, missing),
            (self.draw_button, missing),
            (self.tie_button, missing or tied),
            (self.reset_button, unmoved),
        ):
            widget.setEnabled(not reason)
            if widget.toolTip() != reason:
                widget.setToolTip(reason)
        if isinstance(document.inputs, ProjectedInputs):
            width = str(document.inputs.d_k)
            if self.width_field.placeholderText() != width:
                self.width_field.setPlaceholderText(width)

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self._heading.setText(_("Projections"))
        self._seed_title.setText(_("Seed"))
        self.seed.setAccessibleName(_("Seed"))
        self.seed.setToolTip(_("The same seed draws the same numbers."))
        self.next_button.setAccessibleName(_("Draw with the next seed"))
        self._width_title.setText("dₖ")
        self.width_field.setAccessibleName(_("Width dₖ of drawn projections"))
        self.draw_button.setText(_("Draw W_Q, W_K"))
        self.tie_button.setText(_("Tie W_K = W_Q"))
        self.reset_button.setText(_("Reset moved vectors"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.seed.restyle(theme)
        self.width_field.restyle(theme)

    def seed_or_zero(self) -> int:
        """Return the seed in the field; 0 where it cannot be read."""
        try:
            return read_whole_number(self.seed.text())
        except Refusal:
            return 0

    def _draw(self) -> None:
        seed = self._read(self.seed)
        if seed is None:
            return
        if not self.width_field.text().strip():
            self.edited.emit(DrawProjections(seed))
            return
        width = self._read(self.width_field)
        if width is not None:
            self.edited.emit(DrawProjections(seed, width))

    def _draw_next(self) -> None:
        seed = self._read(self.seed)
        if seed is not None:
            self.seed.setText(str(seed + 1))
            self._draw()

    def _read(self, field: MarkedField) -> int | None:
        try:
            number = read_whole_number(field.text())
        except Refusal as refusal:
            field.refuse()
            self.said.emit(str(refusal))
            return None
        field.accept()
        return number

    def _tie(self) -> None:
        self.edited.emit(TieProjections())

    def _reset(self) -> None:
        self.edited.emit(ResetAllVectors())
