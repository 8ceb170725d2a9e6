"""Changes give new matrices and leave the old one alone."""

import pytest
import torch

from qkviz.attention.masks import CausalMask, NoMask
from qkviz.attention.matrix_changes import (
    first_vector,
    forbidden_cells,
    none_if_zero,
    same_values,
    with_block,
    with_new_row,
    with_row,
    with_zero_column,
    with_zero_row,
    without_column,
    without_row,
)


def numbers():
    return torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.float64)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda M: with_block(M, 0, 1, ((7, 8), (9, 10))), [[1, 7, 8], [4, 9, 10]]),
        (lambda M: with_row(M, 1, torch.tensor([7.0, 8.0, 9.0])), [[1, 2, 3], [7, 8, 9]]),
        (lambda M: with_new_row(M, torch.tensor([7.0, 8.0, 9.0])), [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
        (with_zero_row, [[1, 2, 3], [4, 5, 6], [0, 0, 0]]),
        (with_zero_column, [[1, 2, 3, 0], [4, 5, 6, 0]]),
        (lambda M: without_row(M, 0), [[4, 5, 6]]),
        (lambda M: without_column(M, 1), [[1, 3], [4, 6]]),
    ],
)
def test_a_change_gives_a_new_contiguous_matrix(change, expected):
    before = numbers()
    after = change(before)
    assert after.tolist() == expected
    assert after.dtype is torch.float64
    assert after.is_contiguous()
    assert before.tolist() == numbers().tolist()
    assert after.untyped_storage().data_ptr() != before.untyped_storage().data_ptr()


def test_equal_values_are_told_from_others():
    assert same_values(numbers(), numbers())
    assert same_values(None, None)
    assert not same_values(numbers(), None)
    assert not same_values(numbers(), numbers()[:1])
    assert not same_values(numbers(), numbers() + 1)


def test_zeros_become_none():
    assert none_if_zero(torch.zeros(2, 2)) is None
    assert none_if_zero(numbers()) is not None


@pytest.mark.parametrize("dimension", [1, 2, 3, 64])
@pytest.mark.parametrize("position", [0, 1, 7, 100])
def test_a_first_vector_has_length_one_in_the_first_two_dimensions(position, dimension):
    vector = first_vector(position, dimension)
    assert vector.shape == (dimension,)
    assert vector[:2].norm().item() == pytest.approx(1, abs=0.008)
    assert vector[2:].tolist() == [0] * max(0, dimension - 2)


def test_forbidden_cells_are_those_of_minus_infinity():
    assert forbidden_cells(CausalMask().additive(2, 3)) == {(0, 1), (0, 2), (1, 2)}
    assert forbidden_cells(NoMask().additive(2, 3)) == frozenset()
