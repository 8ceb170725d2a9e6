"""The way through the lessons: the open one, the progress, and what a lesson does to the session."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from qkviz.document.document import Document
from qkviz.document.edits import ReplaceDocument
from qkviz.document.session import Session, Snapshot
from qkviz.lessons.lesson import FIRST, Lesson
from qkviz.lessons.library import lesson_of
from qkviz.lessons.progress import LessonProgress
from qkviz.presenters.lesson import LessonContent, LessonListContent, present_lesson, present_lesson_list
from qkviz.translate import Phrase

_REMEMBERED = 400
"""Opened documents that are still known: as many as a session can come back to by undo."""


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
        self._opened: deque[Document] = deque(maxlen=_REMEMBERED)

    def new_session(self) -> Session:
        """Return a session that begins with the current lesson."""
        return Session(self._new_document(self.current, FIRST), self.current.focus)

    def open(self, number: int, session: Session, name: str = FIRST) -> None:
        """Make the document one of a lesson, and look where it begins. An unknown number does nothing."""
        lesson = self._by_number(number)
        if lesson is None:
            return
        self.current = lesson
        label = Phrase("Open lesson {number}", number=lesson.number)
        session.apply(ReplaceDocument(self._new_document(lesson, name), label))
        session.look_at(lesson.focus_on(name))

    def is_untouched(self, document: Document) -> bool:
        """Tell whether ``document`` is one that was opened here, as it was opened."""
        return any(document is opened for opened in self._opened)

    def neighbour(self, step: int) -> int | None:
        """Return the number of the next (1) or previous (−1) lesson, None at the ends."""
        at = self.lessons.index(self.current) + step
        return self.lessons[at].number if 0 <= at < len(self.lessons) else None

    def follow(self, snapshot: Snapshot) -> None:
        """Take note of what the user did, and of undo having gone back to another lesson."""
        document = snapshot.document
        if document.lesson is not None and self.current.name_of(document) is None:
            self.current = lesson_of(document, self.lessons) or self.current
        self.progress = self.progress.with_noticed(self.current, snapshot)

    def guess(self, number: int, choice: int) -> None:
        """Take note of a guess: the ``choice``-th answer of a lesson."""
        lesson = self._by_number(number)
        if lesson is not None:
            self.progress = self.progress.with_guess(lesson, lesson.choices[choice].id)

    def happened(self, name: str, values: Mapping[str, float]) -> None:
        """Take note of something that a panel did, if the lesson waits for it."""
        self.progress = self.progress.with_happening(self.current, name, values)

    def speak(self, session: Session) -> Callable[[Document], Document]:
        """Give the lessons' own labels in the language of the program; labels the user has changed stay.

        Returns
        -------
        became : Callable
            Tells what a document of the session has become; another is itself.
        """
        became: dict[int, tuple[Document, Document]] = {}  # holds the old ones, so that ids stay their own

        def change(document: Document) -> Document:
            if id(document) not in became:
                became[id(document)] = (document, self._relabelled(document))
            return became[id(document)][1]

        session.rewrite(change)
        self._opened = deque(map(change, self._opened), _REMEMBERED)
        return change

    def _relabelled(self, document: Document) -> Document:
        lesson = lesson_of(document, self.lessons)
        return document if lesson is None else lesson.relabelled(document)

    def present(self, snapshot: Snapshot) -> tuple[LessonListContent, LessonContent]:
        """Return what the lessons panel shows."""
        listed = present_lesson_list(self.lessons, self.current, self.progress)
        return listed, present_lesson(self.current, snapshot, self.progress, self.lessons)

    def _new_document(self, lesson: Lesson, name: str) -> Document:
        document = lesson.document(name)
        self._opened.append(document)
        return document

    def _by_number(self, number: int) -> Lesson | None:
        return next((lesson for lesson in self.lessons if lesson.number == number), None)
