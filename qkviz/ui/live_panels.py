"""The panels that speak of models, and what each of them is told of the one that is open."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from qkviz.attention.captured import CapturedText
from qkviz.presenters.heads import LiveModel
from qkviz.translate import Phrase, Refusal
from qkviz.ui.panels.contexts_panel import ContextsPanel
from qkviz.ui.panels.copy_machine_panel import CopyMachinePanel
from qkviz.ui.panels.heads_panel import HeadsPanel

ModelPanel = HeadsPanel | ContextsPanel | CopyMachinePanel


class LivePanels:
    """Tells every panel of the model, and of what went wrong the one that had asked."""

    def __init__(self) -> None:
        self._panels: list[ModelPanel] = []
        self._problem: Phrase | Refusal | None = None
        self._text: CapturedText | None = None  # what was on the screen when it was said
        self._asker: QObject | None = None  # the panel that is told of it; None: all of them
        self._told: tuple[LiveModel, QObject | None] | None = None

    def add(self, panel: ModelPanel, live: LiveModel) -> None:
        """Take one more panel, and tell it."""
        self._panels.append(panel)
        panel.show_live(live)

    def begin(self, asker: QObject | None) -> None:
        """Forget what went wrong: ``asker``, a panel or None for the window, wants something else now."""
        self._problem, self._asker = None, asker

    def refuse(self, problem: Phrase | Refusal, text: CapturedText | None) -> None:
        """Remember what went wrong while ``text`` is on the screen."""
        self._problem, self._text = problem, text

    def follow(self, text: CapturedText | None) -> None:
        """Forget what went wrong with another text than that on the screen."""
        if self._text is not text:
            self._problem = None

    def tell(self, live: LiveModel) -> None:
        """Tell the panels what has changed; a problem in the present language."""
        problem = None if self._problem is None else str(self._problem)
        now = replace(live, problem=problem), self._asker
        if now != self._told:
            self._told = now
            for panel in self._panels:
                panel.show_live(now[0] if self._asker in (None, panel) else live)
