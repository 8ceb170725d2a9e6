"""What is shown of the heads: pictures, a measure or layers; and how the weights are looked at."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QToolButton, QWidget

from qkviz.attention.head_measures import HeadMeasure
from qkviz.attention.head_views import CellValue, HeadView, SpecialTokens, Unit
from qkviz.presenters.head_words import MEASURE_NAMES, MEASURE_SENTENCES
from qkviz.presenters.heads import HeadsMode, HeadsOptions
from qkviz.translate import N_, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.quiet_fields import QuietChoice
from qkviz.ui.theme import Theme

MODES = (
    (HeadsMode.PICTURES, N_("Pictures"), N_("Every head as a small picture of its weights")),
    (HeadsMode.MEASURE, N_("Measure"), N_("Every head coloured by what it does, in one number")),
    (HeadsMode.LAYERS, N_("By layer"), N_("The measure of the heads against the layer")),
)

Choice = CellValue | SpecialTokens | Unit

CHOICES: tuple[tuple[Choice, str], ...] = (
    (SpecialTokens.SHOWN, N_("All tokens")),
    (SpecialTokens.HIDDEN, N_("Hide special tokens (rows sum to less than 1)")),
    (SpecialTokens.RENORMALISED, N_("Renormalise over words (not the model's weights)")),
    (CellValue.WEIGHT, N_("Weights")),
    (CellValue.CARRIED, N_("Weight × ‖value‖ (not weights)")),
    (Unit.TOKENS, N_("Rows and columns are tokens")),
    (Unit.WORDS, N_("Words (mean over queries, sum over keys)")),
)
"""The entries of the menu in order; one of each kind holds."""


class HeadViewBar(QWidget):
    """Buttons for the mode, and the menu of the view; the list of measures is placed by whoever has the bar.

    Signals
    -------
    options_chosen
        What the user wants to see; carries `HeadsOptions`.
    """

    options_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._options = HeadsOptions()
        self._modes = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for number in range(len(MODES)):
            button = QuietButton(self)
            button.setCheckable(True)
            self._modes.addButton(button, number)
            row.addWidget(button)
        self._modes.idClicked.connect(self._choose_mode)
        self.measure_choice = QuietChoice(self)
        self.measure_choice.setMinimumContentsLength(12)
        self.measure_choice.chosen.connect(self._choose_measure)
        row.addStretch(1)
        self.view_button = QuietButton(self)
        self.view_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.view_button)
        self._entries = self._filled_menu()
        self._menu.triggered.connect(self._choose_view)
        self.view_button.setMenu(self._menu)
        row.addWidget(self.view_button)

    @property
    def mode_buttons(self) -> tuple[QuietButton, ...]:
        """The buttons in the order of `MODES`."""
        return tuple(button for button in self._modes.buttons() if isinstance(button, QuietButton))

    def show_options(self, options: HeadsOptions, tells_values: bool) -> None:
        """Show what holds, and whether lengths of values can be had. Emits nothing."""
        self._options = options
        for number, (mode, _word, _tip) in enumerate(MODES):
            self._modes.button(number).setChecked(mode is options.mode)
        measures = tuple((measure.value, _(name)) for measure, name in MEASURE_NAMES.items())
        self.measure_choice.show_choices(measures, options.measure.value, "")
        self.measure_choice.setToolTip(_(MEASURE_SENTENCES[options.measure]))
        self.measure_choice.setVisible(options.mode is not HeadsMode.PICTURES)
        view = options.view
        for choice, entry in self._entries.items():
            entry.setChecked(choice in (view.value, view.specials, view.unit))
        self._entries[CellValue.CARRIED].setEnabled(tells_values)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        for number, (_mode, word, tip) in enumerate(MODES):
            self._modes.button(number).setText(_(word))
            self._modes.button(number).setToolTip(_(tip))
        self.measure_choice.setAccessibleName(_("Measure of the heads"))
        self.view_button.setText(_("Show") + "  ▾")
        self.view_button.setToolTip(_("Special tokens, lengths of values, words"))
        for choice, text in CHOICES:
            self._entries[choice].setText(_(text))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.measure_choice.restyle(theme)

    def _filled_menu(self) -> dict[Choice, QAction]:
        entries: dict[Choice, QAction] = {}
        group: QActionGroup | None = None
        kind: type[Choice] | None = None
        for choice, _text in CHOICES:
            if group is None or type(choice) is not kind:
                if group is not None:
                    self._menu.addSeparator()
                group, kind = QActionGroup(self._menu), type(choice)
            entry = QAction(self._menu)
            entry.setCheckable(True)
            group.addAction(entry)
            self._menu.addAction(entry)
            entries[choice] = entry
        return entries

    def _choose_mode(self, number: int) -> None:
        self.options_chosen.emit(replace(self._options, mode=MODES[number][0]))

    def _choose_measure(self, name: str) -> None:
        self.options_chosen.emit(replace(self._options, measure=HeadMeasure(name)))

    def _choose_view(self, entry: QAction) -> None:
        choice = next(choice for choice, action in self._entries.items() if action is entry)
        self.options_chosen.emit(replace(self._options, view=_with(self._options.view, choice)))


def _with(view: HeadView, choice: Choice) -> HeadView:
    match choice:
        case CellValue():
            return replace(view, value=choice)
        case SpecialTokens():
            return replace(view, specials=choice)
        case Unit():
            return replace(view, unit=choice)
