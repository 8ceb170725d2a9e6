"""The table of panels. A new panel is a new row here, a presenter and a panel file."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qkviz.translate import N_

if TYPE_CHECKING:
    from qkviz.ui.panels.panel import Panel


@dataclass(frozen=True)
class PanelRow:
    """A panel: its name (fixed for ever, saved layouts hold it), its title, and where its class is.

    The class is looked up when it is built, because panels import the model layer and with it torch, and the
    window is painted before that.
    """

    name: str
    title: str
    module: str
    class_name: str

    def build(self) -> Panel:
        """Return a new panel."""
        panel: Panel = getattr(importlib.import_module(f"qkviz.ui.panels.{self.module}"), self.class_name)()
        return panel


PANELS: tuple[PanelRow, ...] = (
    PanelRow("lessons", N_("Lessons"), "lessons_panel", "LessonsPanel"),
    PanelRow("plane", N_("Vector plane"), "plane_panel", "PlanePanel"),
    PanelRow("matrices", N_("Matrices"), "matrices_panel", "MatricesPanel"),
    PanelRow("steps", N_("Steps"), "steps_panel", "StepsPanel"),
    PanelRow("row", N_("Row"), "row_panel", "RowPanel"),
    PanelRow("inspector", N_("Inspector"), "inspector_panel", "InspectorPanel"),
)
