"""Ways to choose both projections at once, and the way from one pair to another."""

from dataclasses import replace
from enum import StrEnum

import torch
from torch import Tensor

from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.least_changes import column_rank
from qkviz.attention.matrix_changes import none_if_zero
from qkviz.attention.projections import draw_projections
from qkviz.translate import Refusal

Projections = tuple[Tensor, Tensor]
"""W_Q and W_K, each (d_model, d_k)."""

SHARPNESS = 2.0
"""Length of the vectors that the head made by hand produces; a score of 4 is clear and still on the plane."""


class ProjectionMode(StrEnum):
    """A way to choose W_Q and W_K."""

    IDENTITY = "identity"
    TIED = "tied"
    BY_HAND = "by_hand"
    SWAPPED = "swapped"
    HEAD_1 = "head_1"
    HEAD_2 = "head_2"
    HEAD_3 = "head_3"

    @property
    def seed(self) -> int | None:
        """The seed of a drawn head, None for the other modes."""
        heads = (ProjectionMode.HEAD_1, ProjectionMode.HEAD_2, ProjectionMode.HEAD_3)
        return heads.index(self) + 1 if self in heads else None


@torch.no_grad()
def mode_projections(
    mode: ProjectionMode, inputs: ProjectedInputs, pair: tuple[int, int] | None
) -> Projections:
    """Return the projections of a mode.

    Parameters
    ----------
    mode
        Identity: ones on the diagonal, so q = k = x when d_k = d_model. Tied: the W_Q of head 1 for both.
        Swapped: those of ``inputs``, each in the other's place. Heads: drawn with seed 1, 2, 3. By hand: see
        `looking_projections`.
    inputs
        Give the shapes, the embeddings, and what is swapped.
    pair
        (query, key) for the head made by hand; None when no pair is chosen.

    Raises
    ------
    Refusal
        If there is nothing to swap, or no head by hand for this pair.
    """
    d_model, d_k = inputs.W_Q.shape
    if mode.seed is not None:
        return draw_projections(d_model, d_k, mode.seed)
    match mode:
        case ProjectionMode.TIED:
            W, _W_K = draw_projections(d_model, d_k, 1)
            return W, W
        case ProjectionMode.SWAPPED:
            if torch.equal(inputs.W_Q, inputs.W_K):
                raise Refusal("W_Q and W_K are equal: there is nothing to swap.")
            return inputs.W_K, inputs.W_Q
        case ProjectionMode.BY_HAND:
            if not inputs.is_self_attention:
                raise Refusal("It needs one X for queries and keys.")
            if pair is None or pair[0] == pair[1]:
                raise Refusal("Choose a cell off the diagonal: the word that looks, and what it looks at.")
            return looking_projections(inputs.X_q[pair[0]], inputs.X_k[pair[1]], d_k)
    identity = torch.eye(d_model, d_k, dtype=torch.float64)
    return identity, identity


@torch.no_grad()
def looking_projections(looks: Tensor, seen: Tensor, d_k: int) -> Projections:
    """Return a head in which one word looks at another, and that one does its best to look away.

    Dimension 1 is what the first word asks for and the second offers, q₁ = k₂ = (s, 0, …). The second asks in
    dimension 2, where the first offers the opposite, q₂ = (0, s, …) and k₁ = (0, −s, …). So q₁·k₂ = s² and
    q₂·k₁ = −s², while either word's score with itself is 0. W_Q and W_K are the least matrices with
    [x₁; x₂] W = [q₁; q₂] and [k₁; k₂]: the pseudo-inverse of the two rows, times those. With d_k = 1 both
    dimensions are one, and only the two scores across are as said.

    Parameters
    ----------
    looks, seen
        The embeddings x₁ and x₂, each (d_model,).
    d_k
        Columns of the projections.

    Raises
    ------
    Refusal
        If the embeddings lie on one line through 0: every projection then gives both the same direction.
    """
    both = torch.stack([looks, seen])  # (2, d_model)
    if not bool(both.isfinite().all()) or column_rank(both.T) < 2:
        raise Refusal("The two words lie on one line: no projection can tell one from the other.")
    asked, offered = torch.zeros(2, 2, d_k, dtype=torch.float64)  # each (2, d_k)
    second = min(1, d_k - 1)
    asked[0, 0], asked[1, second] = SHARPNESS, SHARPNESS
    offered[1, 0], offered[0, second] = SHARPNESS, -SHARPNESS
    inverse = torch.linalg.pinv(both)  # (d_model, 2)
    return inverse @ asked, inverse @ offered


@torch.no_grad()
def on_the_way(start: ProjectedInputs, goal: Projections, share: float) -> ProjectedInputs:
    """Return ``start`` with projections a part of the way to ``goal``, and offsets as far on theirs to zero.

    Parameters
    ----------
    start
        Where the way begins.
    goal
        Of the shapes that ``start`` has.
    share
        0 … 1; at 1 the projections are those of ``goal`` to the last bit and no offset is left.
    """
    if share >= 1:
        return replace(start, W_Q=goal[0], W_K=goal[1], query_offsets=None, key_offsets=None)
    left = 1 - share
    return replace(
        start,
        W_Q=left * start.W_Q + share * goal[0],
        W_K=left * start.W_K + share * goal[1],
        query_offsets=None if start.query_offsets is None else none_if_zero(left * start.query_offsets),
        key_offsets=None if start.key_offsets is None else none_if_zero(left * start.key_offsets),
    )
