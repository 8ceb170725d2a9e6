"""The smallest change of an embedding or of a projection that carries one vector to a place.

A vector is q = x W + δ; what is said of q and W_Q holds for k and W_K. Two things besides δ can give it a new
place, and of all changes that do, these are the ones of least size:

- of x: Δx = Δq W⁺, with the Moore–Penrose inverse W⁺ (Penrose, "On best approximate solutions of linear
  matrix equations", 1956). Every Δq can be reached while W has full column rank d_k.
- of W: ΔW = xᵀ Δq / ‖x‖², the least in the Frobenius norm (it is x⁺ Δq). It needs x ≠ 0.
"""

import torch
from torch import Tensor

from qkviz.attention.shapes import shape_text
from qkviz.translate import Refusal

RANK_TOLERANCE = 1e-10
"""A direction that W shrinks by more than this, against the one it stretches most, counts as lost."""

LANDING = 1e-9
"""How near to its place, relative to the numbers there, a vector must come to rest."""

LARGEST_ENTRY = 1e6
"""Entries beyond ± this are no answer to a drag: a tip would hang on a number that no table takes."""

ROUNDS = 3
"""One solves; the next take up what rounding has left."""


@torch.no_grad()
def embedding_for(target: Tensor, x: Tensor, W: Tensor, offset: Tensor | None, name: str) -> Tensor:
    """Return the embedding nearest to ``x`` whose projection lies at ``target``.

    Parameters
    ----------
    target
        Where x W + δ is to be, (d_k,).
    x
        (d_model,)
    W
        (d_model, d_k)
    offset
        δ, (d_k,), which stays; None for zeros.
    name
        What the user calls W: ``"W_Q"``.

    Returns
    -------
    Tensor
        (d_model,), new. Its distance from ``x`` is the least of all that lead there.

    Raises
    ------
    Refusal
        If W has not full column rank, naming rank and d_k; if an entry would be too large; if a number in the
        way is not finite.
    """
    _check_finite(x, W, name)
    rank = column_rank(W)
    if rank < W.shape[1]:
        raise Refusal(
            "{name} is {shape} and has rank {rank}: whatever x is, some places of {d_k} dimensions are out "
            "of reach. Drag the vector alone, or change {name} first.",
            name=name,
            shape=shape_text(W),
            rank=rank,
            d_k=W.shape[1],
        )
    inverse = torch.linalg.pinv(W, rtol=RANK_TOLERANCE)  # (d_k, d_model)
    moved = x
    for _round in range(ROUNDS):
        moved = moved + _missing(target, moved @ W, offset) @ inverse  # (d_model,)
    _check_reached(target, moved, moved @ W, offset, "x")
    return moved


@torch.no_grad()
def projection_for(target: Tensor, x: Tensor, W: Tensor, offset: Tensor | None, name: str) -> Tensor:
    """Return the projection nearest to ``W`` that carries ``x`` to ``target``.

    Parameters
    ----------
    target, x, W, offset, name
        As in `embedding_for`.

    Returns
    -------
    Tensor
        (d_model, d_k), new. Its Frobenius distance from ``W`` is the least of all that lead there.

    Raises
    ------
    Refusal
        If x is zero, if an entry would be too large, or if a number in the way is not finite.
    """
    _check_finite(x, W, name)
    largest = x.abs().max()  # ()
    if not largest:
        raise Refusal(
            "The embedding x of this word is zero, and x {name} stays zero whatever {name} is. "
            "Drag the vector alone, or change x first.",
            name=name,
        )
    length = largest * torch.linalg.vector_norm(x / largest)  # (); the square of a tiny x would be 0
    direction = x / length  # (d_model,)
    changed = W
    for _round in range(ROUNDS):
        missing = _missing(target, x @ changed, offset)  # (d_k,)
        changed = changed + torch.outer(direction, missing / length)  # (d_model, d_k)
    _check_reached(target, changed, x @ changed, offset, name)
    return changed


def column_rank(W: Tensor) -> int:
    """Return the rank of (d_model, d_k) ``W``, nearly lost directions counted as lost; it must be finite."""
    return int(torch.linalg.matrix_rank(W, rtol=RANK_TOLERANCE).item())


def _missing(target: Tensor, projection: Tensor, offset: Tensor | None) -> Tensor:
    """Return what the shown vector, (d_k,), still lacks; added up in the order in which it is shown."""
    return target - (projection if offset is None else projection + offset)


def _check_finite(x: Tensor, W: Tensor, name: str) -> None:
    if not (bool(x.isfinite().all()) and bool(W.isfinite().all())):
        raise Refusal("x or {name} holds NaN or an infinity; correct that number first.", name=name)


def _check_reached(
    target: Tensor, changed: Tensor, projection: Tensor, offset: Tensor | None, name: str
) -> None:
    largest = float(changed.abs().max())
    if not largest <= LARGEST_ENTRY:
        raise Refusal(
            "For this place {name} would need numbers beyond ±1000000; drag the vector alone instead.",
            name=name,
        )
    scale = max(1.0, float(target.abs().max()))
    if not float(_missing(target, projection, offset).abs().max()) <= LANDING * scale:
        raise Refusal(
            "{name} would need so large numbers that the place is missed by rounding; "
            "drag the vector alone instead.",
            name=name,
        )
