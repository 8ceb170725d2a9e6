"""The document: everything that the user made."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.options import AttentionOptions
from qkviz.translate import Phrase, Refusal

if TYPE_CHECKING:
    from qkviz.document.captured_head import CapturedHead


class Role(StrEnum):
    """Which side of q·k a token stands on."""

    QUERY = "query"
    KEY = "key"


@dataclass(frozen=True, eq=False, slots=True)
class Document:
    """Tokens, inputs and options, all that a trace follows from.

    Documents are compared by identity. They share unchanged matrices, so nobody may write into one.

    Parameters
    ----------
    queries, keys
        Labels of the m queries and n keys. A token is known by its position; labels may repeat or be empty.
        Control characters in a label become blanks, since a label is always one line.
    inputs
        The matrices; m rows for the queries, n for the keys.
    options
        Score function, scale, mask and normaliser. Whether they suit the inputs shows when the trace is made.
    lesson
        Id of the lesson that the document came from, or None.
    captured
        The head of a trained model that the document began as, or None. Edits of its vectors leave it.

    Raises
    ------
    Refusal
        If a label is not text, if labels and matrices disagree in number, or if queries and keys share their
        embeddings but not their labels.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    inputs: AttentionInputs
    options: AttentionOptions = field(default_factory=AttentionOptions)
    lesson: str | None = None
    captured: CapturedHead | None = None

    def __post_init__(self) -> None:
        queries = tuple(one_line(label) for label in self.queries)
        is_same = tuple(self.keys) == tuple(self.queries)
        keys = queries if is_same else tuple(one_line(label) for label in self.keys)
        object.__setattr__(self, "queries", queries)
        object.__setattr__(self, "keys", keys)
        check_counts(self)

    @property
    def is_self_attention(self) -> bool:
        """Whether queries and keys are the same tokens with one matrix of embeddings X."""
        return not isinstance(self.inputs, GivenScores) and self.inputs.is_self_attention

    def labels(self, role: Role) -> tuple[str, ...]:
        """Return the labels on one side, as they were given."""
        return self.queries if role is Role.QUERY else self.keys

    def shown_labels(self, role: Role) -> tuple[str, ...]:
        """Return the labels on one side for the screen: an empty one is shown as its position, from 1."""
        return tuple(
            label if label.strip() else str(position)
            for position, label in enumerate(self.labels(role), start=1)
        )


def one_line(label: str) -> str:
    """Return ``label`` with a blank for each control character, line separator or lone surrogate.

    Format characters stay: right-to-left text and joined emoji need them.

    Raises
    ------
    Refusal
        If the label is not text.
    """
    if not isinstance(label, str):
        raise Refusal("The label {label} is no text; put quotation marks round it.", label=label)
    if label.isprintable():  # the usual case, decided in C
        return label
    breaking = {"Cc", "Cs", "Zl", "Zp"}
    return "".join(" " if unicodedata.category(letter) in breaking else letter for letter in label)


def check_counts(document: Document) -> None:
    """Check that there is one label for each row (or column) of the matrices.

    Raises
    ------
    Refusal
        Naming both counts, or the first pair of labels that should be the same.
    """
    inputs, queries, keys = document.inputs, document.queries, document.keys
    match inputs:
        case GivenScores():
            rows, columns = Phrase("rows of scores"), Phrase("columns of scores")
        case DirectInputs():
            rows, columns = Phrase("rows of Q"), Phrase("rows of K")
        case ProjectedInputs():
            rows = Phrase("rows of X")
            columns = rows if inputs.is_self_attention else Phrase("rows of X_k")
    if len(queries) != inputs.m:
        raise Refusal(
            "There are {labels} labels for the queries but {count} {rows}; give one label for each row.",
            labels=len(queries),
            count=inputs.m,
            rows=rows,
        )
    if len(keys) != inputs.n:
        raise Refusal(
            "There are {labels} labels for the keys but {count} {columns}; give one label for each key.",
            labels=len(keys),
            count=inputs.n,
            columns=columns,
        )
    if document.is_self_attention:
        for position, (query, key) in enumerate(zip(queries, keys, strict=True), start=1):
            if query != key:
                raise Refusal(
                    "Token {position} is called “{query}” as a query but “{key}” as a key; "
                    "with one X for both, it must have one label.",
                    position=position,
                    query=query,
                    key=key,
                )
