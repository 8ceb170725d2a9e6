"""From arrays to the document: roles, axes, heads, orientation, masks, given weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.attention.trace import trace_attention
from qkviz.importers.guesses import guessed_choices
from qkviz.importers.new_document import document_from
from qkviz.importers.roles import ArrayChoice, ArrayRole, ImportChoices, first_choice
from qkviz.translate import Refusal
from tests.importers.files import found_in

RANDOM = np.random.default_rng(5)


def _npz(tmp_path, **arrays):
    np.savez(tmp_path / "f.npz", **arrays)
    return found_in(tmp_path / "f.npz")


def _guessed(tmp_path, **arrays):
    found = _npz(tmp_path, **arrays)
    return document_from(found, guessed_choices(found))


def _trace(document):
    return trace_attention(document.inputs, document.options)


def test_q_and_k(tmp_path):
    q, k, v = RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(4, 3)), RANDOM.normal(size=(4, 5))
    document = _guessed(
        tmp_path, Q=q, K=k, V=v, tokens=np.array(["猫", "坐"]), key_tokens=np.array(list("abcd"))
    )
    assert isinstance(document.inputs, DirectInputs)
    assert (document.queries, document.keys) == (("猫", "坐"), ("a", "b", "c", "d"))
    scaled = q @ k.T / np.sqrt(3)
    weights = np.exp(scaled) / np.exp(scaled).sum(1, keepdims=True)
    np.testing.assert_allclose(_trace(document).output.numpy(), weights @ v, rtol=1e-12)


def test_x_and_projections(tmp_path):
    x, w_q, w_k = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(4, 2)), RANDOM.normal(size=(4, 2))
    document = _guessed(tmp_path, X=x, W_Q=w_q, W_K=w_k)
    assert document.is_self_attention
    assert document.shown_labels("query") == ("1", "2", "3")
    np.testing.assert_allclose(_trace(document).scores.numpy(), x @ w_q @ (x @ w_k).T, rtol=1e-12)


def test_x_alone_is_compared_with_itself(tmp_path):
    x = RANDOM.normal(size=(3, 4))
    document = _guessed(tmp_path, X=x)
    assert isinstance(document.inputs, ProjectedInputs)
    np.testing.assert_allclose(_trace(document).scores.numpy(), x @ x.T, rtol=1e-12)


def test_cross_attention(tmp_path):
    document = _guessed(
        tmp_path,
        X=RANDOM.normal(size=(2, 3)),
        x_k=RANDOM.normal(size=(5, 3)),
        W_Q=np.eye(3),
        W_K=np.eye(3),
    )
    assert not document.is_self_attention
    assert (document.inputs.m, document.inputs.n) == (2, 5)


def test_given_scores_are_not_scaled(tmp_path):
    scores = RANDOM.normal(size=(3, 3))
    document = _guessed(tmp_path, scores=scores)
    assert isinstance(document.inputs, GivenScores)
    np.testing.assert_array_equal(_trace(document).scaled.numpy(), scores)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=5))
def test_given_weights_come_back(rows):
    from qkviz.importers.given_weights import scores_of_weights

    weights = np.array(rows)
    sums = weights.sum(1, keepdims=True)
    weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    weights[weights < 1e-300] = 0
    inputs = GivenScores(torch.from_numpy(scores_of_weights(weights, "w")))
    np.testing.assert_allclose(trace_attention(inputs).weights.numpy(), weights, rtol=1e-11, atol=1e-300)


def test_weights_of_a_causal_model_keep_their_zeros(tmp_path):
    weights = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.2, 0.3, 0.5]])
    trace = _trace(_guessed(tmp_path, weights=weights))
    np.testing.assert_allclose(trace.weights.numpy(), weights, rtol=1e-15)
    assert (trace.weights.numpy()[np.triu_indices(3, 1)] == 0).all()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([[0.5, 0.5], [-0.5, 1.5]], "Row 2, column 1 of weights is −0.5; weights lie between 0 and 1."),
        ([[0.5, np.nan], [0.5, 0.5]], "Row 1, column 2 of weights is nan;"),
        ([[0.5, 0.5], [0.5, 0.1]], "Row 2 of weights sums to 0.6; rows of weights sum to 1."),
    ],
)
def test_what_cannot_be_weights_is_refused(tmp_path, weights, said):
    with pytest.raises(Refusal) as refusal:
        _guessed(tmp_path, weights=np.array(weights))
    assert str(refusal.value).startswith(said)


def test_axes_are_chosen(tmp_path):
    captured = RANDOM.normal(size=(2, 5, 3, 4))  # batch, position, head, dimension
    found = _npz(tmp_path, Q=captured, K=captured)
    choice = ArrayChoice(ArrayRole.Q, row_axis=1, column_axis=3, at=(1, 0, 2, 0))
    document = document_from(found, ImportChoices((choice, replace(choice, role=ArrayRole.K))))
    np.testing.assert_array_equal(document.inputs.Q.numpy(), captured[1, :, 2, :])
    turned = ArrayChoice(ArrayRole.Q, row_axis=3, column_axis=1, at=(1, 0, 2, 0))
    document = document_from(found, ImportChoices((turned, replace(turned, role=ArrayRole.K))))
    np.testing.assert_array_equal(document.inputs.Q.numpy(), captured[1, :, 2, :].T)


def test_a_linear_is_turned(tmp_path):
    x, w_q, w_k = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(4, 4))
    found = _npz(tmp_path, X=x, W_Q=w_q, W_K=w_k)
    choices = guessed_choices(found)
    turned = ImportChoices(
        tuple(replace(one, is_transposed=one.role is not ArrayRole.X) for one in choices.arrays)
    )
    scores = _trace(document_from(found, turned)).scores.numpy()
    np.testing.assert_allclose(scores, (x @ w_q.T) @ (x @ w_k.T).T, rtol=1e-12)


def test_one_head_of_projections_side_by_side(tmp_path):
    x, w_q, w_k = RANDOM.normal(size=(3, 6)), RANDOM.normal(size=(6, 6)), RANDOM.normal(size=(6, 6))
    found = _npz(tmp_path, X=x, W_Q=w_q, W_K=w_k)
    choices = replace(guessed_choices(found), heads=3, head=1)
    scores = _trace(document_from(found, choices)).scores.numpy()
    np.testing.assert_allclose(scores, (x @ w_q[:, 2:4]) @ (x @ w_k[:, 2:4]).T, rtol=1e-12)
    with pytest.raises(Refusal, match="W_Q has 6 columns, which cannot be cut into 4 heads"):
        document_from(found, replace(choices, heads=4))


@pytest.mark.parametrize(
    ("mask", "allows", "expected"),
    [
        (np.tril(np.ones((3, 3))), True, CausalMask()),
        (np.triu(np.ones((3, 3), bool), 1), False, CausalMask()),
        (np.triu(np.full((3, 3), -np.inf), 1), True, CausalMask()),
        (np.triu(np.full((3, 3), -1e9), 1), True, CausalMask()),
        (np.array([1, 1, 0]), True, PaddingMask(frozenset({2}))),
        (np.array([False, True, True]), False, PaddingMask(frozenset({1, 2}))),
        (np.ones((3, 3)), True, NoMask()),
        (np.zeros((3, 3)), False, NoMask()),
        (np.array([[1, 0, 1], [1, 1, 1], [1, 1, 1]]), True, CellMask(frozenset({(0, 1)}))),
    ],
)
def test_masks_of_every_convention(tmp_path, mask, allows, expected):
    found = _npz(tmp_path, scores=np.zeros((3, 3)), mask=mask)
    choices = replace(guessed_choices(found), mask_allows=allows)
    assert document_from(found, choices).options.mask == expected


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (np.full((3, 3), 0.5), "Row 1, column 1 of the mask mask is 0.5; a mask holds 0 and 1, or 0 and −∞."),
        (np.ones((2, 3)), "The mask mask is 2 × 3, but the scores are 3 × 3."),
    ],
)
def test_masks_that_are_none(tmp_path, mask, said):
    with pytest.raises(Refusal) as refusal:
        _guessed(tmp_path, scores=np.zeros((3, 3)), mask=mask)
    assert str(refusal.value) == said


def _refused(found, *roles, **more):
    arrays = tuple(first_choice(array, role) for array, role in zip(found.arrays, roles, strict=True))
    with pytest.raises(Refusal) as refusal:
        document_from(found, ImportChoices(arrays, **more))
    return str(refusal.value)


def test_what_is_missing_or_does_not_fit_is_named(tmp_path):
    found = _npz(tmp_path, a=np.ones((3, 4)), b=np.ones((3, 4)), c=np.ones(4), d=np.array(["x", "y"]))
    role = ArrayRole
    assert (
        _refused(found, None, None, None, None)
        == "Say what the arrays are: X, or Q and K, or scores, or weights."
    )
    assert _refused(found, role.Q, None, None, None) == "K is missing: say which array it is."
    assert _refused(found, role.X, role.W_Q, None, None) == "W_K is missing: say which array it is."
    assert _refused(found, role.Q, role.Q, None, None) == "a and b are both Q; choose one of them."
    assert _refused(found, role.Q, role.SCORES, None, None) == (
        "Q and scores lead to weights in two ways; use one and leave the other out."
    )
    assert _refused(found, None, None, role.SCORES, None) == "c has 1 axes; a matrix has two."
    assert _refused(found, None, None, None, role.SCORES) == "d holds words, not numbers."
    assert "2 labels for the queries but 3 rows of scores" in _refused(
        found, role.SCORES, None, None, role.TOKENS
    )


def test_too_many_tokens_are_refused_before_they_are_read(tmp_path):
    with (tmp_path / "f.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": (50_000, 768)}
        )
        file.truncate(file.tell() + 4 * 50_000 * 768)
    found = found_in(tmp_path / "f.npy")
    assert _refused(found, ArrayRole.X).startswith(
        "f is 50000 × 768: 50000 tokens, but a document holds at most"
    )


def test_labels_of_a_table_stay(tmp_path):
    (tmp_path / "a.csv").write_text(",x,y,z\ncat,1,2,3\nsat,4,5,6\n", encoding="utf-8")
    found = found_in(tmp_path / "a.csv")
    document = document_from(found, guessed_choices(found))
    assert (document.queries, document.keys) == (("cat", "sat"), ("x", "y", "z"))


def test_a_layer_of_torch_gives_its_own_scores(tmp_path):
    torch.manual_seed(1)
    q_proj, k_proj = torch.nn.Linear(6, 4, bias=False), torch.nn.Linear(6, 4, bias=False)
    x = torch.randn(5, 6)
    torch.save({"X": x, "q_proj.weight": q_proj.weight, "k_proj.weight": k_proj.weight}, tmp_path / "a.pt")
    found = found_in(tmp_path / "a.pt")
    scores = _trace(document_from(found, guessed_choices(found))).scores
    torch.testing.assert_close(scores.float(), q_proj(x) @ k_proj(x).T)
