"""Measures as they are shown: numbers worked out apart, dashes with a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import draw_additive
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.measure import MeasureContent
from qkviz.presenters.measures import present_measures
from tests.presenters.examples import W_K, W_Q, X, cat_mat, direct, given, snapshot, worked_example

S = np.array(X) @ np.array(W_Q) @ np.array(W_K).T @ np.array(X).T


def measures(shown: Snapshot) -> dict[str, MeasureContent]:
    return {one.id: one for one in present_measures(shown).measures}


def test_the_numbers_of_cat_sit_mat() -> None:
    found = measures(snapshot(cat_mat()))
    p = np.exp(S / math.sqrt(2))
    p /= p.sum(axis=1, keepdims=True)
    entropy = -(p * np.log(p)).sum(axis=1)
    distance = (p * np.abs(np.arange(3)[:, None] - np.arange(3))).sum() / 3
    share = np.linalg.norm(S - S.T) ** 2 / 4 / np.linalg.norm(S) ** 2
    assert found["asymmetry"].text == f"{np.abs(S - S.T).max():.2f}" == "0.70"
    assert found["antisymmetric"].text == f"{100 * share:.0f}%"
    assert found["diagonal"].text == "1 of 3"
    assert found["entropy"].text == ", ".join(f"{value:.2f}" for value in entropy)
    assert found["effective"].text == ", ".join(f"{value:.2f}" for value in np.exp(entropy))
    assert found["distance"].text == f"{distance:.2f}"
    assert found["variance"].name == "Var(q·k)"
    assert found["variance"].text == f"{S.var():.2f}"
    assert found["rank"].text == "2 of at most 2 (dₖ)"
    assert float(found["asymmetry"].details) == pytest.approx(np.abs(S - S.T).max(), abs=1e-12)


def test_every_measure_has_a_sentence_and_a_formula() -> None:
    for one in present_measures(snapshot(cat_mat())).measures:
        assert one.sentence.endswith(".")
        assert one.sentence.count(". ") == 0
        assert one.formula


def test_rows_are_listed_with_their_tokens() -> None:
    lines = measures(snapshot(cat_mat()))["entropy"].details.split("\n")
    assert [line.split(":")[0] for line in lines] == ["query 1 “猫”", "query 2 “坐”", "query 3 “垫子”"]


def test_many_rows_are_summed_up_and_the_list_is_cut() -> None:
    found = measures(snapshot(given(np.zeros((20, 20)).tolist())))
    assert found["effective"].text == "mean 20.00 (20.00 to 20.00)"
    assert found["effective"].details.count("\n") == 16
    assert found["effective"].details.endswith("…")


def test_two_queries_and_three_keys_have_no_mirror_and_no_diagonal() -> None:
    found = measures(snapshot(worked_example()))
    for name in ("asymmetry", "antisymmetric"):
        assert found[name].text == "–"
        assert "2 × 3" in found[name].details
    assert found["diagonal"].text == "–"
    assert "different tokens" in found["diagonal"].details
    assert found["rank"].text == "2 of at most 2 (dₖ)"


def test_captured_heads_with_the_same_words_have_a_diagonal() -> None:
    inputs = DirectInputs(matrix([[1.0], [-1.0]], "Q"), matrix([[1.0], [2.0]], "K"))
    words = ("a", "b")
    assert measures(snapshot(Document(words, words, inputs)))["diagonal"].text == "0 of 2"


def test_only_a_product_of_q_and_k_is_said_to_be_bounded_by_its_width() -> None:
    inputs = DirectInputs(matrix([[1.0], [-1.0]], "Q"), matrix([[1.0], [2.0]], "K"))
    additive = AttentionOptions(score=draw_additive(1, 8, 0))
    text = measures(snapshot(Document(("a", "b"), ("a", "b"), inputs, additive)))["rank"].text
    assert text == "2"  # more than the dₖ = 1 of a product


def test_nan_is_said_and_not_shown() -> None:
    found = measures(snapshot(given([[1.0, math.nan], [0.0, 1.0]])))
    assert found["asymmetry"].text == found["rank"].text == "–"
    assert found["asymmetry"].details == "Not every score is a number."


def test_the_rank_of_many_tokens_is_left_out_with_a_reason() -> None:
    many = direct(np.ones((129, 1)).tolist(), [[1.0]], ["q"] * 129)
    found = measures(snapshot(many))
    assert found["rank"].text == "–"
    assert "128" in found["rank"].details
