"""The table of panels. A new panel is a new row here, a presenter and a panel file."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from qkviz.translate import N_

if TYPE_CHECKING:
    from qkviz.ui.panels.panel import Panel


Way = Literal["across", "down"]


@dataclass(frozen=True)
class PanelRow:
    """A panel.

    The class is looked up when it is built, because panels import the model layer and with it torch, and the
    window is painted before that.

    Attributes
    ----------
    name
        Fixed for ever: saved layouts hold it.
    title
        English; translated where it is shown.
    module, class_name
        Where the class is, below `qkviz.ui.panels`.
    beside, way
        The dock at whose side this one first stands, and whether to its right or below it. Empty for the
        first.
    at_start
        Whether it is open at first; the others open with the lesson that speaks of them or from the View
        menu.
    share
        Part of the width that it takes in its row, beside others of the row.
    """

    name: str
    title: str
    module: str
    class_name: str
    beside: str = ""
    way: Way = "across"
    at_start: bool = True
    share: float = 1.0

    def build(self) -> Panel:
        """Return a new panel."""
        panel: Panel = getattr(importlib.import_module(f"qkviz.ui.panels.{self.module}"), self.class_name)()
        return panel


PANELS: tuple[PanelRow, ...] = (
    PanelRow("lessons", N_("Lessons"), "lessons_panel", "LessonsPanel"),
    PanelRow("plane", N_("Vector plane"), "plane_panel", "PlanePanel", "lessons", share=0.72),
    PanelRow("inspector", N_("Inspector"), "inspector_panel", "InspectorPanel", "plane"),
    PanelRow("steps", N_("Steps"), "steps_panel", "StepsPanel", "plane", "down"),
    PanelRow("matrices", N_("Matrices"), "matrices_panel", "MatricesPanel", "plane"),
    PanelRow("row", N_("Row"), "row_panel", "RowPanel", "steps", at_start=False, share=0.6),
    PanelRow("code", N_("Code"), "code_panel", "CodePanel", "steps", at_start=False, share=0.9),
    PanelRow(
        "cosine",
        N_("Dot product and cosine"),
        "cosine_panel",
        "CosinePanel",
        "plane",
        at_start=False,
        share=1.3,
    ),
    PanelRow(
        "normalizers", N_("Normalisers"), "normalizers_panel", "NormalizersPanel", "plane", at_start=False
    ),
    PanelRow("compare", N_("Compare"), "compare_panel", "ComparePanel", "plane", at_start=False, share=1.3),
    PanelRow(
        "distribution", N_("Distribution"), "distribution_panel", "DistributionPanel", "steps", at_start=False
    ),
    PanelRow("diagonal", N_("Diagonal"), "diagonal_panel", "DiagonalPanel", "steps", at_start=False),
    PanelRow(
        "measures", N_("Measures"), "measures_panel", "MeasuresPanel", "inspector", "down", at_start=False
    ),
    PanelRow(
        "embeddings",
        N_("Embeddings"),
        "embeddings_panel",
        "EmbeddingsPanel",
        "plane",
        at_start=False,
        share=0.55,
    ),
    PanelRow(
        "score_functions",
        N_("Score functions"),
        "score_functions_panel",
        "ScoreFunctionsPanel",
        "plane",
        at_start=False,
    ),
    PanelRow("scaling", N_("Scaling"), "scaling_panel", "ScalingPanel", "plane", at_start=False),
    PanelRow(
        "projections", N_("Projections"), "projections_panel", "ProjectionsPanel", "steps", at_start=False
    ),
    PanelRow("heads", N_("Heads"), "heads_panel", "HeadsPanel", "plane", at_start=False, share=1.3),
    PanelRow(
        "copy_machine", N_("Copy machine"), "copy_machine_panel", "CopyMachinePanel", "plane", at_start=False
    ),
    PanelRow(
        "contexts", N_("Contexts"), "contexts_panel", "ContextsPanel", "plane", at_start=False, share=1.3
    ),
)
