"""The parts of a lesson as plain data: they are there before torch is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Rows = tuple[tuple[float, ...], ...]

START = "start"
"""Where a number is taken from by default: the document as the lesson opens it."""

FIRST = ""
"""Name of the document that a lesson opens with, among the ids of its others."""

NOW = "now"
"""Where a number is taken from when it shall follow the hand: the document on the screen."""


@dataclass(frozen=True, slots=True)
class BothLanguages:
    """One text of a lesson in Chinese and in English."""

    zh: str
    en: str

    def in_language(self, language: str) -> str:
        """Return the text in ``language``, "zh" or "en"."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to the question; ``id`` is what the progress remembers."""

    id: str
    text: BothLanguages
    right: bool


@dataclass(frozen=True, slots=True)
class Try:
    """Something to do by hand.

    Parameters
    ----------
    id
        What the progress remembers.
    text
        What to do.
    check, parameters
        The function of `checks.CHECKS` that notices when it is done, and its named parameters.
    remark
        What to say once it is done.
    document
        `FIRST`, or the id of the lesson's other document that it is done on.
    """

    id: str
    text: BothLanguages
    check: str
    parameters: Mapping[str, float]
    remark: BothLanguages
    document: str = FIRST


@dataclass(frozen=True, slots=True)
class CapturedSource:
    """A document that is a head of a recorded capture; its labels are the tokens, whatever the language.

    Parameters
    ----------
    file
        Name of the capture in ``resources/captures``.
    text, layer, head
        Which of its heads, 0-based.
    """

    file: str
    text: int
    layer: int
    head: int


@dataclass(frozen=True, slots=True)
class QuotedNumber:
    """A number that the texts quote by its name in braces, taken from one head.

    Parameters
    ----------
    quantity
        A key of `quantities.QUANTITIES`.
    query, key
        The pair it is taken for, 0-based.
    source
        `START`, `NOW`, the name of one of the lesson's what-ifs, the id of one of its other documents; or any
        head of the capture that one of them is from.
    decimals
        Digits after the point.
    """

    quantity: str
    query: int
    key: int
    source: str | CapturedSource
    decimals: int


@dataclass(frozen=True, slots=True)
class CapturedNumber:
    """A number that the texts quote by its name in braces, taken from a whole recorded capture.

    Parameters
    ----------
    quantity, parameters
        A key of `capture_quantities.CAPTURE_QUANTITIES`, and the named parameters of that function; what
        counts tokens, texts, layers or heads is 0-based.
    file
        Name of the capture in ``resources/captures``.
    decimals
        Digits after the point.
    """

    quantity: str
    parameters: Mapping[str, float]
    file: str
    decimals: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A change of the start document whose numbers are quoted: a function of `what_if.CHANGES`."""

    change: str
    parameters: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Source:
    """The document in plain numbers.

    Parameters
    ----------
    queries, keys
        Labels in both languages; of the same object in self-attention.
    matrices
        Rows by name: X, W_Q, W_K and maybe W_V, with X_k if the keys are other tokens; or Q, K and maybe V;
        or scores and maybe V.
    score
        "dot" or "scaled_dot"; given scores have none, whatever it says.
    """

    queries: tuple[BothLanguages, ...]
    keys: tuple[BothLanguages, ...]
    matrices: Mapping[str, Rows]
    score: str


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the lesson looks when it opens; matrices by the value of their `MatrixName`."""

    step: int
    query: int
    key: int
    matrices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Another document of a lesson, to be opened from it.

    Parameters
    ----------
    id
        What its tries and numbers call it, and what the document remembers.
    title, text
        Its name, and what it shows.
    source, opening
        The document, and where to look.
    panels
        The panels to show with it.
    """

    id: str
    title: BothLanguages
    text: BothLanguages
    source: Source | CapturedSource
    opening: Opening
    panels: tuple[str, ...]
