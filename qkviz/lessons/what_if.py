"""What would be if: changes of a lesson's document whose numbers its answer quotes.

They are made by the edits that a hand makes, and traced like everything else. Those edits need torch and are
imported when a change is made, so that a lesson file can be read, its changes checked by name, without it.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from qkviz.lessons.projection_changes import PROJECTION_CHANGES
from qkviz.lessons.quantities import key_vector, query_vector
from qkviz.lessons.scaling_numbers import SCALING_CHANGES

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.document import Document
    from qkviz.lessons.lesson import WhatIf


def turn_perpendicular(document: Document, *, query: int, key: int) -> Document:
    """Turn the query, its length kept, to the nearer of the two directions at right angles to the key."""
    q, k = _pair(document, query, key)
    length_q, length_k = math.hypot(*q), math.hypot(*k)
    side = math.copysign(1.0, k[0] * q[1] - k[1] * q[0])  # +1: the query stands to the left of the key
    return _with_query(document, query, -side * k[1] / length_k * length_q, side * k[0] / length_k * length_q)


def slide_along_line(document: Document, *, query: int, key: int, by: float) -> Document:
    """Slide the query's tip along the equal-score line, to the left of the key for positive ``by``."""
    q, k = _pair(document, query, key)
    length_k = math.hypot(*k)
    return _with_query(document, query, q[0] - by * k[1] / length_k, q[1] + by * k[0] / length_k)


def add_key(document: Document, *, x: float, y: float) -> Document:
    """Add one key with the vector (x, y)."""
    from qkviz.attention.plane import Plane
    from qkviz.document.document import Role
    from qkviz.document.edits import AddToken, MoveVector

    longer = AddToken(Role.KEY, "+").apply(document)
    last = longer.inputs.n - 1
    return MoveVector(Role.KEY, last, Plane.of_dimensions(2, 0, 1), x, y, gesture=None).apply(longer)


def tie_projections(document: Document) -> Document:
    """Set W_K to W_Q."""
    from qkviz.document.edits import TieProjections

    return TieProjections().apply(document)


def set_score(document: Document, *, query: int, key: int, value: float) -> Document:
    """Give a pair another score, in a document of given scores."""
    from qkviz.document.edits import EditableMatrix, SetCell

    return SetCell(EditableMatrix.SCORES, query, key, value).apply(document)


def lengthen_query(document: Document, *, query: int, factor: float) -> Document:
    """Make the query ``factor`` times as long, in the direction that it has."""
    from qkviz.document.document import Role
    from qkviz.document.edits import SetLength

    q, _k = _pair(document, query, 0)
    return SetLength(Role.QUERY, query, tuple(q), factor * math.hypot(*q)).apply(document)


CHANGES: Mapping[str, Callable[..., Document]] = (
    {
        change.__name__: change
        for change in (
            turn_perpendicular,
            slide_along_line,
            add_key,
            set_score,
            lengthen_query,
            tie_projections,
        )
    }
    | dict(SCALING_CHANGES)
    | dict(PROJECTION_CHANGES)
)
"""Changes by the names that lesson.toml uses."""


def what_if_trace(document: Document, what_if: WhatIf) -> AttentionTrace:
    """Return what would follow if ``document`` were changed so."""
    from qkviz.attention.trace import trace_attention

    changed = CHANGES[what_if.change](document, **what_if.parameters)
    return trace_attention(changed.inputs, changed.options)


def _pair(document: Document, query: int, key: int) -> tuple[list[float], list[float]]:
    from qkviz.attention.trace import trace_attention

    trace = trace_attention(document.inputs, document.options)
    return query_vector(trace, query), key_vector(trace, key)


def _with_query(document: Document, index: int, x: float, y: float) -> Document:
    from qkviz.attention.plane import Plane
    from qkviz.document.document import Role
    from qkviz.document.edits import MoveVector

    return MoveVector(Role.QUERY, index, Plane.of_dimensions(2, 0, 1), x, y, gesture=None).apply(document)
