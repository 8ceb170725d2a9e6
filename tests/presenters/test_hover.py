"""The sentence of the hovered cell."""

from __future__ import annotations

import math

import pytest

from qkviz.attention.matrices import MatrixName
from qkviz.attention.score_functions import NegativeHalfSquaredDistance, draw_additive
from qkviz.document.document import Document
from qkviz.document.focus import Cell
from qkviz.presenters.hover import present_cell_details, present_hover
from tests.presenters.examples import (
    cat_mat,
    direct,
    given,
    of_all_kinds,
    snapshot,
    with_options,
    worked_example,
)


def hover(document: Document, name: MatrixName, row: int, column: int) -> str:
    return present_hover(snapshot(document, hover=Cell(name, row, column)))


def test_a_hovered_pair_is_told_with_all_its_stages() -> None:
    assert hover(worked_example(), MatrixName.SCORES, 1, 2) == (
        "query 2 “dog size” → key 3 “red car” · q·k −0.41 · scaled −0.29 · weight 0.20"
    )


@pytest.mark.parametrize("name", ["scaled", "masked", "weights"])
def test_every_stage_tells_the_same(name: str) -> None:
    at_scores = hover(worked_example(), MatrixName.SCORES, 0, 0)
    assert hover(worked_example(), MatrixName(name), 0, 0) == at_scores


@pytest.mark.parametrize(
    ("name", "row", "column", "text"),
    [
        ("q", 1, 0, "query 2 “坐” · dimension 1 · Q 0.85"),
        ("k", 2, 1, "key 3 “垫子” · dimension 2 · K 1.02"),
        ("x", 0, 2, "query 1 “猫” · dimension 3 · X −0.20"),
        ("wqwkt", 0, 3, "dimension 1 → dimension 4 · W_Q W_Kᵀ 0.27"),
        ("xxt", 0, 2, "query 1 “猫” → key 3 “垫子” · x·x 0.67 · q·k 0.83 · scaled 0.59 · weight 0.28"),
        ("antisymmetric", 0, 1,
         "query 1 “猫” → key 2 “坐” · ½(S − Sᵀ) −0.35 · q·k 0.90 · scaled 0.64 · weight 0.30"),
    ],
)  # fmt: skip
def test_every_matrix_tells_its_own_cell(name: str, row: int, column: int, text: str) -> None:
    assert hover(cat_mat(), MatrixName(name), row, column) == text


@pytest.mark.parametrize(
    ("row", "column", "ending"),
    [
        (0, 1, "cos θ 0.71 · scaled 0.71 · weight masked"),
        (1, 0, "cos θ undefined · scaled undefined · weight undefined"),
        (2, 0, "cos θ 0.00 · scaled 0.00 · weight no key allowed"),
    ],
)
def test_what_is_no_number_is_told_in_words(row: int, column: int, ending: str) -> None:
    assert hover(of_all_kinds(), MatrixName.WEIGHTS, row, column).endswith(ending)


def test_given_scores_that_are_no_numbers_are_told_in_words() -> None:
    document = given([[math.nan, 1.0], [-math.inf, 2.0]])
    assert hover(document, MatrixName.SCORES, 0, 0).endswith(
        "score not a number · scaled not a number · weight not a number"
    )
    assert hover(document, MatrixName.SCORES, 1, 0).endswith(
        "score infinite (−∞) · scaled infinite (−∞) · weight masked"
    )


@pytest.mark.parametrize(
    ("score", "name"), [(draw_additive(2, 2, 0), "score"), (NegativeHalfSquaredDistance(), "−½‖q−k‖²")]
)
def test_other_scores_are_not_called_a_dot_product(score: object, name: str) -> None:
    assert f" · {name} " in hover(with_options(worked_example(), score), MatrixName.SCORES, 0, 0)


def test_without_a_hovered_cell_the_pinned_one_is_told() -> None:
    here = snapshot(worked_example(), query=0, key=1)
    assert present_hover(here).startswith("query 1 “cat colour” → key 2 “brown dog” · q·k 0.32")
    assert present_hover(snapshot(worked_example())) == ""
    assert present_cell_details(snapshot(worked_example())) is None


def test_a_long_label_is_cut_where_there_is_little_room() -> None:
    here = snapshot(
        direct([[1.0]], [[1.0]], queries=("a word",), keys=("m" * 60,)), hover=Cell(MatrixName.SCORES, 0, 0)
    )
    assert present_hover(here, 20).startswith(f"query 1 “a word” → key 1 “{'m' * 19}…” · q·k 1.00")
    assert f"“{'m' * 60}”" in present_hover(here)


def test_the_tool_tip_has_every_digit() -> None:
    details = present_cell_details(
        snapshot(direct([[0.1, 0.2]], [[1.0, 1.0]]), hover=Cell(MatrixName.SCORES, 0, 0))
    )
    assert details is not None
    assert details.title == "query 1 “a” → key 1 “A”"
    assert [(part.name, part.text, part.full) for part in details.readouts] == [
        ("q·k", "0.30", "0.30000000000000004"),
        ("scaled", "0.21", "0.21213203435596428"),
        ("weight", "1.00", "1"),
    ]
