"""x W_Q W_Kᵀ xᵀ is q·k, and what was moved by hand is not in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from qkviz.attention.bilinear import product_through_projections
from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.attention.trace import trace_attention
from tests.attention.strategies import projected_inputs


@given(projected_inputs())
def test_it_is_the_score_of_what_was_not_moved(inputs: ProjectedInputs) -> None:
    unmoved = trace_attention(replace(inputs, query_offsets=None, key_offsets=None))
    through = product_through_projections(trace_attention(inputs), inputs.m - 1, 0)
    assert through == pytest.approx(unmoved.scores[inputs.m - 1, 0].item(), rel=1e-9, abs=1e-6)


def test_without_projections_there_is_none() -> None:
    direct = DirectInputs(matrix([[1.0]], "Q"), matrix([[1.0]], "K"))
    assert product_through_projections(trace_attention(direct), 0, 0) is None
