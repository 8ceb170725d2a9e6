"""What the hand moves when it drags a vector."""

from __future__ import annotations

from enum import StrEnum

from qkviz.attention.inputs import ProjectedInputs
from qkviz.document.document import Document


class DragMode(StrEnum):
    """What a drag of a query or key moves: the vector alone, the embedding behind it, or its projection.

    It is a part of the focus and not of the document: choosing it changes no number, so it is no step to be
    undone, and undo, which brings back documents, leaves it as the user has set it. It is not kept in the
    panel either, because the picture of the plane says in words what moves along, and a lesson opens with the
    plain drag.
    """

    VECTOR = "vector"
    EMBEDDING = "embedding"
    PROJECTION = "projection"

    def fitting(self, document: Document) -> DragMode:
        """Return this, or `VECTOR` where the document has neither embeddings nor projections to move.

        The focus keeps what was chosen: it holds again with the next document that has them.
        """
        return self if isinstance(document.inputs, ProjectedInputs) else DragMode.VECTOR
