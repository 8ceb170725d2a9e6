"""The document and the focus that a lesson opens with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qkviz.attention.inputs import AttentionInputs, DirectInputs, ProjectedInputs, matrix
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Dot, ScaledDot
from qkviz.document.document import Document
from qkviz.document.focus import Focus

if TYPE_CHECKING:
    from qkviz.lessons.lesson import Lesson, Source


def lesson_document(lesson: Lesson, language: str) -> Document:
    """Return a new document of the lesson, its labels in ``language``."""
    source = lesson.source
    return Document(
        queries=tuple(label.in_language(language) for label in source.queries),
        keys=tuple(label.in_language(language) for label in source.keys),
        inputs=lesson_inputs(source),
        options=AttentionOptions(score=Dot() if source.score == "dot" else ScaledDot()),
        lesson=lesson.id,
    )


def lesson_inputs(source: Source) -> AttentionInputs:
    """Return the matrices as the model layer takes them: projected when there is an X, else q and k."""
    given = {name: matrix(rows, name) for name, rows in source.matrices.items()}
    if "X" in given:
        # one object for queries and keys is what makes it self-attention
        return ProjectedInputs(given["X"], given["X"], given["W_Q"], given["W_K"], given.get("W_V"))
    return DirectInputs(given["Q"], given["K"], given.get("V"))


def lesson_focus(lesson: Lesson) -> Focus:
    """Return where to look when the lesson opens."""
    opening = lesson.opening
    return Focus(
        step=opening.step,
        query=opening.query,
        key=opening.key,
        matrices=tuple(MatrixName(name) for name in opening.matrices),
    )
