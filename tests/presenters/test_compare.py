"""S beside Sᵀ: numbers mirrored, the pair both ways, and what symmetry implies, with true numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector, TieProjections
from qkviz.presenters.compare import CompareView, present_compare
from qkviz.presenters.matrix import OutlineKind
from tests.presenters.examples import W_K, W_Q, X, cat_mat, given, snapshot, texts, worked_example

x, w_q, w_k = np.array(X), np.array(W_Q), np.array(W_K)
S = x @ w_q @ w_k.T @ x.T
T = x @ w_q @ w_q.T @ x.T


def tied() -> Document:
    return TieProjections().apply(cat_mat())


def test_xxt_and_qkt_stand_side_by_side_on_one_range() -> None:
    content = present_compare(snapshot(cat_mat(), query=0, key=2), CompareView.EMBEDDINGS)
    left, right = content.pictures
    assert left.values == pytest.approx(x @ x.T, abs=1e-12)
    assert right.values == pytest.approx(S, abs=1e-12)
    largest = max(np.abs(x @ x.T).max(), np.abs(S).max())
    assert left.scale is right.scale
    assert (left.scale.low, left.scale.high) == pytest.approx((-largest, largest))


def test_the_table_tells_both_ways_the_difference_and_the_whole() -> None:
    content = present_compare(snapshot(cat_mat(), query=0, key=2), CompareView.EMBEDDINGS)
    assert content.heads[:3] == ("猫 → 垫子", "垫子 → 猫", "difference")
    assert [row.name for row in content.rows] == ["XXᵀ", "QKᵀ"]
    assert content.rows[0].texts == ("0.67", "0.67", "0.00", "0.00", "0%")
    share = np.linalg.norm(S - S.T) ** 2 / 4 / np.linalg.norm(S) ** 2
    assert content.rows[1].texts == ("0.83", "1.38", "−0.55", "0.70", f"{100 * share:.0f}%")


def test_the_transpose_shows_the_mirrored_numbers_and_swaps_axes_and_roles() -> None:
    content = present_compare(snapshot(cat_mat(), query=0, key=2), CompareView.TRANSPOSE)
    left, right = content.pictures
    assert right.values == pytest.approx(S.T, abs=1e-12)
    assert right.title == "(QKᵀ)ᵀ"
    assert (right.row_axis, right.column_axis) == ("key", "query")
    assert (right.row_role, right.column_role) == (Role.KEY, Role.QUERY)
    assert content.mirrored
    assert not right.values.flags.writeable
    outlines = {(one.kind, one.row, one.column) for one in left.outlines}
    assert outlines == {(OutlineKind.PINNED, 0, 2), (OutlineKind.MIRROR, 2, 0)}
    outlines = {(one.kind, one.row, one.column) for one in right.outlines}
    assert outlines == {(OutlineKind.PINNED, 2, 0), (OutlineKind.MIRROR, 0, 2)}  # each stays with its number


def test_a_tied_document_is_said_to_be_a_gram_matrix_with_its_numbers() -> None:
    content = present_compare(snapshot(tied(), query=0, key=2), CompareView.TRANSPOSE)
    head, facts = texts(content.lines)
    assert head == "QKᵀ is symmetric and a Gram matrix: products of one set of vectors."
    bound = np.sqrt(T[0, 0] * T[2, 2])
    eigenvalue = abs(np.linalg.eigvalsh(T)[0])
    assert facts == (
        f"min S_ii = {T.diagonal().min():.2f} ≥ 0 ✓ · |S_ij| ≤ √(S_ii S_jj): {T[0, 2]:.2f} ≤ {bound:.2f} ✓ · "
        f"min λ = {eigenvalue:.2f} ≥ 0 ✓"
    )
    assert content.rows[0].texts[2:4] == ("0.00", "0.00")
    assert content.tie_reason == "W_K equals W_Q already."


def test_symmetric_scores_without_being_a_gram_matrix_are_told_apart() -> None:
    content = present_compare(
        snapshot(given([[-1.0, 2.0], [2.0, -1.0]]), query=0, key=1), CompareView.TRANSPOSE
    )
    head, facts = texts(content.lines)
    assert head == "S is symmetric, but no Gram matrix."
    assert facts == "min S_ii = −1.00 ≥ 0 ✗ · min λ = −3.00 ≥ 0 ✗"


def test_softmax_of_a_symmetric_matrix_is_not_symmetric_and_both_numbers_are_shown() -> None:
    content = present_compare(snapshot(tied(), query=0, key=2), CompareView.WEIGHTS)
    p = np.exp(T / np.sqrt(2))
    p /= p.sum(axis=1, keepdims=True)
    (line,) = texts(content.lines)
    assert line == (
        f"One score {T[0, 2]:.2f} both ways, yet weights {p[0, 2]:.2f} and {p[2, 0]:.2f}: "
        "each row has its own sum."
    )
    assert content.rows[1].texts[:2] == (f"{p[0, 2]:.2f}", f"{p[2, 0]:.2f}")
    assert content.pictures[1].values == pytest.approx(p.T, abs=1e-12)


def test_between_x_and_its_transpose_stand_i_and_the_product_of_the_projections() -> None:
    content = present_compare(snapshot(cat_mat(), query=0, key=2), CompareView.BETWEEN)
    left, right = content.pictures
    assert left.values.tolist() == np.eye(4).tolist()
    assert right.values == pytest.approx(w_q @ w_k.T, abs=1e-12)
    assert left.scale is right.scale
    first, second = texts(content.lines)
    assert "16 numbers" in first
    assert "rank 2" in first
    assert "x · I · xᵀ = 0.67" in second
    assert "x · W_Q W_Kᵀ · xᵀ = 0.83" in second
    assert "".join(run.text for run in content.lines[0] if run.formula) == "= X(W_Q W_Kᵀ)Xᵀ"


def test_a_moved_vector_is_said_not_to_be_in_the_projections() -> None:
    moved = MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 3.0, 3.0, gesture=None).apply(tied())
    lines = texts(present_compare(snapshot(moved, query=0, key=2), CompareView.BETWEEN).lines)
    assert lines[-1].startswith("Vectors moved by hand")
    (line,) = texts(present_compare(snapshot(moved, query=0, key=2), CompareView.TRANSPOSE).lines)
    assert line.startswith("W_K equals W_Q, but vectors moved by hand")


def test_without_a_pair_there_are_dashes_and_a_hint() -> None:
    content = present_compare(snapshot(cat_mat()), CompareView.TRANSPOSE)
    assert content.heads[:2] == ("(i, j)", "(j, i)")
    assert content.rows[0].texts[:3] == ("–", "–", "–")
    assert texts(content.lines)[0].startswith("Click a cell")


@pytest.mark.parametrize("view", CompareView)
def test_two_queries_and_three_keys_cannot_be_mirrored_and_the_reason_is_said(view: CompareView) -> None:
    content = present_compare(snapshot(worked_example(), query=0, key=2), view)
    assert content.reason
    assert content.heads == ()
    assert content.lines == ()
    assert content.tie_reason == content.draw_reason == "This document has no W_Q and W_K."


def test_long_tokens_are_cut_in_the_head() -> None:
    words = ("a very long token", "b", "c")
    document = replace(cat_mat(), queries=words, keys=words)
    content = present_compare(snapshot(document, query=0, key=1), CompareView.TRANSPOSE)
    assert content.heads[0] == "a very lo… → b"
