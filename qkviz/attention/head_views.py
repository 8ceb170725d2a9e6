"""Ways to look at the weights of one head: without special tokens, with the length of values, by words.

What comes out is named for what it is: only `USUAL_VIEW` shows the model's weights themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

import torch
from torch import Tensor

from qkviz.attention.captured import Token
from qkviz.attention.trace import AttentionTrace
from qkviz.translate import Refusal

CONTINUATION = "·"
"""Before the label of a token that goes on with a word."""

ISOLATES = "\u2068\u2069"
"""Round the label of a token in a script that is written from right to left."""

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
"""Behind the label of a token that shares its characters with its neighbours."""


class CellValue(StrEnum):
    """What a cell holds."""

    WEIGHT = "weight"
    CARRIED = "carried"  # w_ij ‖v_j‖: how long a vector the key sends, which is no weight


class SpecialTokens(StrEnum):
    """What becomes of [CLS] and its like."""

    SHOWN = "shown"
    HIDDEN = "hidden"  # rows and columns are left out; what is left of a row sums to less
    RENORMALISED = "renormalised"  # left out, and each row rescaled to the sum 1


class Unit(StrEnum):
    """What a row or column stands for."""

    TOKENS = "tokens"
    WORDS = "words"  # tokens of one word together: mean over queries, sum over keys


@dataclass(frozen=True, slots=True)
class HeadView:
    """How the weights of a head are looked at; every choice goes with every other."""

    value: CellValue = CellValue.WEIGHT
    specials: SpecialTokens = SpecialTokens.SHOWN
    unit: Unit = Unit.TOKENS


USUAL_VIEW = HeadView()
"""The model's weights as they are."""


@dataclass(frozen=True, slots=True)
class TokenGroup:
    """A row or column: its label, and the positions of its tokens, rising."""

    label: str
    positions: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ViewedWeights:
    """The weights of one head in a view.

    Parameters
    ----------
    matrix
        (rows, columns), 0 or more.
    allowed
        (rows, columns) bool: False where the mask forbids every token of a column to every one of a row.
    rows, columns
        What they stand for.
    """

    view: HeadView
    matrix: Tensor
    allowed: Tensor
    rows: tuple[TokenGroup, ...]
    columns: tuple[TokenGroup, ...]


def viewed(
    trace: AttentionTrace, queries: Sequence[Token], keys: Sequence[Token], view: HeadView
) -> ViewedWeights:
    """Return the weights (m, n) of ``trace`` in a view.

    Special tokens are left out, and rows rescaled, before the tokens of words are put together. A row that
    has nothing left for words stays 0.

    Raises
    ------
    Refusal
        If there is no token but special ones, or lengths of values are asked of a model that tells none.
    """
    hides = view.specials is not SpecialTokens.SHOWN
    kept_rows, kept_columns = _kept(queries, hides), _kept(keys, hides)
    values = trace.weights  # (m, n)
    if view.value is CellValue.CARRIED:
        values = values * _value_lengths(trace)
    values = _part(values, kept_rows, kept_columns)  # (rows, columns)
    if view.specials is SpecialTokens.RENORMALISED:
        sums = values.sum(dim=1, keepdim=True)
        values = torch.where(sums > 0, values / sums, 0.0)
    allowed = _part(trace.masked > -torch.inf, kept_rows, kept_columns)
    rows, columns = token_groups(queries, kept_rows, view.unit), token_groups(keys, kept_columns, view.unit)
    if view.unit is Unit.WORDS:
        mean, total = _joining(rows).T, _joining(columns)
        allowed = (mean @ allowed.to(values.dtype) @ total) > 0
        values = (mean / mean.sum(dim=1, keepdim=True)) @ values @ total
    return ViewedWeights(view, values, allowed, rows, columns)


def token_groups(tokens: Sequence[Token], kept: Sequence[int], unit: Unit) -> tuple[TokenGroup, ...]:
    """Return the rows (or columns) that the tokens at the positions ``kept`` make."""
    if unit is Unit.TOKENS:
        return tuple(TokenGroup(tokens[at].label, (at,)) for at in kept)

    def word(at: int) -> tuple[int, int]:
        token = tokens[at]
        return (-1, at) if token.word is None else (token.segment, token.word)  # a special one stands alone

    groups = (tuple(group) for _word, group in groupby(kept, key=word))
    return tuple(TokenGroup(joined_label([tokens[at] for at in group]), group) for group in groups)


def joined_label(tokens: Sequence[Token]) -> str:
    """Return the label of a word from those of its tokens; a character that several share is there once."""
    if len(tokens) == 1:
        return tokens[0].label
    places = [(token.start, token.end) for token in tokens]
    parts: list[str] = []
    for at, token in enumerate(tokens):
        part = token.label.removeprefix(CONTINUATION).strip(ISOLATES)
        if places.count(places[at]) > 1 and token.start < token.end:
            part = part.rstrip(SUBSCRIPTS) if places.index(places[at]) == at else ""
        parts.append(part)
    word = "".join(parts)
    return f"{ISOLATES[0]}{word}{ISOLATES[1]}" if tokens[0].label.startswith(ISOLATES[0]) else word


def _kept(tokens: Sequence[Token], hides: bool) -> list[int]:
    kept = [at for at, token in enumerate(tokens) if not (hides and token.is_special)]
    if not kept:
        raise Refusal("The text has special tokens only; show them to see anything.")
    return kept


def _part(cells: Tensor, rows: Sequence[int], columns: Sequence[int]) -> Tensor:
    """Return some rows and columns; all of them cost nothing."""
    if cells.shape == (len(rows), len(columns)):
        return cells
    return cells[rows][:, columns]


def _value_lengths(trace: AttentionTrace) -> Tensor:
    """Return ‖v_j‖, (n,)."""
    if trace.V is None:
        raise Refusal("This model does not tell its values, so their lengths are not known.")
    lengths: Tensor = torch.linalg.vector_norm(trace.V, dim=1)
    return lengths


def _joining(groups: Sequence[TokenGroup]) -> Tensor:
    """Return 1 where a token (row) belongs to a group (column), float64; tokens follow one another."""
    sizes = torch.tensor([len(group.positions) for group in groups])
    return torch.eye(len(groups), dtype=torch.float64).repeat_interleave(sizes, dim=0)
