"""The lessons that there are."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.lessons.lesson import Lesson
from qkviz.lessons.lesson_file import read_lesson
from qkviz.resources import resource_path
from qkviz.translate import Refusal

if TYPE_CHECKING:
    from qkviz.document.document import Document

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, slots=True)
class LessonLibrary:
    """Lessons by number, and one sentence about each file that is not a lesson."""

    lessons: tuple[Lesson, ...]
    damaged: tuple[Refusal, ...]


def read_library(folder: Path) -> LessonLibrary:
    """Read every ``<NN-name>/lesson.toml`` below ``folder``; a damaged one does not keep the others away."""
    lessons: list[Lesson] = []
    damaged: list[Refusal] = []
    for path in sorted(folder.glob("*/lesson.toml")):
        try:
            lessons.append(read_lesson(path))
        except Refusal as refusal:
            damaged.append(refusal)
    return LessonLibrary(tuple(sorted(lessons, key=lambda lesson: lesson.number)), tuple(damaged))


def load_lessons() -> tuple[Lesson, ...]:
    """Return the lessons of this program by number. A damaged file is logged and left out."""
    library = read_library(resource_path("lessons"))
    for refusal in library.damaged:
        _log.warning("%s", refusal)
    return library.lessons


def lesson_of(document: Document, lessons: Iterable[Lesson]) -> Lesson | None:
    """Return the lesson that a document is one of, changed by hand or not; None for any other document."""
    return next((lesson for lesson in lessons if lesson.name_of(document) is not None), None)


def lesson_by_number(number: int) -> Lesson:
    """Return the lesson with this number.

    Raises
    ------
    Refusal
        If there is none; lists the numbers that there are.
    """
    lessons = load_lessons()
    for lesson in lessons:
        if lesson.number == number:
            return lesson
    raise Refusal(
        "There is no lesson {number}; the lessons are {numbers}.",
        number=number,
        numbers=", ".join(str(lesson.number) for lesson in lessons),
    )
