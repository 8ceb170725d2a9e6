"""Edits of single queries and keys: moving by hand, and taking that back."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrix_changes import Matrix, none_if_zero, same_values, with_row
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.editable import LARGEST, EditableMatrix, editable_matrix, with_matrix
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False, slots=True)
class MoveVector:
    """Put the tip of a query or key at (x, y) of a plane; what lies outside the plane stays.

    On projected inputs the vector moves alone, by an offset beside its projection: q = x W_Q + δ.

    Parameters
    ----------
    role, index
        Which vector; the index is 0-based.
    plane
        The plane in which it was moved.
    x, y
        The place, clipped to ±1e6.
    gesture
        The drag that the move belongs to; all moves of one gesture are undone together.
    """

    role: Role
    index: int
    plane: Plane
    x: float
    y: float
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        if self.role is Role.QUERY:
            return Phrase("Move query {position}", position=self.index + 1)
        return Phrase("Move key {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the vector moved.

        Raises
        ------
        Refusal
            If the place is not finite, or the document has no such vector, or the plane is not one of its
            vectors.
        """
        check_place(self.x, self.y)
        if isinstance(document.inputs, GivenScores):
            raise Refusal(
                "This document holds finished scores without queries and keys, so there is no vector "
                "to move; open one with Q and K."
            )
        check_index(document, self.role, self.index)
        name = EditableMatrix.Q if self.role is Role.QUERY else EditableMatrix.K
        vectors = editable_matrix(document.inputs, name)
        check_plane(self.plane, int(vectors.shape[1]))
        moved = landing(self.plane, vectors[self.index], self.x, self.y)  # (d_k,)
        if moved is None:
            return document
        return replace(
            document, inputs=with_matrix(document.inputs, name, with_row(vectors, self.index, moved))
        )


@dataclass(frozen=True, eq=False, slots=True)
class ResetVector:
    """Take back all that was moved by hand on one query or key: δ = 0."""

    role: Role
    index: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        if self.role is Role.QUERY:
            return Phrase("Reset query {position}", position=self.index + 1)
        return Phrase("Reset key {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the vector back at its projection (itself if it is there).

        Raises
        ------
        Refusal
            If there is no such vector, or it has no projection to go back to.
        """
        inputs = projected_inputs(document.inputs)
        check_index(document, self.role, self.index)
        offsets = inputs.query_offsets if self.role is Role.QUERY else inputs.key_offsets
        if offsets is None or not offsets[self.index].any():
            return document
        rest = none_if_zero(with_row(offsets, self.index, offsets[self.index] * 0))  # (tokens, d_k)
        if self.role is Role.QUERY:
            return replace(document, inputs=replace(inputs, query_offsets=rest))
        return replace(document, inputs=replace(inputs, key_offsets=rest))


@dataclass(frozen=True, eq=False, slots=True)
class ResetAllVectors:
    """Take back all that was moved by hand: every δ = 0."""

    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Reset all vectors")

    def apply(self, document: Document) -> Document:
        """Return the document with every vector at its projection (itself if all are there).

        Raises
        ------
        Refusal
            If the vectors have no projections to go back to.
        """
        inputs = projected_inputs(document.inputs)
        if inputs.query_offsets is None and inputs.key_offsets is None:
            return document
        return replace(document, inputs=replace(inputs, query_offsets=None, key_offsets=None))


def check_index(document: Document, role: Role, index: int) -> None:
    """Check that there is a token at ``index``, 0-based.

    Raises
    ------
    Refusal
        Naming the position and the count.
    """
    count = len(document.labels(role))
    if 0 <= index < count:
        return
    if role is Role.QUERY:
        raise Refusal("There is no query {position}; there are {count}.", position=index + 1, count=count)
    raise Refusal("There is no key {position}; there are {count}.", position=index + 1, count=count)


def check_place(x: float, y: float) -> None:
    """Check that a tip can be put at (x, y).

    Raises
    ------
    Refusal
        If a coordinate is not finite.
    """
    if not (math.isfinite(x) and math.isfinite(y)):
        raise Refusal("A vector cannot be moved to ({x}, {y}); only finite numbers can be used.", x=x, y=y)


def check_plane(plane: Plane, d_k: int) -> None:
    """Check that a plane is one of queries and keys of ``d_k`` dimensions.

    Raises
    ------
    Refusal
        Naming both numbers of dimensions.
    """
    if plane.basis.shape[1] != d_k:
        raise Refusal(
            "The plane is one of {plane} dimensions, but queries and keys have {d_k}; choose the plane anew.",
            plane=int(plane.basis.shape[1]),
            d_k=d_k,
        )


def landing(plane: Plane, vector: Matrix, x: float, y: float) -> Matrix | None:
    """Return ``vector``, (d,), moved to (x, y), which are clipped; None when it lies there already."""
    x, y = clipped(x), clipped(y)
    moved: Matrix = plane.moved(vector, x, y)
    # the second question is for slanted planes, where taking a part away and adding it again rounds
    if same_values(moved, vector) or plane.to_plane(vector[None]).tolist() == [[x, y]]:
        return None
    return moved


def projected_inputs(inputs: AttentionInputs) -> ProjectedInputs:
    """Return ``inputs`` if they hold embeddings and projections.

    Raises
    ------
    Refusal
        If not, saying that there is nothing to go back to.
    """
    match inputs:
        case ProjectedInputs():
            return inputs
        case DirectInputs():
            raise Refusal(
                "Q and K are given directly here, so a vector has no projection to go back to; use Undo."
            )
        case GivenScores():
            raise Refusal(
                "This document holds finished scores without queries and keys; nothing can be reset."
            )


def clipped(coordinate: float) -> float:
    """Return ``coordinate`` within ±`LARGEST`."""
    return max(-LARGEST, min(LARGEST, coordinate))
