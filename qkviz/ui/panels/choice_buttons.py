"""The answers to a question, to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from qkviz.presenters.lesson import ChoiceContent
from qkviz.translate import _
from qkviz.ui.panels.wrapping_button import WrappingButton
from qkviz.ui.theme import LIGHT, Theme


class ChoiceButtons(QWidget):
    """The answers to choose from: side by side when they fit, else one below the other.

    Signals
    -------
    chosen
        The user chose an answer, by its index.
    """

    chosen = Signal(int)
    GAP = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._choices: tuple[ChoiceContent, ...] = ()
        self._buttons: list[WrappingButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.idClicked.connect(self.chosen)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def buttons(self) -> list[WrappingButton]:
        """Return the buttons in order."""
        return list(self._buttons)

    def show_choices(self, choices: Sequence[ChoiceContent]) -> None:
        """Show ``choices``; after the guess the right one and a wrong guess are marked, and all are off."""
        if (new := tuple(choices)) == self._choices:
            return
        self._choices = new
        while len(self._buttons) > len(choices):
            button = self._buttons.pop()
            self._group.removeButton(button)
            button.hide()
            button.deleteLater()
        while len(self._buttons) < len(choices):
            button = WrappingButton(self)
            button.restyle(self._theme)
            button.show()
            self._group.addButton(button, len(self._buttons))
            self._buttons.append(button)
        for button, choice in zip(self._buttons, choices, strict=True):
            self._show_choice(button, choice)
        self._arrange()
        self.updateGeometry()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for button in self._buttons:
            button.restyle(theme)
        self._arrange()

    def hasHeightForWidth(self) -> bool:
        """Return true: buttons wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all buttons at ``width`` pixels."""
        places = self._places(width)
        return max((place.bottom() + 1 for place in places), default=0)

    def sizeHint(self) -> QSize:
        """Return the size with one button below the other, if need be."""
        return QSize(200, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        """Return a narrow size; `heightForWidth` does the rest."""
        return QSize(80, self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the buttons anew."""
        super().resizeEvent(event)
        self._arrange()

    @staticmethod
    def _show_choice(button: WrappingButton, choice: ChoiceContent) -> None:
        guessed = choice.is_right is not None
        mark = "" if not guessed else "✓ " if choice.is_right else "✗ " if choice.is_chosen else ""
        button.show_text(mark + choice.text)
        name = words = button.text().removeprefix(mark)
        if choice.is_right:
            name = _("{choice} (right)", choice=words)
        elif guessed and choice.is_chosen:
            name = _("{choice} (your guess)", choice=words)
        button.setAccessibleName(name)
        button.setEnabled(not guessed)
        tone = (
            "plain" if not guessed else "good" if choice.is_right else "bad" if choice.is_chosen else "muted"
        )
        button.set_tone(tone)

    def _arrange(self) -> None:
        for button, place in zip(self._buttons, self._places(self.width()), strict=True):
            button.setGeometry(place)

    def _places(self, width: int) -> list[QRect]:
        count = len(self._buttons)
        if not count:
            return []
        each = (width - self.GAP * (count - 1)) // count
        natural = max(button.natural_width() for button in self._buttons)
        if natural <= each:
            each = min(each, max(natural, 84))
            height = max(button.heightForWidth(each) for button in self._buttons)
            return [QRect(number * (each + self.GAP), 0, each, height) for number in range(count)]
        places, y = [], 0
        for button in self._buttons:
            height = button.heightForWidth(width)
            places.append(QRect(0, y, width, height))
            y += height + self.GAP
        return places
