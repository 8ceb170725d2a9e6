"""One measure as content, and the words that all measures share."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.number_format import format_number, full_number
from qkviz.presenters.words import named_token
from qkviz.translate import _

LISTED_ROWS = 16
"""Rows whose own value is listed in the explanation."""

FEW_ROWS = 4
"""Up to so many rows every value is shown at once."""

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class MeasureContent:
    """One measure.

    Attributes
    ----------
    id
        Fixed name.
    name, text
        What it is called and its value as shown; a dash where it has none.
    sentence, formula
        What it says, in one sentence, and how it is computed.
    details
        The exact value, row by row where there are several; or why there is none.
    """

    id: str
    name: str
    text: str
    sentence: str
    formula: str
    details: str


def number_measure(
    name: str, title: str, value: float | None, sentence: str, formula: str, reason: str
) -> MeasureContent:
    """Return a measure that is one number, or a dash and the ``reason`` why it has none."""
    text = NOTHING if value is None else format_number(value)
    return MeasureContent(name, title, text, sentence, formula, measure_details(value, reason))


def measure_details(value: float | None, reason: str) -> str:
    """Return the exact value, or why there is none."""
    if reason:
        return reason
    return _("Not every score is a number.") if value is None else full_number(value)


def rows_text(values: list[float]) -> str:
    """Return the values of all rows while they are few, else their mean and range."""
    if len(values) <= FEW_ROWS:
        return ", ".join(map(format_number, values))
    known = [value for value in values if value == value]
    if not known:
        return NOTHING
    return _(
        "mean {mean} ({low} to {high})",
        mean=format_number(sum(known) / len(known)),
        low=format_number(min(known)),
        high=format_number(max(known)),
    )


def rows_details(snapshot: Snapshot, values: list[float]) -> str:
    """Return the exact values of the first rows, a line each."""
    labels = snapshot.document.queries
    lines = [
        f"{named_token(Role.QUERY, labels[row], row)}: {full_number(value)}"
        for row, value in enumerate(values[:LISTED_ROWS])
    ]
    return "\n".join([*lines, "…"] if len(values) > LISTED_ROWS else lines)
