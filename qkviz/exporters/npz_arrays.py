"""Matrices as NPZ: numpy's own file of named arrays, without pickle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qkviz.atomic_file import atomic_path
from qkviz.exporters.axes import axes_of
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance


def write_npz(contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE) -> None:
    """Write matrices as arrays: ``scores`` (m, n) float64, ``scores_rows`` (m,) and ``scores_columns`` (n,).

    The names are those of `MatrixName`, the labels unicode arrays, so that ``numpy.load`` reads all of it
    without ``allow_pickle``. A masked cell is −inf, a cell without a value NaN. ``provenance`` () is JSON
    text with what is known of the source and, as ``axes``, what rows and columns of each matrix stand for.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If a matrix is given twice; one of the two would be lost.
    """
    arrays: dict[str, NDArray[np.generic]] = {}
    for content in contents:
        name = content.name.value
        if name in arrays:
            raise ValueError(f"two matrices are called {name}")
        arrays[name] = content.values
        arrays[f"{name}_rows"] = np.array(content.row_labels, dtype=np.str_)
        arrays[f"{name}_columns"] = np.array(content.column_labels, dtype=np.str_)
    if provenance:
        axes = {content.name.value: axes_of(content) for content in contents}
        arrays["provenance"] = np.array(json.dumps({**provenance, "axes": axes}))
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
