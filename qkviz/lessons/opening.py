"""The documents and the focus that a lesson opens with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Dot, ScaledDot
from qkviz.document.captured_head import head_document
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.lessons.lesson_parts import CapturedSource
from qkviz.lessons.recorded import recorded_head

if TYPE_CHECKING:
    from qkviz.lessons.lesson import Lesson
    from qkviz.lessons.lesson_parts import Opening, Source


def lesson_document(lesson: Lesson, name: str, language: str) -> Document:
    """Return a new document of the lesson, one of its `documents`, its own labels in ``language``."""
    source, _opening = lesson.documents[name]
    if isinstance(source, CapturedSource):
        return head_document(recorded_head(source), lesson.document_id(name))
    return Document(
        queries=tuple(label.in_language(language) for label in source.queries),
        keys=tuple(label.in_language(language) for label in source.keys),
        inputs=lesson_inputs(source),
        options=AttentionOptions(score=Dot() if source.score == "dot" else ScaledDot()),
        lesson=lesson.document_id(name),
    )


def lesson_inputs(source: Source) -> AttentionInputs:
    """Return the matrices as the model layer takes them."""
    given = {name: matrix(rows, name) for name, rows in source.matrices.items()}
    if "X" in given:
        # one object for queries and keys is what makes it self-attention
        X_k = given.get("X_k", given["X"])
        return ProjectedInputs(given["X"], X_k, given["W_Q"], given["W_K"], given.get("W_V"))
    if "scores" in given:
        return GivenScores(given["scores"], given.get("V"))
    return DirectInputs(given["Q"], given["K"], given.get("V"))


def lesson_focus(opening: Opening) -> Focus:
    """Return where to look at first."""
    return Focus(
        step=opening.step,
        query=opening.query,
        key=opening.key,
        matrices=tuple(MatrixName(name) for name in opening.matrices),
    )
