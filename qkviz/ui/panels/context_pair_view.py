"""Two texts held together: what follows, their rows back to back, and the cosines by layer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from qkviz.presenters.context_pair import ContextPair
from qkviz.presenters.contexts import CosineScope
from qkviz.presenters.runs import Run
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.items.context_rows import ContextRows
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.theme import Theme

CHART_HEIGHT = 180


class ContextPairView(QWidget):
    """Shows a `ContextPair`.

    Signals
    -------
    scope_chosen
        Of which vectors the cosines are to be, a `CosineScope`.
    """

    scope_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentences = RunsView(self)
        self.rows = ContextRows(self)
        self.chart = ChartCanvas(self)
        self.chart.setFixedHeight(CHART_HEIGHT)
        self._scopes = QButtonGroup(self)
        self._scope_row = QWidget(self)
        row = QHBoxLayout(self._scope_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for number, _scope in enumerate(CosineScope):
            button = QuietButton(self)
            button.setCheckable(True)
            self._scopes.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        self._scopes.idClicked.connect(self._choose_scope)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.sentences, self._scope_row, self.chart, self.rows):
            column.addWidget(part)
        column.addStretch(1)

    def show_pair(self, pair: ContextPair, scope: CosineScope) -> None:
        """Show ``pair``. Emits nothing."""
        self.sentences.show_paragraphs([Paragraph((Run(words),), gap=4) for words in pair.sentences])
        self.rows.show_pair(pair)
        for number, (one, words) in enumerate(zip(CosineScope, pair.scope_words, strict=True)):
            button = self._scopes.button(number)
            button.setText(words)
            button.setChecked(one is scope)
        self.chart.setVisible(pair.chart is not None)
        self._scope_row.setVisible(pair.chart is not None)
        if pair.chart is not None:
            self.chart.show_content(pair.chart)

    def scope_button(self, scope: CosineScope) -> QuietButton:
        """Return the button that chooses a scope."""
        button = self._scopes.button(list(CosineScope).index(scope))
        assert isinstance(button, QuietButton)
        return button

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.rows.setAccessibleName(_("The rows of A and B"))
        for scope, tip in (
            (CosineScope.LAYER, _("Cosines of q and k of all heads of a layer, one behind the other")),
            (CosineScope.HEAD, _("Cosines of q and k of the chosen head, in every layer")),
        ):
            self.scope_button(scope).setToolTip(tip)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        for part in (self.sentences, self.rows, self.chart):
            part.restyle(theme)

    def _choose_scope(self, number: int) -> None:
        self.scope_chosen.emit(list(CosineScope)[number])
