"""The walk from words to weights, one step at a time, with the arithmetic of the pinned cell."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.presenters.runs import Line, Run

__all__ = ["STEP_COUNT", "Line", "Run", "StepsContent", "lit_parts"]

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
    """

    step: int
    titles: tuple[str, ...]
    heading: Line
    lines: tuple[Line, ...]
    sentence: str


_LIT = (
    frozenset({"tokens"}),
    frozenset({"tokens", "x", "xxt"}),
    frozenset({"x", "w_q", "w_k", "q", "k", "plane"}),
    frozenset({"q", "k", "plane", "scores"}),
    frozenset({"scores", "scaled", "masked"}),
    frozenset({"scaled", "masked", "weights"}),
)


def lit_parts(step: int) -> frozenset[str]:
    """Return the parts of the other views that a step speaks of.

    Out of: tokens, x, w_q, w_k, q, k, plane, xxt, scores, scaled, masked, weights.
    """
    return _LIT[step]
