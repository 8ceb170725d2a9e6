"""A flat window on vectors of any dimension: what the vector plane shows and where a drag may move."""

from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False)
class Plane:
    """Two directions of d-dimensional space that are drawn to the right and upwards.

    The rows of ``basis`` are orthonormal, so lengths and dot products inside the plane are true. For d = 1
    the second row is zero: everything lies on the horizontal axis.
    """

    basis: Tensor  # (2, d)
    axis_names: tuple[Phrase | str, Phrase | str]

    @property
    def axis_labels(self) -> tuple[str, str]:
        """Names of both axes in the language of the interface; the second is empty for d = 1."""
        return str(self.axis_names[0]), str(self.axis_names[1])

    @classmethod
    def of_dimensions(cls, d: int, i: int = 0, j: int = 1) -> "Plane":
        """Show dimension ``i`` to the right and ``j`` upwards, both counted from 0; d = 1 ignores ``j``.

        Raises
        ------
        Refusal
            If there is no such dimension, or both are the same.
        """
        basis = torch.zeros(2, d, dtype=torch.float64)
        if d == 1:
            basis[0, 0] = 1.0
            return cls(basis, (dimension_name(0), ""))
        if not (0 <= i < d and 0 <= j < d and i != j):
            raise Refusal(
                "A plane needs two different dimensions from 1 to {d}, not {i} and {j}.",
                d=d,
                i=i + 1,
                j=j + 1,
            )
        basis[0, i] = basis[1, j] = 1.0
        return cls(basis, (dimension_name(i), dimension_name(j)))

    @classmethod
    @torch.no_grad()
    def of_principal_directions(cls, Q: Tensor, K: Tensor) -> "Plane":
        """Show the plane through the origin that holds most of Q (m, d) and K (n, d) together.

        The directions are the first two right singular vectors of Q above K. The mean is not taken away:
        arrows start at the origin, and dot products are about it. Signs are chosen so that the largest entry
        of a direction is positive, hence the same vectors always give the same picture.

        Raises
        ------
        Refusal
            If an entry is NaN or infinite.
        """
        vectors = torch.cat((Q, K))  # (m + n, d)
        if vectors.shape[1] == 1:
            return cls.of_dimensions(1)
        if not bool(vectors.isfinite().all()):
            raise Refusal("Q or K holds NaN or an infinity, so it has no principal directions.")
        directions = torch.linalg.svd(vectors, full_matrices=False).Vh[:2]  # (2, d)
        largest = directions.gather(1, directions.abs().argmax(1, keepdim=True))  # (2, 1)
        return cls(directions * largest.sign(), (direction_name(1), direction_name(2)))

    def to_plane(self, vectors: Tensor) -> Tensor:
        """Return the plane coordinates (n, 2) of ``vectors`` (n, d)."""
        return vectors @ self.basis.T

    def moved(self, vector: Tensor, x: float, y: float) -> Tensor:
        """Return a new vector (d,) that lies at (x, y) in the plane.

        What ``vector`` (d,) has outside of the plane is kept. For d = 1 there is no up and down: ``y`` is
        ignored.
        """
        # take the part in the plane away, then add the new one: along coordinate axes that is exact
        outside = vector - (self.basis @ vector) @ self.basis  # (d,)
        return outside + x * self.basis[0] + y * self.basis[1]

    def in_plane_dot(self, q: Tensor, k: Tensor) -> float:
        """Return the share of q · k, both (d,), that the plane shows: the dot product of the two shadows."""
        return float((self.basis @ q) @ (self.basis @ k))


def dimension_name(index: int) -> Phrase:
    """Return what the axis of one dimension, counted from 0, is called."""
    return Phrase("dimension {number}", number=index + 1)


def direction_name(number: int) -> Phrase:
    """Return what the axis of a principal direction, counted from 1, is called."""
    return Phrase("principal direction {number}", number=number)
