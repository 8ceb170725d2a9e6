"""What lesson 5 says of its score functions: what a score costs, by count, and what each can say."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from qkviz.attention.comparison import HIDDEN, compare_drawn, scorers
from qkviz.attention.score_functions import Additive, Dot

MOVES = frozenset({"permute", "unsqueeze", "view", "_unsafe_view", "expand", "t"})


class Operations(TorchDispatchMode):
    """Writes down what torch is made to compute: the name, and how many numbers come out."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[tuple[str, int]] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = str(func).split(".")[1]
        if name not in MOVES:
            self.done.append((name, result.numel()))
        return result


def operations(name: str, m: int, n: int, d_k: int) -> list[tuple[str, int]]:
    generator = torch.Generator().manual_seed(0)
    Q, K = (torch.randn(rows, d_k, generator=generator, dtype=torch.float64) for rows in (m, n))
    score = scorers(d_k, seed=0)[name]
    with Operations() as counted:
        score(Q, K)
    return counted.done


def test_all_dot_products_are_one_matrix_product_and_dividing_is_one_more_number_a_pair() -> None:
    assert operations("dot", 5, 7, 16) == [("mm", 35)]
    assert operations("scaled_dot", 5, 7, 16) == [("mm", 35), ("mul_", 35)]


def test_the_additive_function_takes_a_tanh_for_every_query_key_and_hidden_unit() -> None:
    assert ("tanh", 5 * 7 * HIDDEN) in operations("additive", 5, 7, 16)


@dataclass
class Tally:
    """Operations on the numbers of one pair."""

    products: int = 0
    sums: int = 0
    roots: int = 0

    @property
    def whole(self) -> int:
        return self.products + self.sums + self.roots


@dataclass(frozen=True)
class Counted:
    """A number that counts what is done with it."""

    value: float
    tally: Tally

    def __mul__(self, other: Counted) -> Counted:
        self.tally.products += 1
        return Counted(self.value * other.value, self.tally)

    def __add__(self, other: Counted) -> Counted:
        self.tally.sums += 1
        return Counted(self.value + other.value, self.tally)

    def __sub__(self, other: Counted) -> Counted:
        self.tally.sums += 1
        return Counted(self.value - other.value, self.tally)

    def root(self) -> Counted:
        self.tally.roots += 1
        return Counted(math.sqrt(self.value), self.tally)


def dot_of(q: list[Counted], k: list[Counted]) -> Counted:
    total, *others = [a * b for a, b in zip(q, k, strict=True)]
    for one in others:
        total = total + one
    return total


def distance_of(q: list[Counted], k: list[Counted]) -> Counted:
    differences = [a - b for a, b in zip(q, k, strict=True)]
    return dot_of(differences, differences).root()


@pytest.mark.parametrize("d_k", [2, 64, 512])
def test_a_distance_takes_d_k_differences_and_a_root_more_than_a_dot_product(d_k: int) -> None:
    """By the definitions, pair by pair: 2·dₖ − 1 operations against 3·dₖ."""
    generator = torch.Generator().manual_seed(1)
    q, k = (torch.randn(d_k, generator=generator, dtype=torch.float64) for _role in "qk")
    functions = scorers(d_k, seed=0)
    tallies = {}
    for name, formula in (("dot", dot_of), ("distance", distance_of)):
        tally = tallies[name] = Tally()
        value = formula(*([Counted(entry, tally) for entry in vector.tolist()] for vector in (q, k))).value
        assert functions[name](q[None], k[None]).item() == pytest.approx(value, rel=1e-9)
    assert (tallies["dot"].products, tallies["dot"].sums, tallies["dot"].roots) == (d_k, d_k - 1, 0)
    assert tallies["distance"].products == d_k
    assert tallies["distance"].sums - tallies["dot"].sums == d_k
    assert tallies["distance"].roots == 1
    assert tallies["distance"].whole - tallies["dot"].whole == d_k + 1


def test_at_d_k_2_none_of_the_three_is_saturated_and_at_512_the_dot_product_is() -> None:
    """All that random vectors can show of "about as good while dₖ is small": 10 draws of 32 keys."""
    for d_k, limits in ((2, (0.1, 0.3, 0.3)), (512, (0.2, 1.0, 0.3))):
        found = [compare_drawn(d_k, seed) for seed in range(10)]
        means = [
            np.mean([getattr(one, name).weights.max(1).values.mean().item() for one in found])
            for name in ("additive", "dot", "scaled_dot")
        ]
        assert all(mean < limit for mean, limit in zip(means, limits, strict=True))
    assert means[1] > 0.9


def test_untrained_additive_and_dot_scores_do_not_choose_the_same_keys() -> None:
    """Equal quality is a claim about training: as drawn, they agree in one row of ten (chance: 1 of 32)."""
    agreed = [
        (one.additive.weights.argmax(1) == one.dot.weights.argmax(1)).double().mean().item()
        for one in (compare_drawn(2, seed) for seed in range(20))
    ]
    assert np.mean(agreed) < 0.25


def test_an_additive_score_is_odd_and_a_dot_product_even() -> None:
    """v·tanh(q W_1 + k W_2) changes its sign when q and k are turned round, q·k does not: no W reaches it."""
    comparison = compare_drawn(16, seed=0)
    Q, K = comparison.dot.Q, comparison.dot.K
    assert Q is not None
    assert K is not None
    additive = comparison.additive.options.score
    assert torch.allclose(additive.score(-Q, -K), -additive.score(Q, K))
    assert torch.allclose(Dot().score(-Q, -K), Dot().score(Q, K))


def test_with_a_constant_entry_in_the_queries_an_additive_function_is_nearly_the_dot_product() -> None:
    """tanh(c + εz) + tanh(c − εz) ≈ 2 tanh c + ε² tanh″(c) z², and 4 q·k = Σ (q_t + k_t)² − (q_t − k_t)²."""
    d, c, small = 3, 0.7, 0.01
    steps = small * torch.eye(d, dtype=torch.float64)
    bend = -2 * math.tanh(c) * (1 - math.tanh(c) ** 2)  # tanh″(c)
    W_1 = torch.cat([steps, -steps, steps, -steps], dim=1)  # (d, 4 d)
    W_1 = torch.cat([W_1, torch.full((1, 4 * d), c, dtype=torch.float64)])
    W_2 = torch.cat([steps, -steps, -steps, steps], dim=1)
    W_2 = torch.cat([W_2, torch.zeros(1, 4 * d, dtype=torch.float64)])
    v = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64).repeat_interleave(d) / (4 * small**2 * bend)
    generator = torch.Generator().manual_seed(0)
    Q, K = (torch.randn(20, d, generator=generator, dtype=torch.float64) for _role in "qk")
    one = torch.ones(20, 1, dtype=torch.float64)
    scores = Additive(W_1, W_2, v).score(torch.cat([Q, one], dim=1), torch.cat([K, one], dim=1))
    assert torch.allclose(scores, Q @ K.T, atol=0.01)
