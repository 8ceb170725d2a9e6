"""What a cell is when it is not simply a number, and the words for it."""

from __future__ import annotations

from enum import IntEnum

from qkviz.translate import _


class CellKind(IntEnum):
    """What a cell of a matrix holds. Everything but VALUE looks and reads different from 0."""

    VALUE = 0
    MASKED = 1
    """The mask forbids this key to this query."""
    NAN = 2
    """Not a number came in, or followed from what came in."""
    UNDEFINED = 3
    """The score has no value here: the cosine of a zero vector."""
    NO_KEY = 4
    """Every key is forbidden to this query; the row has no weights."""
    INFINITE = 5
    """±∞ that came in with given scores."""


def kind_name(kind: CellKind) -> str:
    """Return the word for a kind, in the language of the interface."""
    match kind:
        case CellKind.VALUE:
            return _("value")
        case CellKind.MASKED:
            return _("masked")
        case CellKind.NAN:
            return _("not a number")
        case CellKind.UNDEFINED:
            return _("undefined")
        case CellKind.NO_KEY:
            return _("no key allowed")
        case CellKind.INFINITE:
            return _("infinite")
