"""A lesson: its words in both languages, the document it opens with, and what the hand is asked to try."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from qkviz.lessons.quantities import QUANTITIES
from qkviz.translate import LANGUAGES, current_language

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.document import Document
    from qkviz.document.focus import Focus

Rows = tuple[tuple[float, ...], ...]

START = "start"
"""Where a number is taken from by default: the document as the lesson opens it."""

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
    """

    id: str
    text: BothLanguages
    check: str
    parameters: Mapping[str, float]
    remark: BothLanguages


@dataclass(frozen=True, slots=True)
class QuotedNumber:
    """A number that the texts quote by its name in braces.

    Parameters
    ----------
    quantity
        A key of `quantities.QUANTITIES`.
    query, key
        The pair it is taken for, 0-based.
    source
        `START`, `NOW`, or the name of one of the lesson's what-ifs.
    decimals
        Digits after the point.
    """

    quantity: str
    query: int
    key: int
    source: str
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
        Rows by name: X, W_Q, W_K and maybe W_V, or Q, K and maybe V.
    score
        "dot" or "scaled_dot".
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


@dataclass(frozen=True, eq=False)
class Lesson:
    """One lesson, read from its ``lesson.toml``.

    Its parts are plain data, so that the list of lessons is there before torch is. Texts may hold ``{names}``
    of `numbers`; filling them is the presenter's work.

    Parameters
    ----------
    id, number
        The folder's name ("07-from-embedding-to-weight") and the number in it.
    titles, paragraphs, question, choices, answer, tries
        The words. ``answer`` is shown after the guess.
    source, opening, panels
        The document, where to look, and the names of the panels to show.
    numbers, what_ifs
        What the texts may quote.
    """

    id: str
    number: int
    titles: BothLanguages
    paragraphs: tuple[BothLanguages, ...]
    question: BothLanguages
    choices: tuple[Choice, ...]
    answer: BothLanguages
    tries: tuple[Try, ...]
    source: Source
    opening: Opening
    panels: tuple[str, ...]
    numbers: Mapping[str, QuotedNumber]
    what_ifs: Mapping[str, WhatIf]

    def title(self, language: str) -> str:
        """Return the title in ``language``."""
        return self.titles.in_language(language)

    def story(self, language: str) -> tuple[str, ...]:
        """Return the paragraphs of the story in ``language``, numbers still as ``{names}``."""
        return tuple(paragraph.in_language(language) for paragraph in self.paragraphs)

    def document(self) -> Document:
        """Return the document that the lesson opens with, its labels in the current language."""
        from qkviz.lessons.opening import lesson_document  # noqa: PLC0415  it imports torch

        return lesson_document(self, current_language())

    @property
    def focus(self) -> Focus:
        """Where to look when the lesson opens."""
        from qkviz.lessons.opening import lesson_focus  # noqa: PLC0415  it imports torch

        return lesson_focus(self)

    def relabelled(self, document: Document) -> Document:
        """Return ``document`` with this lesson's own labels in the current language.

        A label that was typed over stays. The same object is returned when no label differs.
        """
        queries = _in_current_language(document.queries, self.source.queries)
        keys = _in_current_language(document.keys, self.source.keys)
        if (queries, keys) == (document.queries, document.keys):
            return document
        return replace(document, queries=queries, keys=keys)

    @cached_property
    def start(self) -> AttentionTrace:
        """What follows from the document that the lesson opens with; computed once."""
        from qkviz.attention.trace import trace_attention  # noqa: PLC0415  it imports torch

        document = self.document()
        return trace_attention(document.inputs, document.options)

    @cached_property
    def fixed_numbers(self) -> Mapping[str, float]:
        """The quoted numbers that do not follow the hand, by name; computed once."""
        from qkviz.lessons.what_if import what_if_trace  # noqa: PLC0415  it imports torch

        traces = {START: self.start}
        traces |= {name: what_if_trace(self.document(), what_if) for name, what_if in self.what_ifs.items()}
        return {
            name: QUANTITIES[number.quantity](traces[number.source], number.query, number.key)
            for name, number in self.numbers.items()
            if number.source != NOW
        }


def _in_current_language(labels: tuple[str, ...], own: tuple[BothLanguages, ...]) -> tuple[str, ...]:
    """Return the labels with those of the lesson, wherever they now stand, in the current language."""
    language = current_language()
    translated = {text.in_language(other): text.in_language(language) for text in own for other in LANGUAGES}
    return tuple(translated.get(label, label) for label in labels)
