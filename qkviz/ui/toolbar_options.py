"""Score function, mask and normaliser in the toolbar: the document's options in sight, and one click away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from qkviz.attention.inputs import GivenScores
from qkviz.attention.normalizers import Softmax
from qkviz.document.document import Document
from qkviz.document.edits import SetMask, SetNormalizer, SetScoreFunction
from qkviz.presenters.choices import ChoiceContent, mask_choice, normalizer_choice, score_choice
from qkviz.presenters.number_format import format_number
from qkviz.translate import _
from qkviz.ui.panels.option_choices import chosen_mask, chosen_normalizer, chosen_score


class ToolbarOptions(QWidget):
    """Three buttons with a menu each.

    Signals
    -------
    edited
        An option was chosen; carries the edit.
    """

    edited = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._score, self._mask, self._normalizer = _MenuButton(self), _MenuButton(self), _MenuButton(self)
        self._score.chosen.connect(self._choose_score)
        self._mask.chosen.connect(self._choose_mask)
        self._normalizer.chosen.connect(self._choose_normalizer)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for button in (self._score, self._mask, self._normalizer):
            row.addWidget(button)

    def show_document(self, document: Document) -> None:
        """Show the options of ``document``. Emits nothing."""
        self._document = document
        normalizer = document.options.normalizer
        temperature = (
            f" · τ = {format_number(normalizer.temperature)}" if isinstance(normalizer, Softmax) else ""
        )
        self._score.show_choice(_("Score"), score_choice(document))
        self._mask.show_choice(_("Mask"), mask_choice(document.options.mask))
        self._normalizer.show_choice(_("Normaliser"), normalizer_choice(normalizer), temperature)

    def _choose_score(self, name: str) -> None:
        if self._document is not None and not isinstance(self._document.inputs, GivenScores):
            self.edited.emit(SetScoreFunction(chosen_score(name, self._document.inputs.d_k, seed=0)))

    def _choose_mask(self, name: str) -> None:
        if self._document is not None:
            self.edited.emit(SetMask(chosen_mask(name, self._document)))

    def _choose_normalizer(self, name: str) -> None:
        if self._document is not None:
            now = self._document.options.normalizer
            temperature = now.temperature if isinstance(now, Softmax) else 1.0
            self.edited.emit(SetNormalizer(chosen_normalizer(name, temperature)))


class _MenuButton(QToolButton):
    """``Score: scaled dot product``, and a menu of what else it could be."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._content: ChoiceContent | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill)
        menu.triggered.connect(self._choose)
        self.setMenu(menu)

    def show_choice(self, title: str, content: ChoiceContent, addition: str = "") -> None:
        self._content = content
        chosen = next(choice.text for choice in content.choices if choice.id == content.chosen)
        text = _("{option}: {choice}", option=title, choice=chosen + addition) + " ▾"
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
        if self.isEnabled() == bool(content.off_reason) or self.toolTip() != (content.off_reason or title):
            self.setEnabled(not content.off_reason)
            self.setToolTip(content.off_reason or title)

    def _fill(self) -> None:
        content = self._content
        self.menu().clear()
        for choice in () if content is None else content.choices:
            action = self.menu().addAction(choice.text)
            action.setData(choice.id)
            action.setCheckable(True)
            action.setChecked(content is not None and choice.id == content.chosen)

    def _choose(self, action: QAction) -> None:
        if self._content is not None and action.data() != self._content.chosen:
            self.chosen.emit(action.data())
