"""What the rows and columns of each matrix stand for."""

from __future__ import annotations

from qkviz.attention.matrices import MatrixName

OF_QUERIES = frozenset({MatrixName.X, MatrixName.Q, MatrixName.OUTPUT})
"""Matrices with a row for every query and a column for every dimension."""

OF_KEYS = frozenset({MatrixName.X_K, MatrixName.K, MatrixName.V})
"""Matrices with a row for every key and a column for every dimension."""

RELATIONS = frozenset(MatrixName) - OF_QUERIES - OF_KEYS - {MatrixName.BILINEAR}
"""Matrices with a row for every query and a column for every key."""
