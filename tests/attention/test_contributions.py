"""What a cell is made of."""

import pytest

from qkviz.attention.contributions import contributions
from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
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
