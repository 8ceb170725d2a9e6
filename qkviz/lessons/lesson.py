"""A lesson: its words in both languages, the documents it opens, and what the hand is asked to try."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from qkviz.lessons.lesson_parts import (
    FIRST,
    NOW,
    START,
    BothLanguages,
    CapturedNumber,
    CapturedSource,
    Choice,
    Opening,
    QuotedNumber,
    Rows,
    Source,
    Try,
    Variant,
    WhatIf,
)
from qkviz.lessons.quantities import QUANTITIES
from qkviz.translate import LANGUAGES, current_language

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.document import Document
    from qkviz.document.focus import Focus

__all__ = [
    "FIRST",
    "NOW",
    "START",
    "BothLanguages",
    "CapturedNumber",
    "CapturedSource",
    "Choice",
    "Lesson",
    "Opening",
    "QuotedNumber",
    "Rows",
    "Source",
    "Try",
    "Variant",
    "WhatIf",
]


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
        The document that it opens with, where to look, and the names of the panels to show.
    numbers, what_ifs
        What the texts may quote.
    variants, first_title
        Other documents to be opened from the lesson, and what the first one is called beside them.
    """

    id: str
    number: int
    titles: BothLanguages
    paragraphs: tuple[BothLanguages, ...]
    question: BothLanguages
    choices: tuple[Choice, ...]
    answer: BothLanguages
    tries: tuple[Try, ...]
    source: Source | CapturedSource
    opening: Opening
    panels: tuple[str, ...]
    numbers: Mapping[str, QuotedNumber | CapturedNumber]
    what_ifs: Mapping[str, WhatIf]
    variants: tuple[Variant, ...] = ()
    first_title: BothLanguages | None = None

    def title(self, language: str) -> str:
        """Return the title in ``language``."""
        return self.titles.in_language(language)

    def story(self, language: str) -> tuple[str, ...]:
        """Return the paragraphs of the story in ``language``, numbers still as ``{names}``."""
        return tuple(paragraph.in_language(language) for paragraph in self.paragraphs)

    def document(self, name: str = FIRST) -> Document:
        """Return one of the lesson's documents, its labels in the current language."""
        from qkviz.lessons.opening import lesson_document  # noqa: PLC0415  it imports torch

        return lesson_document(self, name, current_language())

    @property
    def focus(self) -> Focus:
        """Where to look when the lesson opens."""
        return self.focus_on(FIRST)

    def focus_on(self, name: str) -> Focus:
        """Return where to look when one of the lesson's documents opens."""
        from qkviz.lessons.opening import lesson_focus  # noqa: PLC0415  it imports torch

        return lesson_focus(self.documents[name][1])

    @cached_property
    def documents(self) -> Mapping[str, tuple[Source | CapturedSource, Opening]]:
        """What each of the lesson's documents is made of, and where to look at first, by its name."""
        first: dict[str, tuple[Source | CapturedSource, Opening]] = {FIRST: (self.source, self.opening)}
        return first | {one.id: (one.source, one.opening) for one in self.variants}

    def panels_for(self, name: str) -> tuple[str, ...]:
        """Return the names of the panels to show with one of the lesson's documents."""
        return next((one.panels for one in self.variants if one.id == name), self.panels)

    def document_id(self, name: str) -> str:
        """Return what `Document.lesson` says of a document of this lesson."""
        return self.id if name == FIRST else f"{self.id}--{name}"

    def name_of(self, document: Document) -> str | None:
        """Return which of the lesson's documents this one was at first; None if it is of another lesson."""
        return next((name for name in self.documents if self.document_id(name) == document.lesson), None)

    def relabelled(self, document: Document) -> Document:
        """Return ``document`` with this lesson's own labels in the current language.

        A label that was typed over stays. The same object is returned when no label differs, for a head of a
        model, whose labels are the tokens, and for a document of another lesson.
        """
        name = self.name_of(document)
        if name is None:
            return document
        source, _opening = self.documents[name]
        if isinstance(source, CapturedSource):
            return document
        queries = _in_current_language(document.queries, source.queries)
        keys = _in_current_language(document.keys, source.keys)
        if (queries, keys) == (document.queries, document.keys):
            return document
        return replace(document, queries=queries, keys=keys)

    @property
    def start(self) -> AttentionTrace:
        """What follows from the document that the lesson opens with."""
        return self.starts[FIRST]

    @cached_property
    def starts(self) -> Mapping[str, AttentionTrace]:
        """What follows from each of the lesson's documents as it opens, by name; computed once."""
        from qkviz.attention.trace import trace_attention  # noqa: PLC0415  it imports torch

        documents = {name: self.document(name) for name in self.documents}
        return {name: trace_attention(one.inputs, one.options) for name, one in documents.items()}

    @cached_property
    def fixed_numbers(self) -> Mapping[str, float]:
        """The quoted numbers that do not follow the hand, by name; computed once."""
        from qkviz.lessons.what_if import what_if_trace  # noqa: PLC0415  it imports torch

        traces: dict[str | CapturedSource, AttentionTrace] = {START: self.start}
        traces |= self.starts.items()
        traces |= {name: what_if_trace(self.document(), what_if) for name, what_if in self.what_ifs.items()}
        return {
            name: _captured_value(number) if isinstance(number, CapturedNumber) else _value(number, traces)
            for name, number in self.numbers.items()
            if isinstance(number, CapturedNumber) or number.source != NOW
        }


def _captured_value(number: CapturedNumber) -> float:
    from qkviz.lessons.capture_quantities import CAPTURE_QUANTITIES  # noqa: PLC0415  it imports torch
    from qkviz.lessons.recorded import recorded_capture  # noqa: PLC0415  it imports torch

    whole = {name: int(value) for name, value in number.parameters.items()}
    return CAPTURE_QUANTITIES[number.quantity](recorded_capture(number.file), **whole)


def _value(number: QuotedNumber, traces: dict[str | CapturedSource, AttentionTrace]) -> float:
    """Return a number of a head; a trace made for it is added to ``traces``."""
    if isinstance(number.source, CapturedSource) and number.source not in traces:
        from qkviz.lessons.recorded import recorded_trace  # noqa: PLC0415  it imports torch

        traces[number.source] = recorded_trace(number.source)
    return QUANTITIES[number.quantity](traces[number.source], number.query, number.key)


def _in_current_language(labels: tuple[str, ...], own: tuple[BothLanguages, ...]) -> tuple[str, ...]:
    """Return the labels with those of the lesson, wherever they now stand, in the current language."""
    language = current_language()
    translated = {text.in_language(other): text.in_language(language) for text in own for other in LANGUAGES}
    return tuple(translated.get(label, label) for label in labels)
