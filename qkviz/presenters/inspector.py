"""The document as editable tables and choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qkviz.document.document import Role
from qkviz.document.edits import EditableMatrix
from qkviz.presenters.runs import Tone


@dataclass(frozen=True, eq=False, slots=True)
class TableContent:
    """One editable matrix.

    Attributes
    ----------
    matrix
        Which matrix an edit of this table changes.
    title
        ``"W_Q"``, ``"Q = X W_Q"``.
    shape
        ``"4 × 2"``.
    row_labels, column_labels
        Visible token labels, or dimension numbers from 1.
    row_role, column_role
        QUERY or KEY where the labels are tokens of one role, else None.
    values
        (rows, columns) float64, read-only, as stored: only the display rounds; an editor starts from
        `full_number`.
    tone
        Colour of the numbers.
    moved
        Indexes of rows that were moved by hand.
    lit
        Whether the step in hand speaks of this matrix.
    """

    matrix: EditableMatrix
    title: str
    shape: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_role: Role | None
    column_role: Role | None
    values: NDArray[np.float64]
    tone: Tone
    moved: frozenset[int]
    lit: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a list to choose from: an unchanging id and its translated text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ChoiceContent:
    """A list to choose from.

    Attributes
    ----------
    title
        Translated name.
    choices
        In the order shown.
    chosen
        Id of the choice in force.
    off_reason
        Why nothing can be chosen here, a sentence; empty when it can.
    """

    title: str
    choices: tuple[Choice, ...]
    chosen: str
    off_reason: str


@dataclass(frozen=True, eq=False, slots=True)
class InspectorContent:
    """Everything the Inspector shows.

    Attributes
    ----------
    queries, keys
        The tokens as stored, for editing.
    query_labels, key_labels
        The same, visible.
    is_self_attention
        Queries and keys are the same tokens; one list edits both.
    tokens_lit
        Whether the step in hand speaks of the tokens.
    tables
        X, W_Q, W_K, W_V, Q, K, V, scores: those that the document has, in the order of computation.
    score
        Ids ``dot``, ``scaled_dot``, ``additive``, ``cosine``, ``negative_half_squared_distance``.
    mask
        Ids ``none``, ``causal``, ``padding``, ``cells``.
    normalizer
        Ids ``softmax``, ``sparsemax``, ``entmax15``, ``hardmax``.
    scale
        The factor in force.
    scale_is_own
        True when the user set the factor, False when it is the score function's.
    scale_note
        What the factor is: ``"1 / √2"``; empty when there is nothing to add.
    temperature
        τ of softmax; None for the other normalisers, which have none.
    padded
        Keys that count as padding; empty with another mask.
    has_projections
        W_Q and W_K exist: random projections and tying are possible.
    projections_tied
        W_K equals W_Q.
    moved_by_hand
        Some q or k was moved by hand and can be put back.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    is_self_attention: bool
    tokens_lit: bool
    tables: tuple[TableContent, ...]
    score: ChoiceContent
    mask: ChoiceContent
    normalizer: ChoiceContent
    scale: float
    scale_is_own: bool
    scale_note: str
    temperature: float | None
    padded: frozenset[int]
    has_projections: bool
    projections_tied: bool
    moved_by_hand: bool
