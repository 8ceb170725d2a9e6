"""One head of the grid in large: its weights in the chosen view, as a matrix with its words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.captured import CapturedText
from qkviz.attention.head_views import SpecialTokens, TokenGroup, ViewedWeights
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Role
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_scales import sequential_scale
from qkviz.presenters.head_words import head_name, kind_name, shows_weights, view_title
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.matrix_texts import axis_names
from qkviz.presenters.number_format import format_number
from qkviz.presenters.words import visible_token
from qkviz.translate import _


def present_head_preview(text: CapturedText, layer: int, head: int, seen: ViewedWeights) -> MatrixContent:
    """Return the picture of a head (0-based); its subtitle says what the cells are."""
    values = seen.matrix.numpy().copy()
    kinds = np.where(seen.allowed.numpy(), CellKind.VALUE, CellKind.MASKED).astype(np.uint8)
    values.flags.writeable = kinds.flags.writeable = False
    row_axis, column_axis = axis_names(MatrixName.WEIGHTS, is_self_attention=False)
    kinds_of_layers = {one.kind for one in text.layers}
    name = head_name(layer, head)
    return MatrixContent(
        name=MatrixName.WEIGHTS,
        title=name if len(kinds_of_layers) == 1 else f"{name} · {kind_name(text.layers[layer].kind)}",
        subtitle=view_title(seen.view),
        row_axis=row_axis,
        column_axis=column_axis,
        row_labels=_labels(seen.rows),
        column_labels=_labels(seen.columns),
        row_role=Role.QUERY,
        column_role=Role.KEY,
        values=values,
        kinds=kinds,
        scale=sequential_scale(values),
        outlines=(),
        chosen_row=None,
        lit=False,
        note=_note(seen, values),
    )


def _labels(groups: tuple[TokenGroup, ...]) -> tuple[str, ...]:
    return tuple(visible_token(group.label, group.positions[0]) for group in groups)


def _note(seen: ViewedWeights, values: NDArray[np.float64]) -> str:
    """Return that these are no weights, or what the rows sum to where special tokens have the rest."""
    if not shows_weights(seen.view):
        return _("not the model's weights")
    if seen.view.specials is not SpecialTokens.HIDDEN:
        return ""
    sums = values.sum(axis=1)
    return _(
        "rows sum to {least} … {most}",
        least=format_number(float(sums.min())),
        most=format_number(float(sums.max())),
    )
