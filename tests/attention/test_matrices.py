"""Every matrix by its name."""

import math

import pytest
import torch

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.matrices import MatrixName, available_matrices, matrix_of
from qkviz.attention.options import AttentionOptions
from qkviz.attention.trace import trace_attention
from qkviz.translate import Refusal

X = matrix([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]], "X")
W_Q = matrix([[1.0, 0.0], [0.0, 2.0], [0.5, 0.0], [0.0, -1.0]], "W_Q")
W_K = matrix([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [-1.0, 3.0]], "W_K")


@pytest.fixture
def self_attention():
    return trace_attention(ProjectedInputs(X, X, W_Q, W_K, W_Q))


@pytest.fixture
def cross_attention():
    return trace_attention(ProjectedInputs(X, X[:2].clone(), W_Q, W_K))


@pytest.fixture
def direct():
    return trace_attention(DirectInputs(X, X, X))


@pytest.fixture
def given_scores():
    return trace_attention(GivenScores(matrix([[1.0, 2.0, 3.0]], "scores")))


def test_embedding_products_of_the_source_text(self_attention):
    expected = matrix([[1.93, -0.16, 0.67], [-0.16, 1.90, 0.10], [0.67, 0.10, 1.71]], "XXT")
    torch.testing.assert_close(matrix_of(self_attention, MatrixName.XXT), expected, rtol=0, atol=1e-12)


def test_embedding_products_of_cross_attention_have_queries_as_rows(cross_attention):
    assert matrix_of(cross_attention, MatrixName.XXT).shape == (3, 2)


def test_bilinear_form_takes_embeddings_to_scores(self_attention):
    form = matrix_of(self_attention, MatrixName.BILINEAR)
    assert form.shape == (4, 4)
    torch.testing.assert_close(X @ form @ X.T, self_attention.scores)


def test_symmetric_and_antisymmetric_part_add_to_the_scores(self_attention):
    symmetric = matrix_of(self_attention, MatrixName.SYMMETRIC)
    antisymmetric = matrix_of(self_attention, MatrixName.ANTISYMMETRIC)
    assert torch.equal(symmetric, symmetric.T)
    assert torch.equal(antisymmetric, -antisymmetric.T)
    assert antisymmetric.abs().max() > 0.1
    torch.testing.assert_close(symmetric + antisymmetric, self_attention.scores)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        (MatrixName.X, "X_q"),
        (MatrixName.Q, "Q"),
        (MatrixName.K, "K"),
        (MatrixName.V, "V"),
        (MatrixName.SCORES, "scores"),
        (MatrixName.SCALED, "scaled"),
        (MatrixName.MASKED, "masked"),
        (MatrixName.WEIGHTS, "weights"),
        (MatrixName.OUTPUT, "output"),
    ],
)
def test_stages_are_the_tensors_of_the_trace(self_attention, name, field):
    assert matrix_of(self_attention, name) is getattr(self_attention, field)


def test_embeddings_of_the_keys_are_a_matrix_of_their_own_in_cross_attention_only(
    self_attention, cross_attention
):
    assert matrix_of(cross_attention, MatrixName.X_K) is cross_attention.X_k
    with pytest.raises(Refusal, match="Only cross-attention"):
        matrix_of(self_attention, MatrixName.X_K)


def test_what_is_available(self_attention, cross_attention, direct, given_scores):
    everything = set(MatrixName) - {MatrixName.CAPPED, MatrixName.BIAS}
    square = {MatrixName.SYMMETRIC, MatrixName.ANTISYMMETRIC}
    values = {MatrixName.V, MatrixName.OUTPUT}
    embeddings = {MatrixName.X, MatrixName.X_K, MatrixName.XXT, MatrixName.BILINEAR}
    assert set(available_matrices(self_attention)) == everything - {MatrixName.X_K}
    assert set(available_matrices(cross_attention)) == everything - square - values
    assert set(available_matrices(direct)) == everything - embeddings
    assert set(available_matrices(given_scores)) == {
        MatrixName.SCORES,
        MatrixName.SCALED,
        MatrixName.MASKED,
        MatrixName.WEIGHTS,
    }


def test_a_head_of_a_model_has_its_embeddings_its_cap_and_its_bias():
    X, bias = matrix([[1.0, 2.0], [0.5, -1.0]], "X"), matrix([[0.0, 3.0], [-2.0, 1.0]], "bias")
    Q, K = matrix([[9.0], [-4.0]], "Q"), matrix([[2.0], [1.0]], "K")
    trace = trace_attention(DirectInputs(Q, K, None, X, X), AttentionOptions(soft_cap=5.0, bias=bias))
    missing = {MatrixName.X_K, MatrixName.V, MatrixName.OUTPUT, MatrixName.BILINEAR}
    assert set(available_matrices(trace)) == set(MatrixName) - missing
    assert matrix_of(trace, MatrixName.XXT).tolist() == [[5.0, -1.5], [-1.5, 1.25]]
    assert matrix_of(trace, MatrixName.BIAS) is bias
    capped = [[5 * math.tanh(18 / 5), 5 * math.tanh(9 / 5)], [5 * math.tanh(-8 / 5), 5 * math.tanh(-4 / 5)]]
    assert torch.allclose(matrix_of(trace, MatrixName.CAPPED), matrix(capped, "S"), atol=1e-12)
    assert torch.equal(matrix_of(trace, MatrixName.MASKED), trace.capped + bias)


def test_available_matrices_come_in_the_order_of_the_stages(self_attention):
    names = available_matrices(self_attention)
    assert names == tuple(name for name in MatrixName if name in names)


def test_whatever_is_not_available_is_refused_with_a_reason(given_scores, cross_attention):
    for trace in (given_scores, cross_attention):
        for name in set(MatrixName) - set(available_matrices(trace)):
            with pytest.raises(Refusal) as refused:
                matrix_of(trace, name)
            assert len(str(refused.value)) > 20
