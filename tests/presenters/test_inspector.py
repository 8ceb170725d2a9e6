"""The document as tables and choices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.attention.inputs import GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import (
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    draw_additive,
)
from qkviz.document.document import Document, Role
from qkviz.document.edits import EditableMatrix, MoveVector
from qkviz.presenters.inspector import InspectorContent, present_inspector
from tests.presenters.examples import W_K, W_Q, X, cat_mat, given, snapshot, with_options, worked_example


def content(document: Document, **focus: object) -> InspectorContent:
    return present_inspector(snapshot(document, **focus))


def test_self_attention_is_one_list_of_tokens_and_five_tables() -> None:
    shown = content(cat_mat())
    assert shown.is_self_attention
    assert shown.queries == ("猫", "坐", "垫子")
    assert [(table.title, table.shape, table.tone) for table in shown.tables] == [
        ("X embeddings", "3 × 4", "embedding"),
        ("W_Q", "4 × 2", "query"),
        ("W_K", "4 × 2", "key"),
        ("Q = X W_Q", "3 × 2", "query"),
        ("K = X W_K", "3 × 2", "key"),
    ]
    x, w_q, _w_k, q, k = shown.tables
    assert (x.row_labels, x.row_role, x.column_labels) == (("猫", "坐", "垫子"), None, ("1", "2", "3", "4"))
    assert (w_q.row_labels, w_q.row_role) == (("1", "2", "3", "4"), None)
    assert (q.row_role, k.row_role) == (Role.QUERY, Role.KEY)
    np.testing.assert_array_equal(x.values, X)
    np.testing.assert_allclose(q.values, np.array(X) @ np.array(W_Q), atol=1e-15)
    assert not x.values.flags.writeable


def test_cross_attention_has_both_sides_and_its_values() -> None:
    inputs = ProjectedInputs(
        matrix(X[:2], "X_q"), matrix(X, "X_k"), matrix(W_Q, "W_Q"), matrix(W_K, "W_K"), matrix(W_K, "W_V")
    )
    shown = content(Document(("a", "b"), ("A", "B", "C"), inputs))
    assert [table.title for table in shown.tables] == [
        "X_q embeddings of the queries",
        "X_k embeddings of the keys",
        "W_Q",
        "W_K",
        "W_V",
        "Q = X_q W_Q",
        "K = X_k W_K",
    ]
    assert (shown.tables[0].row_role, shown.tables[1].row_role) == (Role.QUERY, Role.KEY)
    assert shown.tables[1].row_labels == ("A", "B", "C")


def test_a_document_of_vectors_starts_at_q_and_k() -> None:
    shown = content(worked_example())
    assert [(table.matrix, table.title) for table in shown.tables] == [
        (EditableMatrix.Q, "Q"),
        (EditableMatrix.K, "K"),
    ]
    assert not shown.is_self_attention
    assert not shown.has_projections
    assert shown.key_labels == ("black cat", "brown dog", "red car")


def test_given_scores_are_a_table_of_queries_by_keys_and_have_no_score_function() -> None:
    (table,) = content(given([[1.0, 2.0]])).tables
    assert (table.title, table.row_labels, table.column_labels) == ("scores", ("q0",), ("k0", "k1"))
    assert (table.row_role, table.column_role) == (Role.QUERY, Role.KEY)
    assert "given" in content(given([[1.0]])).score.off_reason
    assert content(cat_mat()).score.off_reason == ""
    with_values = Document(("q",), ("k",), GivenScores(matrix([[1.0]], "S"), matrix([[2.0]], "V")))
    assert [table.title for table in content(with_values).tables] == ["scores", "V"]


@pytest.mark.parametrize(
    ("options", "score", "mask", "normalizer", "temperature"),
    [
        ({"score": ScaledDot()}, "scaled_dot", "none", "softmax", 1.0),
        ({"score": Dot(), "mask": NoMask()}, "dot", "none", "softmax", 1.0),
        ({"score": draw_additive(2, 2, 0), "mask": CausalMask()}, "additive", "causal", "softmax", 1.0),
        ({"score": Cosine(), "normalizer": Softmax(0.5)}, "cosine", "none", "softmax", 0.5),
        ({"score": NegativeHalfSquaredDistance(), "normalizer": Hardmax()},
         "negative_half_squared_distance", "none", "hardmax", None),
        ({"mask": PaddingMask(frozenset({2})), "normalizer": Sparsemax()}, "scaled_dot", "padding",
         "sparsemax", None),
        ({"mask": CellMask(frozenset()), "normalizer": Entmax15()}, "scaled_dot", "cells", "entmax15", None),
    ],
)  # fmt: skip
def test_the_choices_in_force(
    options: dict[str, object], score: str, mask: str, normalizer: str, temperature: float | None
) -> None:
    shown = content(with_options(cat_mat(), **options))
    assert (shown.score.chosen, shown.mask.chosen, shown.normalizer.chosen) == (score, mask, normalizer)
    assert shown.temperature == temperature
    for choice in (shown.score, shown.mask, shown.normalizer):
        assert choice.chosen in {entry.id for entry in choice.choices}


def test_padded_keys_are_listed() -> None:
    assert content(with_options(cat_mat(), mask=PaddingMask(frozenset({2})))).padded == frozenset({2})
    assert content(cat_mat()).padded == frozenset()


def test_the_scale_says_where_it_comes_from() -> None:
    own = content(cat_mat())
    assert (own.scale, own.scale_is_own, own.scale_note) == (1 / math.sqrt(2), False, "1 / √2")
    typed = content(with_options(cat_mat(), scale=0.5))
    assert (typed.scale, typed.scale_is_own, typed.scale_note) == (0.5, True, "")
    assert content(given([[1.0]])).scale_note == ""


def test_tied_projections_are_noticed() -> None:
    x, tied = matrix(X, "X"), matrix(W_Q, "W_Q")
    document = Document(("a", "b", "c"), ("a", "b", "c"), ProjectedInputs(x, x, tied, matrix(W_Q, "W_K")))
    assert content(document).projections_tied
    assert not content(cat_mat()).projections_tied


def test_a_row_moved_by_hand_is_marked_and_the_formula_has_its_offset() -> None:
    moved = MoveVector(Role.KEY, 2, Plane.of_dimensions(2), 1.0, 1.0, gesture=1).apply(cat_mat())
    shown = content(moved)
    q, k = shown.tables[3:]
    assert (k.title, k.moved) == ("K = X W_K + δ", frozenset({2}))
    assert (q.title, q.moved) == ("Q = X W_Q", frozenset())
    np.testing.assert_allclose(k.values[2], [1.0, 1.0])
    assert shown.moved_by_hand
    assert not content(cat_mat()).moved_by_hand


def test_what_the_step_speaks_of_is_lit() -> None:
    steps = [content(cat_mat(), step=step) for step in range(6)]
    lit = [[table.matrix.value for table in shown.tables if table.lit] for shown in steps]
    assert lit == [[], ["x"], ["x", "w_q", "w_k", "q", "k"], ["q", "k"], [], []]
    assert [shown.tokens_lit for shown in steps] == [True, True] + [False] * 4
