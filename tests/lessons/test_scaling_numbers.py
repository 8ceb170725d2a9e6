"""The numbers of lessons 5 and 9, computed here from the same draws in another way."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from qkviz.lessons.happenings import is_done_by
from qkviz.lessons.lesson import Lesson
from qkviz.lessons.library import lesson_by_number

FIVE, NINE = 5, 9


def drawn(queries: int, keys: int, d_k: int) -> tuple[np.ndarray, np.ndarray]:
    generator = torch.Generator().manual_seed(0)
    Q = torch.randn(queries, d_k, generator=generator, dtype=torch.float64)
    return Q.numpy(), torch.randn(keys, d_k, generator=generator, dtype=torch.float64).numpy()


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def largest(scores: np.ndarray) -> float:
    return float(softmax(scores).max(axis=1).mean())


def scores_of(lesson: Lesson) -> np.ndarray:
    inputs = lesson.document().inputs
    return inputs.Q.numpy() @ inputs.K.numpy().T


@pytest.mark.parametrize("d_k", [2, 16, 512])
def test_lesson_5_quotes_the_dot_product(d_k):
    Q, K = drawn(32, 32, d_k)
    assert lesson_by_number(FIVE).fixed_numbers[f"dot_{d_k}"] == pytest.approx(largest(Q @ K.T))


def test_lesson_5_quotes_deviations_that_grow_like_the_root_of_d_k():
    numbers = lesson_by_number(FIVE).fixed_numbers
    for d_k in (16, 512):
        Q, K = drawn(32, 32, d_k)
        assert numbers[f"dot_deviation_{d_k}"] == pytest.approx((Q @ K.T).std())
        assert numbers[f"dot_deviation_{d_k}"] == pytest.approx(d_k**0.5, rel=0.05)  # "about √dₖ"


@pytest.mark.parametrize("d_k", [2, 512])
def test_lesson_5_quotes_the_scaled_dot_product(d_k):
    Q, K = drawn(32, 32, d_k)
    scaled = largest(Q @ K.T / d_k**0.5)
    assert lesson_by_number(FIVE).fixed_numbers[f"scaled_{d_k}"] == pytest.approx(scaled)


def test_lesson_5_quotes_the_additive_function():
    Q, K = drawn(32, 32, 512)
    generator = torch.Generator().manual_seed(0)
    W_1, W_2 = (torch.randn(512, 64, generator=generator, dtype=torch.float64).numpy() for _w in "12")
    v = torch.randn(64, generator=generator, dtype=torch.float64).numpy() / 8
    hidden = np.tanh((Q @ W_1)[:, None] / 512**0.5 + (K @ W_2)[None] / 512**0.5)  # (32, 32, 64)
    numbers = lesson_by_number(FIVE).fixed_numbers
    assert numbers["additive_512"] == pytest.approx(largest(hidden @ v))
    assert numbers["parameters"] == 2 * 64 * 64 + 64


@pytest.mark.parametrize(("number", "key"), [(FIVE, 2), (NINE, 1)])
def test_the_weight_of_the_cat_with_and_without_the_division(number, key):
    lesson = lesson_by_number(number)
    scores = scores_of(lesson)
    numbers = lesson.fixed_numbers
    assert numbers["d_k"] == 16
    assert numbers["weight"] == pytest.approx(softmax(scores / 4)[0, key])
    assert numbers["undivided"] == pytest.approx(softmax(scores)[0, key])
    assert numbers["weight"] < 0.5 < 0.8 < numbers["undivided"]
    assert scores[0].argmax() == key


def test_lesson_9_quotes_625_rows_of_16_keys():
    Q, K = drawn(625, 16, 64)
    numbers = lesson_by_number(NINE).fixed_numbers
    assert numbers["rows"] == 625
    for name, scores in (("", Q @ K.T / 8), ("undivided_", Q @ K.T)):
        weights = softmax(scores)
        norms = [np.linalg.norm(np.diag(w) - np.outer(w, w)) for w in weights]
        assert numbers[f"{name}largest"] == pytest.approx(largest(scores))
        assert numbers[f"{name}deviation"] == pytest.approx(scores.std())
        assert numbers[f"{name}gradient"] == pytest.approx(np.mean(norms), abs=1e-7)


def test_only_one_answer_of_lesson_9_is_near_what_is_measured():
    measured = lesson_by_number(NINE).fixed_numbers["undivided_largest"]
    near = [choice.id for choice, about in zip(lesson_by_number(NINE).choices, (0.25, 0.5, 0.85), strict=True)
            if abs(measured - about) < 0.05]  # fmt: skip
    assert near == [choice.id for choice in lesson_by_number(NINE).choices if choice.right]


@pytest.mark.parametrize(
    ("name", "parameters", "values", "done"),
    [
        ("score_functions_compared", {"d_k": 256}, {"d_k": 255}, False),
        ("score_functions_compared", {"d_k": 256}, {"d_k": 256}, True),
        ("times_measured", {"tokens": 512}, {"tokens": 256}, False),
        ("times_measured", {"tokens": 512}, {"tokens": 512}, True),
        ("scaling_sampled", {"least_pairs": 100, "most_pairs": 100}, {"pairs": 100}, True),
        ("scaling_sampled", {"least_pairs": 100, "most_pairs": 100}, {"pairs": 1000}, False),
        ("scaling_sampled", {"least_pairs": 10_000, "most_pairs": 1e6}, {"pairs": 1000}, False),
    ],
)
def test_happenings_are_noticed_from_their_limits_on(name, parameters, values, done):
    assert is_done_by(name, parameters, values) is done
