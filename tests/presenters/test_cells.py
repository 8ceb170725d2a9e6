"""What the cells of each stage are."""

from __future__ import annotations

import math

import pytest

from qkviz.attention.inputs import GivenScores, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document
from qkviz.presenters.cells import CellKind, cell_kinds, cell_text, full_cell_text, kind_name
from tests.presenters.examples import cat_mat, given, of_all_kinds, snapshot, with_options, worked_example

V, M, N, U, K, INF = (
    CellKind.VALUE,
    CellKind.MASKED,
    CellKind.NAN,
    CellKind.UNDEFINED,
    CellKind.NO_KEY,
    CellKind.INFINITE,
)


def kinds(document: Document, name: MatrixName) -> list[list[int]]:
    rows: list[list[int]] = cell_kinds(snapshot(document).trace, name).tolist()
    return rows


@pytest.mark.parametrize(
    "name", [MatrixName.SCORES, MatrixName.SCALED, MatrixName.MASKED, MatrixName.WEIGHTS]
)
def test_plain_numbers_are_values(name: str) -> None:
    assert kinds(worked_example(), MatrixName(name)) == [[V, V, V], [V, V, V]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (MatrixName.SCORES, [[V, V, V], [U, U, U], [V, V, V]]),
        (MatrixName.SCALED, [[V, V, V], [U, U, U], [V, V, V]]),
        (MatrixName.MASKED, [[V, M, V], [U, U, U], [M, M, M]]),
        (MatrixName.WEIGHTS, [[V, M, V], [U, U, U], [K, K, K]]),
        (MatrixName.SYMMETRIC, [[V, U, V], [U, U, U], [V, U, V]]),
    ],
)
def test_every_kind_is_told_apart_at_every_stage(name: MatrixName, expected: list[list[int]]) -> None:
    assert kinds(of_all_kinds(), name) == expected


def test_a_causal_mask_hides_what_comes_later() -> None:
    masked = with_options(cat_mat(), mask=CausalMask())
    assert kinds(masked, MatrixName.MASKED) == [[V, M, M], [V, V, M], [V, V, V]]
    assert kinds(masked, MatrixName.WEIGHTS) == [[V, M, M], [V, V, M], [V, V, V]]
    assert kinds(masked, MatrixName.SCORES) == [[V, V, V]] * 3


def test_what_is_wrong_with_given_scores_is_shown_as_it_came() -> None:
    document = given([[1.0, -math.inf, 2.0], [1.0, math.nan, 2.0], [-math.inf] * 3])
    assert kinds(document, MatrixName.SCORES) == [[V, INF, V], [V, N, V], [INF] * 3]
    assert kinds(document, MatrixName.MASKED) == [[V, INF, V], [V, N, V], [INF] * 3]
    assert kinds(document, MatrixName.WEIGHTS) == [[V, M, V], [N, N, N], [K] * 3]


def test_all_nan_scores_have_no_weights() -> None:
    document = given([[math.nan, math.nan]])
    assert kinds(document, MatrixName.SCORES) == [[N, N]]
    assert kinds(document, MatrixName.WEIGHTS) == [[N, N]]


def test_the_output_of_a_query_without_keys_is_no_value() -> None:
    scores = matrix([[1.0, 2.0], [-math.inf, -math.inf]], "scores")
    trace = trace_attention(GivenScores(scores, matrix([[5.0], [6.0]], "V")))
    assert cell_kinds(trace, MatrixName.OUTPUT).tolist() == [[V], [K]]


def test_every_kind_has_a_word_of_its_own() -> None:
    assert [kind_name(kind) for kind in CellKind] == [
        "value",
        "masked",
        "not a number",
        "undefined",
        "no key allowed",
        "infinite",
    ]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (V, 0.625, "0.62"),
        (M, -math.inf, "masked (−∞)"),
        (M, 0.0, "masked"),
        (N, math.nan, "not a number"),
        (U, math.nan, "undefined"),
        (K, 0.0, "no key allowed"),
        (INF, math.inf, "infinite (∞)"),
    ],
)
def test_a_cell_says_its_number_or_why_it_has_none(kind: CellKind, value: float, text: str) -> None:
    assert cell_text(kind, value) == text


def test_the_full_text_of_a_value_has_every_digit() -> None:
    assert full_cell_text(V, 0.1 + 0.2) == "0.30000000000000004"
    assert full_cell_text(M, 0.0) == "masked"
