"""Coloured pieces of text, and formulas among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "query", "key", "strong", "muted", "embedding", "weight", "bad"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one tone. Pieces stand side by side as they are: blanks are part of the text.

    With a ``formula``, LaTeX, that is drawn in place of the text, which is what is read aloud and searched;
    with ``raised``, that stands in place of the text as an exponent.
    """

    text: str
    tone: Tone = "plain"
    formula: str = ""
    raised: str = ""


Line = tuple[Run, ...]


def line_text(line: Line) -> str:
    """Return a line without its colours."""
    return "".join(run.text for run in line)
