"""The parts of a matrix picture besides its cells: what they say and how much room they take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qkviz.figures.fonts import REGULAR, SEMIBOLD, Face, line_height, one_line, text_width
from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.number_format import format_limit

HEAD_GAP = 7.0
SWATCH, SWATCH_GAP, ENTRY_GAP = 11.0, 5.0, 14.0
BAR_GAP, BAR_WIDTH, BAR_TEXT_GAP = 12.0, 9.0, 5.0
FOOT_GAP = 4.0
SEPARATOR = " · "
"""Between the parts of a note."""


@dataclass(frozen=True, slots=True)
class MatrixFaces:
    """The fonts of a matrix picture."""

    title: Face
    subtitle: Face
    label: Face
    axis: Face
    small: Face

    @classmethod
    def of(cls, style: FigureStyle) -> MatrixFaces:
        """Return the fonts in the families of a style."""
        families = style.font_family
        return cls(
            Face(15, SEMIBOLD, families),
            Face(12, REGULAR, families),
            Face(13, SEMIBOLD, families),
            Face(11, REGULAR, families),
            Face(11, REGULAR, families),
        )


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """The swatch and the word of one kind of cell, at ``x`` from the left end of line ``line``."""

    kind: CellKind
    text: str
    line: int
    x: float


def checked_shape(content: MatrixContent) -> tuple[int, int]:
    """Return (rows, columns).

    Raises
    ------
    ValueError
        If labels and cells differ in number, or there is no cell.
    """
    rows, columns = content.values.shape
    if not rows or not columns:
        raise ValueError(f"a picture needs cells, and the matrix is {rows}×{columns}")
    if (len(content.row_labels), len(content.column_labels)) != (rows, columns):
        raise ValueError(
            f"{len(content.row_labels)} row and {len(content.column_labels)} column labels"
            f" for a {rows}×{columns} matrix"
        )
    return rows, columns


def limit_texts(content: MatrixContent) -> tuple[tuple[float, str], ...]:
    """Return the ticks of the colour bar as (place from 0 at its lower end to 1, text), from the top down."""
    scale = content.scale
    if scale.kind == "constant":
        return ((0.5, format_limit(scale.low)),)
    low = "0" if scale.low == 0 else format_limit(scale.low)
    zero = () if scale.zero_place is None else ((scale.zero_place, "0"),)
    if zero and not 0.08 < zero[0][0] < 0.92:  # the numbers would touch
        zero = ()
    return ((1.0, format_limit(scale.high)), *zero, (0.0, low))


def bar_extent(limits: tuple[tuple[float, str], ...], faces: MatrixFaces) -> float:
    """Return the width that the colour bar, its ticks and the gap before it take."""
    return BAR_GAP + BAR_WIDTH + BAR_TEXT_GAP + max(text_width(text, faces.small) for _place, text in limits)


def head_height(content: MatrixContent, faces: MatrixFaces) -> float:
    """Return the height of title and subtitle with the gap below."""
    height = line_height(faces.title) if content.title else 0.0
    height += line_height(faces.subtitle) if content.subtitle else 0.0
    return height + HEAD_GAP if height else 0.0


def head_width(content: MatrixContent, faces: MatrixFaces) -> float:
    """Return the width of the wider of title and subtitle."""
    return max(text_width(content.title, faces.title), text_width(content.subtitle, faces.subtitle))


def legend_entries(content: MatrixContent, faces: MatrixFaces, width: float) -> tuple[LegendEntry, ...]:
    """Return the legend of the kinds that are in the matrix, broken into lines of ``width``."""
    entries: list[LegendEntry] = []
    line, x = 0, 0.0
    for kind in kinds_present(content):
        text = kind_name(kind)
        extent = SWATCH + SWATCH_GAP + text_width(text, faces.small)
        if x and x + extent > width:
            line, x = line + 1, 0.0
        entries.append(LegendEntry(kind, text, line, x))
        x += extent + ENTRY_GAP
    return tuple(entries)


def kinds_present(content: MatrixContent) -> tuple[CellKind, ...]:
    """Return the kinds other than plain values, in order."""
    if not content.kinds.any():
        return ()
    return tuple(CellKind(int(kind)) for kind in np.unique(content.kinds) if kind)


def note_lines(note: str, faces: MatrixFaces, width: float) -> tuple[str, ...]:
    """Return a note in lines of at most ``width``, broken between its parts; a longer part stays whole."""
    lines: list[str] = []
    for part in filter(None, one_line(note).split(SEPARATOR)):
        if lines and text_width(lines[-1] + SEPARATOR + part, faces.small) <= width:
            lines[-1] += SEPARATOR + part
        else:
            lines.append(part)
    return tuple(lines)


def widest_note(note: str, faces: MatrixFaces) -> float:
    """Return the width below which no line of a note can be whole."""
    return max(text_width(part, faces.small) for part in one_line(note).split(SEPARATOR))


def foot_line(faces: MatrixFaces) -> float:
    """Return the height of a line of the legend or of a note."""
    return line_height(faces.small) + 3.0


def foot_height(entries: tuple[LegendEntry, ...], notes: int, faces: MatrixFaces) -> float:
    """Return the height of legend and notes below the axis name."""
    lines = (entries[-1].line + 1 if entries else 0) + notes
    return lines * foot_line(faces) + FOOT_GAP if lines else 0.0
