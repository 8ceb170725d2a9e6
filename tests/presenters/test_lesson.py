"""The lessons panel's content, by value, in both languages."""

from __future__ import annotations

import re

import pytest

from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import MoveVector, RemoveToken, ReplaceDocument
from qkviz.document.session import Session
from qkviz.lessons.formula_text import words_of
from qkviz.lessons.library import lesson_by_number
from qkviz.lessons.progress import LessonProgress
from qkviz.presenters.lesson import LessonState, present_lesson, present_lesson_list
from qkviz.translate import Phrase, use_language

LESSONS = tuple(lesson_by_number(number) for number in (1, 7, 8))
"""Some lessons, so that one more does not change what is said of the list."""

PLANE = Plane.of_dimensions(2, 0, 1)


def session_of(number: int) -> Session:
    lesson = lesson_by_number(number)
    return Session(lesson.document(), lesson.focus)


def test_the_list_marks_the_current_and_the_finished_lessons() -> None:
    lessons = LESSONS
    progress = LessonProgress(finished=frozenset({lessons[0].id, lessons[1].id}))
    content = present_lesson_list(lessons, lessons[1], progress)
    assert [(entry.number, entry.state, entry.finished) for entry in content.entries] == [
        (1, LessonState.DONE, True),
        (7, LessonState.CURRENT, True),
        (8, LessonState.OPEN, False),
    ]
    assert content.entries[2].title == "m queries × n keys"
    assert content.summary == "2 of 3 lessons done"


def test_without_an_open_lesson_none_is_current() -> None:
    content = present_lesson_list(LESSONS, None, LessonProgress())
    assert {entry.state for entry in content.entries} == {LessonState.OPEN}


def test_before_the_guess_nothing_is_given_away() -> None:
    content = present_lesson(lesson_by_number(7), session_of(7).snapshot, LessonProgress())
    assert (content.chosen, content.verdict, content.feedback) == (None, None, None)
    assert [(choice.text, choice.is_chosen, choice.is_right) for choice in content.choices] == [
        ("Yes", False, None),
        ("No", False, None),
    ]
    assert [one.remark for one in content.tries] == [None] * 4


def test_the_answer_quotes_the_programs_numbers() -> None:
    lesson = lesson_by_number(7)
    content = present_lesson(lesson, session_of(7).snapshot, LessonProgress().with_guess(lesson, "yes"))
    assert content.chosen == "yes"
    assert [(choice.is_chosen, choice.is_right) for choice in content.choices] == [
        (True, False),
        (False, True),
    ]
    assert content.verdict == "Not quite."
    assert content.feedback is not None
    assert "the score is 0.00, yet the weight is 0.16 (it was 0.28)" in content.feedback


def test_a_right_guess_is_called_right() -> None:
    lesson = lesson_by_number(8)
    content = present_lesson(lesson, session_of(8).snapshot, LessonProgress().with_guess(lesson, "none"))
    assert content.verdict == "You guessed right."


def test_the_stories_quote_the_numbers_of_the_documents() -> None:
    one, seven, eight = (
        " ".join(present_lesson(lesson_by_number(n), session_of(n).snapshot, LessonProgress()).paragraphs)
        for n in (1, 7, 8)
    )
    assert "1.20×2.40 + 1.60×0.70 = 4.00" in one
    assert "1.60 long. Times the length of b, 2.50, it gives 4.00 again" in one
    assert "cat→mat 0.83, mat→cat 1.38" in seven
    assert r"in $\embedding{X} \embedding{X}^\top$ both are 0.67" in seven
    assert "(2×2)(2×3) = 2×3" in eight
    assert "“black kitten” 0.62" in eight
    assert "“red car” −0.41" in eight


def test_the_story_stays_while_the_hand_moves_and_the_remark_follows_it() -> None:
    lesson, session = lesson_by_number(7), session_of(7)
    story = present_lesson(lesson, session.snapshot, LessonProgress()).paragraphs
    session.apply(MoveVector(Role.QUERY, 0, PLANE, 1.02, -0.32, gesture=None))
    progress = LessonProgress().with_noticed(lesson, session.snapshot)
    content = present_lesson(lesson, session.snapshot, progress)
    assert content.paragraphs == story
    assert content.tries[0].is_done
    weight = session.snapshot.trace.weights[0, 2].item()
    assert content.tries[0].remark == f"Now the score is 0.00 and the weight {weight:.2f}."


def test_a_number_that_is_gone_is_a_dash() -> None:
    lesson, session = lesson_by_number(7), session_of(7)
    session.apply(RemoveToken(Role.QUERY, 2))
    progress = LessonProgress(tries={lesson.id: frozenset({"perpendicular"})})
    content = present_lesson(lesson, session.snapshot, progress)
    assert content.tries[0].remark == "Now the score is – and the weight –."


def test_another_document_is_said_to_be_another() -> None:
    lesson, session = lesson_by_number(7), session_of(7)
    assert not present_lesson(lesson, session.snapshot, LessonProgress()).is_away
    session.apply(ReplaceDocument(lesson_by_number(8).document(), Phrase("Open")))
    assert present_lesson(lesson, session.snapshot, LessonProgress()).is_away


def test_neighbours_are_those_of_the_list() -> None:
    lessons = LESSONS
    content = present_lesson(lessons[1], session_of(7).snapshot, LessonProgress(), lessons)
    assert (content.previous_number, content.next_number) == (1, 8)
    ends = present_lesson(lessons[2], session_of(8).snapshot, LessonProgress(), lessons)
    assert (ends.previous_number, ends.next_number) == (7, None)


@pytest.mark.parametrize("number", [1, 7, 8])
def test_in_chinese_everything_is_chinese_and_every_brace_is_filled(number: int) -> None:
    use_language("zh")
    lesson = lesson_by_number(number)
    progress = LessonProgress(tries={lesson.id: frozenset(one.id for one in lesson.tries)})
    progress = progress.with_guess(lesson, lesson.choices[0].id)
    content = present_lesson(lesson, session_of(number).snapshot, progress, LESSONS)
    texts = [content.title, *content.paragraphs, content.question_title, content.question, content.hint]
    texts += [content.verdict or "", content.feedback or "", content.tries_title, content.away_note]
    texts += [choice.text for choice in content.choices]
    texts += [text for one in content.tries for text in (one.text, one.remark or "")]
    for text in filter(None, map(words_of, texts)):
        assert re.search("[\u4e00-\u9fff]", text), text
        assert not re.search("[{}]", text), text
        assert not re.search("(?<![A-Za-z])-|nan|inf", text), text  # a number with a hyphen, or none at all


def test_the_documents_of_a_lesson_are_listed_and_the_open_one_says_what_it_shows() -> None:
    lesson, session = lesson_by_number(8), session_of(8)
    first, second = present_lesson(lesson, session.snapshot, LessonProgress()).documents
    assert (first.name, first.title, first.is_open) == ("", "Questions and answers", True)
    assert (second.name, second.title, second.is_open) == ("cross", "Translation: two texts", False)
    session.apply(ReplaceDocument(lesson.document("cross"), Phrase("Open")))
    content = present_lesson(lesson, session.snapshot, LessonProgress())
    assert [one.is_open for one in content.documents] == [False, True]
    assert "is 2×4, not square. “chat” gives cat a weight of 0.70" in content.documents[1].text
    assert not content.is_away


def test_a_lesson_with_one_document_lists_none() -> None:
    assert present_lesson(lesson_by_number(7), session_of(7).snapshot, LessonProgress()).documents == ()
