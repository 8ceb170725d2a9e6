"""The trace against torch's own attention, against the source texts, and against what attention promises."""

import math
from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, PaddingMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import (
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    draw_additive,
)
from qkviz.attention.trace import trace_attention
from tests.attention.strategies import direct_inputs, forbidden_by, masks, matrices, projected_inputs, sizes

torch_close = {"rtol": 1e-10, "atol": 1e-11}
properties = settings(deadline=None, max_examples=60)
scores_of_d_k = st.sampled_from([Dot(), ScaledDot(), Cosine(), NegativeHalfSquaredDistance(), "additive"])


@properties
@given(st.data())
def test_output_and_weights_equal_those_of_torch(data):
    inputs = data.draw(direct_inputs())
    mask = data.draw(masks(inputs.m, inputs.n))
    scale = data.draw(st.none() | st.floats(0.01, 4))
    trace = trace_attention(inputs, AttentionOptions(scale=scale, mask=mask))

    allowed = ~forbidden_by(mask, inputs.m, inputs.n)
    with_key = allowed.any(1)
    their_output = scaled_dot_product_attention(
        inputs.Q[None], inputs.K[None], inputs.V[None], attn_mask=allowed[None], scale=scale
    )[0]
    their_weights = scaled_dot_product_attention(
        inputs.Q[None],
        inputs.K[None],
        torch.eye(inputs.n, dtype=torch.float64)[None],  # values that show the weights
        attn_mask=allowed[None],
        scale=scale,
    )[0]
    torch.testing.assert_close(trace.output[with_key], their_output[with_key], **torch_close)
    torch.testing.assert_close(trace.weights[with_key], their_weights[with_key], **torch_close)


@properties
@given(direct_inputs())
def test_causal_mask_is_that_of_torch(inputs):
    trace = trace_attention(inputs, AttentionOptions(mask=CausalMask()))
    theirs = scaled_dot_product_attention(inputs.Q[None], inputs.K[None], inputs.V[None], is_causal=True)[0]
    torch.testing.assert_close(trace.output, theirs, **torch_close)


@properties
@given(st.data())
def test_projected_inputs_equal_projecting_first(data):
    inputs = data.draw(projected_inputs())
    mask = data.draw(masks(inputs.m, inputs.n))
    trace = trace_attention(inputs, AttentionOptions(mask=mask))
    Q = torch.einsum("id,dt->it", inputs.X_q, inputs.W_Q)
    K = torch.einsum("jd,dt->jt", inputs.X_k, inputs.W_K)
    V = torch.einsum("jd,dt->jt", inputs.X_k, inputs.W_V)
    Q = Q if inputs.query_offsets is None else Q + inputs.query_offsets
    K = K if inputs.key_offsets is None else K + inputs.key_offsets
    direct = trace_attention(DirectInputs(Q, K, V), AttentionOptions(mask=mask))
    torch.testing.assert_close(trace.Q, Q)
    torch.testing.assert_close(trace.K, K)
    torch.testing.assert_close(trace.V, V)
    # scores reach 1e6 here, and what rounding does to those shows in the weights
    torch.testing.assert_close(trace.weights, direct.weights, rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(trace.output, direct.output, rtol=1e-6, atol=1e-5)


@properties
@given(st.data())
def test_given_scores_are_normalised_like_computed_ones(data):
    inputs = data.draw(direct_inputs())
    mask = data.draw(masks(inputs.m, inputs.n))
    computed = trace_attention(inputs, AttentionOptions(mask=mask))
    given_scores = trace_attention(GivenScores(computed.scaled, inputs.V), AttentionOptions(mask=mask))
    assert given_scores.Q is None
    assert given_scores.scale == 1.0
    assert torch.equal(given_scores.weights, computed.weights)
    assert torch.equal(given_scores.output, computed.output)


@properties
@given(st.data())
def test_rows_of_weights_sum_to_one_or_are_zeros_and_say_so(data):
    inputs = data.draw(direct_inputs())
    mask = data.draw(masks(inputs.m, inputs.n))
    score = data.draw(scores_of_d_k)
    score = draw_additive(inputs.d_k, 3, seed=1) if score == "additive" else score
    normalizer = data.draw(
        st.sampled_from([Softmax(), Softmax(0.05), Softmax(7.0), Sparsemax(), Entmax15(), Hardmax()])
    )
    trace = trace_attention(inputs, AttentionOptions(score=score, mask=mask, normalizer=normalizer))
    forbidden = forbidden_by(mask, inputs.m, inputs.n)
    lonely = (forbidden | trace.undefined).all(1)
    assert torch.equal(trace.no_key, lonely)
    assert not trace.weights.isnan().any()
    assert (trace.weights >= 0).all()
    assert (trace.weights[forbidden | trace.undefined] == 0).all()
    expected = torch.where(lonely, 0.0, 1.0).double()
    torch.testing.assert_close(trace.weights.sum(1), expected, rtol=0, atol=1e-12)


@properties
@given(st.data())
def test_every_stage_follows_from_the_one_before(data):
    inputs = data.draw(direct_inputs())
    mask = data.draw(masks(inputs.m, inputs.n))
    trace = trace_attention(inputs, AttentionOptions(mask=mask))
    by_loop = [
        [math.fsum(a * b for a, b in zip(q, k, strict=True)) for k in inputs.K.tolist()]
        for q in inputs.Q.tolist()
    ]
    torch.testing.assert_close(trace.scores, matrix(by_loop, "S"), rtol=1e-12, atol=1e-11)
    torch.testing.assert_close(trace.scaled, trace.scores / math.sqrt(inputs.d_k))
    forbidden = forbidden_by(mask, inputs.m, inputs.n)
    assert torch.equal(trace.mask == -math.inf, forbidden)
    assert (trace.mask[~forbidden] == 0).all()
    assert torch.equal(trace.masked[~forbidden], trace.scaled[~forbidden])
    assert (trace.masked[forbidden] == -math.inf).all()


@properties
@given(st.data())
def test_permuting_tokens_permutes_everything(data):
    inputs = data.draw(projected_inputs())
    queries = data.draw(st.permutations(range(inputs.m)))
    keys = data.draw(st.permutations(range(inputs.n)))
    forbidden = data.draw(
        st.frozensets(st.tuples(st.integers(0, inputs.m - 1), st.integers(0, inputs.n - 1)))
    )
    trace = trace_attention(inputs, AttentionOptions(mask=CellMask(forbidden)))
    permuted = trace_attention(
        ProjectedInputs(
            inputs.X_q[queries],
            inputs.X_k[keys],
            inputs.W_Q,
            inputs.W_K,
            inputs.W_V,
            None if inputs.query_offsets is None else inputs.query_offsets[queries],
            None if inputs.key_offsets is None else inputs.key_offsets[keys],
        ),
        AttentionOptions(mask=CellMask(frozenset((queries.index(i), keys.index(j)) for i, j in forbidden))),
    )
    torch.testing.assert_close(permuted.scores, trace.scores[queries][:, keys])
    # scores reach 1e6 here, and what rounding does to those shows in the weights
    torch.testing.assert_close(permuted.weights, trace.weights[queries][:, keys], rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(permuted.output, trace.output[queries], rtol=1e-6, atol=1e-5)
    assert torch.equal(permuted.no_key, trace.no_key[queries])


def test_worked_example_of_two_queries_and_three_keys():
    trace = trace_attention(
        DirectInputs(
            matrix([[0.8, 0.2], [0.1, 0.9]], "Q"), matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K")
        )
    )
    scores = matrix([[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]], "scores")
    weights = matrix([[0.3902, 0.3157, 0.2941], [0.3430, 0.4551, 0.2018]], "weights")
    torch.testing.assert_close(trace.scores, scores, rtol=0, atol=1e-12)
    torch.testing.assert_close(trace.weights, weights, rtol=0, atol=1e-4)
    assert trace.scale == 1 / math.sqrt(2)
    assert trace.output is None


def test_mismatched_mask_is_refused():
    inputs = GivenScores(matrix([[0.0, 0.0]], "scores"))
    with pytest.raises(ValueError, match="key 3, but there are 2 keys"):
        trace_attention(inputs, AttentionOptions(mask=PaddingMask(frozenset({2}))))


def test_row_without_a_key_is_zeros_flagged_and_gives_a_zero_output():
    inputs = DirectInputs(
        matrix([[1.0], [2.0]], "Q"), matrix([[1.0], [2.0]], "K"), matrix([[5.0], [6.0]], "V")
    )
    trace = trace_attention(inputs, AttentionOptions(mask=CellMask(frozenset({(0, 0), (0, 1)}))))
    assert trace.no_key.tolist() == [True, False]
    assert trace.weights[0].tolist() == [0.0, 0.0]
    assert trace.output[0].tolist() == [0.0]


def test_cosine_of_a_zero_vector_is_undefined_and_takes_no_part():
    inputs = DirectInputs(
        matrix([[1.0, 0.0], [0.0, 0.0]], "Q"), matrix([[2.0, 0.0], [0.0, 0.0], [0.0, 3.0]], "K")
    )
    trace = trace_attention(inputs, AttentionOptions(score=Cosine()))
    assert trace.undefined.tolist() == [[False, True, False], [True, True, True]]
    assert trace.scores.isnan().tolist() == trace.undefined.tolist()
    assert trace.no_key.tolist() == [False, True]
    e = math.e
    torch.testing.assert_close(trace.weights[0], torch.tensor([e / (e + 1), 0.0, 1 / (e + 1)]).double())
    assert trace.weights[1].tolist() == [0.0, 0.0, 0.0]


def test_nan_in_given_scores_stays_in_its_row_and_is_not_called_undefined():
    scores = matrix([[math.nan, 1.0], [0.0, -math.inf]], "scores")
    trace = trace_attention(GivenScores(scores), AttentionOptions(score=Cosine()))
    assert not trace.undefined.any()
    assert trace.weights[0].isnan().all()
    assert trace.weights[1].tolist() == [1.0, 0.0]
    assert trace.no_key.tolist() == [False, False]


@properties
@given(st.data())
def test_distance_and_dot_product_give_one_softmax_when_keys_have_one_length(data):
    m, n, d = data.draw(sizes), data.draw(sizes), data.draw(sizes)
    directions = torch.nn.functional.normalize(data.draw(matrices(n, d)) + 41.0, dim=1)
    inputs = DirectInputs(data.draw(matrices(m, d)), directions * 1.7)
    by_distance = trace_attention(inputs, AttentionOptions(score=NegativeHalfSquaredDistance()))
    by_dot = trace_attention(inputs, AttentionOptions(score=Dot()))
    torch.testing.assert_close(by_distance.weights, by_dot.weights, rtol=0, atol=1e-10)


def test_moving_one_query_changes_only_its_row():
    X = matrix([[1.0, 0.5], [0.3, -0.6], [0.7, 0.9]], "X")
    W = matrix([[1.0, 0.0], [0.0, 1.0]], "W")
    before = trace_attention(ProjectedInputs(X, X, W, W))
    offsets = matrix([[0.0, 0.0], [0.25, -1.5], [0.0, 0.0]], "offsets")
    after = trace_attention(ProjectedInputs(X, X, W, W, query_offsets=offsets))
    changed = before.scores != after.scores
    assert changed.tolist() == [[False] * 3, [True] * 3, [False] * 3]
    assert torch.equal(before.K, after.K)


def test_a_lower_temperature_sharpens():
    inputs = GivenScores(matrix([[0.3, 0.1, 0.2]], "scores"))
    largest = [
        float(trace_attention(inputs, AttentionOptions(normalizer=Softmax(t))).weights.max())
        for t in (10.0, 1.0, 0.1, 0.01)
    ]
    assert all(warm < cold for warm, cold in pairwise(largest))


def test_trace_keeps_no_gradient():
    X = matrix([[1.0]], "X").requires_grad_()
    trace = trace_attention(DirectInputs(X, X, X))
    assert not trace.output.requires_grad
