"""Random matrices, masks and inputs for the property tests."""

import math

import torch
from hypothesis import strategies as st
from torch import Tensor

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask

numbers = st.floats(-20, 20, allow_subnormal=False)
sizes = st.integers(1, 6)


def matrices(rows: int, columns: int) -> st.SearchStrategy[Tensor]:
    """Draw a (rows, columns) matrix of moderate numbers."""
    row = st.lists(numbers, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows).map(lambda values: matrix(values, "M"))


@st.composite
def direct_inputs(draw: st.DrawFn) -> DirectInputs:
    """Draw Q (m, d_k), K (n, d_k) and V (n, d_v)."""
    m, n, d_k, d_v = draw(sizes), draw(sizes), draw(sizes), draw(sizes)
    return DirectInputs(draw(matrices(m, d_k)), draw(matrices(n, d_k)), draw(matrices(n, d_v)))


@st.composite
def projected_inputs(draw: st.DrawFn) -> ProjectedInputs:
    """Draw self- or cross-attention with W_V, with and without offsets."""
    m, n, d_model, d_k, d_v = (draw(sizes) for _ in range(5))
    X_q = draw(matrices(m, d_model))
    X_k = X_q if draw(st.booleans()) else draw(matrices(n, d_model))
    return ProjectedInputs(
        X_q,
        X_k,
        draw(matrices(d_model, d_k)),
        draw(matrices(d_model, d_k)),
        draw(matrices(d_model, d_v)),
        draw(st.none() | matrices(m, d_k)),
        draw(st.none() | matrices(X_k.shape[0], d_k)),
    )


def masks(m: int, n: int) -> st.SearchStrategy[Mask]:
    """Draw a mask of any kind for m queries and n keys; rows without an allowed key happen."""
    cells = st.frozensets(st.tuples(st.integers(0, m - 1), st.integers(0, n - 1)))
    return st.one_of(
        st.just(NoMask()),
        st.just(CausalMask()),
        st.frozensets(st.integers(0, n - 1)).map(PaddingMask),
        st.builds(WindowMask, st.integers(0, n), st.integers(0, n)),
        cells.map(CellMask),
    )


def forbidden_by(mask: Mask, m: int, n: int) -> Tensor:
    """Tell in plain loops, (m, n) bool, which cells a mask forbids."""

    def is_forbidden(i: int, j: int) -> bool:
        match mask:
            case CausalMask():
                return j > i
            case PaddingMask(padded):
                return j in padded
            case WindowMask(before, after):
                return j < i - before or j > i + after
            case CellMask(forbidden):
                return (i, j) in forbidden
            case _:
                return False

    return torch.tensor([[is_forbidden(i, j) for j in range(n)] for i in range(m)])


def softmax_by_hand(row: list[float]) -> list[float]:
    """Compute exp(s) / Σ exp(s) with plain floats; −inf gives 0."""
    largest = max(row)
    powers = [math.exp(score - largest) for score in row]
    return [power / math.fsum(powers) for power in powers]
