"""A handout: the six steps of a document, a page each, with a lesson's story, picture and question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from qkviz.attention.inputs import DirectInputs, GivenScores
from qkviz.attention.masks import NoMask
from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.document.focus import LAST_STEP
from qkviz.document.session import Snapshot
from qkviz.lessons.lesson import Lesson
from qkviz.lessons.progress import LessonProgress
from qkviz.presenters.formula_words import runs_of
from qkviz.presenters.handout_pictures import HandoutPicture, present_picture
from qkviz.presenters.lesson import LessonContent, present_lesson
from qkviz.presenters.matrix import MatrixContent, present_matrices
from qkviz.presenters.pinned import with_a_pair
from qkviz.presenters.plane import PlaneContent, present_plane
from qkviz.presenters.runs import Line, Run, line_text
from qkviz.presenters.steps import present_steps
from qkviz.translate import _

Kind = Literal["heading", "main", "line", "title", "text", "choice"]

SPOKEN_OF = {
    1: (MatrixName.X, MatrixName.X_K, MatrixName.XXT),
    2: (MatrixName.Q, MatrixName.K),
    3: (MatrixName.SCORES,),
    4: (MatrixName.SCORES, MatrixName.BIAS, MatrixName.SCALED),
    5: (MatrixName.SCALED, MatrixName.WEIGHTS, MatrixName.OUTPUT),
}
"""Matrices beside the words of a step; those that a document has not got are left out."""

WITH_PLANE = (2, 3)


@dataclass(frozen=True, eq=False, slots=True)
class HandoutText:
    """One paragraph and what it is."""

    kind: Kind
    line: Line


@dataclass(frozen=True, eq=False, slots=True)
class HandoutPage:
    """One page.

    Attributes
    ----------
    step
        0 … 5; None on the page of the lesson's own picture.
    texts
        From the top down.
    plane, matrices
        The pictures beside them; there may be none.
    picture
        The lesson's own, on a page without plane and matrices.
    """

    step: int | None
    texts: tuple[HandoutText, ...]
    plane: PlaneContent | None
    matrices: tuple[MatrixContent, ...]
    picture: HandoutPicture | None = None

    def words(self) -> str:
        """Return the texts without colours, a line each."""
        return "\n".join(line_text(text.line) for text in self.texts)


@dataclass(frozen=True, eq=False, slots=True)
class HandoutContent:
    """Everything a handout holds.

    Attributes
    ----------
    title
        Of the lesson, or of any six steps.
    step_titles
        Of all six steps, without their numbers.
    pages
        One a step, and after the first the lesson's own picture, if it has one. A step on which the document
        has nothing is left out: without embeddings there is none about them.
    """

    title: str
    step_titles: tuple[str, ...]
    pages: tuple[HandoutPage, ...]


def present_handout(snapshot: Snapshot, lesson: Lesson | None = None) -> HandoutContent:
    """Return the handout of a document.

    Parameters
    ----------
    snapshot
        The document and where to look; if no pair is pinned, the chosen or first query and its largest key.
    lesson
        The lesson that the document is one of: its story and question come on the first page, its answer on
        the last. None for a document of nobody's.
    """
    pinned = replace(snapshot, focus=with_a_pair(snapshot))
    told = None
    if lesson is not None and lesson.name_of(snapshot.document) is not None:
        right = next(choice.id for choice in lesson.choices if choice.right)
        told = present_lesson(lesson, snapshot, LessonProgress().with_guess(lesson, right))
    pages = [
        _page(pinned, step, told) for step in range(LAST_STEP + 1) if step not in _hollow_steps(snapshot)
    ]
    picture = None if told is None or lesson is None else present_picture(lesson.id, pinned)
    if picture is not None:
        pages.insert(1, _picture_page(picture))
    return HandoutContent(
        title=_("Six steps from words to weights") if told is None else told.title,
        step_titles=present_steps(pinned).titles,
        pages=tuple(pages),
    )


def _hollow_steps(snapshot: Snapshot) -> tuple[int, ...]:
    match snapshot.document.inputs:
        case DirectInputs(X_q=None):
            return (1,)
        case GivenScores():
            return (1, 2)
        case _:
            return ()


def _page(pinned: Snapshot, step: int, told: LessonContent | None) -> HandoutPage:
    snapshot = replace(pinned, focus=replace(pinned.focus, step=step))
    texts = list(_step_texts(snapshot))
    if told is not None and step == 0:
        texts = [*_story(told), *texts, *_question(told)]
    elif told is not None and step == LAST_STEP:
        texts += [*_answer(told)]
    plane = present_plane(snapshot) if step in WITH_PLANE else None
    if plane is not None and not plane.arrows:
        plane = None
    names = _matrices_of(snapshot, step)
    matrices = present_matrices(
        replace(snapshot, focus=replace(snapshot.focus, matrices=names)), locked=step == 4
    )
    return HandoutPage(step, tuple(texts), plane, matrices)


def _picture_page(picture: HandoutPicture) -> HandoutPage:
    title, *_lines = picture.texts()
    texts = [HandoutText("heading", (Run(title),))]
    texts += [HandoutText("text", line) for line in picture.lines]
    return HandoutPage(None, tuple(texts), None, (), picture)


def _matrices_of(snapshot: Snapshot, step: int) -> tuple[MatrixName, ...]:
    """Return what a step speaks of; the first page has what was chosen to be seen."""
    has = available_matrices(snapshot.trace)
    if step == 0:
        return tuple(name for name in snapshot.focus.matrices if name in has) or (MatrixName.SCORES,)
    names = [name for name in SPOKEN_OF[step] if name in has]
    options = snapshot.document.options
    is_last_stage = isinstance(options.mask, NoMask) and options.soft_cap is None and options.bias is None
    if step >= 4 and not is_last_stage:
        names[names.index(MatrixName.SCALED)] = MatrixName.MASKED
    return tuple(names)


def _step_texts(snapshot: Snapshot) -> Iterator[HandoutText]:
    content = present_steps(snapshot)
    yield HandoutText("heading", content.heading)
    yield from (HandoutText("main", (formula,)) for formula in content.formulas if formula.formula)
    main, *more = content.lines or ((),)
    yield HandoutText("main", main)
    yield from (HandoutText("line", line) for line in more)
    yield HandoutText("text", content.sentence)


def _story(told: LessonContent) -> Iterator[HandoutText]:
    yield from (HandoutText("text", runs_of(paragraph)) for paragraph in told.paragraphs)
    for document in told.documents:
        if document.is_open and document.text:
            yield HandoutText("title", (Run(document.title, "strong"),))
            yield HandoutText("text", runs_of(document.text))


def _question(told: LessonContent) -> Iterator[HandoutText]:
    yield HandoutText("title", (Run(told.question_title, "strong"),))
    yield HandoutText("text", runs_of(told.question))
    yield from (HandoutText("choice", (Run("○  "), *runs_of(choice.text))) for choice in told.choices)


def _answer(told: LessonContent) -> Iterator[HandoutText]:
    yield HandoutText("title", (Run(_("Answer to the question of the first page"), "strong"),))
    right = next(choice for choice in told.choices if choice.is_right)
    yield HandoutText("choice", (Run("●  "), *runs_of(right.text)))
    yield HandoutText("text", runs_of(told.feedback or ""))
