r"""Formulas in texts: ``The score is $S_{ij} = q_i \cdot k_j$.`` has one, between two dollar signs."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """A part of a text: words, or the LaTeX of a formula."""

    text: str
    is_formula: bool


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the words and formulas of ``text`` in order, without the dollar signs.

    Raises
    ------
    ValueError
        If a dollar sign has no partner or there is nothing between two.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise ValueError("a dollar sign has no partner")
    pieces = [Piece(part, is_formula=bool(at % 2)) for at, part in enumerate(parts)]
    if any(piece.is_formula and not piece.text.strip() for piece in pieces):
        raise ValueError("there is nothing between two dollar signs")
    return tuple(piece for piece in pieces if piece.text)


def words_of(text: str) -> str:
    """Return ``text`` without its formulas: what may hold ``{names}`` of numbers."""
    return "".join(piece.text for piece in pieces_of(text) if not piece.is_formula)
