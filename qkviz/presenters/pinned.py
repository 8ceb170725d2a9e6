"""The pinned pair with everything the Steps panel says about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.trace import AttentionTrace
from qkviz.document.document import Role
from qkviz.document.focus import Focus
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, cell_kinds, cell_text
from qkviz.presenters.number_format import factor_text, format_number, in_parentheses
from qkviz.presenters.runs import Line, Run, Tone
from qkviz.presenters.words import named_token, token_words, visible_token

SHOWN_TERMS = 6
"""Terms of a sum that are written out; of more the first ones, … and the last. Results are always exact."""

SHOWN_KEYS = 8
"""Cells of a row that are written out."""


@dataclass(frozen=True, eq=False, slots=True)
class StepText:
    """What one step says; see `StepsContent`."""

    heading: Line
    lines: tuple[Line, ...]
    sentence: Line


@dataclass(frozen=True, eq=False, slots=True)
class Pinned:
    """A snapshot whose pair is pinned.

    Attributes
    ----------
    query, key
        Indexes from 0.
    """

    snapshot: Snapshot
    query: int
    key: int

    @property
    def trace(self) -> AttentionTrace:
        """The trace of the snapshot."""
        return self.snapshot.trace

    @property
    def score(self) -> float:
        """The raw score of the pair; may be NaN or infinite."""
        return float(self.trace.scores[self.query, self.key])

    @property
    def query_token(self) -> str:
        """Visible label of the query."""
        return visible_token(self.snapshot.document.queries[self.query], self.query)

    @property
    def key_token(self) -> str:
        """Visible label of the key."""
        return visible_token(self.snapshot.document.keys[self.key], self.key)

    @property
    def query_words(self) -> str:
        """The query in a sentence: “bank”, with its position where the label repeats."""
        return self.words(Role.QUERY, self.query)

    @property
    def key_words(self) -> str:
        """The key in a sentence."""
        return self.words(Role.KEY, self.key)

    def words(self, role: Role, index: int) -> str:
        """Return a token for a sentence: “bank”, or query 3 “bank” where “bank” alone would not be clear."""
        return token_words(role, self.snapshot.document.labels(role), index)

    def row(self, name: MatrixName) -> list[float]:
        """Return the pinned query's row of a stage, (n,)."""
        numbers: list[float] = matrix_of(self.trace, name)[self.query].tolist()
        return numbers

    @property
    def competing(self) -> list[float]:
        """What competes for the weight of the row: its masked scores (n,), behind them the sink if any."""
        sink = self.trace.options.sink
        row = self.row(MatrixName.MASKED)
        return row if sink is None else [*row, sink]

    @property
    def shares(self) -> list[float]:
        """What each of `competing` gets; all of it together is 1."""
        taken = self.trace.sink_weights
        row = self.row(MatrixName.WEIGHTS)
        return row if taken is None else [*row, float(taken[self.query])]

    def row_kinds(self, name: MatrixName) -> list[int]:
        """Return the kinds of that row, (n,)."""
        kinds: list[int] = cell_kinds(self.trace, name)[self.query].tolist()
        return kinds

    def row_line(self, name: MatrixName, title: str, tone: Tone) -> Line:
        """Return the row of a stage as a line, the pinned cell strong."""
        values, kinds = self.row(name), self.row_kinds(name)
        runs = [Run(f"{title}  ", "muted")]
        for index in shown_indexes(len(values), self.key, SHOWN_KEYS):
            if index is None:
                runs.append(Run("…  ", "muted"))
                continue
            text = cell_text(kinds[index], values[index])
            own_tone: Tone = tone if kinds[index] == CellKind.VALUE else "muted"
            runs.append(Run(text, "strong" if index == self.key else own_tone))
            runs.append(Run("  "))
        return tuple(runs[:-1] if runs[-1].text == "  " else runs)


def shown_indexes(count: int, wanted: int, room: int) -> list[int | None]:
    """Return which of ``count`` things to write out when there is room for ``room``; None stands for a gap.

    The first ones, the last one, and the wanted one.
    """
    if count <= room:
        return list(range(count))
    kept = sorted({*range(room - 2), wanted, count - 1})
    shown: list[int | None] = []
    for before, index in zip([-1, *kept], kept, strict=False):
        if index > before + 1:
            shown.append(None)
        shown.append(index)
    return shown


def sum_of_products(
    left: Sequence[float], right: Sequence[float], left_tone: Tone, right_tone: Tone
) -> list[Run]:
    """Return ``0.8 × 0.7 + 0.2 × 0.3`` in the tones of both vectors, abbreviated beyond `SHOWN_TERMS`."""
    runs: list[Run] = []
    for index in shown_indexes(len(left), len(left) - 1, SHOWN_TERMS):
        if runs:
            runs.append(Run(" + "))
        if index is None:
            runs.append(Run("…"))
            continue
        # the first number of a sum needs no parentheses
        first = factor_text(left[index])
        runs.append(Run(in_parentheses(first) if len(runs) else first, left_tone))
        runs.append(Run(" × "))
        runs.append(Run(in_parentheses(factor_text(right[index])), right_tone))
    return runs


def sum_of(texts: Sequence[str], tone: Tone = "plain") -> list[Run]:
    """Return ``0.56 + 0.06 + (−0.10)``, abbreviated beyond `SHOWN_TERMS`."""
    runs: list[Run] = []
    for index in shown_indexes(len(texts), len(texts) - 1, SHOWN_TERMS):
        if runs:
            runs.append(Run(" + "))
        if index is None:
            runs.append(Run("…"))
        else:
            runs.append(Run(in_parentheses(texts[index]) if runs else texts[index], tone))
    return runs


def equals(shown: float, result: float) -> Run:
    """Return `` = ``, or `` ≈ `` where the shown, rounded figures give another shown result."""
    return Run(" = " if format_number(shown) == format_number(result) else " ≈ ")


def equals_sum_of_products(left: Sequence[float], right: Sequence[float], result: float) -> Run:
    """Return the sign between a written-out sum of products and its result."""
    if len(left) > SHOWN_TERMS:
        return Run(" = ")  # nobody can add up what is not shown
    return equals(sum(round(a, 2) * round(b, 2) for a, b in zip(left, right, strict=True)), result)


def equals_sum(terms: Sequence[float], result: float) -> Run:
    """Return the sign between a written-out sum and its result."""
    if len(terms) > SHOWN_TERMS:
        return Run(" = ")
    return equals(sum(round(term, 2) for term in terms), result)


def hint(text: str) -> Line:
    """Return a line that explains instead of computing."""
    return (Run(text, "muted"),)


def said(text: str) -> Line:
    """Return a sentence as a line."""
    return (Run(text),)


def with_a_pair(snapshot: Snapshot) -> Focus:
    """Return where to look with a pair pinned: that pair, or the chosen or first query and its top key."""
    focus = replace(snapshot.focus, hover=None)
    if focus.pair is not None:
        return focus
    query = focus.query or 0
    return replace(focus, query=query, key=int(snapshot.trace.weights[query].nan_to_num().argmax()))


def pair_heading(pinned: Pinned) -> Line:
    """Return ``query 1 “cat” → key 3 “mat”`` in both colours."""
    document = pinned.snapshot.document
    return (
        Run(named_token(Role.QUERY, document.queries[pinned.query], pinned.query), "query"),
        Run(" → "),
        Run(named_token(Role.KEY, document.keys[pinned.key], pinned.key), "key"),
    )


def of_token(letter: str, token: str) -> str:
    """Return ``q(cat)``."""
    return f"{letter}({token})"
