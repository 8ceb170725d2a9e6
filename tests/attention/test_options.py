"""The options of one head."""

import math

import pytest

from qkviz.attention.masks import NoMask
from qkviz.attention.normalizers import Softmax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import ScaledDot
from qkviz.translate import Refusal


def test_default_is_the_attention_of_the_transformer():
    options = AttentionOptions()
    assert (options.score, options.scale, options.mask) == (ScaledDot(), None, NoMask())
    assert options.normalizer == Softmax(1.0)


@pytest.mark.parametrize("scale", [0.0, -0.5, math.nan, math.inf])
def test_a_scale_that_is_not_positive_is_refused(scale):
    with pytest.raises(Refusal, match=r"The scale is .* greater than 0"):
        AttentionOptions(scale=scale)
