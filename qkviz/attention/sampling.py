"""Random queries and keys, and what their dot products do as d_k grows."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.measures import row_entropy
from qkviz.attention.normalizers import Softmax
from qkviz.attention.saturation import jacobian_norm
from qkviz.translate import Refusal

DIMENSIONS = tuple(2**power for power in range(11))
"""The d_k that are measured: 1, 2, 4, …, 1024."""

KEYS = 16
"""Keys in a row of softmax."""

PAIRS_AT_ONCE = 512
"""Pairs between two looks at the clock: some milliseconds, and 8 MiB. A multiple of `KEYS`."""


@dataclass(frozen=True, eq=False, slots=True)
class SoftmaxMeans:
    """Means over all sampled rows of softmax, for each of the D dimensions.

    Attributes
    ----------
    largest
        (D,) largest weight of a row.
    entropy
        (D,) entropy of a row in nats.
    gradient
        (D,) Frobenius norm of the Jacobian of softmax, see `jacobian_norm`.
    """

    largest: Tensor
    entropy: Tensor
    gradient: Tensor


@dataclass(frozen=True, eq=False, slots=True)
class ScalingSample:
    """What was measured on random pairs.

    Attributes
    ----------
    pairs, seed
        How it was drawn.
    variance
        (D,) unbiased sample variance of q·k. Divided by √d_k, the products have this variance over d_k.
    unscaled, scaled
        Softmax of rows of `KEYS` scores q·k, and of the same scores over √d_k.
    """

    pairs: int
    seed: int
    variance: Tensor
    unscaled: SoftmaxMeans
    scaled: SoftmaxMeans


def draw_queries_and_keys(queries: int, keys: int, d_k: int, seed: int) -> tuple[Tensor, Tensor]:
    """Draw Q (queries, d_k) and K (keys, d_k), entries independent N(0, 1); the same seed, the same ones."""
    generator = torch.Generator().manual_seed(seed)
    Q = torch.randn(queries, d_k, generator=generator, dtype=torch.float64)
    return Q, torch.randn(keys, d_k, generator=generator, dtype=torch.float64)


@torch.no_grad()
def sample_scaling(pairs: int, seed: int, report: Callable[[float], None]) -> ScalingSample:
    """Draw independent pairs q, k ~ N(0, 1) and measure their dot products at every d_k of `DIMENSIONS`.

    The vectors have 1024 entries and a smaller d_k takes the first ones, so the points share their draws; at
    each single d_k the pairs are independent. A row of softmax is one query with `KEYS` keys that no other
    row has. Entries are drawn in single precision, five times as fast as double and with more digits than a
    sample can show, and added up in double.

    Parameters
    ----------
    pairs
        At least `KEYS`.
    seed
        The same seed and number of pairs give the same sample.
    report
        Is told the share done, every few milliseconds; it may raise to end the sampling.

    Raises
    ------
    Refusal
        If there are too few pairs for one row.
    """
    if pairs < KEYS:
        raise Refusal("A row of softmax takes {keys} pairs; there are {count}.", keys=KEYS, count=pairs)
    generator = torch.Generator().manual_seed(seed)
    prefixes = _prefixes()  # one product of matrices adds up to every d_k, with Python's lock released
    of_pairs: list[Tensor] = []  # (PAIRS_AT_ONCE, D)
    of_rows: list[Tensor] = []  # (rows, KEYS, D)
    for done in range(0, pairs, PAIRS_AT_ONCE):
        report(done / pairs)
        count = min(PAIRS_AT_ONCE, pairs - done)
        Q, K = (torch.randn(count, DIMENSIONS[-1], generator=generator).double() for _role in "qk")
        rows = count // KEYS
        of_pairs.append((Q * K) @ prefixes)
        of_rows.append((Q[:rows].unsqueeze(1) * K[: rows * KEYS].view(rows, KEYS, -1)) @ prefixes)
    report(1.0)
    scores = torch.cat(of_rows).movedim(-1, 0)  # (D, rows, KEYS)
    roots = torch.tensor(DIMENSIONS, dtype=torch.float64).sqrt()  # (D,)
    return ScalingSample(
        pairs=pairs,
        seed=seed,
        variance=torch.cat(of_pairs).var(0, correction=1),
        unscaled=_softmax_means(scores),
        scaled=_softmax_means(scores / roots[:, None, None]),
    )


def _prefixes() -> Tensor:
    """Return (1024, D): column i has ones in the first d_k rows and zeros below."""
    entries = torch.arange(DIMENSIONS[-1]).unsqueeze(1)  # (1024, 1)
    return (entries < torch.tensor(DIMENSIONS)).double()


def _softmax_means(scores: Tensor) -> SoftmaxMeans:
    """Return the means over rows of scores (D, rows, KEYS)."""
    weights = Softmax().weights(scores.flatten(0, 1))  # (D · rows, KEYS)

    def means(of_rows: Tensor) -> Tensor:
        return of_rows.view(len(DIMENSIONS), -1).mean(1)

    return SoftmaxMeans(
        largest=means(weights.amax(1)),
        entropy=means(row_entropy(weights)),
        gradient=means(jacobian_norm(weights)),
    )
