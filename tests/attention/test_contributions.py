"""What a cell is made of."""

import math

import pytest
import torch

from qkviz.attention.contributions import contributions, output_parts, row_share
from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CellMask
from qkviz.attention.normalizers import Hardmax, Softmax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine, Dot
from qkviz.attention.trace import trace_attention
from qkviz.translate import Refusal

EXAMPLE = DirectInputs(
    matrix([[0.8, 0.2], [0.1, 0.9]], "Q"),
    matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K"),
    matrix([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], "V"),
)


@pytest.mark.parametrize("options", [AttentionOptions(), AttentionOptions(score=Dot())])
def test_products_of_the_worked_example(options):
    products = contributions(trace_attention(EXAMPLE, options), 1, 2)
    assert products.tolist() == pytest.approx([0.04, -0.45], abs=1e-15)


def test_only_dot_products_are_sums_of_products():
    with pytest.raises(Refusal, match="Only a dot product"):
        contributions(trace_attention(EXAMPLE, AttentionOptions(score=Cosine())), 0, 0)
    with pytest.raises(Refusal, match="were given"):
        contributions(trace_attention(GivenScores(matrix([[1.0]], "scores"))), 0, 0)


def test_row_share_of_the_worked_example():
    trace = trace_attention(EXAMPLE)
    share = row_share(trace, 0)
    expected = [math.exp(score / math.sqrt(2)) for score in (0.62, 0.32, 0.22)]
    assert share.shift == 0.0
    assert share.exponentials.tolist() == pytest.approx(expected)
    assert share.total == pytest.approx(math.fsum(expected))
    torch.testing.assert_close(share.exponentials / share.total, trace.weights[0])


@pytest.mark.parametrize("row", [[1000.0, 1001.0], [-1001.0, -1000.0], [-5000.0, -math.inf]])
@pytest.mark.parametrize("temperature", [1e-306, 0.5, 1.0])
def test_row_share_of_scores_beyond_the_reach_of_exp(row, temperature):
    trace = trace_attention(
        GivenScores(matrix([row], "scores")), AttentionOptions(normalizer=Softmax(temperature))
    )
    share = row_share(trace, 0)
    assert share.shift == max(row) / temperature
    torch.testing.assert_close(share.exponentials / share.total, trace.weights[0])


def test_row_share_of_a_row_without_a_key_is_zeros():
    trace = trace_attention(
        GivenScores(matrix([[1.0, 2.0]], "scores")),
        AttentionOptions(mask=CellMask(frozenset({(0, 0), (0, 1)}))),
    )
    share = row_share(trace, 0)
    assert (share.exponentials.tolist(), share.total, share.shift) == ([0.0, 0.0], 0.0, 0.0)


def test_row_share_is_for_softmax_only():
    with pytest.raises(Refusal, match="Only softmax"):
        row_share(trace_attention(EXAMPLE, AttentionOptions(normalizer=Hardmax())), 0)


def test_output_parts_sum_to_the_output():
    trace = trace_attention(EXAMPLE)
    parts = output_parts(trace, 1)
    assert parts.shape == (3, 2)
    torch.testing.assert_close(parts[2], 2.0 * trace.weights[1, 2].expand(2))
    torch.testing.assert_close(parts.sum(0), trace.output[1])


def test_output_parts_need_values():
    with pytest.raises(Refusal, match="Without values"):
        output_parts(trace_attention(DirectInputs(EXAMPLE.Q, EXAMPLE.K)), 0)
