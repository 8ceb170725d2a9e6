"""Who looks most at itself: the rank of every token in its own row, and what chance does."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.attention.diagonal import DiagonalDraws, ranks_of_itself
from qkviz.attention.measures import diagonal_wins
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.presenters.cells import CellKind, cell_text
from qkviz.presenters.measures import has_same_tokens
from qkviz.presenters.number_format import format_number
from qkviz.presenters.row import largest_weights
from qkviz.presenters.runs import Tone
from qkviz.presenters.words import token_words, visible_token
from qkviz.translate import _


@dataclass(frozen=True, slots=True)
class DiagonalRow:
    """One token: its visible label, its rank in its own row in words, and whether that is 1."""

    label: str
    rank_text: str
    is_first: bool


@dataclass(frozen=True, eq=False, slots=True)
class DiagonalContent:
    """Everything the panel shows but the draws.

    Attributes
    ----------
    rows
        One for every token; empty when the document has no diagonal to speak of.
    chosen
        The chosen query, or None.
    headline, sentence
        The count over rows, and the chosen row in words.
    reason
        Why there are no rows; empty otherwise.
    draw_reason
        Why nothing can be drawn; empty when it can.
    """

    rows: tuple[DiagonalRow, ...]
    chosen: int | None
    headline: str
    sentence: str
    reason: str
    draw_reason: str


@dataclass(frozen=True, slots=True)
class DrawBar:
    """How often the diagonal wins with one kind of projections: 0 … 1, and in words."""

    name: str
    share: float
    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class DrawsContent:
    """What the random draws gave: three bars, the share of pure chance, and a sentence."""

    bars: tuple[DrawBar, ...]
    chance: float
    sentence: str


def present_diagonal(snapshot: Snapshot) -> DiagonalContent:
    """Return the ranks on the diagonal of the masked scores; a key that the mask forbids takes no part."""
    S = snapshot.trace.masked
    drawable = snapshot.document.is_self_attention
    draw_reason = (
        "" if drawable else _("Random projections need one X for queries and keys; this document has none.")
    )
    if not has_same_tokens(snapshot):
        reason = _("Queries and keys are different tokens here, so no token can look at itself.")
        return DiagonalContent((), snapshot.focus.query, "", "", reason, draw_reason)
    ranks = ranks_of_itself(S)
    wins, counted = diagonal_wins(S)
    rows = tuple(
        DiagonalRow(
            visible_token(label, at),
            _("no score") if rank is None else _("rank {rank} of {all}", rank=rank, all=len(ranks)),
            rank == 1,
        )
        for at, (label, rank) in enumerate(zip(snapshot.document.queries, ranks, strict=True))
    )
    headline = _("{count} of {all} rows look most at themselves", count=wins, all=counted)
    return DiagonalContent(rows, snapshot.focus.query, headline, _sentence(snapshot, ranks), "", draw_reason)


def present_draws(draws: DiagonalDraws, seed: int) -> DrawsContent:
    """Return what a series of random projections gave."""
    n = draws.rows
    independent, tied = float(draws.independent.double().mean()), float(draws.tied.double().mean())
    bars = (
        DrawBar("XXᵀ", draws.embeddings / n, f"{draws.embeddings} / {n}", "embedding"),
        _bar("W_K = W_Q", tied, n, "key"),
        _bar(_("independent"), independent, n, "query"),
    )
    sentence = _(
        "Rows that look most at themselves, mean of {draws} draws (seed {seed}). "
        "Dashed: pure chance, 1 of {all}.",
        draws=len(draws.independent),
        seed=seed,
        all=n,
    )
    return DrawsContent(bars, 1 / n, sentence)


def _bar(name: str, mean: float, rows: int, tone: Tone) -> DrawBar:
    return DrawBar(name, mean / rows, f"{format_number(mean)} / {rows}", tone)


def _sentence(snapshot: Snapshot, ranks: tuple[int | None, ...]) -> str:
    query = snapshot.focus.query
    if query is None:
        return _("Click a row: does it look most at itself?")
    trace, labels = snapshot.trace, snapshot.document.queries
    word = token_words(Role.QUERY, labels, query)
    largest = largest_weights(snapshot, query)
    rank = ranks[query]
    if rank is None or not largest:
        return _("{query} has no score for itself.", query=word)
    own = cell_text(CellKind.VALUE, float(trace.scores[query, query]))
    if rank == 1:
        return _(
            "{query} looks most at itself: its own score {own} is the largest of its row.",
            query=word,
            own=own,
        )
    return _(
        "{query} looks most at {key} ({best}). Its own score is {own}, rank {rank} of {all}.",
        query=word,
        key=token_words(Role.KEY, snapshot.document.keys, largest[0]),
        best=format_number(float(trace.scores[query, largest[0]])),
        own=own,
        rank=rank,
        all=len(ranks),
    )
