"""A matrix that belongs to no document, as content: somebody's own numbers under their own labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_maps import SEQUENTIAL
from qkviz.presenters.color_scales import Floats
from qkviz.presenters.matrix import MatrixContent, own_scale
from qkviz.presenters.matrix_looks import MatrixLooks
from qkviz.presenters.matrix_texts import kind_counts, shape_words
from qkviz.presenters.words import visible_tokens
from qkviz.translate import Refusal, _


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """What stands at the sides of a matrix, m and n labels, and above it. An empty label is its position."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str


def present_plain_matrix(
    name: MatrixName, values: Floats, labels: PlainLabels, looks: MatrixLooks
) -> MatrixContent:
    """Return numbers (m, n) as content; ``name`` and ``looks`` are those of `plain_looks`.

    −∞ counts as masked, as everywhere in attention.

    Raises
    ------
    Refusal
        If labels and matrix disagree in number; names both.
    """
    m, n = values.shape
    for side, words, count in (("rows", labels.rows, m), ("columns", labels.columns, n)):
        if len(words) != count:
            raise Refusal(
                "The matrix is {shape}, but there are {count} labels for its {side}.",
                shape=shape_words(values.shape),
                count=len(words),
                side=_("rows") if side == "rows" else _("columns"),
            )
    own = values.copy()
    kinds = np.zeros(own.shape, np.uint8)
    kinds[np.isnan(own)] = CellKind.NAN
    kinds[np.isposinf(own)] = CellKind.INFINITE
    kinds[np.isneginf(own)] = CellKind.MASKED
    own.flags.writeable = kinds.flags.writeable = False
    return MatrixContent(
        name=name,
        title=labels.title,
        subtitle=shape_words(own.shape),
        row_axis=_("query"),
        column_axis=_("key"),
        row_labels=visible_tokens(labels.rows),
        column_labels=visible_tokens(labels.columns),
        row_role=Role.QUERY,
        column_role=Role.KEY,
        values=own,
        kinds=kinds,
        scale=looks.scale(name, own_scale(name, own, kinds), own, kinds),
        outlines=(),
        chosen_row=None,
        lit=False,
        note=" · ".join(filter(None, (looks.note(own, kinds), kind_counts(kinds)))),
        decimals=looks.decimals,
    )


def plain_looks(
    values: Floats, colors: str | None, limits: tuple[float, float] | None, decimals: int
) -> tuple[MatrixName, MatrixLooks]:
    """Return whether numbers are coloured like weights or like scores, and their looks.

    Parameters
    ----------
    values
        (m, n)
    colors
        A colour map, whose kind decides; None for the usual one of weights where no number is negative, else
        that of scores.
    limits
        Ends of the colours; None for the natural ones. Negative numbers in a map of weights go from the least
        to the largest.
    decimals
        Digits after the point.

    Raises
    ------
    Refusal
        If there is no such map, or the rest cannot be.
    """
    shown = values[np.isfinite(values)]
    is_signed = bool(shown.size) and bool(shown.min() < 0)
    if colors in SEQUENTIAL:
        if is_signed and limits is None and shown.min() < shown.max():
            limits = float(shown.min()), float(shown.max())
        return MatrixName.WEIGHTS, MatrixLooks(sequential=colors, range=limits, decimals=decimals)
    if colors is not None:
        return MatrixName.SCORES, MatrixLooks(diverging=colors, range=limits, decimals=decimals)
    name = MatrixName.SCORES if is_signed else MatrixName.WEIGHTS
    return name, MatrixLooks(range=limits, decimals=decimals)
