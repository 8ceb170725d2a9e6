"""Measures of heads whose weights are known by construction."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from qkviz.attention.captured import Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from qkviz.attention.head_measures import HeadMeasure, HeadMeasures, embedding_diagonal, head_measures
from qkviz.attention.head_overviews import head_overviews, head_trace, viewed_head
from qkviz.attention.head_views import USUAL_VIEW
from qkviz.attention.inputs import DirectInputs, GivenScores
from qkviz.attention.masks import CausalMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.trace import trace_attention
from tests.captures import random_cross_text, random_text, random_tokens, random_weights_text

N = 6
TOKENS = random_tokens(N)[1]
WORDS_ONLY = tuple(replace(token, is_special=False, word=at) for at, token in enumerate(TOKENS))


def measures_of(weights: Tensor, tokens: tuple[Token, ...] = TOKENS) -> HeadMeasures:
    trace = trace_attention(GivenScores(weights.double().log()))
    return head_measures(trace, tokens, tokens, AttentionKind.ENCODER)


def looking(step: int) -> Tensor:
    """Every token looks ``step`` positions on, round the end."""
    return torch.eye(N).roll(step, dims=1)


def test_a_head_that_looks_at_the_token_before():
    found = measures_of(looking(-1))
    assert found.previous == 1.0  # [CLS], the first row, is no word
    assert (found.next, found.itself, found.diagonal, found.entropy) == (0.0, 0.0, 0.0, None)
    assert found.specials == 0.25  # the first word looks at [CLS]
    assert found.distance == 1.0


def test_a_head_that_looks_at_the_token_behind():
    found = measures_of(looking(1))
    assert (found.next, found.previous, found.specials) == (1.0, 0.0, 0.25)


def test_rows_of_special_tokens_count_for_no_neighbour():
    weights = torch.zeros(N, N)
    weights[:, 2] = 1.0
    weights[0], weights[-1] = torch.eye(N)[1], torch.eye(N)[N - 2]  # [CLS] at the next, [SEP] at the previous
    found = measures_of(weights)
    assert (found.next, found.previous) == (0.25, 0.25)  # of four words, one each beside the third token


def test_a_head_that_looks_at_itself():
    found = measures_of(looking(0))
    assert (found.itself, found.diagonal, found.distance, found.first) == (1.0, 1.0, 0.0, 0.0)


def test_a_head_that_looks_at_the_first_token():
    weights = torch.zeros(N, N)
    weights[:, 0] = 1.0
    found = measures_of(weights)
    assert (found.first, found.specials, found.distance) == (1.0, 1.0, None)


def test_a_head_that_looks_everywhere_alike():
    found = measures_of(torch.full((N, N), 1 / N))
    assert found.entropy == pytest.approx(1.0)
    assert found.diagonal == 1.0  # ties count
    distances = [abs(i - j) for i in range(1, 5) for j in range(1, 5)]
    assert found.distance == pytest.approx(sum(distances) / 16)
    assert found.specials == pytest.approx(2 / N)


def test_entropy_is_held_against_the_keys_that_are_allowed():
    uniform = DirectInputs(torch.zeros(N, 2).double(), torch.zeros(N, 2).double())
    trace = trace_attention(uniform, AttentionOptions(mask=CausalMask()))
    found = head_measures(trace, WORDS_ONLY, WORDS_ONLY, AttentionKind.ENCODER)
    assert found.entropy == pytest.approx(1.0)
    assert found.first == pytest.approx(sum(1 / (i + 1) for i in range(1, N)) / (N - 1))


def test_a_sink_takes_weight_but_makes_the_rest_no_sharper():
    uniform = DirectInputs(torch.zeros(N, 2).double(), torch.zeros(N, 2).double())
    trace = trace_attention(uniform, AttentionOptions(sink=1.0))
    found = head_measures(trace, TOKENS, TOKENS, AttentionKind.ENCODER)
    assert found.entropy == pytest.approx(1.0)
    assert found.itself == pytest.approx(1 / (N + math.e))


@pytest.mark.parametrize(("sign", "expected"), [(1.0, 0.0), (-1.0, 2.0)])
def test_symmetric_and_antisymmetric_scores(sign: float, expected: float):
    draw = torch.Generator().manual_seed(1)
    A = torch.randn(N, N, generator=draw, dtype=torch.float64)
    S = A + sign * A.T
    trace = trace_attention(DirectInputs(S, torch.eye(N, dtype=torch.float64)))
    found = head_measures(trace, WORDS_ONLY, WORDS_ONLY, AttentionKind.ENCODER)
    assert found.symmetry == pytest.approx(expected, abs=1e-12)


def test_independent_halves_are_unrelated():
    draw = torch.Generator().manual_seed(1)
    S = torch.randn(400, 400, generator=draw, dtype=torch.float64)
    tokens = tuple(Token(str(at), str(at), word=at) for at in range(400))
    trace = trace_attention(DirectInputs(S, torch.eye(400, dtype=torch.float64)))
    found = head_measures(trace, tokens, tokens, AttentionKind.ENCODER)
    assert found.symmetry == pytest.approx(math.sqrt(2), abs=0.02)


def test_special_tokens_take_no_part_in_the_symmetry():
    S = torch.ones(N, N, dtype=torch.float64)
    S[0, 1:], S[1:, -1] = 50.0, -70.0
    trace = trace_attention(DirectInputs(S, torch.eye(N, dtype=torch.float64)))
    assert head_measures(trace, TOKENS, TOKENS, AttentionKind.ENCODER).symmetry == 0.0


def test_weights_alone_tell_no_symmetry():
    text = random_weights_text()
    found = head_measures(head_trace(text, 0, 0), text.tokens, text.tokens, AttentionKind.ENCODER)
    assert found.symmetry is None
    assert found.diagonal is not None


def test_cross_attention_has_no_positions_to_compare():
    text = random_cross_text()
    found = head_measures(head_trace(text, 2, 0), text.decoder_tokens, text.tokens, AttentionKind.CROSS)
    known = {measure for measure in HeadMeasure if found.value(measure) is not None}
    assert known == {HeadMeasure.ENTROPY, HeadMeasure.FIRST, HeadMeasure.SPECIALS}
    weights = head_trace(text, 2, 0).weights
    assert found.first == pytest.approx(float(weights[:, 0].mean()))


def test_a_text_of_special_tokens_only_has_no_measures():
    special = tuple(replace(token, is_special=True) for token in TOKENS)
    found = measures_of(looking(1), special)
    assert {found.value(measure) for measure in HeadMeasure} == {None}


def test_the_diagonal_of_embeddings():
    X = torch.eye(N)
    X[2] = 2 * X[1]  # token 1 looks more at token 2 than at itself
    layer = random_text(tokens=N).layers[0]
    assert isinstance(layer, CapturedLayer)
    assert embedding_diagonal(replace(layer, X_q=X, X_k=X), TOKENS) == 0.75
    assert embedding_diagonal(replace(layer, X_q=X, X_k=X, mask=CausalMask()), TOKENS) == 1.0
    assert embedding_diagonal(replace(layer, X_q=None, X_k=None), TOKENS) is None
    assert embedding_diagonal(random_weights_text().layers[0], TOKENS) is None
    text = random_cross_text()
    assert embedding_diagonal(text.layers[2], text.decoder_tokens) is None


def test_all_heads_come_layer_after_layer():
    text = random_text(layers=2, heads=3)
    found = list(head_overviews(text, USUAL_VIEW))
    assert [(one.layer, one.head) for one in found] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    last = viewed_head(text, 1, 2, USUAL_VIEW).matrix
    assert torch.equal(found[-1].picture, last.float())
    own = float(last.diagonal()[1:-1].mean())
    assert found[-1].measures.itself == pytest.approx(own)
