"""Contents made by hand, so that a test says itself what is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.color_scales import ColorScale, diverging_scale
from qkviz.presenters.matrix import MatrixContent, Outline
from qkviz.presenters.plane import ArrowContent, EqualLine, PairContent, PlaneContent
from qkviz.presenters.readout import readout


def matrix_content(
    values: object,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    kinds: object = None,
    scale: ColorScale | None = None,
    title: str = "QKᵀ",
    subtitle: str = "",
    note: str = "",
    outlines: Sequence[Outline] = (),
    chosen_row: int | None = None,
    lit: bool = False,
    name: MatrixName = MatrixName.SCORES,
    axes: tuple[str, str] = ("query", "key"),
) -> MatrixContent:
    """Return a content; labels are q1, q2 … and k1, k2 … unless given."""
    cells = np.array(values, float)
    cell_kinds = np.zeros(cells.shape, np.uint8) if kinds is None else np.array(kinds, np.uint8)
    return MatrixContent(
        name=name,
        title=title,
        subtitle=subtitle,
        row_axis=axes[0],
        column_axis=axes[1],
        row_labels=tuple(rows or (f"q{i + 1}" for i in range(cells.shape[0]))),
        column_labels=tuple(columns or (f"k{j + 1}" for j in range(cells.shape[1]))),
        row_role=Role.QUERY,
        column_role=Role.KEY,
        values=cells,
        kinds=cell_kinds,
        scale=scale or diverging_scale(np.where(cell_kinds == 0, cells, 0.0)),
        outlines=tuple(outlines),
        chosen_row=chosen_row,
        lit=lit,
        note=note,
    )


def plane_content(
    queries: Sequence[tuple[float, float]],
    keys: Sequence[tuple[float, float]],
    pair: tuple[int, int] | None = (0, 0),
    moved: Sequence[int] = (),
    embeddings: Sequence[tuple[float, float]] = (),
) -> PlaneContent:
    """Return the content of 2-D vectors; ``moved`` are indexes of queries."""
    arrows = [ArrowContent(None, i, f"x·{i}", x, y, False, False) for i, (x, y) in enumerate(embeddings)]
    for role, letter, vectors in ((Role.KEY, "k", keys), (Role.QUERY, "q", queries)):
        for i, (x, y) in enumerate(vectors):
            active = pair is not None and i == pair[role is Role.KEY]
            arrows.append(
                ArrowContent(role, i, f"{letter}·{i}", x, y, active, role is Role.QUERY and i in moved)
            )
    arrows.sort(key=lambda arrow: arrow.active)
    reach = max([abs(part) for arrow in arrows for part in (arrow.x, arrow.y)] + [1e-3])
    return PlaneContent(
        tuple(arrows),
        _pair(queries[pair[0]], keys[pair[1]], pair) if pair else None,
        "q·k = 0.83",
        (readout("‖q‖", 1.29), readout("‖k‖", 1.07)) if pair else (),
        ("dimension 1", "dimension 2"),
        "",
        False,
        reach,
    )


def _pair(q: tuple[float, float], k: tuple[float, float], pair: tuple[int, int]) -> PairContent:
    dot, squared = q[0] * k[0] + q[1] * k[1], k[0] ** 2 + k[1] ** 2
    start = math.atan2(k[1], k[0])
    span = (math.atan2(q[1], q[0]) - start + math.pi) % (2 * math.pi) - math.pi
    foot = (dot / squared * k[0], dot / squared * k[1]) if squared else None
    length = math.sqrt(squared)
    line = EqualLine(foot, (-k[1] / length, k[0] / length)) if foot is not None else None
    has_angle = bool(squared) and (q[0] or q[1])
    text = f"{abs(math.degrees(span)):.0f}°" if has_angle else "undefined"
    return PairContent(*pair, start, span if has_angle else None, text, foot, line)


def red_green_blue(style: FigureStyle = LIGHT) -> tuple[int, int, int]:
    """Return the ground of a style as numbers."""
    color = style.surface
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
