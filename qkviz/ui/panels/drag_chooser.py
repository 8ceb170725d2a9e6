"""The choice of what a drag moves."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QWidget

from qkviz.document.drag_mode import DragMode
from qkviz.presenters.drag_modes import DragModesContent
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton

MODES = tuple(DragMode)
MARGIN, GAP = 8, 2


class DragChooser(QWidget):
    """Three small buttons in a row, one of them pressed; reached by Tab, pressed by Space.

    Signals
    -------
    chosen
        The `DragMode` that the user chose.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self._label.setProperty("kind", "hint")
        self._buttons = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self._label)
        for number, _mode in enumerate(MODES):
            button = QuietButton(self)
            button.setCheckable(True)
            self._buttons.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        self._buttons.idClicked.connect(self._say)
        self.retranslate()

    def minimumSizeHint(self) -> QSize:
        """Return the size without the label, which goes where there is no room."""
        gaps = MARGIN + GAP * (len(MODES) + 1)
        width = sum(button.sizeHint().width() for button in self._buttons.buttons()) + gaps
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the label where there is room."""
        super().resizeEvent(event)
        self._fit_label()

    def _fit_label(self) -> None:
        """Leave the label out where the buttons need its room."""
        self._label.setVisible(self.width() >= self._buttons_width() + self._label.sizeHint().width() + 16)

    def _buttons_width(self) -> int:
        return sum(button.sizeHint().width() + 4 for button in self._buttons.buttons())

    def button(self, mode: DragMode) -> QuietButton:
        """Return the button of a mode."""
        button = self._buttons.button(MODES.index(mode))
        assert isinstance(button, QuietButton)
        return button

    def show_content(self, content: DragModesContent) -> None:
        """Show the choices and the one in force. Emits nothing."""
        for choice in content.choices:
            button = self.button(choice.mode)
            if button.text() != choice.text:
                button.setText(choice.text)
            tip = choice.tip if choice.mode is DragMode.VECTOR else content.off_reason or choice.tip
            if button.toolTip() != tip:
                button.setToolTip(tip)
                button.setAccessibleName(_("A drag moves: {what}", what=choice.text))
                button.setAccessibleDescription(tip)
            button.setEnabled(not content.off_reason or choice.mode is DragMode.VECTOR)
        self.button(content.chosen).setChecked(True)
        self._fit_label()

    def retranslate(self) -> None:
        """Set the fixed texts anew; those of the buttons come with the content."""
        self._label.setText(_("A drag moves"))
        for button in self._buttons.buttons():
            button.setToolTip("")

    def _say(self, number: int) -> None:
        self.chosen.emit(MODES[number])
