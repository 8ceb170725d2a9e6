"""The same vectors under dot product, scaled dot product and cosine, now and before, as content."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.geometry import pair_geometry
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.score_functions import Cosine, Dot, ScaledDot, ScoreFunction
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, cell_kinds
from qkviz.presenters.color_scales import ColorScale, diverging_scale, sequential_scale
from qkviz.presenters.matrix import MatrixContent, present_matrix
from qkviz.presenters.number_format import format_number
from qkviz.presenters.words import visible_token
from qkviz.translate import N_, _

Stage = Literal["scores", "weights"]

FUNCTIONS: tuple[tuple[ScoreFunction, str, str], ...] = (
    (Dot(), N_("dot product"), "q·k"),
    (ScaledDot(), N_("scaled dot product"), "q·k / √dₖ"),
    (Cosine(), N_("cosine"), "q·k / (‖q‖ ‖k‖)"),
)
"""Score functions, their words and formulas, in the order of the rows."""

ROUNDING = 1e-9
"""A change smaller than this, relative to 1 or to the larger of both numbers, is one of rounding."""


@dataclass(frozen=True, eq=False, slots=True)
class FunctionContent:
    """One score function.

    Attributes
    ----------
    title, formula
        What it is.
    is_chosen
        The document uses it.
    now, change
        Its scores or weights, and by how much they differ from those before.
    changed, count
        How many cells differ, of how many.
    """

    title: str
    formula: str
    is_chosen: bool
    now: MatrixContent
    change: MatrixContent
    changed: int
    count: int


@dataclass(frozen=True, slots=True)
class LengthContent:
    """The length of one vector of the active pair; without a direction it is the zero vector."""

    role: Role
    index: int
    name: str
    value: float
    text: str
    direction: tuple[float, ...] | None


@dataclass(frozen=True, eq=False, slots=True)
class CosineContent:
    """Everything the panel shows; without vectors nothing but the note."""

    functions: tuple[FunctionContent, ...]
    lengths: tuple[LengthContent, ...]
    sentence: str
    note: str


_Change = tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.bool_]]


def under_each_function(snapshot: Snapshot) -> tuple[Snapshot, ...]:
    """Return the snapshot under each of the `FUNCTIONS`; nothing for a document without vectors."""
    if snapshot.trace.Q is None:
        return ()
    document = snapshot.document
    options = [replace(document.options, score=score, scale=None) for score, _word, _formula in FUNCTIONS]
    return tuple(replace(snapshot, trace=trace_attention(document.inputs, option)) for option in options)


def can_be_compared(one: Snapshot, other: Snapshot) -> bool:
    """Say whether both show the same tokens, so that cell (i, j) of one is cell (i, j) of the other."""
    a, b = one.document, other.document
    return a.lesson == b.lesson and one.trace.scores.shape == other.trace.scores.shape


def present_cosine(
    snapshot: Snapshot, now: tuple[Snapshot, ...], before: tuple[Snapshot, ...], stage: Stage
) -> CosineContent:
    """Return the three functions now, and what changed since before.

    Parameters
    ----------
    snapshot
        What is on the screen.
    now, before
        `under_each_function`, of the present and of an earlier snapshot with the same tokens.
    stage
        Whether to show scores, scaled as each function scales them, or weights.
    """
    if not now:
        note = _("Only the scores of this document are given: there are no q and k to compare.")
        return CosineContent((), (), "", note)
    name = MatrixName.SCALED if stage == "scores" else MatrixName.WEIGHTS
    changes = [_change(one, other, name) for one, other in zip(now, before, strict=True)]
    scale = _common_scale(now, name)
    change_scale = diverging_scale(np.concatenate([values.ravel() for values, _kinds, _differs in changes]))
    functions = tuple(
        _function(one, at, name, change, scale, change_scale, snapshot)
        for at, (one, change) in enumerate(zip(now, changes, strict=True))
    )
    return CosineContent(functions, _lengths(snapshot), _sentence(functions, stage), _zero_note(snapshot))


def _function(
    snapshot: Snapshot,
    at: int,
    name: MatrixName,
    change: _Change,
    scale: ColorScale,
    change_scale: ColorScale,
    shown: Snapshot,
) -> FunctionContent:
    score, word, formula = FUNCTIONS[at]
    values, kinds, differs = change
    changed = int(differs.sum())
    now = replace(present_matrix(snapshot, name, scale), title=_(word), subtitle=formula)
    subtitle = _("nothing changed")
    if changed:
        subtitle = _("{count} of {all} changed", count=changed, all=values.size)
    return FunctionContent(
        title=_(word),
        formula=formula,
        is_chosen=shown.document.options.score == score,
        now=now,
        change=replace(
            now, title=_("change"), subtitle=subtitle, values=values, kinds=kinds, scale=change_scale, note=""
        ),
        changed=changed,
        count=values.size,
    )


def _change(now: Snapshot, before: Snapshot, name: MatrixName) -> _Change:
    """Return the difference (m, n) without rounding, what cells without a number are, and which differ."""
    new, old = matrix_of(now.trace, name).numpy(), matrix_of(before.trace, name).numpy()
    kinds_now, kinds_before = cell_kinds(now.trace, name), cell_kinds(before.trace, name)
    kinds = np.maximum(kinds_now, kinds_before)
    both = kinds == CellKind.VALUE
    new, old = np.where(both, new, 0.0), np.where(both, old, 0.0)
    change = new - old
    change[np.abs(change) <= ROUNDING * np.maximum(1.0, np.maximum(np.abs(new), np.abs(old)))] = 0.0
    change.flags.writeable = False
    return change, kinds, (change != 0) | (kinds_now != kinds_before)


def _common_scale(now: tuple[Snapshot, ...], name: MatrixName) -> ColorScale:
    """Return one scale for all three, so that equal colours mean equal numbers."""
    if name is MatrixName.WEIGHTS:
        return sequential_scale(np.zeros(0), 1.0)
    values = np.concatenate([matrix_of(one.trace, name).numpy().ravel() for one in now])
    return diverging_scale(values)


def _lengths(snapshot: Snapshot) -> tuple[LengthContent, ...]:
    document, trace = snapshot.document, snapshot.trace
    assert trace.Q is not None  # asked before
    assert trace.K is not None
    query, key = snapshot.focus.pair or (snapshot.focus.query or 0, 0)
    q, k = trace.Q[query].tolist(), trace.K[key].tolist()
    return (
        _length(Role.QUERY, query, f"‖q·{visible_token(document.queries[query], query)}‖", q),
        _length(Role.KEY, key, f"‖k·{visible_token(document.keys[key], key)}‖", k),
    )


def _length(role: Role, index: int, name: str, vector: list[float]) -> LengthContent:
    length = math.hypot(*vector)
    direction = tuple(vector) if length > 0 else None
    return LengthContent(role, index, name, length, format_number(length), direction)


def _sentence(functions: tuple[FunctionContent, ...], stage: Stage) -> str:
    """Return how many cells of each function changed."""
    dot, scaled, cosine = (one.changed for one in functions)
    count = functions[0].count
    if not (dot or scaled or cosine):
        return _("Nothing has changed yet: make a vector longer, or drag one.")
    if stage == "weights":
        template = N_("Changed weights, of {all}: dot product {dot}, scaled {scaled}, cosine {cosine}.")
    else:
        template = N_("Changed scores, of {all}: dot product {dot}, scaled {scaled}, cosine {cosine}.")
    return _(template, all=count, dot=dot, scaled=scaled, cosine=cosine)


def _zero_note(snapshot: Snapshot) -> str:
    """Return that a zero vector of the active pair has no cosine, as all in one direction have one."""
    trace = snapshot.trace
    assert trace.Q is not None  # asked in present_cosine
    assert trace.K is not None
    query, key = snapshot.focus.pair or (snapshot.focus.query or 0, 0)
    geometry = pair_geometry(trace.Q[query].tolist(), trace.K[key].tolist())
    if geometry.cosine is not None:
        return ""
    return _(
        "A zero vector has no direction: its dot products are 0, its cosines are undefined and take no part "
        "in the weights."
    )
