"""Attention without projections: XXᵀ as scores, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine
from qkviz.attention.trace import trace_attention
from qkviz.attention.without_projections import trace_without_projections

X = np.array([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]])


def test_scores_are_products_of_embeddings_scaled_by_their_length() -> None:
    x, W = matrix(X, "X"), matrix(np.ones((4, 2)), "W")
    plain = trace_without_projections(trace_attention(ProjectedInputs(x, x, W, W)))
    assert plain is not None
    assert plain.scores.numpy() == pytest.approx(X @ X.T, abs=1e-12)
    powers = np.exp(X @ X.T / 2)  # √4
    assert plain.weights.numpy() == pytest.approx(powers / powers.sum(axis=1, keepdims=True), abs=1e-12)


def test_mask_stays_and_the_score_function_is_the_dot_product() -> None:
    x, W = matrix(X, "X"), matrix(np.ones((4, 2)), "W")
    options = AttentionOptions(Cosine(), mask=CausalMask())
    plain = trace_without_projections(trace_attention(ProjectedInputs(x, x, W, W), options))
    assert plain is not None
    assert plain.scores[0, 2].item() == pytest.approx(0.67, abs=1e-12)
    assert plain.weights[0].tolist() == [1, 0, 0]


def test_cross_attention_compares_both_sets_of_embeddings() -> None:
    W = matrix(np.ones((4, 2)), "W")
    inputs = ProjectedInputs(matrix(X[:1], "X_q"), matrix(X[1:], "X_k"), W, W)
    plain = trace_without_projections(trace_attention(inputs))
    assert plain is not None
    assert plain.scores.numpy() == pytest.approx(X[:1] @ X[1:].T, abs=1e-12)


def test_a_document_without_embeddings_has_none() -> None:
    direct = DirectInputs(matrix([[1.0]], "Q"), matrix([[1.0]], "K"))
    assert trace_without_projections(trace_attention(direct)) is None
