"""The copy model as a network: two layers of one head each, attention and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

LAYERS = 2
WIDTH = 64
POSITIONS = 48
"""How long a sequence may be, the mark of its start included."""


class HeadRun(NamedTuple):
    """What the head of one layer computed on a batch. ``output`` is what the layer adds before W_O."""

    x: Tensor  # (batch, n, d_model)  what its projections are applied to, normalised
    Q: Tensor  # (batch, n, d_k)
    K: Tensor  # (batch, n, d_k)
    V: Tensor  # (batch, n, d_v)
    weights: Tensor  # (batch, n, n)  rows sum to 1, zero above the diagonal
    output: Tensor  # (batch, n, d_v)  weights V, or what stands for it while the head is off


class NetworkRun(NamedTuple):
    """What the network computed on a batch."""

    heads: tuple[HeadRun, ...]  # layer by layer
    logits: Tensor  # (batch, n, words)  of the word after each position


@dataclass(frozen=True, eq=False, slots=True)
class Ablation:
    """Which heads are off, and what stands in for their outputs.

    Parameters
    ----------
    layers
        Those whose only head is off, counted from 0.
    means
        (layers, d_v): for each layer the mean of its head's output.
    """

    layers: frozenset[int]
    means: Tensor


class CopyLayer(nn.Module):
    """LayerNorm, one causal head and its W_O; the result is added to what came in."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.W_Q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.W_K = nn.Linear(WIDTH, WIDTH, bias=False)
        self.W_V = nn.Linear(WIDTH, WIDTH, bias=False)
        self.W_O = nn.Linear(WIDTH, WIDTH, bias=False)

    def run_head(self, stream: Tensor) -> HeadRun:
        """Return what the head computes on the residual stream (batch, n, d_model)."""
        x = self.norm(stream)
        Q, K, V = self.W_Q(x), self.W_K(x), self.W_V(x)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(WIDTH)  # (batch, n, n)
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu_(1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return HeadRun(x, Q, K, V, weights, weights @ V)


class CopyNetwork(nn.Module):
    """Word and position embeddings, the layers, and a linear map to the words.

    Parameters
    ----------
    words
        Size of the vocabulary, the mark of the start included.
    """

    def __init__(self, words: int) -> None:
        super().__init__()
        self.word = nn.Embedding(words, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.layers = nn.ModuleList(CopyLayer() for _layer in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.unembedding = nn.Linear(WIDTH, words, bias=False)

    def run(self, ids: Tensor, ablation: Ablation | None = None) -> NetworkRun:
        """Compute the logits of the next words, and keep what the heads did.

        Parameters
        ----------
        ids
            (batch, n) numbers of words, n at most `POSITIONS`.
        ablation
            Heads to replace by their means; None for none.
        """
        stream = self.word(ids) + self.position.weight[: ids.shape[1]]  # (batch, n, d_model)
        heads = []
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, CopyLayer)
            head = layer.run_head(stream)
            if ablation is not None and number in ablation.layers:
                head = head._replace(output=ablation.means[number].expand_as(head.output))
            stream = stream + layer.W_O(head.output)
            heads.append(head)
        return NetworkRun(tuple(heads), self.unembedding(self.norm(stream)))

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits (batch, n, words) of the next words."""
        return self.run(ids).logits
