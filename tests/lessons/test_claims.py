"""Claims of the source texts whose numbers no other test holds; docs/guide/claims.md names the rest."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import torch

from qkviz.attention.diagonal import draw_diagonals, ranks_of_itself
from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.normalizers import Softmax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine, Dot
from qkviz.attention.trace import trace_attention
from qkviz.attention.variance_band import variance_band
from qkviz.lessons.library import lesson_by_number

X_OF_A = np.array([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]])


def scores_of(X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray) -> np.ndarray:
    """Return the program's scores of one X."""
    x = matrix(X, "X")
    return trace_attention(ProjectedInputs(x, x, matrix(W_Q, "W_Q"), matrix(W_K, "W_K"))).scores.numpy()


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# lesson 1: direction


def test_turned_away_at_one_length_the_score_falls_through_0_to_its_negative() -> None:
    angles = np.radians([0, 20, 45, 70, 90, 110, 135, 160, 180])
    b = np.array([2.4, 0.7])  # lesson 1; 2.5 long, and a is 2 long
    b_angle = math.atan2(0.7, 2.4)
    a = 2.0 * np.stack([np.cos(b_angle + angles), np.sin(b_angle + angles)], axis=1)
    inputs = DirectInputs(matrix(a, "Q"), matrix([b], "K"))
    scores = trace_attention(inputs, AttentionOptions(score=Dot())).scores[:, 0].tolist()
    assert scores == pytest.approx((5.0 * np.cos(angles)).tolist(), abs=1e-12)
    assert (scores[0], scores[4], scores[-1]) == pytest.approx((5.0, 0.0, -5.0), abs=1e-12)
    assert all(nearer > farther for nearer, farther in pairwise(scores))


# lesson 2: symmetry, and the matrix between


@pytest.mark.parametrize("d_k", [1, 2, 3, 8])
def test_two_projections_drawn_apart_never_gave_symmetric_scores(d_k: int) -> None:
    drawn = np.random.default_rng(d_k)
    for _draw in range(200):
        S = scores_of(X_OF_A, drawn.standard_normal((4, d_k)), drawn.standard_normal((4, d_k)))
        assert np.abs(S - S.T).max() > 1e-3


def test_different_projections_alone_do_not_make_scores_asymmetric() -> None:
    """W_Q ≠ W_K is needed for asymmetry and does not ensure it."""
    W = np.random.default_rng(0).standard_normal((4, 2))
    S = scores_of(X_OF_A, W, 2.0 * W)
    assert pytest.approx(S.T, abs=1e-12) == S


def test_the_matrix_between_gives_independent_words_any_scores() -> None:
    """XXᵀ has one answer for an X; three independent words get any 3 × 3 scores by W_Q W_Kᵀ = X⁺ T X⁺ᵀ."""
    wanted = np.array([[0.0, 5.0, -1.0], [-3.0, 0.5, 2.0], [4.0, 0.0, -2.0]])
    inverse = np.linalg.pinv(X_OF_A)  # (4, 3)
    assert scores_of(X_OF_A, inverse @ wanted, inverse) == pytest.approx(wanted, abs=1e-12)


# lesson 3: other projections, other relations


def weights_of_head(X: np.ndarray, seed: int) -> np.ndarray:
    generator = torch.Generator().manual_seed(seed)
    W_Q, W_K = torch.randn(2, 2, 2, generator=generator, dtype=torch.float64).numpy() / math.sqrt(2)
    return softmax(X @ W_Q @ W_K.T @ X.T / math.sqrt(2))


def test_the_numbers_of_lesson_3() -> None:
    numbers = lesson_by_number(3).fixed_numbers
    X = np.array(lesson_by_number(3).source.matrices["X"])
    assert numbers["score"] == X[0] @ X[2] == 0.0  # no relation in XXᵀ
    for head, favourite in ((1, 2), (2, 1), (3, 0)):  # mat looks most at itself, at sit, at cat
        row = weights_of_head(X, head)[2]
        assert numbers[f"head_{head}"] == pytest.approx(row[favourite], abs=1e-12) == row.max()
    assert (numbers["there"], numbers["back"]) == pytest.approx((4.0, -4.0), abs=1e-12)
    by_hand = softmax(np.array([[0, -1, 4], [1, 0, -3.2], [-4, 3.2, 0]]) / math.sqrt(2))
    assert numbers["there_weight"] == pytest.approx(by_hand[0, 2], abs=1e-12) == by_hand[0].max()
    assert numbers["back_weight"] == pytest.approx(by_hand[2, 0], abs=1e-12) == by_hand[2].min()
    W = torch.randn(2, 2, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64)[0].numpy()
    assert numbers["tied"] == pytest.approx(X[0] @ W @ W.T @ X[2] / 2, abs=1e-12)


def test_the_embeddings_alone_say_0_where_a_projection_says_4_and_minus_4() -> None:
    X = np.array(lesson_by_number(3).source.matrices["X"])
    W_Q, W_K = np.array([[0.8, -0.5], [0.4, 1.0]]), np.array([[-0.5, -0.8], [1.0, -0.4]])
    x = matrix(X, "X")
    trace = trace_attention(ProjectedInputs(x, x, matrix(W_Q, "W_Q"), matrix(W_K, "W_K")))
    assert matrix_of(trace, MatrixName.XXT)[0, 2].item() == pytest.approx(0.0, abs=1e-12)
    assert (trace.scores[0, 2].item(), trace.scores[2, 0].item()) == pytest.approx((4.0, -4.0), abs=1e-12)


def looks_one_way(S: np.ndarray) -> bool:
    """Tell whether the first word looks most at the third, and the third least at the first."""
    return bool(S[0, 2] > S[0, :2].max() and S[2, 0] < S[2, 1:].min())


def test_the_words_of_lesson_3_cannot_look_one_way_under_one_projection() -> None:
    """With s = S·cat·mat it would take s > S·cat·cat ≥ 0, and, sit being −0.8 cat − 0.25 mat, s < 0."""
    X = np.array(lesson_by_number(3).source.matrices["X"])
    assert pytest.approx(-0.8 * X[0] - 0.25 * X[2], abs=1e-12) == X[1]
    drawn = np.random.default_rng(0)
    for _draw in range(2000):
        q = X @ drawn.standard_normal((2, 2))
        assert not looks_one_way(q @ q.T)


def test_a_new_w_q_moves_the_words_that_are_not_at_right_angles_to_the_dragged_one() -> None:
    """The least change of W_Q that moves q·cat by δ adds x·cat ⊗ δ / ‖x·cat‖²; sit goes along, mat stays."""
    X = np.array(lesson_by_number(3).source.matrices["X"])
    δ = np.array([-3.5, -2.0])
    moved = X @ np.outer(X[0], δ) / (X[0] @ X[0])
    assert moved[0] == pytest.approx(δ, abs=1e-12)
    assert moved[1] == pytest.approx(-0.8 * δ, abs=1e-12)
    assert moved[2] == pytest.approx(0.0, abs=1e-12)


def test_other_words_can_look_one_way_under_one_projection() -> None:
    """Symmetric scores alone do not forbid it."""
    assert looks_one_way(scores_of(np.array([[1.0], [1.5], [2.0]]), np.eye(1), np.eye(1)))


# lesson 6: the diagonal


def test_rows_share_one_win_on_the_average_and_not_evenly() -> None:
    """Every q_i may point anywhere, so each row picks key j as often as any other row does: the sum is 1."""
    X = np.array(lesson_by_number(6).source.matrices["X"])
    draws, d_k = 20_000, 3
    W = np.random.default_rng(0).standard_normal((2, draws, 4, d_k))
    S = np.einsum("ia,nab,ncb,jc->nij", X, W[0], W[1], X)
    shares = (S.argmax(axis=2) == np.arange(6)).mean(axis=0)
    assert shares.sum() == pytest.approx(1.0, abs=0.04)
    program = draw_diagonals(matrix(X, "X"), d_k, draws, seed=0).independent.double().mean().item()
    assert shares.sum() == pytest.approx(program, abs=0.04)
    lengths = np.linalg.norm(X, axis=1)
    assert set(np.argsort(shares)[:2]) == set(np.argsort(lengths)[:2]) == {2, 4}  # "on" and "it"
    assert np.sort(shares)[:2].sum() < 0.1  # "long keys get most of it"


def test_q_and_k_of_one_word_may_point_anywhere() -> None:
    """1000 draws for the cat of text A: the angles have no liking, their mean cosine is 0."""
    drawn = np.random.default_rng(2)
    q, k = (X_OF_A[0] @ drawn.standard_normal((1000, 4, 2)) for _role in "qk")
    cosines = (q * k).sum(1) / np.linalg.norm(q, axis=1) / np.linalg.norm(k, axis=1)
    assert cosines.mean() == pytest.approx(0.0, abs=4 * math.sqrt(0.5 / 1000))
    assert cosines.min() < -0.99
    assert cosines.max() > 0.99


def test_the_ranks_that_lesson_6_shows_are_those_of_its_scores() -> None:
    source = lesson_by_number(6).source.matrices
    X, W_Q, W_K = (np.array(source[name]) for name in ("X", "W_Q", "W_K"))
    S = X @ W_Q @ W_K.T @ X.T
    expected = tuple(1 + int((row > row[i]).sum()) for i, row in enumerate(S))
    assert ranks_of_itself(matrix(S, "S")) == expected
    assert expected.count(1) == 2


# lessons 7 and 8: the worked numbers


def test_the_output_of_lesson_7_is_the_weighted_sum_of_its_values() -> None:
    document = lesson_by_number(7).document()
    trace = trace_attention(document.inputs, document.options)
    assert trace.output is not None
    source = lesson_by_number(7).source.matrices
    X, W_Q, W_K, W_V = (np.array(source[name]) for name in ("X", "W_Q", "W_K", "W_V"))
    weights = softmax(X @ W_Q @ W_K.T @ X.T / math.sqrt(2))
    assert trace.output.numpy() == pytest.approx(weights @ X @ W_V, abs=1e-12)


def test_both_queries_of_lesson_8_rank_their_keys_as_the_text_says() -> None:
    document = lesson_by_number(8).document()
    scores = trace_attention(document.inputs, document.options).scores.numpy()
    by_hand = np.array([[0.56 + 0.06, 0.16 + 0.16, 0.32 - 0.10], [0.07 + 0.27, 0.02 + 0.72, 0.04 - 0.45]])
    assert scores == pytest.approx(by_hand, abs=1e-12)
    assert np.argsort(-scores).tolist() == [[0, 1, 2], [1, 0, 2]]


def test_the_vectors_of_lesson_8_have_neither_mean_0_nor_variance_1() -> None:
    """Text B calls them so; the program does not."""
    inputs = lesson_by_number(8).document().inputs
    assert isinstance(inputs, DirectInputs)
    assert (inputs.Q.mean().item(), inputs.Q.var(correction=0).item()) == pytest.approx((0.5, 0.125))
    assert inputs.K.mean().item() == pytest.approx(1.9 / 6)
    assert inputs.K.var(correction=0).item() < 0.25


# lesson 9: the band


def test_a_hundred_times_as_many_pairs_make_a_band_about_ten_times_narrower() -> None:
    for d_k in (1, 16, 1024):
        widths = [high - low for pairs in (100, 10_000) for low, high in variance_band([d_k], pairs)]
        assert widths[0] / widths[1] == pytest.approx(10.0, rel=0.1)


# lesson 12: arithmetic that ends


def test_at_a_tiny_temperature_float64_shows_0_where_exact_arithmetic_has_more() -> None:
    """The cat leads by 1.5, and e^(−1.5/τ) is above 0 for any τ; the least float64 is about e^−744."""
    scores = matrix(lesson_by_number(12).source.matrices["scores"], "scores")
    for temperature, is_zero in ((0.05, False), (0.0021, False), (0.002, True)):
        assert (-1.5 / temperature < -745) is is_zero
        weight = Softmax(temperature).weights(scores)[0, 3].item()
        assert (weight == 0.0) is is_zero


# lesson 13: the ceiling of the cosine


def test_a_longer_key_gains_with_the_queries_of_its_half_plane_only() -> None:
    angles = np.radians([0, 40, 89, 91, 140, 180])
    queries = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    short, long = (
        trace_attention(DirectInputs(matrix(queries, "Q"), matrix([[length, 0.0]], "K"))).scores[:, 0]
        for length in (1.0, 3.0)
    )
    assert (long > short).tolist() == [True, True, True, False, False, False]


def test_no_three_keys_get_more_from_cosines_than_the_ceiling_and_some_come_near() -> None:
    ceiling = lesson_by_number(13).fixed_numbers["ceiling"]
    generator = torch.Generator().manual_seed(0)
    largest = 0.0
    for size in (0.1, 1.0, 100.0):  # lengths do nothing
        for _draw in range(300):
            Q = size * torch.randn(8, 2, generator=generator, dtype=torch.float64)
            K = torch.randn(3, 2, generator=generator, dtype=torch.float64)
            weights = trace_attention(DirectInputs(Q, K), AttentionOptions(score=Cosine())).weights
            largest = max(largest, weights.max().item())
    assert ceiling - 0.01 < largest <= ceiling
