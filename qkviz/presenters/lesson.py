"""What the lessons panel shows: the list of lessons, and the one that is open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from qkviz.lessons.formula_text import pieces_of
from qkviz.lessons.lesson import FIRST, NOW, Lesson, QuotedNumber
from qkviz.lessons.progress import LessonProgress
from qkviz.lessons.quantities import QUANTITIES
from qkviz.presenters.number_format import format_number
from qkviz.translate import _, current_language

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


class LessonState(StrEnum):
    """How an entry of the list looks."""

    OPEN = "open"
    CURRENT = "current"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class LessonEntry:
    """One line of the list. A current lesson may be finished too: ``finished`` says so."""

    number: int
    id: str
    title: str
    state: LessonState
    finished: bool


@dataclass(frozen=True, slots=True)
class LessonListContent:
    """The list, and a line such as "2 of 3 lessons done"."""

    entries: tuple[LessonEntry, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class ChoiceContent:
    """One answer; ``is_right`` is None until something was guessed."""

    id: str
    text: str
    is_chosen: bool
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class TryContent:
    """One thing to do by hand; the remark comes when it is done."""

    id: str
    text: str
    is_done: bool
    remark: str | None


@dataclass(frozen=True, slots=True)
class LessonDocumentContent:
    """One of the documents of a lesson that has several; ``name`` is what the lesson calls it."""

    name: str
    title: str
    text: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class LessonContent:
    """The open lesson.

    Parameters
    ----------
    number, id, title, paragraphs
        Its head and its story.
    question_title, question, choices, hint
        The guess; ``hint`` says what comes after it.
    chosen
        Id of the choice guessed; None before.
    verdict, feedback
        Whether the guess was right, and the answer with its numbers; None before the guess.
    tries_title, tries
        What to do by hand.
    is_away
        The document on the screen is not this lesson's; ``away_note`` then says how to come back.
    previous_number, next_number
        Neighbours in the list; None at its ends.
    documents_title, documents
        The documents to choose from, the one that opens first; none when it is the only one.
    """

    number: int
    id: str
    title: str
    paragraphs: tuple[str, ...]
    question_title: str
    question: str
    choices: tuple[ChoiceContent, ...]
    hint: str
    chosen: str | None
    verdict: str | None
    feedback: str | None
    tries_title: str
    tries: tuple[TryContent, ...]
    is_away: bool
    away_note: str
    previous_number: int | None
    next_number: int | None
    documents_title: str = ""
    documents: tuple[LessonDocumentContent, ...] = ()


def present_lesson_list(
    lessons: Sequence[Lesson], current: Lesson | None, progress: LessonProgress
) -> LessonListContent:
    """Return the list of lessons with their state; ``current`` is the open one, compared by its id."""
    current_id = None if current is None else current.id
    entries = tuple(_entry(lesson, current_id, progress) for lesson in lessons)
    summary = _(
        "{done} of {all} lessons done", done=sum(entry.finished for entry in entries), all=len(entries)
    )
    return LessonListContent(entries, summary)


def present_lesson(
    lesson: Lesson, snapshot: Snapshot, progress: LessonProgress, lessons: Sequence[Lesson] = ()
) -> LessonContent:
    """Return the lesson in the current language, its numbers filled in.

    Parameters
    ----------
    lesson
        The open one.
    snapshot
        What is on the screen; numbers that follow the hand are taken from it.
    progress
        What was guessed and done.
    lessons
        All lessons by number, for the neighbours.
    """
    language = current_language()
    numbers = _shown_numbers(lesson, snapshot.trace)
    guess = progress.guess(lesson)
    done = progress.done(lesson)
    numbers_before = [other.number for other in lessons if other.number < lesson.number]
    numbers_after = [other.number for other in lessons if other.number > lesson.number]
    right = next(choice.id for choice in lesson.choices if choice.right)
    return LessonContent(
        number=lesson.number,
        id=lesson.id,
        title=lesson.title(language),
        paragraphs=tuple(_filled(paragraph, numbers) for paragraph in lesson.story(language)),
        question_title=_("Guess first"),
        question=_filled(lesson.question.in_language(language), numbers),
        choices=tuple(
            ChoiceContent(
                id=choice.id,
                text=_filled(choice.text.in_language(language), numbers),
                is_chosen=choice.id == guess,
                is_right=None if guess is None else choice.right,
            )
            for choice in lesson.choices
        ),
        hint=_("Guess, then check it by hand."),
        chosen=guess,
        verdict=None if guess is None else _("You guessed right.") if guess == right else _("Not quite."),
        feedback=None if guess is None else _filled(lesson.answer.in_language(language), numbers),
        tries_title=_("Try it by hand"),
        tries=tuple(
            TryContent(
                id=one.id,
                text=_filled(one.text.in_language(language), numbers),
                is_done=one.id in done,
                remark=_filled(one.remark.in_language(language), numbers) if one.id in done else None,
            )
            for one in lesson.tries
        ),
        is_away=lesson.name_of(snapshot.document) is None,
        away_note=_("Another document is open. “Restore lesson” brings this one back."),
        previous_number=max(numbers_before, default=None),
        next_number=min(numbers_after, default=None),
        documents_title=_("Documents of this lesson"),
        documents=_documents(lesson, snapshot, numbers),
    )


def _documents(
    lesson: Lesson, snapshot: Snapshot, numbers: Mapping[str, str]
) -> tuple[LessonDocumentContent, ...]:
    if lesson.first_title is None or not lesson.variants:
        return ()
    language, opened = current_language(), lesson.name_of(snapshot.document)
    first = LessonDocumentContent(FIRST, lesson.first_title.in_language(language), "", opened == FIRST)
    others = tuple(
        LessonDocumentContent(
            name=one.id,
            title=_filled(one.title.in_language(language), numbers),
            text=_filled(one.text.in_language(language), numbers),
            is_open=opened == one.id,
        )
        for one in lesson.variants
    )
    return (first, *others)


def _entry(lesson: Lesson, current_id: str | None, progress: LessonProgress) -> LessonEntry:
    finished = lesson.id in progress.finished
    if lesson.id == current_id:
        state = LessonState.CURRENT
    else:
        state = LessonState.DONE if finished else LessonState.OPEN
    return LessonEntry(lesson.number, lesson.id, lesson.title(current_language()), state, finished)


def _shown_numbers(lesson: Lesson, trace: AttentionTrace) -> Mapping[str, str]:
    """Return every quoted number as text; one that the document on the screen has not got is a dash."""
    shown: dict[str, str] = {}
    for name, number in lesson.numbers.items():
        if isinstance(number, QuotedNumber) and number.source == NOW:
            try:
                value = QUANTITIES[number.quantity](trace, number.query, number.key)
            except (IndexError, ValueError):  # tokens removed, or a document without vectors
                value = math.nan
            shown[name] = "–" if math.isnan(value) else format_number(value, number.decimals)
        else:
            shown[name] = format_number(lesson.fixed_numbers[name], number.decimals)
    return shown


def _filled(text: str, numbers: Mapping[str, str]) -> str:
    """Return a text with its numbers; braces inside ``$formulas$`` are LaTeX's own."""
    return "".join(
        f"${piece.text}$" if piece.is_formula else piece.text.format_map(numbers) for piece in pieces_of(text)
    )
