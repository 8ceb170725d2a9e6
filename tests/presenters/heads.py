"""Documents that are heads of models, with everything a model can have beside q·k."""

from __future__ import annotations

from dataclasses import replace

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.masks import CellMask
from qkviz.attention.options import AttentionOptions
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.document import Document
from tests.captures import random_capture

BIAS = [[0.0, -1.0, 2.0], [1.5, 0.0, -1.0], [-2.0, 1.0, 0.5]]
X = [[1.0, 0.5], [0.25, -1.0], [2.0, 0.0]]


def beside(**options: object) -> Document:
    """Return three tokens whose scores are 3, 2, 1 / 6, 4, 2 / 0, 0, 0 before the scale 0.5, with one X."""
    x = matrix(X, "X")
    inputs = DirectInputs(matrix([[1.0], [2.0], [0.0]], "Q"), matrix([[3.0], [2.0], [1.0]], "K"), None, x, x)
    named: dict[str, object] = {"scale": 0.5, **options}
    tokens = ("She", "sat", "bank")
    return Document(tokens, tokens, inputs, AttentionOptions(**named))  # type: ignore[arg-type]


def everything() -> Document:
    """Return the same with a soft cap of 2, a position bias, a forbidden cell and a sink of 1."""
    bias = matrix(BIAS, "bias")
    return beside(soft_cap=2.0, bias=bias, sink=1.0, mask=CellMask(frozenset({(0, 2)})))


def captured(layer: int = 1, head: int = 2, **options: object) -> Document:
    """Return a head of a capture of random numbers, 5 tokens, d_k = 4."""
    document = head_document(CapturedHead(random_capture(), layer=layer, head=head))
    return replace(document, options=replace(document.options, **options))  # type: ignore[arg-type]
