"""Edits of the options: score function, scale, mask, normaliser; and of the document as a whole."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import GivenScores
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrix_changes import forbidden_cells
from qkviz.attention.normalizers import Normalizer
from qkviz.attention.score_functions import ScoreFunction
from qkviz.document.document import Document, Role
from qkviz.document.edit_vectors import check_index
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, slots=True)
class SetScoreFunction:
    """Choose how q and k become a score."""

    score: ScoreFunction
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Choose the score function")

    def apply(self, document: Document) -> Document:
        """Return the document with the score function (itself if it has it).

        Raises
        ------
        Refusal
            If the scores are given.
        """
        if isinstance(document.inputs, GivenScores):
            raise Refusal(
                "This document holds finished scores, so no score function applies; "
                "open one with queries and keys."
            )
        if self.score == document.options.score:
            return document
        return replace(document, options=replace(document.options, score=self.score))


@dataclass(frozen=True, slots=True)
class SetScale:
    """Choose the factor between raw and scaled scores; None is the score function's own."""

    scale: float | None
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Set the scale")

    def apply(self, document: Document) -> Document:
        """Return the document with the scale (itself if it has it).

        Raises
        ------
        Refusal
            If the scale is not a positive finite number.
        """
        if self.scale == document.options.scale:
            return document
        return replace(document, options=replace(document.options, scale=self.scale))


@dataclass(frozen=True, slots=True)
class SetMask:
    """Choose who may look at whom."""

    mask: Mask
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Choose the mask")

    def apply(self, document: Document) -> Document:
        """Return the document with the mask (itself if it has it).

        Raises
        ------
        Refusal
            If the mask names a query or key that does not exist.
        """
        return with_mask(document, self.mask)


@dataclass(frozen=True, slots=True)
class SetNormalizer:
    """Choose how a row of scores becomes weights, temperature included."""

    normalizer: Normalizer
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Choose the normaliser")

    def apply(self, document: Document) -> Document:
        """Return the document with the normaliser (itself if it has it)."""
        if self.normalizer == document.options.normalizer:
            return document
        return replace(document, options=replace(document.options, normalizer=self.normalizer))


@dataclass(frozen=True, slots=True)
class ToggleForbidden:
    """Forbid a query one key, or allow it again. Another mask becomes one by cells that forbids the same."""

    query: int
    key: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Mask the cell of query {query}, key {key}", query=self.query + 1, key=self.key + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the cell toggled.

        Raises
        ------
        Refusal
            If there is no such query or key.
        """
        check_index(document, Role.QUERY, self.query)
        check_index(document, Role.KEY, self.key)
        forbidden = forbidden_now(document) ^ {(self.query, self.key)}
        return with_mask(document, CellMask(forbidden) if forbidden else NoMask())


@dataclass(frozen=True, slots=True)
class TogglePadding:
    """Forbid everybody one key, or allow it again.

    Beside a causal mask, a window or a mask by cells, the whole column is forbidden, or allowed if it was
    forbidden whole.
    """

    key: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Mask key {position} as padding", position=self.key + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the key toggled.

        Raises
        ------
        Refusal
            If there is no such key.
        """
        check_index(document, Role.KEY, self.key)
        match document.options.mask:
            case NoMask():
                return with_mask(document, PaddingMask(frozenset({self.key})))
            case PaddingMask(padded):
                rest = padded ^ {self.key}
                return with_mask(document, PaddingMask(rest) if rest else NoMask())
            case CausalMask() | WindowMask() | CellMask():
                forbidden = forbidden_now(document)
                column = frozenset((query, self.key) for query in range(document.inputs.m))
                cells = forbidden - column if column <= forbidden else forbidden | column
                return with_mask(document, CellMask(cells) if cells else NoMask())


@dataclass(frozen=True, eq=False, slots=True)
class ReplaceDocument:
    """Show another document: a lesson, a file, a head of a model.

    Parameters
    ----------
    document
        The other document.
    label
        What that is in the menu, as “Open lesson 7”.
    gesture
        All edits of one gesture are undone together.
    """

    document: Document
    label: Phrase
    gesture: Hashable | None = None

    def apply(self, document: Document) -> Document:
        """Return the other document."""
        return self.document


def with_mask(document: Document, mask: Mask) -> Document:
    """Return the document with ``mask`` (itself if it has it).

    Raises
    ------
    Refusal
        If the mask names a query or key that does not exist.
    """
    if mask == document.options.mask:
        return document
    mask.additive(document.inputs.m, document.inputs.n)  # refuses what does not exist
    return replace(document, options=replace(document.options, mask=mask))


def forbidden_now(document: Document) -> frozenset[tuple[int, int]]:
    """Return the (query, key) pairs that the document's mask forbids."""
    return forbidden_cells(document.options.mask.additive(document.inputs.m, document.inputs.n))
