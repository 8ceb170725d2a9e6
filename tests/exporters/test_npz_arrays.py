"""Numbers as NPZ read back equal, without pickle."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from qkviz.attention.matrices import MatrixName
from qkviz.exporters.formats import EXPORTERS
from qkviz.exporters.npz_arrays import write_npz
from tests.figures.examples import matrix_content

HARD = [[1e-7, -0.0, 5e-324], [math.nan, math.inf, -math.inf]]


def test_values_and_labels_read_back_equal(tmp_path: Path) -> None:
    scale = matrix_content([[1.0]]).scale
    contents = [
        matrix_content(HARD, rows=["猫", "<b>"], scale=scale),
        matrix_content([[0.5]], name=MatrixName.WEIGHTS),
    ]
    path = tmp_path / "run.v2.npz"
    write_npz(contents, path)
    with np.load(path, allow_pickle=False) as arrays:
        assert set(arrays) == {
            "scores",
            "scores_rows",
            "scores_columns",
            "weights",
            "weights_rows",
            "weights_columns",
        }
        assert arrays["scores"].dtype == np.float64
        assert arrays["scores"].tobytes() == np.array(HARD).tobytes()
        assert arrays["scores_rows"].tolist() == ["猫", "<b>"]
        assert arrays["scores_columns"].tolist() == ["k1", "k2", "k3"]
    assert list(tmp_path.iterdir()) == [path]


def test_the_provenance_is_json_that_says_what_the_axes_are(tmp_path: Path) -> None:
    contents = [matrix_content([[1.0]]), matrix_content([[1.0]], name=MatrixName.Q)]
    write_npz(contents, tmp_path / "a.npz", {"mask": "causal"})
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        found = json.loads(arrays["provenance"].item())
    assert found == {"mask": "causal", "axes": {"scores": ["query", "key"], "q": ["query", "dimension"]}}


def test_a_matrix_given_twice_is_refused(tmp_path: Path) -> None:
    content = matrix_content([[1.0]])
    with pytest.raises(ValueError, match="scores"):
        write_npz([content, content], tmp_path / "a.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda exporter: exporter.suffix)
def test_every_exporter_writes_a_file(tmp_path: Path, exporter: object) -> None:
    path = tmp_path / f"a{exporter.suffix}"  # type: ignore[attr-defined]
    exporter.write([matrix_content([[1.0]])], path)  # type: ignore[attr-defined]
    assert path.stat().st_size > 0
