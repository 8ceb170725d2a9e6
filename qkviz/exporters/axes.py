"""What the rows and columns of a written matrix stand for, in English, and its cells that are no numbers."""

from __future__ import annotations

import math

from qkviz.attention.matrices import MatrixName
from qkviz.presenters.cells import CellKind
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.relations import OF_KEYS, RELATIONS


def axes_of(content: MatrixContent) -> tuple[str, str]:
    """Return the meaning of rows and columns: ``("query", "key")``, ``("token", "dimension")``."""
    if content.name in RELATIONS:
        return "query", "key"
    if content.name is MatrixName.BILINEAR:
        return "dimension", "dimension"
    if content.name in OF_KEYS:
        return "key", "dimension"
    return ("token" if content.row_role is None else "query"), "dimension"


def exact_number(value: float, kind: int) -> str:
    """Return the shortest text that reads back as ``value``: ``nan``, ``inf`` and ``-inf`` for those."""
    if kind in (CellKind.NAN, CellKind.UNDEFINED) or math.isnan(value):
        return "nan"
    return repr(value)
