"""Progress: the first guess stands, tries are kept, and damaged data costs only itself."""

from __future__ import annotations

import json

import pytest

from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import MoveVector, RemoveToken, ReplaceDocument
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.lessons.progress import LessonProgress
from qkviz.translate import Phrase

PLANE = Plane.of_dimensions(2, 0, 1)

WHOLE = LessonProgress(
    guesses={"01-dot-product": "same", "07-from-embedding-to-weight": "yes"},
    tries={"01-dot-product": frozenset({"line", "stretch"})},
    finished=frozenset({"08-queries-times-keys"}),
)


def test_the_first_guess_stands() -> None:
    lesson = lesson_by_number(7)
    progress = LessonProgress().with_guess(lesson, "yes")
    assert progress.guess(lesson) == "yes"
    assert progress.with_guess(lesson, "no") is progress


def test_a_guess_that_is_no_longer_a_choice_counts_as_none() -> None:
    lesson = lesson_by_number(7)
    assert LessonProgress(guesses={lesson.id: "perhaps"}).guess(lesson) is None


def test_a_try_stays_done_when_the_vector_moves_on() -> None:
    lesson = lesson_by_number(1)
    session = Session(lesson.document(), lesson.focus)
    session.apply(MoveVector(Role.QUERY, 0, PLANE, -1.2, -1.6, gesture=1))
    progress = LessonProgress().with_noticed(lesson, session.snapshot)
    assert progress.done(lesson) == frozenset()  # at 143° from b
    session.apply(MoveVector(Role.QUERY, 0, PLANE, -2.4, -0.7, gesture=1))
    progress = progress.with_noticed(lesson, session.snapshot)
    assert progress.done(lesson) == {"opposite"}
    session.undo()
    assert progress.with_noticed(lesson, session.snapshot) is progress


def test_another_document_does_not_count() -> None:
    lesson, other = lesson_by_number(1), lesson_by_number(8)
    session = Session(lesson.document(), lesson.focus)
    session.apply(ReplaceDocument(other.document(), Phrase("Open")))
    progress = LessonProgress()
    assert progress.with_noticed(lesson, session.snapshot) is progress


def test_a_document_that_lost_its_tokens_is_looked_at_without_error() -> None:
    lesson = lesson_by_number(7)
    session = Session(lesson.document(), Focus())
    session.apply(RemoveToken(Role.QUERY, 2))
    progress = LessonProgress()
    assert progress.with_noticed(lesson, session.snapshot) is progress


def test_zero_vectors_are_looked_at_without_error() -> None:
    lesson = lesson_by_number(1)
    session = Session(lesson.document(), lesson.focus)
    session.apply(MoveVector(Role.QUERY, 0, PLANE, 0.0, 0.0, gesture=None))
    progress = LessonProgress()
    assert progress.with_noticed(lesson, session.snapshot) is progress


def test_a_lesson_is_finished_by_its_guess_and_all_its_tries() -> None:
    lesson = lesson_by_number(7)
    session = Session(lesson.document(), Focus(step=5, query=2, key=0))
    progress = LessonProgress().with_guess(lesson, "no").with_noticed(lesson, session.snapshot)
    for role, index, x, y in [
        (Role.QUERY, 0, -0.3, 1.2),
        (Role.QUERY, 0, 1.02, -0.32),
        (Role.KEY, 2, -3.0, -2.0),
    ]:
        assert lesson.id not in progress.finished
        session.apply(MoveVector(role, index, PLANE, x, y, gesture=None))
        progress = progress.with_noticed(lesson, session.snapshot)
    assert progress.finished == {lesson.id}


def test_a_guess_after_the_last_try_finishes_too() -> None:
    lesson = lesson_by_number(7)
    done = LessonProgress(tries={lesson.id: frozenset(one.id for one in lesson.tries)})
    assert done.with_guess(lesson, "yes").finished == {lesson.id}


def test_progress_comes_back_from_json() -> None:
    text = json.dumps(WHOLE.to_data())
    assert LessonProgress.from_data(json.loads(text)) == WHOLE


def test_progress_comes_back_from_lists_read_as_tuples() -> None:
    data = {"tries": {"01-dot-product": ("line",)}, "finished": ("07-from-embedding-to-weight",)}
    progress = LessonProgress.from_data(data)
    assert progress.tries == {"01-dot-product": frozenset({"line"})}
    assert progress.finished == {"07-from-embedding-to-weight"}


@pytest.mark.parametrize(
    ("field", "damage", "left"),
    [
        (
            "guesses",
            {"01-dot-product": 3, "07-from-embedding-to-weight": "yes"},
            {"07-from-embedding-to-weight": "yes"},
        ),
        ("guesses", "nothing", {}),
        ("guesses", None, {}),
        ("tries", {"01-dot-product": [1, "line", None]}, {"01-dot-product": frozenset({"line"})}),
        ("tries", [["01-dot-product", "line"]], {}),
        ("finished", [["x"], "08-queries-times-keys", 4], frozenset({"08-queries-times-keys"})),
        ("finished", {"08-queries-times-keys": True}, frozenset()),
    ],
)
def test_damage_costs_only_what_is_damaged(field: str, damage: object, left: object) -> None:
    progress = LessonProgress.from_data({**WHOLE.to_data(), field: damage})
    assert getattr(progress, field) == left
    for other in {"guesses", "tries", "finished"} - {field}:
        assert getattr(progress, other) == getattr(WHOLE, other)


@pytest.mark.parametrize("data", [None, 3, "x", [], [1], {}, {"later": 1}])
def test_data_of_another_kind_is_no_progress(data: object) -> None:
    assert LessonProgress.from_data(data) == LessonProgress()
