"""The edit of a length alone: a query or key becomes longer or shorter and does not turn."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.matrix_changes import same_values, with_row
from qkviz.document.document import Document, Role
from qkviz.document.edit_vectors import check_index, clipped
from qkviz.document.editable import EditableMatrix, editable_matrix, with_matrix
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, slots=True)
class SetLength:
    """Make a query or key so long, along a direction; on projected inputs by an offset, like a drag.

    The direction is told, so that a vector can come back from length 0, and many small changes of length do
    not add up to a turn.

    Parameters
    ----------
    role, index
        Which vector; the index is 0-based.
    direction
        (d_k,) numbers, of any length but 0.
    length
        From 0; clipped to 1e6.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    index: int
    direction: tuple[float, ...]
    length: float
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        if self.role is Role.QUERY:
            return Phrase("Change the length of query {position}", position=self.index + 1)
        return Phrase("Change the length of key {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the vector so long (itself if it is).

        Raises
        ------
        Refusal
            If there is no such vector, the length is negative or not finite, or there is no direction.
        """
        name = EditableMatrix.Q if self.role is Role.QUERY else EditableMatrix.K
        vectors = editable_matrix(document.inputs, name)  # (tokens, d_k)
        check_index(document, self.role, self.index)
        if not (math.isfinite(self.length) and self.length >= 0):
            raise Refusal("A vector cannot be {length} long; use a number from 0.", length=self.length)
        size = math.hypot(*self.direction)
        if not (math.isfinite(size) and size > 0) or len(self.direction) != vectors.shape[1]:
            raise Refusal("The zero vector has no direction to be longer in; drag its tip instead.")
        length = clipped(self.length)
        stretched = vectors.new_tensor([part / size * length for part in self.direction])  # (d_k,)
        if same_values(stretched, vectors[self.index]):
            return document
        changed = with_row(vectors, self.index, stretched)
        return replace(document, inputs=with_matrix(document.inputs, name, changed))
