"""What may become a matrix, and which matrices fit together."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.translate import Refusal


class FromElsewhere:
    """Something of another library that numpy takes for an array."""

    def __array__(self, dtype=None, copy=None):
        return np.array([[1.0, 2.5], [0.5, 1.0]], dtype=dtype)


def zeros(rows, columns):
    return torch.zeros(rows, columns, dtype=torch.float64)


@pytest.mark.parametrize(
    "values",
    [
        [[1, 2.5], [Fraction(1, 2), True]],
        ((1.0, 2.5), (0.5, 1.0)),
        [[torch.tensor(1.0), np.float32(2.5)], [0.5, np.int64(1)]],
        np.array([[1.0, 2.5], [0.5, 1.0]], dtype=np.float32),
        np.array([[1.0, 0.5], [2.5, 1.0]], dtype=">f8").T,
        np.array([[0.5, 1.0], [1.0, 2.5]])[::-1],
        torch.tensor([[1.0, 2.5], [0.5, 1.0]], dtype=torch.bfloat16),
        torch.tensor([[1.0, 0.5], [2.5, 1.0]]).T,
        torch.tensor([[1.0, 2.5], [0.5, 1.0]], requires_grad=True),
        torch.nn.Parameter(torch.tensor([[1.0, 2.5], [0.5, 1.0]], dtype=torch.float16)),
        torch._neg_view(torch.tensor([[-1.0, -2.5], [-0.5, -1.0]])),
        FromElsewhere(),
    ],
)
def test_matrix_is_float64_contiguous_and_right(values):
    result = matrix(values, "X")
    assert result.dtype == torch.float64
    assert result.is_contiguous()
    assert not result.requires_grad
    assert result.tolist() == [[1.0, 2.5], [0.5, 1.0]]


REAL_TYPES = [
    torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int16, torch.uint32, torch.int32, torch.uint64,
    torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn,
    torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz,
]  # fmt: skip


@pytest.mark.parametrize("dtype", REAL_TYPES, ids=str)
def test_matrix_takes_every_real_type_of_torch(dtype):
    result = matrix(torch.tensor([[0.0, 1.0], [1.0, 0.0]]).to(dtype), "X")
    assert result.dtype == torch.float64
    assert result.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_matrix_rounds_no_further_than_the_type_it_is_given():
    given = torch.tensor([[0.1]])
    assert matrix(given.to(torch.bfloat16), "X").item() == 0.10009765625
    assert matrix(given.to(torch.float8_e4m3fn), "X").item() == 0.1015625
    assert matrix(np.array([[2**63]], dtype=np.uint64), "X").item() == 2.0**63


@pytest.mark.parametrize("source", [np.ones((2, 2)), torch.ones(2, 2, dtype=torch.float64)])
def test_matrix_shares_nothing_with_its_source(source):
    result = matrix(source, "X")
    source[0, 0] = 7.0
    assert result.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_matrix_keeps_nan_and_infinities():
    result = matrix([[float("nan"), float("-inf")]], "scores")
    assert result.isnan().tolist() == [[True, False]]
    assert result[0, 1] == float("-inf")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (5, "W_Q is not a matrix"),
        ("12", "W_Q is not a matrix"),
        ([], "W_Q has no rows"),
        ([[], []], "W_Q is 2 × 0: it has no cells"),
        (np.zeros((0, 3)), "W_Q is 0 × 3: it has no cells"),
        ([1.0, 2.0], "Row 1 of W_Q is not a row"),
        (["12", "34"], "Row 1 of W_Q is not a row"),
        ([[1.0, 2.0], [3.0]], "Row 2 of W_Q has 1 numbers, but row 1 has 2"),
        ([[1.0, "2"]], "Row 1, column 2 of W_Q is not a number"),
        ([[1.0], [2j]], "Row 2, column 1 of W_Q is not a number"),
        ([[None]], "Row 1, column 1 of W_Q is not a number"),
        ([[10**400]], "Row 1, column 1 of W_Q is not a number"),
        ([[[1.0]]], "Row 1, column 1 of W_Q is not a number"),
        (np.zeros(3), "W_Q has 1 dimensions"),
        (np.zeros((1, 2, 3)), "W_Q is 1 × 2 × 3: it has 3 dimensions"),
        (torch.zeros(1, 8, 5, 5), "choose one, as W_Q[0, 0]."),
        (np.array([["a"]]), "W_Q holds something that is not a number"),
        (np.array([[None]]), "W_Q holds something that is not a number"),
        (np.array([[1j, 0]]), "W_Q holds complex numbers (1 × 2)"),
        (torch.tensor([[1j], [0]]), "W_Q holds complex numbers (2 × 1)"),
        (torch.eye(3).to_sparse(), "W_Q is a sparse tensor of 3 × 3; give W_Q.to_dense()"),
        (torch.ones(2, 3, device="meta"), "W_Q is a tensor of 2 × 3 on the device “meta”"),
        (torch.zeros(2, 2, dtype=torch.uint8).view(torch.uint4), "not a number (2 × 2, dtype torch.uint4)"),
        (np.ma.masked_less([[1.0, 2.0]], 1.5), "W_Q is a masked array of 1 × 2; give W_Q.filled(…)"),
        (np.zeros((2, 1), dtype=[("a", "f8")]), "W_Q holds something that is not a number (2 × 1"),
        (torch.tensor(1.0), "W_Q has 0 dimensions"),
    ],
)
def test_matrix_refuses_with_a_sentence(values, sentence):
    with pytest.raises(Refusal) as refused:
        matrix(values, "W_Q")
    assert sentence in str(refused.value)


def test_self_attention_is_one_and_the_same_embedding():
    X, W = zeros(3, 4), zeros(4, 2)
    inputs = ProjectedInputs(X, X, W, W)
    assert inputs.is_self_attention
    assert (inputs.m, inputs.n, inputs.d_k) == (3, 3, 2)
    cross = ProjectedInputs(X, zeros(5, 4), W, W)
    assert not cross.is_self_attention
    assert (cross.m, cross.n) == (3, 5)


def test_sizes_of_direct_inputs_and_given_scores():
    direct = DirectInputs(zeros(2, 7), zeros(3, 7), zeros(3, 1))
    assert (direct.m, direct.n, direct.d_k) == (2, 3, 7)
    given = GivenScores(zeros(2, 3), zeros(3, 4))
    assert (given.m, given.n) == (2, 3)


X, W = zeros(3, 4), zeros(4, 2)


@pytest.mark.parametrize(
    ("make", "names_and_shapes"),
    [
        (lambda: ProjectedInputs(X, X, zeros(5, 2), zeros(5, 2)), ("X is 3 × 4", "W_Q is 5 × 2")),
        (lambda: ProjectedInputs(X, X, W, zeros(5, 2)), ("X is 3 × 4", "W_K is 5 × 2")),
        (lambda: ProjectedInputs(X, X, W, zeros(4, 3)), ("W_Q is 4 × 2", "W_K is 4 × 3")),
        (lambda: ProjectedInputs(X, X, W, W, zeros(2, 2)), ("X is 3 × 4", "W_V is 2 × 2")),
        (lambda: ProjectedInputs(X, zeros(3, 5), W, zeros(4, 2)), ("X_k is 3 × 5", "W_K is 4 × 2")),
        (lambda: ProjectedInputs(X, zeros(3, 5), W, zeros(5, 2)), ("X_q is 3 × 4", "X_k is 3 × 5")),
        (lambda: ProjectedInputs(X, X, W, W, None, zeros(2, 2)), ("X is 3 × 4", "δ_q is 2 × 2")),
        (lambda: ProjectedInputs(X, X, W, W, None, zeros(3, 3)), ("W_Q is 4 × 2", "δ_q is 3 × 3")),
        (lambda: ProjectedInputs(X, X, W, W, None, None, zeros(1, 2)), ("X is 3 × 4", "δ_k is 1 × 2")),
        (lambda: ProjectedInputs(X, X, W, W, None, None, zeros(3, 1)), ("W_K is 4 × 2", "δ_k is 3 × 1")),
        (lambda: DirectInputs(zeros(2, 3), zeros(2, 4)), ("Q is 2 × 3", "K is 2 × 4")),
        (lambda: DirectInputs(zeros(2, 3), zeros(2, 3), zeros(3, 1)), ("K is 2 × 3", "V is 3 × 1")),
        (lambda: GivenScores(zeros(2, 3), zeros(2, 1)), ("scores is 2 × 3", "V is 2 × 1")),
    ],
)
def test_inputs_that_do_not_fit_are_refused_naming_both_shapes(make, names_and_shapes):
    with pytest.raises(Refusal) as refused:
        make()
    for part in names_and_shapes:
        assert part in str(refused.value)


@pytest.mark.parametrize("wrong", [torch.zeros(2, 2), torch.zeros(2, dtype=torch.float64)])
def test_a_tensor_that_did_not_come_from_matrix_is_a_mistake_of_the_program(wrong):
    with pytest.raises(TypeError, match=r"V must come from matrix\(\)"):
        DirectInputs(zeros(2, 2), zeros(2, 2), wrong)
