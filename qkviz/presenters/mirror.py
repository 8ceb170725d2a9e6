"""A matrix held against its transpose, and against another matrix, on one range."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.matrices import MatrixName
from qkviz.document.session import Snapshot
from qkviz.presenters.color_scales import ColorScale, diverging_scale
from qkviz.presenters.matrix import MatrixContent, Outline, present_matrix
from qkviz.presenters.matrix_texts import shape_words
from qkviz.translate import _


def transposed(content: MatrixContent) -> MatrixContent:
    """Return the picture of the transpose; an outline stays with its number, so it crosses the diagonal."""
    return replace(
        content,
        title=transposed_title(content.title),
        subtitle=_("rows and columns swapped"),
        row_axis=content.column_axis,
        column_axis=content.row_axis,
        row_labels=content.column_labels,
        column_labels=content.row_labels,
        row_role=content.column_role,
        column_role=content.row_role,
        values=_frozen(content.values.T),
        kinds=_frozen_kinds(content.kinds.T),
        outlines=tuple(Outline(one.column, one.row, one.kind) for one in content.outlines),
        chosen_row=None,
        note="",
    )


def transposed_title(title: str) -> str:
    """Return ``(QKᵀ)ᵀ``; a single letter needs no parentheses."""
    return f"{title}ᵀ" if len(title) == 1 else f"({title})ᵀ"


def on_one_range(
    snapshot: Snapshot, left: MatrixName, right: MatrixName
) -> tuple[MatrixContent, MatrixContent]:
    """Return two matrices in the colours of one range.

    Raises
    ------
    Refusal
        If the document lacks one of them.
    """
    contents = present_matrix(snapshot, left), present_matrix(snapshot, right)
    scale = shared_scale(*(content.values for content in contents))
    return replace(contents[0], scale=scale), replace(contents[1], scale=scale)


def identity_beside(content: MatrixContent) -> tuple[MatrixContent, MatrixContent]:
    """Return the identity in the shape of a square ``content``, and ``content``, on one range."""
    side = content.values.shape[0]
    values = np.eye(side)
    scale = shared_scale(values, content.values)
    identity = replace(
        content,
        title="I",
        subtitle=_("the identity, {shape}", shape=shape_words((side, side))),
        values=_frozen(values),
        kinds=_frozen_kinds(np.zeros(values.shape, np.uint8)),
        outlines=(),
        note="",
        scale=scale,
    )
    return identity, replace(content, scale=scale)


def shared_scale(*values: NDArray[np.float64]) -> ColorScale:
    """Return one signed scale for several matrices."""
    return diverging_scale(np.concatenate([one.ravel() for one in values]))


def _frozen(values: NDArray[np.float64]) -> NDArray[np.float64]:
    own = np.ascontiguousarray(values).copy()
    own.flags.writeable = False
    return own


def _frozen_kinds(kinds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    own = np.ascontiguousarray(kinds).copy()
    own.flags.writeable = False
    return own
