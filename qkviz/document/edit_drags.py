"""Edits by dragging that reach further back than the vector: to its embedding, or to the projection."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.least_changes import embedding_for, projection_for
from qkviz.attention.matrix_changes import Matrix, with_row
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.document.edit_vectors import MoveVector, check_index, check_place, check_plane, landing
from qkviz.document.editable import EditableMatrix, editable_matrix, with_matrix
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False, slots=True)
class MoveByEmbedding:
    """Put the tip of a query or key at (x, y) of a plane by the least change of the embedding behind it.

    Δx = Δq W_Q⁺. Offsets made by hand stay. What else is computed from that embedding moves as well: with one
    X for both roles, the q, k and v of the word. Parameters as in `MoveVector`.
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
            return Phrase("Move query {position} by its x", position=self.index + 1)
        return Phrase("Move key {position} by its x", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the embedding moved (itself if the vector lies there already).

        Raises
        ------
        Refusal
            As in `MoveVector`; also if there are no embeddings, or none that leads there.
        """
        inputs, target = aim(self, document)
        if target is None:
            return document
        X, W, offset = behind(inputs, self.role, self.index)
        moved = embedding_for(target, X[self.index], W, offset, projection_name(self.role).name)
        name = embedding_name(inputs, self.role)
        changed = with_matrix(inputs, name, with_row(X, self.index, moved))
        return replace(document, inputs=changed)


@dataclass(frozen=True, eq=False, slots=True)
class MoveByProjection:
    """Put the tip of a query or key at (x, y) of a plane by the least change of its projection.

    ΔW_Q = xᵀ Δq / ‖x‖²; W_K for a key. Offsets made by hand stay. Every other query (key) whose embedding is
    not at right angles to x moves as well. Parameters as in `MoveVector`.
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
            return Phrase("Move query {position} by W_Q", position=self.index + 1)
        return Phrase("Move key {position} by W_K", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the projection changed (itself if the vector lies there already).

        Raises
        ------
        Refusal
            As in `MoveVector`; also if there are no projections, or the embedding is zero.
        """
        inputs, target = aim(self, document)
        if target is None:
            return document
        X, W, offset = behind(inputs, self.role, self.index)
        name = projection_name(self.role)
        changed = projection_for(target, X[self.index], W, offset, name.name)
        return replace(document, inputs=with_matrix(inputs, name, changed))


@dataclass(frozen=True, eq=False, slots=True)
class MoveEmbedding:
    """Put the tip of an embedding at (x, y) of a plane of embeddings; q, k and v of the word follow.

    Parameters
    ----------
    role, index
        Whose embedding: with one X for both roles it does not matter which.
    plane
        A plane of d_model dimensions; what lies outside of it stays.
    x, y
        The place, clipped to ±1e6.
    gesture
        All moves of one gesture are undone together.
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
        return Phrase("Move embedding {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the embedding moved (itself if it lies there already).

        Raises
        ------
        Refusal
            If there are no embeddings or no such word, if the plane is not one of them, or if the place is
            not finite.
        """
        check_place(self.x, self.y)
        inputs = with_embeddings(document.inputs)
        check_index(document, self.role, self.index)
        name = embedding_name(inputs, self.role)
        X = editable_matrix(inputs, name)  # (tokens, d_model)
        if self.plane.basis.shape[1] != X.shape[1]:
            raise Refusal(
                "The plane is one of {plane} dimensions, but embeddings have {d_model}; "
                "choose the plane anew.",
                plane=int(self.plane.basis.shape[1]),
                d_model=int(X.shape[1]),
            )
        moved = landing(self.plane, X[self.index], self.x, self.y)
        if moved is None:
            return document
        return replace(document, inputs=with_matrix(inputs, name, with_row(X, self.index, moved)))


Drag = MoveVector | MoveByEmbedding | MoveByProjection
"""The edits that a drag of a query or key can be."""

DRAGS: dict[DragMode, type[Drag]] = {
    DragMode.VECTOR: MoveVector,
    DragMode.EMBEDDING: MoveByEmbedding,
    DragMode.PROJECTION: MoveByProjection,
}
"""The edit of each mode."""


def aim(
    edit: MoveByEmbedding | MoveByProjection, document: Document
) -> tuple[ProjectedInputs, Matrix | None]:
    """Return the inputs, and where the vector (d_k,) is to lie; None when it lies there already.

    Raises
    ------
    Refusal
        If the edit does not suit the document.
    """
    check_place(edit.x, edit.y)
    inputs = with_embeddings(document.inputs)
    check_index(document, edit.role, edit.index)
    check_plane(edit.plane, inputs.d_k)
    name = EditableMatrix.Q if edit.role is Role.QUERY else EditableMatrix.K
    vectors = editable_matrix(inputs, name)  # (tokens, d_k)
    return inputs, landing(edit.plane, vectors[edit.index], edit.x, edit.y)


def behind(inputs: ProjectedInputs, role: Role, index: int) -> tuple[Matrix, Matrix, Matrix | None]:
    """Return what a vector comes from: all embeddings of its role, its projection, and its offset (d_k,)."""
    if role is Role.QUERY:
        X, W, offsets = inputs.X_q, inputs.W_Q, inputs.query_offsets
    else:
        X, W, offsets = inputs.X_k, inputs.W_K, inputs.key_offsets
    return X, W, None if offsets is None else offsets[index]


def embedding_name(inputs: ProjectedInputs, role: Role) -> EditableMatrix:
    """Return the matrix of embeddings behind the vectors of a role."""
    shared = role is Role.QUERY or inputs.is_self_attention
    return EditableMatrix.X if shared else EditableMatrix.X_K


def projection_name(role: Role) -> EditableMatrix:
    """Return the projection that makes the vectors of a role."""
    return EditableMatrix.W_Q if role is Role.QUERY else EditableMatrix.W_K


def with_embeddings(inputs: AttentionInputs) -> ProjectedInputs:
    """Return ``inputs`` if they hold embeddings and projections.

    Raises
    ------
    Refusal
        If not, saying why and what to do.
    """
    match inputs:
        case ProjectedInputs():
            return inputs
        case DirectInputs() if inputs.X_q is not None:
            raise Refusal(
                "q and k were recorded here and do not follow from x: no projection is known. "
                "Drag a query or key alone."
            )
        case DirectInputs():
            raise Refusal(
                "This document starts at Q and K: there is no embedding and no projection behind a vector. "
                "Drag the vector alone."
            )
        case GivenScores():
            raise Refusal(
                "This document holds finished scores without queries and keys, so there is no vector "
                "to move; open one with X."
            )
