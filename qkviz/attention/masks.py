"""Who may look at whom, as one matrix that is added to the scaled scores: 0 allowed, −inf forbidden."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.translate import Refusal


@dataclass(frozen=True, slots=True)
class NoMask:
    """Every query may look at every key."""

    def additive(self, m: int, n: int) -> Tensor:
        """Return the mask (m, n) to add to the scaled scores."""
        return torch.zeros(m, n, dtype=torch.float64)


@dataclass(frozen=True, slots=True)
class CausalMask:
    """Query i may look at keys 0 … i, counted from the top left as torch's ``is_causal`` does."""

    def additive(self, m: int, n: int) -> Tensor:
        """Return the mask (m, n) to add to the scaled scores."""
        return torch.full((m, n), -math.inf, dtype=torch.float64).triu_(1)


@dataclass(frozen=True, slots=True)
class PaddingMask:
    """Nobody may look at the padded keys."""

    padded: frozenset[int]

    def additive(self, m: int, n: int) -> Tensor:
        """Return the mask (m, n) to add to the scaled scores.

        Raises
        ------
        Refusal
            If a padded key does not exist.
        """
        for key in self.padded:
            if not 0 <= key < n:
                raise Refusal("The mask names key {key}, but there are {n} keys.", key=key + 1, n=n)
        mask = torch.zeros(m, n, dtype=torch.float64)
        mask[:, list(self.padded)] = -math.inf
        return mask


@dataclass(frozen=True, slots=True)
class CellMask:
    """Forbidden pairs (query, key), one by one."""

    forbidden: frozenset[tuple[int, int]]

    def additive(self, m: int, n: int) -> Tensor:
        """Return the mask (m, n) to add to the scaled scores.

        Raises
        ------
        Refusal
            If a forbidden cell does not exist.
        """
        mask = torch.zeros(m, n, dtype=torch.float64)
        for query, key in self.forbidden:
            if not (0 <= query < m and 0 <= key < n):
                raise Refusal(
                    "The mask names query {query} and key {key}, but the scores are {m} × {n}.",
                    query=query + 1,
                    key=key + 1,
                    m=m,
                    n=n,
                )
        if self.forbidden:
            queries, keys = zip(*self.forbidden, strict=True)
            mask[list(queries), list(keys)] = -math.inf
        return mask


Mask = NoMask | CausalMask | PaddingMask | CellMask
