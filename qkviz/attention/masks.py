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
        check_mask(self, m, n)
        mask = torch.zeros(m, n, dtype=torch.float64)
        mask[:, list(self.padded)] = -math.inf
        return mask


@dataclass(frozen=True, slots=True)
class WindowMask:
    """Query i may look at keys i − before … i + after: a sliding window, causal if ``after`` is 0.

    Raises
    ------
    Refusal
        If the window would reach a negative number of keys.
    """

    before: int
    after: int

    def __post_init__(self) -> None:
        for reach in (self.before, self.after):
            if reach < 0:
                raise Refusal("The window of the mask reaches {reach} keys; use 0 or more.", reach=reach)

    def additive(self, m: int, n: int) -> Tensor:
        """Return the mask (m, n) to add to the scaled scores."""
        forbidden = torch.full((m, n), -math.inf, dtype=torch.float64)
        return forbidden.triu(self.after + 1) + forbidden.tril(-self.before - 1)


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
        check_mask(self, m, n)
        mask = torch.zeros(m, n, dtype=torch.float64)
        cells = torch.tensor(list(self.forbidden), dtype=torch.int64).reshape(-1, 2)
        mask[cells[:, 0], cells[:, 1]] = -math.inf
        return mask


Mask = NoMask | CausalMask | PaddingMask | WindowMask | CellMask


def check_mask(mask: Mask, m: int, n: int) -> None:
    """Check that a mask names only queries and keys that there are; makes no matrix.

    Raises
    ------
    Refusal
        Naming the first one that there is not.
    """
    match mask:
        case PaddingMask(padded):
            for key in padded:
                if not 0 <= key < n:
                    raise Refusal("The mask names key {key}, but there are {n} keys.", key=key + 1, n=n)
        case CellMask(forbidden):
            for query, key in forbidden:
                if not (0 <= query < m and 0 <= key < n):
                    raise Refusal(
                        "The mask names query {query} and key {key}, but the scores are {m} × {n}.",
                        query=query + 1,
                        key=key + 1,
                        m=m,
                        n=n,
                    )
