"""Matrices as content, by value."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, PaddingMask
from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.score_functions import Cosine, Dot, NegativeHalfSquaredDistance, draw_additive
from qkviz.document.document import Document, Role
from qkviz.document.focus import Cell
from qkviz.presenters.matrix import (
    MatrixContent,
    Outline,
    OutlineKind,
    absence_note,
    present_matrices,
    present_matrix,
)
from qkviz.translate import Refusal
from tests.presenters.examples import (
    W_K,
    W_Q,
    X,
    cat_mat,
    direct,
    given,
    of_all_kinds,
    snapshot,
    with_options,
    worked_example,
)


def content(document: Document, name: MatrixName, **focus: object) -> MatrixContent:
    return present_matrix(snapshot(document, **focus), name)


def cross_attention() -> Document:
    x_q, x_k = matrix(X[:2], "X_q"), matrix(X, "X_k")
    inputs = ProjectedInputs(x_q, x_k, matrix(W_Q, "W_Q"), matrix(W_K, "W_K"), matrix(W_K, "W_V"))
    return Document(("a", "b"), ("A", "B", "C"), inputs)


def test_the_worked_example_is_presented_to_the_last_digit() -> None:
    scores = content(worked_example(), MatrixName.SCORES)
    np.testing.assert_allclose(scores.values, [[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]], atol=1e-12)
    assert scores.row_labels == ("cat colour", "dog size")
    assert scores.column_labels == ("black cat", "brown dog", "red car")
    assert (scores.row_axis, scores.column_axis) == ("query", "key")
    assert (scores.row_role, scores.column_role) == (Role.QUERY, Role.KEY)
    weights = content(worked_example(), MatrixName.WEIGHTS)
    np.testing.assert_allclose(
        weights.values, [[0.3902, 0.3157, 0.2941], [0.3430, 0.4551, 0.2018]], atol=1e-4
    )


def test_the_embeddings_of_the_source_have_this_product() -> None:
    products = content(cat_mat(), MatrixName.XXT)
    np.testing.assert_allclose(
        products.values, [[1.93, -0.16, 0.67], [-0.16, 1.90, 0.10], [0.67, 0.10, 1.71]], atol=1e-12
    )


@pytest.mark.parametrize(
    ("name", "title", "subtitle"),
    [
        (MatrixName.X, "X", "3 × 4"),
        (MatrixName.Q, "Q", "3 × 2"),
        (MatrixName.K, "K", "3 × 2"),
        (MatrixName.XXT, "XXᵀ", "symmetric"),
        (MatrixName.SCORES, "QKᵀ", "not symmetric · max |S − Sᵀ| = 0.70"),
        (MatrixName.SCALED, "QKᵀ / √dₖ", "dₖ = 2"),
        (MatrixName.MASKED, "masked scores", "no mask"),
        (MatrixName.WEIGHTS, "softmax weights", "each row sums to 1"),
        (MatrixName.BILINEAR, "W_Q W_Kᵀ", "4 × 4"),
        (MatrixName.SYMMETRIC, "½(S + Sᵀ)", "96% of ‖S‖²"),
        (MatrixName.ANTISYMMETRIC, "½(S − Sᵀ)", "4% of ‖S‖²"),
    ],
)
def test_titles_and_measured_subtitles(name: MatrixName, title: str, subtitle: str) -> None:
    shown = content(cat_mat(), name)
    assert (shown.title, shown.subtitle) == (title, subtitle)


@pytest.mark.parametrize(
    ("name", "title", "subtitle", "row_axis", "row_role"),
    [
        (MatrixName.X, "X_q", "m × d = 2 × 4", "query", Role.QUERY),
        (MatrixName.X_K, "X_k", "n × d = 3 × 4", "key", Role.KEY),
        (MatrixName.XXT, "X_q X_kᵀ", "2 queries × 3 keys", "query", Role.QUERY),
        (MatrixName.SCORES, "QKᵀ", "(2×2)(2×3) = 2×3", "query", Role.QUERY),
        (MatrixName.V, "V", "3 × 2", "key", Role.KEY),
        (MatrixName.OUTPUT, "output", "2 × 2", "query", Role.QUERY),
    ],
)
def test_cross_attention_names_both_sides(
    name: MatrixName, title: str, subtitle: str, row_axis: str, row_role: Role
) -> None:
    shown = content(cross_attention(), name)
    assert (shown.title, shown.subtitle, shown.row_axis, shown.row_role) == (
        title,
        subtitle,
        row_axis,
        row_role,
    )


@pytest.mark.parametrize(
    ("options", "name", "title", "subtitle"),
    [
        ({"score": Dot()}, MatrixName.SCALED, "QKᵀ × 1", "scale 1: as the scores"),
        ({"scale": 0.125}, MatrixName.SCALED, "QKᵀ × 0.125", "scale 0.125"),
        ({"score": Cosine()}, MatrixName.SCORES, "cos(q, k)", "2 queries × 3 keys"),
        ({"score": NegativeHalfSquaredDistance()}, MatrixName.SCORES, "−½‖q − k‖²", "2 queries × 3 keys"),
        ({"score": draw_additive(2, 3, 0)}, MatrixName.SCORES, "v·tanh(qW₁ + kW₂)", "2 queries × 3 keys"),
        ({"score": Cosine()}, MatrixName.SCALED, "scaled scores", "scale 1: as the scores"),
        ({"mask": CausalMask()}, MatrixName.MASKED, "masked scores", "causal: no key after the query"),
        ({"mask": PaddingMask(frozenset({1}))}, MatrixName.MASKED, "masked scores",
         "padding · hidden keys: 1"),
        ({"mask": CellMask(frozenset({(0, 0)}))}, MatrixName.MASKED, "masked scores",
         "by cell · hidden pairs: 1"),
        ({"normalizer": Softmax(0.5)}, MatrixName.WEIGHTS, "softmax weights", "τ = 0.5 · each row sums to 1"),
        ({"normalizer": Sparsemax()}, MatrixName.WEIGHTS, "sparsemax weights", "each row sums to 1"),
        ({"normalizer": Entmax15()}, MatrixName.WEIGHTS, "entmax-1.5 weights", "each row sums to 1"),
        ({"normalizer": Hardmax()}, MatrixName.WEIGHTS, "hardmax weights", "each row sums to 1"),
    ],
)  # fmt: skip
def test_titles_follow_the_options(
    options: dict[str, object], name: MatrixName, title: str, subtitle: str
) -> None:
    shown = content(with_options(worked_example(), **options), name)
    assert (shown.title, shown.subtitle) == (title, subtitle)


def test_tied_projections_are_measured_as_symmetric() -> None:
    x, tied = matrix(X, "X"), matrix(W_Q, "W_Q")
    document = Document(("a", "b", "c"), ("a", "b", "c"), ProjectedInputs(x, x, tied, tied))
    assert content(document, MatrixName.SCORES).subtitle == "symmetric"


def test_a_row_without_keys_is_named_where_the_sums_are() -> None:
    assert content(of_all_kinds(), MatrixName.WEIGHTS).subtitle == (
        "each row sums to 1, but 2 without weights"
    )
    broken = given([[math.nan, 1.0], [0.0, 1.0]])
    assert "not all scores are numbers" in content(broken, MatrixName.WEIGHTS).subtitle


def test_scores_with_holes_have_no_symmetry() -> None:
    x = matrix([[0.0, 0.0], [1.0, 2.0]], "X")
    inputs = ProjectedInputs(
        x, x, matrix([[1.0, 0.0], [0.0, 1.0]], "W"), matrix([[1.0, 1.0], [0.0, 1.0]], "W")
    )
    document = with_options(Document(("a", "b"), ("a", "b"), inputs), Cosine())
    assert content(document, MatrixName.SCORES).subtitle == "symmetry unknown: not every cell is a number"


def test_what_is_no_number_is_counted() -> None:
    assert content(of_all_kinds(), MatrixName.MASKED).note == "4 × masked · 3 × undefined"
    assert (
        content(of_all_kinds(), MatrixName.WEIGHTS).note == "1 × masked · 3 × undefined · 3 × no key allowed"
    )
    assert content(cat_mat(), MatrixName.SCORES).note == ""


@pytest.mark.parametrize("count", [6, 7])
def test_rounded_weights_that_do_not_add_up_say_their_exact_sum(count: int) -> None:
    document = direct([[1.0]], [[1.0]] * count)
    weights = content(document, MatrixName.WEIGHTS)
    assert weights.note == "rounded; exact sum 1.00"
    chosen = content(document, MatrixName.WEIGHTS, query=0)
    assert chosen.note == "rounded; exact sum 1.00"
    assert content(direct([[1.0]], [[1.0]] * 4), MatrixName.WEIGHTS).note == ""


def test_signed_matrices_are_centered_on_zero_and_weights_start_there() -> None:
    scores = content(cat_mat(), MatrixName.SCORES).scale
    assert (scores.kind, scores.low) == ("diverging", -scores.high)
    assert scores.high == pytest.approx(1.8015)
    weights = content(cat_mat(), MatrixName.WEIGHTS).scale
    assert (weights.kind, weights.low) == ("sequential", 0.0)
    assert weights.high == pytest.approx(0.4806, abs=1e-4)


def test_masked_cells_do_not_bend_the_range() -> None:
    masked = content(with_options(cat_mat(), mask=CausalMask()), MatrixName.MASKED)
    assert masked.scale.high == pytest.approx(1.8015 / math.sqrt(2.0))


def test_uniform_weights_have_one_color_and_their_value_on_the_bar() -> None:
    scale = content(direct([[0.0]], [[1.0]] * 4), MatrixName.WEIGHTS).scale
    assert (scale.kind, scale.low, scale.high) == ("constant", 0.25, 0.25)


@pytest.mark.parametrize(
    "scores",
    [
        [[3.4e38, -3.4e38]],
        [[5e-324, 0.0]],
        [[-0.0, -0.0]],
        [[math.nan, math.nan]],
        [[-math.inf, -math.inf]],
        [[math.inf, 1.0]],
    ],
)
def test_every_matrix_of_extreme_scores_can_be_presented(scores: list[list[float]]) -> None:
    document = given(scores)
    for name in available_matrices(snapshot(document).trace):
        shown = content(document, name)
        assert math.isfinite(shown.scale.low)
        assert math.isfinite(shown.scale.high)
        assert shown.scale.indexes(shown.values, shown.kinds).shape == shown.values.shape


def test_locked_matrices_share_one_range_and_weights_keep_theirs() -> None:
    names = (MatrixName.XXT, MatrixName.SCORES, MatrixName.WEIGHTS, MatrixName.Q)
    here = snapshot(cat_mat(), matrices=names)
    products, scores, weights, queries = present_matrices(here, locked=True)
    assert products.scale is scores.scale
    assert scores.scale.high == pytest.approx(1.93)
    assert (weights.scale.kind, queries.scale.high) == ("sequential", pytest.approx(1.61))
    loose = present_matrices(here, locked=False)
    assert [shown.scale.high for shown in loose[:2]] == [pytest.approx(1.93), pytest.approx(1.8015)]


def test_a_matrix_that_the_document_lacks_is_left_out_and_explained() -> None:
    here = snapshot(given([[1.0]]), matrices=(MatrixName.Q, MatrixName.SCORES, MatrixName.Q))
    assert [shown.name for shown in present_matrices(here, locked=True)] == [MatrixName.SCORES]
    assert absence_note(here) == "The scores of this document were given, so it has no queries."
    assert absence_note(snapshot(cat_mat())) == ""
    with pytest.raises(Refusal):
        present_matrix(here, MatrixName.Q)


def test_the_pinned_cell_and_its_mirror_are_outlined() -> None:
    shown = content(cat_mat(), MatrixName.SCORES, query=0, key=2)
    assert shown.outlines == (Outline(2, 0, OutlineKind.MIRROR), Outline(0, 2, OutlineKind.PINNED))
    assert shown.chosen_row == 0
    assert content(cat_mat(), MatrixName.SCORES, query=1, key=1).outlines == (
        Outline(1, 1, OutlineKind.PINNED),
    )
    assert content(cat_mat(), MatrixName.K, query=0, key=2).chosen_row == 2
    assert content(cat_mat(), MatrixName.Q, query=0, key=2).outlines == ()


def test_no_cell_is_mirrored_across_different_tokens() -> None:
    shown = content(worked_example(), MatrixName.SCORES, query=0, key=1, hover=Cell(MatrixName.SCORES, 1, 0))
    assert shown.outlines == (Outline(1, 0, OutlineKind.HOVER), Outline(0, 1, OutlineKind.PINNED))


def test_a_hovered_cell_is_outlined_in_all_matrices_of_pairs() -> None:
    hover = Cell(MatrixName.SCORES, 0, 1)
    both = (Outline(1, 0, OutlineKind.HOVER_MIRROR), Outline(0, 1, OutlineKind.HOVER))
    assert content(cat_mat(), MatrixName.SCORES, hover=hover).outlines == both
    assert content(cat_mat(), MatrixName.WEIGHTS, hover=hover).outlines == both
    assert content(cat_mat(), MatrixName.Q, hover=hover).outlines == ()
    assert content(cat_mat(), MatrixName.Q, hover=Cell(MatrixName.Q, 2, 1)).outlines == (
        Outline(2, 1, OutlineKind.HOVER),
    )


def test_a_matrix_is_lit_when_the_step_speaks_of_it() -> None:
    lit = [
        [name for name in MatrixName if name in available and content(cat_mat(), name, step=step).lit]
        for step in range(6)
        for available in [available_matrices(snapshot(cat_mat()).trace)]
    ]
    assert lit == [
        [],
        [MatrixName.X, MatrixName.XXT],
        [MatrixName.X, MatrixName.Q, MatrixName.K],
        [MatrixName.Q, MatrixName.K, MatrixName.SCORES],
        [MatrixName.SCORES, MatrixName.SCALED, MatrixName.MASKED],
        [MatrixName.SCALED, MatrixName.MASKED, MatrixName.WEIGHTS],
    ]


def test_content_is_an_own_copy_that_nobody_can_write_to() -> None:
    document = worked_example()
    assert isinstance(document.inputs, DirectInputs)
    shown = content(document, MatrixName.Q)
    assert not shown.values.flags.writeable
    assert not np.shares_memory(shown.values, document.inputs.Q.numpy())
    with pytest.raises(ValueError, match="read-only"):
        shown.kinds[0, 0] = 1


def test_repeated_labels_stay_separate_rows() -> None:
    document = replace(worked_example(), keys=("the", "the", "the"))
    assert content(document, MatrixName.SCORES).column_labels == ("the", "the", "the")
