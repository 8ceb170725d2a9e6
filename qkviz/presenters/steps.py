"""The walk from words to weights, one step at a time, with the arithmetic of the pinned cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qkviz.attention.inputs import GivenScores
from qkviz.attention.score_functions import Additive
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.formulas import formula_line, step_formulas
from qkviz.presenters.hover import score_name
from qkviz.presenters.lit_parts import lit_parts
from qkviz.presenters.matrix_texts import normalizer_word
from qkviz.presenters.pinned import Pinned, StepText, hint, said
from qkviz.presenters.row import row_sentence
from qkviz.presenters.runs import Line, Run
from qkviz.presenters.step_scale import scale_step
from qkviz.presenters.step_scores import score_step
from qkviz.presenters.step_weights import weight_step
from qkviz.presenters.step_words import embedding_step, projection_step, words_step
from qkviz.presenters.words import token_words
from qkviz.translate import _

__all__ = ["STEP_COUNT", "Line", "Run", "StepsContent", "lit_parts", "present_steps", "step_titles"]

STEP_COUNT = 6


@dataclass(frozen=True, eq=False, slots=True)
class StepsContent:
    """Everything the Steps panel shows.

    Attributes
    ----------
    step
        0 … 5.
    titles
        Of all six steps, without their numbers.
    heading
        What the lines compute, ``q(cat) · k(mat)``.
    lines
        The arithmetic; the first line is the main one. Exact results, rounded only in the text.
    sentence
        What it means, in words that follow from the numbers.
    formulas
        The step in general, typeset beside the heading.
    """

    step: int
    titles: tuple[str, ...]
    heading: Line
    lines: tuple[Line, ...]
    sentence: Line
    formulas: Line = ()


_STEPS: tuple[Callable[[Pinned], StepText], ...] = (
    words_step,
    embedding_step,
    projection_step,
    score_step,
    scale_step,
    weight_step,
)


def present_steps(snapshot: Snapshot) -> StepsContent:
    """Return the step in hand for the pinned pair; without a pair, what to do to see it."""
    focus = snapshot.focus
    if focus.pair is None:
        text = _unpinned(snapshot)
    else:
        text = _STEPS[focus.step](Pinned(snapshot, *focus.pair))
    formulas = formula_line(step_formulas(snapshot))
    return StepsContent(focus.step, step_titles(snapshot), text.heading, text.lines, text.sentence, formulas)


def step_titles(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the titles of the six steps, without their numbers."""
    return (
        _("words"),
        _("embeddings x"),
        _("projections q, k"),
        _score_title(snapshot),
        _("scaled scores"),
        _("{normalizer} weights", normalizer=normalizer_word(snapshot)),
    )


def _score_title(snapshot: Snapshot) -> str:
    """Return the title of step 3: what the scores are."""
    if isinstance(snapshot.trace.inputs, GivenScores):
        return _("given scores")
    if isinstance(snapshot.trace.options.score, Additive):
        return _("additive scores")
    score = score_name(snapshot)
    return _("dot products q·k") if score == "q·k" else _("scores {score}", score=score)


def _unpinned(snapshot: Snapshot) -> StepText:
    query = snapshot.focus.query
    if query is None:
        return StepText(
            (Run(_("No pair is pinned")),),
            (hint(_("Click a cell of a matrix, and its arithmetic is written out here, step by step.")),),
            said(_("A cell stands for one query and one key.")),
        )
    word = token_words(Role.QUERY, snapshot.document.queries, query)
    return StepText(
        (Run(_("Row of {query}", query=word), "query"),),
        (hint(_("Click a cell of this row, and its arithmetic is written out here, step by step.")),),
        said(row_sentence(snapshot, query)),
    )
