"""A named number: short for the screen, exact for the tool-tip."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.presenters.number_format import format_number, full_number


@dataclass(frozen=True, slots=True)
class Readout:
    """One named number.

    Attributes
    ----------
    name
        Symbol or translated name, ``"‖q‖"``.
    text
        The number as shown, ``"1.29"``, or a word where there is none ("undefined").
    full
        The same with every digit.
    """

    name: str
    text: str
    full: str


def readout(name: str, value: float) -> Readout:
    """Return the readout of a number."""
    return Readout(name, format_number(value), full_number(value))
