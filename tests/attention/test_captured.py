"""What heads of a capture become: their mask by its usual name, the share of what is not q·k."""

import math

import numpy as np
import pytest
import torch

from qkviz.attention.captured_layers import mask_of, unexplained_share
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask, WindowMask


def allowed(m, n, rule):
    return torch.tensor([[rule(i, j) for j in range(n)] for i in range(m)])


@pytest.mark.parametrize(
    ("rule", "mask"),
    [
        (lambda i, j: True, NoMask()),
        (lambda i, j: j <= i, CausalMask()),
        (lambda i, j: j not in (0, 4), PaddingMask(frozenset({0, 4}))),
        (lambda i, j: i - 2 <= j <= i, WindowMask(2, 0)),
        (lambda i, j: i - 1 <= j <= i + 2, WindowMask(1, 2)),
        (lambda i, j: (i, j) != (3, 1), CellMask(frozenset({(3, 1)}))),
        (lambda i, j: j <= i and j > 0, None),
    ],
)
def test_a_mask_has_its_usual_name_and_forbids_the_same(rule, mask):
    cells = allowed(5, 6, rule)
    found = mask_of(cells)
    assert type(found) is (CellMask if mask is None else type(mask))
    if mask is not None:
        assert found == mask
    assert (found.additive(5, 6) == 0).tolist() == cells.tolist()


def test_no_mask_at_all():
    assert mask_of(None) == NoMask()


def test_a_mask_that_allows_nothing():
    assert (mask_of(torch.zeros(2, 3, dtype=torch.bool)).additive(2, 3) == -math.inf).all()


def test_the_share_of_a_bias_is_its_variance_along_the_rows():
    scaled, bias = np.array([[1.0, 2.0, 6.0], [0.0, 4.0, 2.0]]), np.array([[0.5, 1.0, -3.0], [1.0, 1.0, 7.0]])
    masked = scaled + bias
    masked[1, 2] = -math.inf
    rest = bias[0].var() * 3 + bias[1, :2].var() * 2
    own = scaled[0].var() * 3 + scaled[1, :2].var() * 2
    share = unexplained_share(torch.from_numpy(scaled), torch.from_numpy(masked))
    assert share == pytest.approx(rest / (rest + own), rel=1e-12)


def test_what_a_whole_row_gains_is_no_share():
    scaled = torch.tensor([[1.0, 2.0], [3.0, 5.0]], dtype=torch.float64)
    assert unexplained_share(scaled, scaled + torch.tensor([[4.0], [7.0]])) == 0.0
