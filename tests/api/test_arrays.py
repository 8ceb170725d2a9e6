"""Your own matrices as a document."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import qkviz
from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.translate import Refusal


def seeded(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def trace_of(document):
    return qkviz.trace_attention(document.inputs, document.options)


@pytest.mark.parametrize("mask", [None, "causal", "given"])
def test_the_output_is_that_of_scaled_dot_product_attention(mask):
    Q, K, V = (seeded(n, d, seed=n).requires_grad_() for n, d in ((6, 16), (7, 16), (7, 5)))
    allowed = seeded(6, 7, seed=3) > -0.8
    allowed[:, 0] = True
    given = allowed if mask == "given" else mask
    trace = trace_of(qkviz.make_document(Q=Q, K=K, V=V, mask=given))
    expected = scaled_dot_product_attention(
        Q, K, V, attn_mask=allowed if mask == "given" else None, is_causal=mask == "causal"
    )
    torch.testing.assert_close(trace.output, expected.detach().double(), rtol=0, atol=1e-6)
    exact = scaled_dot_product_attention(
        Q.double(),
        K.double(),
        V.double(),
        attn_mask=given if mask == "given" else None,
        is_causal=mask == "causal",
    )
    torch.testing.assert_close(trace.output, exact.detach(), rtol=0, atol=1e-14)


def test_what_is_given_stays_as_it_is():
    Q, K = seeded(2, 3).requires_grad_(), np.ones((4, 3), dtype=np.float32)
    document = qkviz.make_document(Q=Q, K=K)
    document.inputs.Q.zero_()
    document.inputs.K.zero_()
    assert Q.requires_grad
    assert Q.detach().abs().sum() > 0
    assert K.sum() == 12


def test_embeddings_and_projections_are_self_attention():
    X, W_Q, W_K, W_V = seeded(3, 4), seeded(4, 2, seed=1), seeded(4, 2, seed=2), seeded(4, 5, seed=3)
    document = qkviz.make_document(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, tokens=["a", "b", "c"])
    trace = trace_of(document)
    assert document.is_self_attention
    assert document.keys is document.queries
    torch.testing.assert_close(trace.scores, (X @ W_Q @ (X @ W_K).T).double(), rtol=0, atol=1e-5)
    torch.testing.assert_close(trace.V, (X @ W_V).double(), rtol=0, atol=1e-5)


def test_a_linear_layer_gives_its_transposed_weight():
    layer_q, layer_k = torch.nn.Linear(4, 2, bias=False), torch.nn.Linear(4, 2, bias=False)
    X = seeded(3, 4)
    document = qkviz.make_document(X=X, W_Q=layer_q.weight.T, W_K=layer_k.weight.T)
    expected = (layer_q(X) @ layer_k(X).T).detach().double()
    torch.testing.assert_close(trace_of(document).scores, expected, rtol=0, atol=1e-6)


def test_embeddings_of_the_keys_make_cross_attention():
    document = qkviz.make_document(
        X=seeded(2, 4), X_k=seeded(3, 4), W_Q=seeded(4, 2), W_K=seeded(4, 2), tokens=["a", "b"]
    )
    assert isinstance(document.inputs, ProjectedInputs)
    assert not document.is_self_attention
    assert (document.queries, document.keys) == (("a", "b"), ("", "", ""))


def test_softmax_gives_given_weights_back_with_scale_1():
    given = torch.softmax(seeded(4, 6).double() * 4, 1)
    document = qkviz.make_document(weights=given)
    trace = trace_of(document)
    assert trace.scale == 1.0
    torch.testing.assert_close(trace.weights, given, rtol=1e-14, atol=0)


def test_weights_of_zero_and_of_half_precision_come_back():
    given = torch.softmax(seeded(4, 6).masked_fill(torch.ones(4, 6).triu(1).bool(), -math.inf), 1)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        trace = trace_of(qkviz.make_document(weights=given.to(dtype)))
        assert (trace.weights == 0).equal(given == 0)
        torch.testing.assert_close(trace.weights, given.double(), rtol=0, atol=0.01)


def test_given_scores_have_scale_1_unless_one_is_given():
    assert trace_of(qkviz.make_document(scores=[[1.0, 2.0]])).scale == 1.0
    trace = trace_of(qkviz.make_document(scores=[[1.0, 2.0]], V=[[1], [3]], scale=torch.tensor(0.5)))
    assert trace.scaled.tolist() == [[0.5, 1.0]]
    assert trace.output.item() == pytest.approx((1 + 3 * math.exp(0.5)) / (1 + math.exp(0.5)))


@pytest.mark.parametrize(
    ("tokens", "key_tokens", "expected"),
    [
        (None, None, (("", ""), ("", ""))),
        (["a", "b"], None, (("a", "b"), ("a", "b"))),
        (("a", "b"), np.array(["c", "d"]), (("a", "b"), ("c", "d"))),
        (None, ["c", "d"], (("", ""), ("c", "d"))),
    ],
)
def test_labels_of_a_square_document(tokens, key_tokens, expected):
    document = qkviz.make_document(Q=[[1], [2]], K=[[1], [2]], tokens=tokens, key_tokens=key_tokens)
    assert (document.queries, document.keys) == expected


MINUS = -math.inf


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (None, NoMask()),
        ("causal", CausalMask()),
        (CausalMask(), CausalMask()),
        (torch.ones(2, 3, dtype=torch.bool), NoMask()),
        (torch.ones(2, 3).tril(), CausalMask()),
        (np.array([[True, False, False], [True, True, False]]), CausalMask()),
        ([[0.0, MINUS, MINUS], [0.0, 0.0, MINUS]], CausalMask()),
        ([True, True, False], PaddingMask(frozenset({2}))),
        (torch.tensor([1, 1, 0]), PaddingMask(frozenset({2}))),
        (torch.tensor([[0.0, 0.0, torch.finfo(torch.bfloat16).min]]), PaddingMask(frozenset({2}))),
        ([[1, 1, 1], [0, 1, 1]], CellMask(frozenset({(1, 0)}))),
        (torch.zeros(2, 3), NoMask()),
        (torch.zeros(3, dtype=torch.bool), PaddingMask(frozenset({0, 1, 2}))),
    ],
)
def test_a_mask_of_two_queries_and_three_keys(mask, expected):
    assert qkviz.make_document(scores=torch.zeros(2, 3), mask=mask).options.mask == expected


REFUSED = [
    ({}, "Give Q and K, or X with W_Q and W_K, or scores, or weights."),
    ({"Q": torch.ones(2, 3)}, "With Q give K as well."),
    ({"X": torch.ones(2, 3), "W_K": torch.ones(3, 2)}, "With X, W_K give W_Q as well."),
    ({"V": torch.ones(2, 3)}, "With V give Q, K as well."),
    ({"Q": [[1]], "K": [[1]], "scores": [[1]]}, "Q, K, scores do not go together"),
    (
        {"Q": torch.ones(2, 3), "K": torch.ones(2, 4)},
        "Q is 2 × 3, but K is 2 × 4: both need the same number of",
    ),
    ({"Q": torch.ones(2, 3), "K": torch.ones(2, 3), "V": torch.ones(3, 1)}, "K is 2 × 3, but V is 3 × 1"),
    ({"Q": torch.ones(1, 8, 2, 3), "K": torch.ones(2, 3)}, "Q is 1 × 8 × 2 × 3: it has 4 dimensions"),
    (
        {"Q": torch.eye(2).to_sparse(), "K": torch.ones(2, 2)},
        "Q is a sparse tensor of 2 × 2; give Q.to_dense().",
    ),
    ({"scores": torch.ones(2, 2, dtype=torch.complex64)}, "scores holds complex numbers (2 × 2)"),
    ({"scores": np.array([[None]])}, "scores holds something that is not a number (1 × 1, dtype object)"),
    ({"weights": [[0.5, 0.5], [1.5, -0.5]]}, "Row 2, column 2 of weights is −0.5"),
    ({"weights": [[0.5, 0.5], [0.5, 0.25]]}, "Row 2 of weights sums to 0.75"),
    ({"weights": [[1.0]], "scale": 2}, "Weights have mask and scale behind them"),
    ({"weights": [[1.0]], "mask": "causal"}, "Weights have mask and scale behind them"),
    ({"scores": [[1.0]], "scale": "big"}, "scale is big; it must be one number."),
    ({"scores": [[1.0]], "scale": -1}, "The scale is -1.0; it must be greater than 0."),
    ({"scores": [[1.0]], "mask": "casual"}, "mask is “casual”; the only word for a mask is causal."),
    ({"scores": torch.ones(2, 3), "mask": torch.ones(3, 2)}, "is 3 × 2, but the scores are 2 × 3"),
    ({"scores": [[1.0, 2.0]], "tokens": "ab"}, "tokens is one text, “ab”; give a list of texts."),
    (
        {"scores": [[1.0, 2.0]], "key_tokens": ["a"]},
        "There are 1 labels for the keys but 2 columns of scores",
    ),
    ({"scores": [[1.0]], "tokens": [1]}, "The label 1 is no text"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED, ids=[sentence[:40] for _given, sentence in REFUSED])
def test_what_does_not_go_together_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(Refusal) as refused:
        qkviz.make_document(**given)
    assert sentence in str(refused.value)


def test_a_refusal_is_a_value_error_under_the_name_of_the_package():
    assert issubclass(qkviz.Refusal, ValueError)
