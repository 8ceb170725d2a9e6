"""A flat window on vectors of any dimension."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.inputs import matrix
from qkviz.attention.plane import Plane
from qkviz.translate import Refusal
from tests.attention.strategies import matrices, numbers, sizes

properties = settings(deadline=None)


@st.composite
def planes(draw):
    d = draw(st.integers(2, 6))
    if draw(st.booleans()):
        i, j = draw(st.permutations(range(d)))[:2]
        return Plane.of_dimensions(d, i, j)
    return Plane.of_principal_directions(draw(matrices(3, d)), draw(matrices(2, d)))


def test_plane_of_two_dimensions_shows_their_coordinates():
    plane = Plane.of_dimensions(4, 3, 1)
    vectors = matrix([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], "Q")
    assert plane.to_plane(vectors).tolist() == [[4.0, 2.0], [8.0, 6.0]]
    assert plane.axis_labels == ("dimension 4", "dimension 2")


def test_plane_of_one_dimension_is_a_line_without_up_and_down():
    plane = Plane.of_dimensions(1)
    assert plane.to_plane(matrix([[3.0], [-2.0]], "Q")).tolist() == [[3.0, 0.0], [-2.0, 0.0]]
    assert plane.moved(torch.tensor([3.0]).double(), 5.0, 9.0).tolist() == [5.0]
    assert plane.axis_labels == ("dimension 1", "")


@pytest.mark.parametrize(("i", "j"), [(0, 0), (-1, 0), (0, 3), (3, 0)])
def test_dimensions_that_do_not_exist_or_coincide_are_refused(i, j):
    with pytest.raises(Refusal, match=f"from 1 to 3, not {i + 1} and {j + 1}"):
        Plane.of_dimensions(3, i, j)


@properties
@given(st.data(), planes(), numbers, numbers)
def test_a_moved_vector_is_where_it_was_put_and_keeps_what_is_outside(data, plane, x, y):
    d = plane.basis.shape[1]
    vector = data.draw(matrices(1, d))[0]
    moved = plane.moved(vector, x, y)
    at = torch.tensor([x, y], dtype=torch.float64)
    torch.testing.assert_close(plane.to_plane(moved[None])[0], at, rtol=0, atol=1e-12)
    outside = torch.eye(d, dtype=torch.float64) - plane.basis.T @ plane.basis  # projector off the plane
    torch.testing.assert_close(outside @ moved, outside @ vector, rtol=0, atol=1e-12)


@properties
@given(st.data(), planes())
def test_moving_a_vector_to_where_it_is_changes_nothing(data, plane):
    vector = data.draw(matrices(1, plane.basis.shape[1]))[0]
    x, y = plane.to_plane(vector[None])[0].tolist()
    torch.testing.assert_close(plane.moved(vector, x, y), vector, rtol=0, atol=1e-12)


def test_moving_along_coordinate_axes_is_exact():
    moved = Plane.of_dimensions(3, 0, 2).moved(torch.tensor([0.1, 0.2, 0.3]).double(), 0.7, -1.1)
    assert moved[0] == 0.7
    assert moved[1] == torch.tensor(0.2).double()
    assert moved[2] == -1.1


@properties
@given(st.data(), st.integers(2, 5), sizes, sizes)
def test_principal_directions_hold_as_much_as_the_best_plane(data, d, m, n):
    Q, K = data.draw(matrices(m, d)), data.draw(matrices(n, d))
    plane = Plane.of_principal_directions(Q, K)
    torch.testing.assert_close(plane.basis @ plane.basis.T, torch.eye(2).double(), rtol=0, atol=1e-12)
    stacked = np.vstack([Q.numpy(), K.numpy()])
    best = np.sort(np.linalg.eigvalsh(stacked.T @ stacked))[-2:].sum()  # by the covariance, not by our SVD
    held = float(plane.to_plane(torch.from_numpy(stacked)).square().sum())
    assert held == pytest.approx(best, abs=1e-9)
    largest = plane.basis.abs().argmax(1)
    assert (plane.basis[[0, 1], largest] > 0).all()


def test_principal_directions_equal_an_independent_decomposition_up_to_sign():
    vectors = torch.randn(7, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    plane = Plane.of_principal_directions(vectors[:3], vectors[3:])
    rows = np.linalg.svd(vectors.numpy())[2][:2]
    for ours, theirs in zip(plane.basis.numpy(), rows, strict=True):
        assert abs(float(ours @ theirs)) == pytest.approx(1.0, abs=1e-12)
    assert plane.axis_labels == ("principal direction 1", "principal direction 2")


def test_principal_directions_of_vectors_in_a_plane_lose_nothing():
    Q = matrix([[1.0, 2.0, 0.0], [2.0, -1.0, 0.0]], "Q")
    plane = Plane.of_principal_directions(Q, Q)
    assert plane.in_plane_dot(Q[0], Q[0]) == pytest.approx(5.0)
    assert plane.in_plane_dot(Q[0], Q[1]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("vectors", [[[0.0, 0.0, 0.0]], [[2.0, 0.0, 0.0]]])
def test_principal_directions_of_zero_or_collinear_vectors_are_still_orthonormal(vectors):
    plane = Plane.of_principal_directions(matrix(vectors, "Q"), matrix(vectors, "K"))
    torch.testing.assert_close(plane.basis @ plane.basis.T, torch.eye(2).double())


def test_principal_directions_in_one_dimension_are_that_dimension():
    plane = Plane.of_principal_directions(matrix([[-1.0]], "Q"), matrix([[2.0]], "K"))
    assert plane.basis.tolist() == [[1.0], [0.0]]


def test_principal_directions_of_nan_are_refused():
    with pytest.raises(Refusal, match="no principal directions"):
        Plane.of_principal_directions(matrix([[float("nan"), 1.0]], "Q"), matrix([[1.0, 1.0]], "K"))


def test_in_plane_dot_counts_the_shown_dimensions_only():
    plane = Plane.of_dimensions(3, 0, 2)
    q, k = torch.tensor([1.0, 10.0, 2.0]).double(), torch.tensor([3.0, 10.0, 4.0]).double()
    assert plane.in_plane_dot(q, k) == 11.0
