"""Numbers of a row under each normaliser, whichever of them the document uses."""

# ruff: noqa: PLC0415 -- the normalisers load torch, which reading a lesson file must not

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace


def softmax(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the weight under softmax with temperature 1."""
    from qkviz.attention.normalizers import Softmax

    return Softmax().weights(trace.masked)[query, key].item()


def sparsemax(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the weight under sparsemax."""
    from qkviz.attention.normalizers import Sparsemax

    return Sparsemax().weights(trace.masked)[query, key].item()


def sparsemax_cut(trace: AttentionTrace, query: int, key: int) -> float:
    """Return the threshold of sparsemax on the row of the query."""
    from qkviz.attention.cutoffs import sparsemax_threshold

    return sparsemax_threshold(trace.masked)[query].item()


NORMALIZER_QUANTITIES: Mapping[str, Callable[[AttentionTrace, int, int], float]] = {
    "softmax": softmax,
    "sparsemax": sparsemax,
    "sparsemax_threshold": sparsemax_cut,
}
"""Quantities by the names that lesson.toml uses."""
