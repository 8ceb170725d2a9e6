"""All heads of a text, one after the other: a small picture and the measures of each."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from qkviz.attention.captured import CapturedText
from qkviz.attention.head_measures import HeadMeasures, head_measures
from qkviz.attention.head_views import HeadView, ViewedWeights, viewed
from qkviz.attention.trace import AttentionTrace, trace_attention

SMALL_SIDE = 48
"""Cells of a small picture along its longer side, at most."""


@dataclass(frozen=True, eq=False, slots=True)
class HeadOverview:
    """One head (0-based) at a glance.

    Parameters
    ----------
    layer, head
        Which one.
    picture
        Its weights in the view that was asked for, at most `SMALL_SIDE` cells high and wide: each the largest
        of a square block.
    measures
        Those of the model's weights, whatever the view.
    """

    layer: int
    head: int
    picture: Tensor
    measures: HeadMeasures


def head_trace(text: CapturedText, layer: int, head: int) -> AttentionTrace:
    """Return the trace of one head (0-based)."""
    captured = text.layers[layer]
    return trace_attention(captured.inputs(head), captured.options(head))


def viewed_head(text: CapturedText, layer: int, head: int, view: HeadView) -> ViewedWeights:
    """Return the weights of one head (0-based) in a view; refuses as `viewed` does."""
    return viewed(head_trace(text, layer, head), text.queries(layer), text.keys(layer), view)


def head_overviews(
    text: CapturedText, view: HeadView, known: Container[tuple[int, int]] = ()
) -> Iterator[HeadOverview]:
    """Compute the heads one by one, layer after layer; never more than one head's matrices at a time.

    Parameters
    ----------
    known
        (layer, head) of those to leave out.

    Raises
    ------
    Refusal
        If the view cannot be had, as `viewed` says.
    """
    for number, layer in enumerate(text.layers):
        queries, keys = text.queries(number), text.keys(number)
        for head in range(layer.heads):
            if (number, head) in known:
                continue
            trace = head_trace(text, number, head)
            seen = viewed(trace, queries, keys, view)
            measures = head_measures(trace, queries, keys, layer.kind)
            yield HeadOverview(number, head, small_picture(seen.matrix), measures)


def small_picture(weights: Tensor) -> Tensor:
    """Return the matrix (m, n) in squares of as many cells as it takes, the largest of each; float32.

    A mean would make a single bright cell among many dark ones vanish.
    """
    side = -(-max(weights.shape) // SMALL_SIDE)  # rounded up
    pooled = torch.nn.functional.max_pool2d(weights.unsqueeze(0), side, ceil_mode=True)
    return pooled[0].float()
