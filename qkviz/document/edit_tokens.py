"""Edits of tokens: their labels, one more, one less."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import AttentionInputs
from qkviz.document.document import Document, Role, one_line
from qkviz.document.edit_vectors import check_index
from qkviz.document.token_inputs import inputs_with_one_more, inputs_without
from qkviz.document.token_options import options_with_one_more, options_without
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, slots=True)
class RenameToken:
    """Give a token another label; in self-attention as query and as key at once.

    Parameters
    ----------
    role, index
        Which token; the index is 0-based.
    text
        The label; may be empty or equal to another.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    index: int
    text: str
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Rename token {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document with the label changed (itself if it is the same).

        Raises
        ------
        Refusal
            If there is no such token.
        """
        check_index(document, self.role, self.index)
        labels = document.labels(self.role)
        text = one_line(self.text)
        if labels[self.index] == text:
            return document
        renamed = (*labels[: self.index], text, *labels[self.index + 1 :])
        return with_labels(document, self.role, renamed, document.inputs)


@dataclass(frozen=True, slots=True)
class AddToken:
    """Add a token behind the last query or key; in self-attention it is both.

    Its embedding, query or key starts as `first_vector`: visible, of length 1. Given scores, values and
    a position bias start as zeros.

    Parameters
    ----------
    role
        The side it is added to.
    text
        Its label; may be empty.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    text: str
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Add token “{token}”", token=self.text)

    def apply(self, document: Document) -> Document:
        """Return the document with one more token."""
        sides = sides_of(document, self.role)
        inputs = inputs_with_one_more(document.inputs, sides)
        longer = with_labels(document, self.role, (*document.labels(self.role), self.text), inputs)
        return replace(longer, options=options_with_one_more(document.options, sides))


@dataclass(frozen=True, slots=True)
class RemoveToken:
    """Remove a query or key; in self-attention the token goes from both sides. Mask and bias follow.

    Parameters
    ----------
    role, index
        Which token; the index is 0-based.
    gesture
        All edits of one gesture are undone together.
    """

    role: Role
    index: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        if self.role is Role.QUERY:
            return Phrase("Remove query {position}", position=self.index + 1)
        return Phrase("Remove key {position}", position=self.index + 1)

    def apply(self, document: Document) -> Document:
        """Return the document without the token.

        Raises
        ------
        Refusal
            If there is no such token, or it is the last.
        """
        check_index(document, self.role, self.index)
        labels = document.labels(self.role)
        if len(labels) == 1:
            raise Refusal("“{token}” is the only token left; add another one first.", token=labels[0])
        sides = sides_of(document, self.role)
        rest = (*labels[: self.index], *labels[self.index + 1 :])
        inputs = inputs_without(document.inputs, sides, self.index)
        shorter = with_labels(document, self.role, rest, inputs)
        return replace(shorter, options=options_without(document.options, sides, self.index))


def sides_of(document: Document, role: Role) -> frozenset[Role]:
    """Return on which sides a token of ``role`` stands: in self-attention on both."""
    return frozenset(Role) if document.is_self_attention else frozenset({role})


def with_labels(document: Document, role: Role, labels: tuple[str, ...], inputs: AttentionInputs) -> Document:
    """Return the document with other labels on one side (both sides in self-attention) and other inputs."""
    if document.is_self_attention:
        return replace(document, queries=labels, keys=labels, inputs=inputs)
    if role is Role.QUERY:
        return replace(document, queries=labels, inputs=inputs)
    return replace(document, keys=labels, inputs=inputs)
