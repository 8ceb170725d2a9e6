"""The way through the lessons: the open one, the progress, and what a lesson does to the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qkviz.document.edits import ReplaceDocument
from qkviz.document.session import Session, Snapshot
from qkviz.lessons.lesson import Lesson
from qkviz.lessons.opening import lesson_document, lesson_focus
from qkviz.lessons.progress import LessonProgress
from qkviz.presenters.lesson import LessonContent, LessonListContent, present_lesson, present_lesson_list
from qkviz.translate import Phrase, current_language


class LessonCourse:
    """Lessons and the progress in them.

    Parameters
    ----------
    lessons
        By number, at least one.
    number
        The lesson to begin with; the first one if there is no such lesson.
    progress
        What was done before.
    """

    def __init__(self, lessons: Sequence[Lesson], number: int, progress: LessonProgress) -> None:
        self.lessons = tuple(lessons)
        self.progress = progress
        self.current = self._by_number(number) or self.lessons[0]

    def new_session(self) -> Session:
        """Return a session that begins with the current lesson."""
        return Session(lesson_document(self.current, current_language()), lesson_focus(self.current))

    def open(self, number: int, session: Session) -> None:
        """Make the document that of a lesson, and look where it begins. An unknown number does nothing."""
        lesson = self._by_number(number)
        if lesson is None:
            return
        self.current = lesson
        language = current_language()
        label = Phrase("Open lesson {number}", number=lesson.number)
        session.apply(ReplaceDocument(lesson_document(lesson, language), label))
        session.look_at(lesson_focus(lesson))

    def neighbour(self, step: int) -> int | None:
        """Return the number of the next (1) or previous (−1) lesson, None at the ends."""
        at = self.lessons.index(self.current) + step
        return self.lessons[at].number if 0 <= at < len(self.lessons) else None

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of what the user did, and of undo having gone back to another lesson."""
        document = snapshot.document
        if document.lesson is not None and document.lesson != self.current.id:
            self.current = next((one for one in self.lessons if one.id == document.lesson), self.current)
        self.progress = self.progress.with_noticed(self.current, snapshot)

    def guess(self, number: int, choice: int) -> None:
        """Take note of a guess: the ``choice``-th answer of a lesson."""
        lesson = self._by_number(number)
        if lesson is not None:
            self.progress = self.progress.with_guess(lesson, lesson.choices[choice].id)

    def happened(self, name: str, values: Mapping[str, float]) -> None:
        """Take note of something that a panel did, if the lesson waits for it."""
        self.progress = self.progress.with_happening(self.current, name, values)

    def speak(self, language: str, before: str, session: Session) -> None:
        """Give the lesson's own labels in another language; labels the user has changed stay."""
        document = session.snapshot.document
        if document.lesson != self.current.id:
            return
        old, new = lesson_document(self.current, before), lesson_document(self.current, language)
        if (document.queries, document.keys) == (old.queries, old.keys):
            relabelled = replace(document, queries=new.queries, keys=new.keys)
            session.apply(ReplaceDocument(relabelled, Phrase("Labels in the language of the program")))

    def present(self, snapshot: Snapshot) -> tuple[LessonListContent, LessonContent]:
        """Return what the lessons panel shows."""
        listed = present_lesson_list(self.lessons, self.current, self.progress)
        return listed, present_lesson(self.current, snapshot, self.progress, self.lessons)

    def _by_number(self, number: int) -> Lesson | None:
        return next((lesson for lesson in self.lessons if lesson.number == number), None)
