"""One call of attention of a trained model: its queries, keys, values, and what made scores of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

import torch
from torch import Tensor

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrix_changes import forbidden_cells
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import ScaledDot


class AttentionKind(StrEnum):
    """Whose queries look at whose keys."""

    ENCODER = "encoder"  # the text at itself, both ways or however the mask says
    DECODER = "decoder"  # the decoder's tokens at themselves
    CROSS = "cross"  # the decoder's tokens at the encoder's


@dataclass(frozen=True, eq=False, slots=True)
class CapturedLayer:
    """One call of attention with all its heads.

    Query heads that share a key head stand next to each other: query head h reads key head
    ``h * key_heads // heads``.

    Parameters
    ----------
    kind
        Whose queries look at whose keys.
    Q
        (heads, m, d_k), as they enter the product: after normalisation and rotation, not divided by √d_k.
    K, V
        (key_heads, n, d_k) and (key_heads, n, d_v).
    scale
        What the model multiplies q·k by.
    mask
        Which query may look at which key.
    soft_cap, bias, sinks
        See `AttentionOptions`; the bias is (heads or 1, m, n), there is one sink for each head.
    X_q, X_k
        (m, d_model), (n, d_model): what came into the layer; one object in self-attention; None: not kept.
    """

    kind: AttentionKind
    Q: Tensor
    K: Tensor
    V: Tensor | None
    scale: float
    mask: Mask = field(default_factory=NoMask)
    soft_cap: float | None = None
    bias: Tensor | None = None
    sinks: Tensor | None = None  # (heads,)
    X_q: Tensor | None = None
    X_k: Tensor | None = None

    @property
    def heads(self) -> int:
        """Number of query heads."""
        return self.Q.shape[0]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of queries and of keys."""
        return self.Q.shape[1], self.K.shape[1]

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Everything that was kept."""
        given = (self.Q, self.K, self.V, self.bias, self.sinks, self.X_q, self.X_k)
        return tuple(tensor for tensor in given if tensor is not None)

    def allowed(self) -> Tensor | None:
        """Return which keys the queries may look at, (m, n) bool, new; None: all of them."""
        return None if isinstance(self.mask, NoMask) else self.mask.additive(*self.shape) == 0

    def key_head(self, head: int) -> int:
        """Return which key head a query head reads."""
        return head * self.K.shape[0] // self.heads

    def inputs(self, head: int) -> AttentionInputs:
        """Return Q, K, V of one head (0-based) as new float64 matrices."""
        shared = self.key_head(head)
        V = None if self.V is None else matrix(self.V[shared], "V")  # (n, d_v)
        X_q = None if self.X_q is None else matrix(self.X_q, "X")
        X_k = X_q if self.X_k is self.X_q or self.X_k is None else matrix(self.X_k, "X_k")
        return DirectInputs(matrix(self.Q[head], "Q"), matrix(self.K[shared], "K"), V, X_q, X_k)

    def options(self, head: int) -> AttentionOptions:
        """Return how one head (0-based) makes weights of its queries and keys."""
        bias = None
        if self.bias is not None:
            bias = matrix(self.bias[head if self.bias.shape[0] > 1 else 0], "bias")  # (m, n)
        usual = ScaledDot().default_scale(self.Q.shape[2])
        return AttentionOptions(
            scale=None if math.isclose(self.scale, usual, rel_tol=1e-12) else self.scale,
            mask=self.mask,
            soft_cap=self.soft_cap,
            bias=bias,
            sink=None if self.sinks is None else float(self.sinks[head]),
        )


@dataclass(frozen=True, eq=False, slots=True)
class WeightsLayer:
    """One call of attention of a model that tells its weights only.

    Parameters
    ----------
    kind
        Whose queries look at whose keys.
    weights
        (heads, m, n).
    """

    kind: AttentionKind
    weights: Tensor

    @property
    def heads(self) -> int:
        """Number of heads."""
        return self.weights.shape[0]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of queries and of keys."""
        return self.weights.shape[1], self.weights.shape[2]

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Everything that was kept."""
        return (self.weights,)

    def key_head(self, head: int) -> int:
        """Return ``head``; nobody knows which keys are shared."""
        return head

    def inputs(self, head: int) -> AttentionInputs:
        """Return ln w of one head: of all scores that fit the weights, those that need no constant."""
        return GivenScores(matrix(self.weights[head], "weights").log())

    def options(self, head: int) -> AttentionOptions:
        """Return options under which softmax gives the weights back."""
        return AttentionOptions(scale=1.0)


Layer = CapturedLayer | WeightsLayer


def mask_of(allowed: Tensor | None) -> Mask:
    """Return the mask that forbids the False of ``allowed`` (m, n), by its usual name where it has one."""
    if allowed is None or bool(allowed.all()):
        return NoMask()
    m, n = allowed.shape
    candidates: list[Mask] = [CausalMask(), PaddingMask(frozenset((~allowed[0]).nonzero()[:, 0].tolist()))]
    cells = allowed.nonzero()  # (cells, 2)
    if len(cells):
        ahead = cells[:, 1] - cells[:, 0]  # positions from the query to the key
        candidates.append(WindowMask(max(0, -int(ahead.min())), max(0, int(ahead.max()))))
    for mask in candidates:
        if torch.equal(mask.additive(m, n) == 0, allowed):
            return mask
    return CellMask(forbidden_cells(torch.where(allowed, 0.0, -math.inf)))


def unexplained_share(scaled: Tensor, masked: Tensor) -> float:
    """Return which share of the masked scores is not scale·q·k, 0 … 1.

    ‖masked − scaled‖² / (‖masked − scaled‖² + ‖scaled‖²) over the allowed cells, each row less its mean: what
    a whole row gains or loses changes no weight.
    """
    allowed = masked.isfinite()
    count = allowed.sum(dim=1, keepdim=True).clamp(min=1)
    extra = (masked - scaled).masked_fill(~allowed, 0.0)
    own = scaled.masked_fill(~allowed, 0.0)
    extra = (extra - extra.sum(dim=1, keepdim=True) / count).masked_fill(~allowed, 0.0)
    own = (own - own.sum(dim=1, keepdim=True) / count).masked_fill(~allowed, 0.0)
    rest, known = float(extra.square().sum()), float(own.square().sum())
    return 0.0 if rest == 0.0 or math.isnan(rest) else rest / (rest + known)
