"""Ranks on the diagonal, and random projections: counted one by one, and against what theory says."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkviz.attention.diagonal import CELLS_AT_ONCE, draw_diagonals, ranks_of_itself
from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.trace import trace_attention
from qkviz.translate import Refusal
from tests.attention.strategies import matrices

X_OF_THREE = [[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]]


@given(st.data(), st.integers(1, 6))
def test_the_rank_is_one_more_than_the_number_of_larger_scores(data: st.DataObject, n: int) -> None:
    S = data.draw(matrices(n, n).map(torch.round))
    rows = S.tolist()
    assert ranks_of_itself(S) == tuple(1 + sum(other > row[i] for other in row) for i, row in enumerate(rows))


def test_ties_nan_and_masked_keys() -> None:
    S = matrix([[2, 2, 1], [math.nan, 1, 5], [3, 4, -math.inf]], "S")
    assert ranks_of_itself(S) == (1, 2, None)
    assert ranks_of_itself(matrix([[math.nan]], "S")) == (None,)
    assert ranks_of_itself(matrix([[0.3, 0.1 + 0.2], [0, 0]], "S")) == (1, 1)


def test_only_a_square_matrix_has_a_diagonal() -> None:
    with pytest.raises(Refusal, match="2 × 3"):
        ranks_of_itself(matrix([[1, 2, 3], [4, 5, 6]], "S"))


def test_every_draw_is_what_the_trace_of_the_same_projections_gives() -> None:
    X, draws, d_k = matrix(X_OF_THREE, "X"), 40, 2
    drawn = draw_diagonals(X, d_k, draws, seed=3)
    generator = torch.Generator().manual_seed(3)
    W = torch.randn(2, draws, 4, d_k, generator=generator, dtype=torch.float64) / 2
    for at in range(draws):
        for W_K, counts in ((W[1, at], drawn.independent), (W[0, at], drawn.tied)):
            S = trace_attention(ProjectedInputs(X, X, W[0, at].clone(), W_K.clone())).scores.tolist()
            assert int(counts[at]) == sum(row[i] == max(row) for i, row in enumerate(S))


def test_xxt_is_counted_once() -> None:
    assert draw_diagonals(matrix(X_OF_THREE, "X"), 2, 1, 0).embeddings == 3
    assert draw_diagonals(matrix([[1.0], [3.0]], "X"), 2, 1, 0).embeddings == 1  # 1·3 beats 1·1


@pytest.mark.parametrize(("n", "d_model", "d_k"), [(3, 4, 2), (6, 4, 3), (12, 5, 8)])
def test_independent_projections_put_one_row_on_the_average_first(n: int, d_model: int, d_k: int) -> None:
    X = torch.randn(n, d_model, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    X *= torch.arange(1, n + 1).unsqueeze(1)  # words of very different length
    counts = draw_diagonals(X, d_k, 20_000, seed=0).independent.double()
    four_errors = 4 * counts.std().item() / math.sqrt(20_000)
    assert counts.mean().item() == pytest.approx(1, abs=four_errors)


def test_tied_projections_favour_the_diagonal() -> None:
    drawn = draw_diagonals(matrix(X_OF_THREE, "X"), 2, 1000, seed=1)
    assert drawn.tied.double().mean() > 1.5 * drawn.independent.double().mean()


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    X = matrix(X_OF_THREE, "X")
    first, again, other = (draw_diagonals(X, 2, 300, seed) for seed in (5, 5, 6))
    assert torch.equal(first.independent, again.independent)
    assert not torch.equal(first.independent, other.independent)


def test_progress_rises_to_the_whole_and_may_end_the_work() -> None:
    told: list[float] = []
    X = matrix(X_OF_THREE, "X")
    assert len(draw_diagonals(X, 2, 1000, 0, told.append).tied) == 1000
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) >= 10

    def end(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        draw_diagonals(X, 2, 10**9, 0, end)


def test_large_documents_are_drawn_in_small_batches() -> None:
    told: list[float] = []
    side = 1000
    draw_diagonals(torch.ones(side, 1, dtype=torch.float64), 1, 4, 0, told.append)
    assert len(told) == 4 // (CELLS_AT_ONCE // side**2)
