"""Edits of both projections at once: drawing them, tying them, going over to others."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrix_changes import Matrix, same_values
from qkviz.attention.projection_modes import on_the_way
from qkviz.attention.projections import draw_projections
from qkviz.attention.shapes import shape_text
from qkviz.document.document import Document
from qkviz.translate import Phrase, Refusal

LARGEST_SEED = 2**63 - 1
LARGEST_WIDTH = 1024
"""Of drawn projections; a slip of the finger should not fill the memory."""


@dataclass(frozen=True, eq=False, slots=True)
class DrawProjections:
    """Draw W_Q and W_K at random, N(0, 1/d_model), and take back what was moved by hand.

    The offsets go because they were made against projections that are no more.

    Parameters
    ----------
    seed
        0 … 2⁶³ − 1; the same seed gives the same projections.
    width
        The new d_k; None keeps it.
    gesture
        All edits of one gesture are undone together.
    """

    seed: int
    width: int | None = None
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Draw projections with seed {seed}", seed=self.seed)

    def apply(self, document: Document) -> Document:
        """Return the document with drawn projections (itself if it has these and nothing was moved).

        Raises
        ------
        Refusal
            If the document has no projections, or there is no such seed or width.
        """
        inputs = with_projections(document.inputs)
        if not 0 <= self.seed <= LARGEST_SEED:
            raise Refusal(
                "The seed is {seed}; use a whole number from 0 to {largest}.",
                seed=self.seed,
                largest=LARGEST_SEED,
            )
        d_k = inputs.d_k if self.width is None else self.width
        if not 1 <= d_k <= LARGEST_WIDTH:
            raise Refusal("The width d_k is {d_k}; use 1 to {largest}.", d_k=d_k, largest=LARGEST_WIDTH)
        W_Q, W_K = draw_projections(inputs.W_Q.shape[0], d_k, self.seed)  # each (d_model, d_k)
        moved = inputs.query_offsets is not None or inputs.key_offsets is not None
        if not moved and same_values(W_Q, inputs.W_Q) and same_values(W_K, inputs.W_K):
            return document
        drawn = replace(inputs, W_Q=W_Q, W_K=W_K, query_offsets=None, key_offsets=None)
        return replace(document, inputs=drawn)


@dataclass(frozen=True, eq=False, slots=True)
class TieProjections:
    """Set W_K to W_Q, once; what was moved by hand stays beside the new projection."""

    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Tie W_K = W_Q")

    def apply(self, document: Document) -> Document:
        """Return the document with equal projections (itself if they are equal).

        Their shapes are equal always: inputs see to it.

        Raises
        ------
        Refusal
            If the document has no projections.
        """
        inputs = with_projections(document.inputs)
        if same_values(inputs.W_Q, inputs.W_K):
            return document
        return replace(document, inputs=replace(inputs, W_K=inputs.W_Q))


@dataclass(frozen=True, eq=False, slots=True)
class BlendProjections:
    """Put both projections a part of the way to others, and take back as much of what was moved by hand.

    The steps of a smooth change are such edits of one gesture; the last one has the share 1.

    Parameters
    ----------
    name
        What the other projections are called, for the Undo menu.
    start
        The inputs at the beginning of the way.
    W_Q, W_K
        The projections at its end, of the shape of those at the start.
    share
        0 … 1.
    gesture
        All edits of one gesture are undone together.
    """

    name: Phrase
    start: ProjectedInputs
    W_Q: Matrix
    W_K: Matrix
    share: float = 1.0
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Projections: {name}", name=self.name)

    def apply(self, document: Document) -> Document:
        """Return the document with projections on the way (itself if nothing changes).

        Raises
        ------
        Refusal
            If the document has no projections, or they have not the shape of the others, naming both.
        """
        inputs = with_projections(document.inputs)
        if self.W_Q.shape != inputs.W_Q.shape or self.start.W_Q.shape != inputs.W_Q.shape:
            raise Refusal(
                "The new {matrix} is {new}, but {matrix} is {present} here; give a matrix of that shape.",
                matrix="W_Q",
                new=shape_text(self.W_Q),
                present=shape_text(inputs.W_Q),
            )
        way = on_the_way(self.start, (self.W_Q, self.W_K), self.share)
        blended = replace(
            inputs,
            W_Q=way.W_Q,
            W_K=way.W_K,
            query_offsets=way.query_offsets,
            key_offsets=way.key_offsets,
        )
        if all(
            same_values(getattr(blended, part), getattr(inputs, part))
            for part in ("W_Q", "W_K", "query_offsets", "key_offsets")
        ):
            return document
        return replace(document, inputs=blended)


def with_projections(inputs: AttentionInputs) -> ProjectedInputs:
    """Return ``inputs`` if they hold W_Q and W_K.

    Raises
    ------
    Refusal
        If not, saying why and what to do.
    """
    match inputs:
        case ProjectedInputs():
            return inputs
        case DirectInputs():
            raise Refusal(
                "This document starts at Q and K and has no W_Q and W_K; "
                "open one that starts at embeddings X."
            )
        case GivenScores():
            raise Refusal(
                "This document holds finished scores and has no W_Q and W_K; "
                "open one that starts at embeddings X."
            )
