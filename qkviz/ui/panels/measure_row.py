"""One measure: its name, its value, and on hover what it says and how it is computed."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qkviz.presenters.measure import MeasureContent
from qkviz.presenters.runs import Run
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.plain_tip import plain_tip


class MeasureRow(RunsView):
    """Shows one `MeasureContent`. Painted: labels would lay the whole column out anew with every digit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: MeasureContent | None = None

    def show_content(self, content: MeasureContent) -> None:
        """Show ``content``; only what differs is set, since this follows every move of a drag."""
        if content == self._content:
            return
        self._content = content
        self.show_paragraphs(
            [
                Paragraph((Run(content.name, "muted"),), 0.9),
                Paragraph((Run(content.text, "strong"),), gap=0),
            ]
        )
        parts = (content.sentence, content.formula, content.details)
        self.setToolTip(plain_tip("\n".join(part for part in parts if part)))
        self.setAccessibleName(f"{content.name}: {content.text}")
        self.setAccessibleDescription(content.sentence)

    def shown(self) -> tuple[str, str]:
        """Return name and value as they are on the screen."""
        name, _line, value = self.text().partition("\n")
        return name, value
