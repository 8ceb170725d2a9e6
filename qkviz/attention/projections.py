"""Projections by seed, and the queries and keys that embeddings give under them."""

import math

import torch
from torch import Tensor

from qkviz.attention.matrix_changes import none_if_zero
from qkviz.attention.trace import moved_by_hand


def draw_projections(d_model: int, d_k: int, seed: int) -> tuple[Tensor, Tensor]:
    """Draw W_Q and W_K at random.

    Both come from one generator, W_Q first, so one seed stands for the pair. The entries are
    N(0, 1/d_model): a projected vector then has about the length per dimension of its embedding.

    Parameters
    ----------
    d_model, d_k
        Rows and columns of each projection.
    seed
        A whole number that `torch.Generator.manual_seed` takes. The same seed gives the same numbers.

    Returns
    -------
    W_Q, W_K : Tensor
        float64, each (d_model, d_k), owned by the caller.
    """
    generator = torch.Generator().manual_seed(seed)
    both = torch.randn(2, d_model, d_k, generator=generator, dtype=torch.float64) / math.sqrt(d_model)
    return both[0].clone(), both[1].clone()


@torch.no_grad()
def projected(X: Tensor, W: Tensor, offsets: Tensor | None) -> Tensor:
    """Return X W + δ, the vectors that the plane shows.

    Parameters
    ----------
    X
        (tokens, d_model)
    W
        (d_model, d_k)
    offsets
        δ, (tokens, d_k), or None when no vector was moved by hand.

    Returns
    -------
    Tensor
        (tokens, d_k), new.
    """
    return moved_by_hand(X @ W, offsets)


@torch.no_grad()
def offsets_to(target: Tensor, X: Tensor, W: Tensor, offsets: Tensor | None) -> Tensor | None:
    """Return the offsets that carry X W to ``target``.

    Where the target is what is shown already, the old offset is kept to the last bit: computing it anew
    would disturb vectors that nobody touched.

    Parameters
    ----------
    target
        The wanted vectors, (tokens, d_k).
    X, W, offsets
        As in `projected`; the offsets are those so far.

    Returns
    -------
    Tensor | None
        (tokens, d_k), new; None when no offset is left.
    """
    unmoved = X @ W  # (tokens, d_k)
    old = torch.zeros_like(unmoved) if offsets is None else offsets
    new = torch.where(moved_by_hand(unmoved, offsets) == target, old, target - unmoved)  # (tokens, d_k)
    return none_if_zero(new)
