"""How far somebody has come in the lessons. A frozen value; the settings keep it as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from qkviz.lessons.checks import CHECKS, is_done
from qkviz.lessons.happenings import is_done_by

if TYPE_CHECKING:
    from qkviz.document.session import Snapshot
    from qkviz.lessons.lesson import Lesson


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """Guesses and tries, all by ids, so that it outlives changes of wording and order.

    Parameters
    ----------
    guesses
        Lesson id → id of the choice that was guessed first.
    tries
        Lesson id → ids of the tries done.
    finished
        Ids of the lessons in which everything was done once.
    """

    guesses: Mapping[str, str] = field(default_factory=dict)
    tries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    finished: frozenset[str] = frozenset()

    def guess(self, lesson: Lesson) -> str | None:
        """Return the id of the choice guessed in ``lesson``; None before, or when that choice is gone."""
        guessed = self.guesses.get(lesson.id)
        return guessed if guessed in {choice.id for choice in lesson.choices} else None

    def done(self, lesson: Lesson) -> frozenset[str]:
        """Return the ids of the tries of ``lesson`` that are done."""
        return self.tries.get(lesson.id, frozenset()) & {one.id for one in lesson.tries}

    def with_guess(self, lesson: Lesson, choice: str) -> LessonProgress:
        """Return the progress after a guess. The first one stands: who knows the answer guesses no more."""
        if self.guess(lesson) is not None:
            return self
        return replace(self, guesses={**self.guesses, lesson.id: choice})._with_finish(lesson)

    def with_noticed(self, lesson: Lesson, now: Snapshot) -> LessonProgress:
        """Return the progress after a look at what is on the screen.

        It is the same object when nothing new is done. Only a document that came from the lesson counts.
        """
        name = lesson.name_of(now.document)
        if name is None:
            return self
        before = self.done(lesson)
        new = {
            one.id
            for one in lesson.tries
            if one.check in CHECKS
            and one.document == name
            and one.id not in before
            and is_done(one.check, one.parameters, now, lesson.starts[name])
        }
        return self._with_tries(lesson, new)

    def with_happening(self, lesson: Lesson, name: str, values: Mapping[str, float]) -> LessonProgress:
        """Return the progress after a panel told of something; the same object when nothing new is done."""
        before = self.done(lesson)
        new = {
            one.id
            for one in lesson.tries
            if one.check == name and one.id not in before and is_done_by(name, one.parameters, values)
        }
        return self._with_tries(lesson, new)

    def merged(self, other: LessonProgress) -> LessonProgress:
        """Return what was done here or there; of two guesses that of ``other`` stands."""
        keys = {*self.tries, *other.tries}
        return LessonProgress(
            guesses={**self.guesses, **other.guesses},
            tries={key: self.tries.get(key, frozenset()) | other.tries.get(key, frozenset()) for key in keys},
            finished=self.finished | other.finished,
        )

    def to_data(self) -> dict[str, object]:
        """Return the progress as plain JSON data, always in the same order."""
        return {
            "guesses": dict(sorted(self.guesses.items())),
            "tries": {key: sorted(done) for key, done in sorted(self.tries.items())},
            "finished": sorted(self.finished),
        }

    @staticmethod
    def from_data(data: object) -> LessonProgress:
        """Return the progress that `to_data` gave; of damaged data whatever part is sound. Never fails."""
        parts = data if isinstance(data, Mapping) else {}
        return LessonProgress(
            guesses={key: guess for key, guess in _entries(parts.get("guesses")) if isinstance(guess, str)},
            tries={key: _ids(done) for key, done in _entries(parts.get("tries"))},
            finished=_ids(parts.get("finished")),
        )

    def _with_tries(self, lesson: Lesson, new: set[str]) -> LessonProgress:
        if not new:
            return self
        return replace(self, tries={**self.tries, lesson.id: self.done(lesson) | new})._with_finish(lesson)

    def _with_finish(self, lesson: Lesson) -> LessonProgress:
        whole = self.guess(lesson) is not None and len(self.done(lesson)) == len(lesson.tries)
        return replace(self, finished=self.finished | {lesson.id}) if whole else self


def _entries(table: object) -> list[tuple[str, object]]:
    if not isinstance(table, Mapping):
        return []
    return [(key, value) for key, value in table.items() if isinstance(key, str)]


def _ids(names: object) -> frozenset[str]:
    if not isinstance(names, list | tuple):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))
