"""One measure: its name, its value, and on hover what it says and how it is computed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from qkviz.presenters.measures import MeasureContent
from qkviz.ui.panels.plain_tip import plain_tip


class MeasureRow(QWidget):
    """Shows one `MeasureContent`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: MeasureContent | None = None
        self._name, self._value = QLabel(self), QLabel(self)
        self._name.setProperty("kind", "hint")
        self._value.setProperty("kind", "section")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for label in (self._name, self._value):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            column.addWidget(label)

    def show_content(self, content: MeasureContent) -> None:
        """Show ``content``; only what differs is set, since this follows every move of a drag."""
        if content == self._content:
            return
        self._content = content
        self._name.setText(content.name)
        self._value.setText(content.text)
        parts = (content.sentence, content.formula, content.details)
        self.setToolTip(plain_tip("\n".join(part for part in parts if part)))
        self.setAccessibleName(f"{content.name}: {content.text}")
        self.setAccessibleDescription(content.sentence)

    def shown(self) -> tuple[str, str]:
        """Return name and value as they are on the screen."""
        return self._name.text(), self._value.text()
