"""The options of the document as a form: score function, scale, mask, normaliser, temperature."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qkviz.attention.inputs import GivenScores
from qkviz.attention.masks import PaddingMask
from qkviz.attention.normalizers import Softmax
from qkviz.document.document import Document
from qkviz.document.edits import Edit, SetMask, SetNormalizer, SetScale, SetScoreFunction
from qkviz.presenters.inspector import ChoiceContent, InspectorContent
from qkviz.presenters.number_format import format_number, full_number
from qkviz.presenters.number_parse import parse_number
from qkviz.translate import Refusal, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.option_choices import chosen_mask, chosen_normalizer, chosen_score, read_keys
from qkviz.ui.panels.projections_form import ProjectionsForm
from qkviz.ui.panels.quiet_fields import QuietChoice, QuietField
from qkviz.ui.theme import Theme

TEMPERATURES = (0.1, 0.5, 1.0, 2.0, 10.0)
"""Temperatures at one click, from nearly hardmax to nearly even."""


class OptionsForm(QWidget):
    """The options, and below them what can be done with the projections.

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
        self._shown: tuple[Document, InspectorContent] | None = None
        self._heading = QLabel(self)
        self._heading.setProperty("kind", "section")
        self.score_choice, self.scale_field, self.mask_choice = (
            QuietChoice(self),
            QuietField(self),
            QuietChoice(self),
        )
        self.padding_field, self.normalizer_choice, self.temperature_field = (
            QuietField(self),
            QuietChoice(self),
            QuietField(self),
        )
        self._titles = tuple(QLabel(self) for _row in range(6))
        self._cells_hint = QLabel(self)
        self._cells_hint.setProperty("kind", "hint")
        self._cells_hint.setWordWrap(True)
        self.model_terms = QLabel(self)  # to read only: they belong to the model
        self.model_terms.setTextFormat(Qt.TextFormat.PlainText)
        self.model_terms.setWordWrap(True)
        self.presets = QButtonGroup(self)
        self.presets.setExclusive(False)  # at another temperature none is down
        presets = self._preset_row()
        self.projections = ProjectionsForm(self)
        self._lay_out(presets)
        self._connect()
        self.retranslate()

    def show_content(self, document: Document, content: InspectorContent) -> None:
        """Show the options of ``document``."""
        self._shown = document, content
        _show_choice(self.score_choice, content.score)
        _show_choice(self.mask_choice, content.mask)
        _show_choice(self.normalizer_choice, content.normalizer)
        self._show_scale(content)
        self._show_mask(content)
        self._show_temperature(content)
        self.model_terms.setText("\n".join(content.model_terms))
        self.model_terms.setVisible(bool(content.model_terms))
        self.projections.show_content(document, content)

    def retranslate(self) -> None:
        """Set every fixed text anew; the choices follow with the next content."""
        self._heading.setText(_("Options"))
        rows: tuple[tuple[QuietChoice | QuietField, str], ...] = (
            (self.score_choice, _("Score")),
            (self.scale_field, _("Scale")),
            (self.mask_choice, _("Mask")),
            (self.padding_field, _("Padding")),
            (self.normalizer_choice, _("Normaliser")),
            (self.temperature_field, _("Temperature τ")),
        )
        for title, (widget, text) in zip(self._titles, rows, strict=True):
            title.setText(text)
            widget.setAccessibleName(text)
        self.scale_field.setToolTip(_("Leave it empty for the score function’s own factor."))
        self.padding_field.setPlaceholderText(_("none; e.g. 2, 3"))
        self._cells_hint.setText(_("Right-click a cell in Matrices to forbid or allow it."))
        for button, value in zip(self.presets.buttons(), TEMPERATURES, strict=True):
            button.setAccessibleName(_("Temperature {value}", value=full_number(value)))
        self.projections.retranslate()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for field in (
            self.score_choice,
            self.scale_field,
            self.mask_choice,
            self.padding_field,
            self.normalizer_choice,
            self.temperature_field,
        ):
            field.restyle(theme)
        self.projections.restyle(theme)

    def _show_scale(self, content: InspectorContent) -> None:
        self.scale_field.show_text(full_number(content.scale) if content.scale_is_own else "")
        if not content.scale_is_own:
            number = format_number(content.scale)
            own = f"{content.scale_note} = {number}" if content.scale_note else number
            if self.scale_field.placeholderText() != own:
                self.scale_field.setPlaceholderText(own)

    def _show_mask(self, content: InspectorContent) -> None:
        self.padding_field.show_text(", ".join(str(key + 1) for key in sorted(content.padded)))
        if content.mask.chosen != "padding":
            self.padding_field.give_up()  # or hiding it would hand in what was typed
        self._titles[3].setVisible(content.mask.chosen == "padding")
        self.padding_field.setVisible(content.mask.chosen == "padding")
        self._cells_hint.setVisible(content.mask.chosen == "cells")

    def _show_temperature(self, content: InspectorContent) -> None:
        now = content.temperature
        self.temperature_field.show_text("" if now is None else full_number(now))
        reason = _("Only softmax has a temperature.") if now is None else ""
        if reason:
            self.temperature_field.give_up()  # or switching it off would hand in what was typed
        for widget in (self.temperature_field, *self.presets.buttons()):
            widget.setEnabled(not reason)
            if widget.toolTip() != reason:
                widget.setToolTip(reason)
        for button, value in zip(self.presets.buttons(), TEMPERATURES, strict=True):
            button.setChecked(value == now)

    def _choose_score(self, name: str) -> None:
        if self._shown is not None and not isinstance(self._shown[0].inputs, GivenScores):
            score = chosen_score(name, self._shown[0].inputs.d_k, self.projections.seed_or_zero())
            self._choose(SetScoreFunction(score))

    def _choose_mask(self, name: str) -> None:
        if self._shown is not None:
            self._choose(SetMask(chosen_mask(name, self._shown[0])))

    def _choose_normalizer(self, name: str) -> None:
        if self._shown is not None:
            now = self._shown[1].temperature
            self._choose(SetNormalizer(chosen_normalizer(name, 1.0 if now is None else now)))

    def _choose_temperature(self, preset: int) -> None:
        self._choose(SetNormalizer(Softmax(TEMPERATURES[preset])))

    def _choose(self, edit: Edit) -> None:
        self.edited.emit(edit)
        if self._shown is not None:  # a choice that came to nothing goes back
            self.show_content(*self._shown)

    def _enter_scale(self, text: str) -> None:
        if self._shown is None:
            return
        present = self._shown[0].options.scale
        try:
            value = parse_number(text) if text.strip() else None
        except Refusal as refusal:
            self.said.emit(str(refusal))
            return
        if value == present:
            self.scale_field.give_up()
        else:
            self.edited.emit(SetScale(value))

    def _enter_padded(self, text: str) -> None:
        if self._shown is None:
            return
        document, content = self._shown
        try:
            keys = read_keys(text, document.inputs.n)
        except Refusal as refusal:
            self.said.emit(str(refusal))
            return
        if keys == content.padded:
            self.padding_field.give_up()
        else:
            self.edited.emit(SetMask(PaddingMask(keys)))

    def _enter_temperature(self, text: str) -> None:
        if self._shown is None:
            return
        try:
            normalizer = Softmax(parse_number(text))
        except Refusal as refusal:
            self.said.emit(str(refusal))
            return
        if normalizer.temperature == self._shown[1].temperature:
            self.temperature_field.give_up()
        else:
            self.edited.emit(SetNormalizer(normalizer))

    def _preset_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addStretch(1)
        for number, value in enumerate(TEMPERATURES):
            button = QuietButton(self)
            button.setText(full_number(value))
            button.setCheckable(True)
            self.presets.addButton(button, number)
            row.addWidget(button)
        return row

    def _lay_out(self, presets: QHBoxLayout) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        fields: tuple[QuietChoice | QuietField, ...] = (
            self.score_choice,
            self.scale_field,
            self.mask_choice,
            self.padding_field,
            self.normalizer_choice,
        )
        for place, title, field in zip((0, 1, 2, 3, 5), self._titles, fields, strict=False):
            grid.addWidget(title, place, 0)
            grid.addWidget(field, place, 1)
        grid.addWidget(self._cells_hint, 4, 0, 1, 2)
        temperature = QHBoxLayout()  # a row of its own: its long name would narrow all other fields
        temperature.setSpacing(8)
        temperature.addWidget(self._titles[5])
        temperature.addWidget(self.temperature_field, 1)
        grid.addLayout(temperature, 6, 0, 1, 2)
        grid.addLayout(presets, 7, 0, 1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(7, 5, 4, 5)
        column.setSpacing(7)
        column.addWidget(self._heading)
        column.addLayout(grid)
        column.addWidget(self.model_terms)
        column.addSpacing(6)
        column.addWidget(self.projections)

    def _connect(self) -> None:
        self.score_choice.chosen.connect(self._choose_score)
        self.mask_choice.chosen.connect(self._choose_mask)
        self.normalizer_choice.chosen.connect(self._choose_normalizer)
        self.scale_field.entered.connect(self._enter_scale)
        self.padding_field.entered.connect(self._enter_padded)
        self.temperature_field.entered.connect(self._enter_temperature)
        self.presets.idClicked.connect(self._choose_temperature)
        self.projections.edited.connect(self.edited)
        self.projections.said.connect(self.said)


def _show_choice(choice: QuietChoice, content: ChoiceContent) -> None:
    choice.show_choices(
        tuple((one.id, one.text) for one in content.choices), content.chosen, content.off_reason
    )
