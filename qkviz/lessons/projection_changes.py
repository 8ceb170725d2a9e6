"""What would be with other projections: changes whose numbers a lesson quotes."""

# ruff: noqa: PLC0415  torch comes with the edits; a lesson file can be read without it

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.document.document import Document


def draw_head(document: Document, *, seed: float) -> Document:
    """Draw W_Q and W_K by a seed."""
    from qkviz.document.edits import DrawProjections

    return DrawProjections(int(seed)).apply(document)


def tie_head(document: Document) -> Document:
    """Use the W_Q that is drawn with seed 1 for queries and keys."""
    from qkviz.document.edits import TieProjections

    return TieProjections().apply(draw_head(document, seed=1))


def look_one_way(document: Document, *, query: int, key: int) -> Document:
    """Choose the head in which the query looks at the key, and the key not back."""
    from qkviz.attention.projection_modes import ProjectionMode, mode_projections
    from qkviz.document.edit_projections import with_projections
    from qkviz.document.edits import BlendProjections
    from qkviz.translate import Phrase

    inputs = with_projections(document.inputs)
    goal = mode_projections(ProjectionMode.BY_HAND, inputs, (query, key))
    return BlendProjections(Phrase("Made by hand"), inputs, *goal).apply(document)


PROJECTION_CHANGES: Mapping[str, Callable[..., Document]] = {
    "draw_head": draw_head,
    "tie_head": tie_head,
    "look_one_way": look_one_way,
}
"""Changes by the names that lesson.toml uses."""
