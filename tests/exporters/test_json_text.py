"""JSON that every strict parser reads, with the same numbers bit for bit."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from qkviz.attention.matrices import MatrixName
from qkviz.exporters.json_text import json_text, write_json
from qkviz.presenters.cells import CellKind
from qkviz.translate import use_language
from tests.exporters.bits import hard_numbers
from tests.figures.examples import matrix_content


def _strictly(text: str) -> dict[str, object]:
    def refuse(word: str) -> float:
        raise ValueError(f"{word} is no JSON")

    found = json.loads(text, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_numbers_read_back_bit_for_bit(tmp_path: Path, seed: int) -> None:
    values, kinds = hard_numbers(seed)
    scale = matrix_content([[1.0]]).scale
    path = tmp_path / "矩阵 1.json"
    write_json([matrix_content(values, kinds=kinds, scale=scale)], path)
    (matrix,) = _strictly(path.read_text(encoding="utf-8"))["matrices"]  # type: ignore[misc]
    read = np.array([[float(cell) for cell in row] for row in matrix["values"]])
    assert read.tobytes() == values.tobytes()
    assert list(tmp_path.iterdir()) == [path]


def test_shape_type_axes_and_labels_stand_beside_the_numbers() -> None:
    contents = [
        matrix_content([[1.0, 2.0]], rows=['"猫"'], columns=["a", "a"]),
        matrix_content([[0.5]], name=MatrixName.V),
    ]
    scores, values = _strictly(json_text(contents))["matrices"]  # type: ignore[misc]
    assert (scores["name"], scores["shape"], scores["dtype"]) == ("scores", [1, 2], "float64")
    assert (scores["axes"], values["axes"]) == (["query", "key"], ["key", "dimension"])
    assert (scores["row_labels"], scores["column_labels"]) == (['"猫"'], ["a", "a"])
    assert "cells" not in scores


def test_cells_that_are_no_numbers_say_what_they_are() -> None:
    kinds = [[CellKind.MASKED, CellKind.UNDEFINED, CellKind.NO_KEY, CellKind.VALUE]]
    content = matrix_content([[-math.inf, 0.0, 0.0, 1.0]], kinds=kinds)
    (matrix,) = _strictly(json_text([content]))["matrices"]  # type: ignore[misc]
    assert matrix["values"] == [["-inf", "nan", 0.0, 1.0]]
    assert matrix["cells"] == [["masked", "undefined", "no key", "value"]]


def test_the_provenance_is_an_entry() -> None:
    found = _strictly(json_text([matrix_content([[1.0]])], {"mask": "causal", "document": "矩阵"}))
    assert found["provenance"] == {"mask": "causal", "document": "矩阵"}


def test_the_text_does_not_follow_the_language() -> None:
    content = matrix_content([[1.5, -math.inf]], kinds=[[0, CellKind.MASKED]])
    english = json_text([content])
    use_language("zh")
    assert json_text([content]) == english


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_json([matrix_content([[1.0]])], tmp_path / "nowhere" / "s.json")
    assert not list(tmp_path.iterdir())
