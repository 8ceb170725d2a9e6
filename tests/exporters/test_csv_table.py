"""Numbers as CSV read back equal."""

from __future__ import annotations

import csv
import math
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.matrices import MatrixName
from qkviz.exporters.csv_table import csv_text, write_csv, write_tsv
from qkviz.presenters.cells import CellKind
from qkviz.translate import use_language
from tests.exporters.bits import hard_numbers
from tests.figures.examples import matrix_content


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


@settings(deadline=None)  # the first use loads the colour maps
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=8))
def test_every_float_reads_back_bit_for_bit(numbers: list[float]) -> None:
    content = matrix_content([numbers], scale=matrix_content([[1.0]]).scale)
    row = list(csv.reader(csv_text([content]).splitlines()))[1]
    assert [bits(float(text)) for text in row[1:]] == [bits(number) for number in numbers]


@pytest.mark.parametrize(
    "number", [1e-7, -0.0, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, math.inf, -math.inf]
)
def test_hard_floats_read_back_bit_for_bit(number: float) -> None:
    content = matrix_content([[number]], scale=matrix_content([[1.0]]).scale)
    assert bits(float(csv_text([content]).split(",")[-1])) == bits(number)


def test_one_matrix_is_a_plain_table_with_its_labels(tmp_path: Path) -> None:
    content = matrix_content([[0.62, 0.32], [0.34, -0.41]], rows=["猫", "a,b"], columns=['"x"', "坐"])
    write_csv([content], tmp_path / "s.csv")
    raw = (tmp_path / "s.csv").read_bytes()
    rows = list(csv.reader(raw.decode("utf-8").splitlines()))
    assert rows == [["", '"x"', "坐"], ["猫", "0.62", "0.32"], ["a,b", "0.34", "-0.41"]]
    assert b"\r" not in raw


def test_masked_cells_are_minus_infinity_and_cells_without_a_value_nan() -> None:
    kinds = [[CellKind.MASKED, CellKind.NAN, CellKind.UNDEFINED, CellKind.VALUE]]
    content = matrix_content([[-math.inf, math.nan, 0.0, 1.0]], kinds=kinds)
    assert csv_text([content]).splitlines()[1] == "q1,-inf,nan,nan,1.0"


def test_several_matrices_are_blocks_headed_by_their_names() -> None:
    contents = [
        matrix_content([[1.0]], name=MatrixName.SCORES),
        matrix_content([[0.5]], name=MatrixName.WEIGHTS),
    ]
    assert csv_text(contents).splitlines() == ["scores", ",k1", "q1,1.0", "", "weights", ",k1", "q1,0.5"]


def test_the_text_does_not_follow_the_language() -> None:
    contents = [matrix_content([[1.5]]), matrix_content([[1e-7]], name=MatrixName.WEIGHTS)]
    english = csv_text(contents)
    use_language("zh")
    assert csv_text(contents) == english


@pytest.mark.parametrize("seed", range(5))
def test_tabs_between_the_cells_change_nothing_else(tmp_path: Path, seed: int) -> None:
    values, kinds = hard_numbers(seed)
    content = matrix_content(values, kinds=kinds, scale=matrix_content([[1.0]]).scale)
    write_tsv([content], tmp_path / "a.tsv")
    write_csv([content], tmp_path / "a.csv")
    for name, delimiter in (("a.tsv", "\t"), ("a.csv", ",")):
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter=delimiter))
        assert np.array([[float(cell) for cell in row[1:]] for row in rows[1:]]).tobytes() == values.tobytes()


def test_repeated_labels_stay_two_rows() -> None:
    content = matrix_content(np.eye(3), rows=["the"] * 3, columns=["the"] * 3)
    assert [line.split(",")[0] for line in csv_text([content]).splitlines()] == ["", "the", "the", "the"]


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_csv([matrix_content([[1.0]])], tmp_path / "nowhere" / "s.csv")
    assert not list(tmp_path.iterdir())
