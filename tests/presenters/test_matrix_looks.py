"""Colours, range and decimals that somebody chose."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qkviz.attention.inputs import GivenScores, matrix
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.presenters.color_maps import color_table
from qkviz.presenters.color_scales import ranged_scale
from qkviz.presenters.matrix import present_matrices, present_matrix
from qkviz.presenters.matrix_looks import MatrixLooks, looks_from_data, looks_to_data
from qkviz.translate import Refusal

SCORES = [[-1.0, 3.0, 0.0], [2.0, 0.5, 1.0]]


def _snapshot(scores: list[list[float]] = SCORES) -> Snapshot:
    document = Document(("a", "b"), ("x", "y", "z"), GivenScores(matrix(scores, "scores"), None))
    return Session(document, Focus(matrices=(MatrixName.SCORES, MatrixName.WEIGHTS))).snapshot


def _cells(values: list[float], low: float, high: float, kind: str = "diverging") -> list[int]:
    scale = ranged_scale(kind, low, high, "vik" if kind == "diverging" else "viridis")  # type: ignore[arg-type]
    return scale.indexes(np.array([values]), np.zeros((1, len(values)), np.uint8))[0].tolist()


def test_a_range_of_scores_stays_white_at_zero_and_even_to_both_sides() -> None:
    # 127 steps for 3, so a third of them for 1
    assert _cells([-1.0, 0.0, 3.0, 1.0], -1.0, 3.0) == [128 - 42, 128, 255, 128 + 42]


def test_values_beyond_a_range_get_the_colors_of_its_ends() -> None:
    assert _cells([-9.0, 9.0], -1.0, 3.0) == [128 - 42, 255]
    assert _cells([-9.0, 0.25, 0.5, 9.0], 0.25, 1.0, "sequential") == [0, 0, 85, 255]


def test_the_bar_of_a_range_shows_the_colors_that_the_cells_have() -> None:
    scale = ranged_scale("diverging", -1.0, 3.0, "vik")
    assert scale.bar_indexes == (86, 255)
    assert scale.zero_place == pytest.approx(0.25)
    assert ranged_scale("diverging", 1.0, 3.0, "vik").zero_place is None
    assert ranged_scale("sequential", 0.0, 3.0, "viridis").bar_indexes == (0, 255)


def test_each_kind_of_matrix_gets_its_map() -> None:
    looks = MatrixLooks("broc", "cividis")
    scores, weights = present_matrices(_snapshot(), locked=True, looks=looks)
    assert scores.scale.table is color_table("broc")
    assert weights.scale.table is color_table("cividis")
    assert (scores.scale.low, scores.scale.high) == (-3.0, 3.0)


def test_a_range_counts_what_it_leaves_out() -> None:
    content = present_matrix(_snapshot(), MatrixName.SCORES, looks=MatrixLooks(range=(0.0, 2.0)))
    assert (content.scale.low, content.scale.high) == (0.0, 2.0)
    assert content.note == "beyond the colours: 2"
    assert present_matrix(_snapshot(), MatrixName.SCORES, looks=MatrixLooks(range=(-1.0, 3.0))).note == ""


def test_a_constant_matrix_takes_the_color_of_its_sign_from_the_map() -> None:
    content = present_matrix(_snapshot([[2.0] * 3] * 2), MatrixName.SCORES, looks=MatrixLooks("broc"))
    assert content.scale.kind == "constant"
    assert content.scale.rgb_at(2.0) == tuple(color_table("broc")[192].tolist())


def test_rounding_is_told_of_for_the_decimals_shown() -> None:
    thirds = _snapshot([[0.0] * 3] * 2)  # weights of a third: 0.33 × 3 is 0.99, 0 × 3 is 0
    for decimals, rounded in ((2, True), (0, True), (8, True)):
        note = present_matrix(thirds, MatrixName.WEIGHTS, looks=MatrixLooks(decimals=decimals)).note
        assert ("rounded" in note) is rounded
    halves = Document(("a",), ("x", "y"), GivenScores(matrix([[0.0, 0.0]], "scores"), None))
    snapshot = Session(halves).snapshot
    assert present_matrix(snapshot, MatrixName.WEIGHTS, looks=MatrixLooks(decimals=1)).note == ""
    assert "rounded" in present_matrix(snapshot, MatrixName.WEIGHTS, looks=MatrixLooks(decimals=0)).note


@pytest.mark.parametrize("ends", [(2.0, 1.0), (1.0, 1.0), (float("nan"), 1.0), (0.0, float("inf"))])
def test_a_range_the_wrong_way_round_is_refused_with_both_numbers(ends: tuple[float, float]) -> None:
    with pytest.raises(Refusal, match="below"):
        MatrixLooks(range=ends)


def test_a_map_of_the_wrong_kind_and_too_many_decimals_are_refused() -> None:
    with pytest.raises(Refusal, match="viridis"):
        MatrixLooks(diverging="viridis")
    with pytest.raises(Refusal, match="40"):
        MatrixLooks(decimals=40)


def test_looks_survive_json() -> None:
    looks = MatrixLooks("vik", "batlow", (-0.1, 1e-7), 5)
    assert looks_from_data(json.loads(json.dumps(looks_to_data(looks)))) == looks


@pytest.mark.parametrize(
    "data",
    [None, 3, [], {"diverging": "jet"}, {"decimals": True}, {"decimals": "3"}, {"range": [2, 1]}],
)
def test_what_cannot_be_read_is_as_usual(data: object) -> None:
    assert looks_from_data(data) == MatrixLooks()


def test_one_bad_entry_leaves_the_others() -> None:
    looks = looks_from_data({"diverging": "jet", "sequential": "greys", "range": ["a", 1], "decimals": 3})
    assert looks == MatrixLooks(sequential="greys", decimals=3)
