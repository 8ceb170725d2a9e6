"""One matrix of the trace as content: cells, kinds, colours, labels, outlines and words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.presenters.color_scales import ColorScale


class OutlineKind(Enum):
    """Why a cell has an outline."""

    PINNED = "pinned"
    MIRROR = "mirror"
    """Cell (j, i) of the pinned cell (i, j); self-attention only."""
    HOVER = "hover"
    HOVER_MIRROR = "hover mirror"


@dataclass(frozen=True, slots=True)
class Outline:
    """One outlined cell."""

    row: int
    column: int
    kind: OutlineKind


@dataclass(frozen=True, eq=False, slots=True)
class MatrixContent:
    """Everything a picture of one matrix shows.

    Attributes
    ----------
    name
        Which matrix of the trace.
    title, subtitle
        Formula ("QKᵀ / √dₖ") and what there is to say about it ("dₖ = 2"). The subtitle may be empty.
    row_axis, column_axis
        Names of the axes, translated.
    row_labels, column_labels
        One visible label for every row and column; labels may repeat, the position is what counts.
    row_role, column_role
        Whose colour the labels have; None for neither.
    values
        (rows, columns) float64, read-only, an own copy. Row 0 is on top.
    kinds
        (rows, columns) uint8 of `CellKind`.
    scale
        Colours and the range of the bar.
    outlines
        Outlined cells, the most important last, so that it is painted on top.
    chosen_row
        The row of the chosen query (key in matrices of keys), None when none is chosen.
    lit
        Whether the step in hand speaks of this matrix.
    note
        Counts of the cells that are not numbers, and that shown weights are rounded; may be empty.
    """

    name: MatrixName
    title: str
    subtitle: str
    row_axis: str
    column_axis: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_role: Role | None
    column_role: Role | None
    values: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    scale: ColorScale
    outlines: tuple[Outline, ...]
    chosen_row: int | None
    lit: bool
    note: str
