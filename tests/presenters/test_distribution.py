"""Distributions: the numbers of both matrices, in one set of bins, and what is missing said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.presenters.distribution import Stage, present_distribution, present_score_histogram
from tests.presenters.examples import W_K, W_Q, X, cat_mat, given, snapshot, worked_example

XXT = np.array(X) @ np.array(X).T
S = np.array(X) @ np.array(W_Q) @ np.array(W_K).T @ np.array(X).T


def test_scores_of_both_matrices_share_their_bins() -> None:
    content = present_distribution(snapshot(cat_mat()), Stage.SCORES)
    assert [one.name for one in content.series] == ["XXᵀ", "QKᵀ"]
    for one, matrix in zip(content.series, (XXT, S), strict=True):
        assert sorted(one.values.tolist()) == pytest.approx(sorted(matrix.ravel().tolist()), abs=1e-12)
        assert one.counts.sum() == 9
        expected = np.histogram(matrix, np.append(content.edges[:-1], math.inf))[0]
        assert one.counts.tolist() == expected.tolist()
    assert content.series[0].summary == f"mean {XXT.mean():.2f} · variance {XXT.var():.2f}"
    assert content.series[1].summary == f"mean {S.mean():.2f} · variance {S.var():.2f}"
    assert content.note == ""


def test_weights_of_both_sum_to_the_number_of_rows() -> None:
    content = present_distribution(snapshot(cat_mat()), Stage.WEIGHTS)
    assert [one.name for one in content.series] == ["softmax of XXᵀ", "softmax of QKᵀ"]
    assert [one.values.sum() for one in content.series] == pytest.approx([3, 3], abs=1e-12)


def test_without_embeddings_there_is_one_histogram_and_a_reason() -> None:
    content = present_distribution(snapshot(worked_example()), Stage.SCORES)
    assert [one.name for one in content.series] == ["QKᵀ"]
    assert "no XXᵀ" in content.note


def test_what_is_no_number_is_counted_apart() -> None:
    content = present_score_histogram(snapshot(given([[1.0, math.nan], [-math.inf, 2.0]])))
    assert content.series[0].counts.sum() == 2
    assert content.note == "Cells without a finite number, left out: 2."


def test_nothing_but_nan_gives_no_bins() -> None:
    content = present_score_histogram(snapshot(given([[math.nan]])))
    assert content.edges.size == 0
    assert content.series[0].summary == ""
