"""Random documents and focuses of every kind, and whether two of them are equal to the last bit."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.masks import PaddingMask, WindowMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import (
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    draw_additive,
)
from qkviz.attention.tensor_arrays import array_of
from qkviz.document.captured_head import CapturedHead
from qkviz.document.document import Document
from qkviz.document.drag_mode import DragMode
from qkviz.document.focus import Focus
from qkviz.translate import Phrase
from tests.attention.strategies import masks
from tests.document.random_captures import captured_heads, shared_tensors

sizes = st.integers(1, 4)
positive = st.floats(1e-3, 1e3)
labels = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


def anything(rows: int, columns: int) -> st.SearchStrategy[Tensor]:
    """Draw a (rows, columns) matrix of any floats: NaN, infinities, −0, the smallest and the largest."""
    row = st.lists(st.floats(), min_size=columns, max_size=columns)
    table = st.lists(row, min_size=rows, max_size=rows)
    return table.map(lambda values: torch.tensor(values, dtype=torch.float64))


@st.composite
def inputs(draw: st.DrawFn) -> AttentionInputs:
    m, n, d_model, d_k, d_v = (draw(sizes) for _ in range(5))
    V = draw(st.none() | anything(n, d_v))
    match draw(st.sampled_from(["self", "cross", "direct", "scores"])):
        case "direct":
            X_q = draw(st.none() | anything(m, d_model))
            X_k = (
                X_q if m == n and draw(st.booleans()) else None if X_q is None else draw(anything(n, d_model))
            )
            return DirectInputs(draw(anything(m, d_k)), draw(anything(n, d_k)), V, X_q, X_k)
        case "scores":
            return GivenScores(draw(anything(m, n)), V)
        case kind:
            X_q = draw(anything(m, d_model))
            X_k = X_q if kind == "self" else draw(anything(n, d_model))
            W_Q, W_K = draw(anything(d_model, d_k)), draw(anything(d_model, d_k))
            W_V = draw(st.none() | anything(d_model, d_v))
            moved_k = draw(st.none() | anything(X_k.shape[0], d_k))
            return ProjectedInputs(X_q, X_k, W_Q, W_K, W_V, draw(st.none() | anything(m, d_k)), moved_k)


@st.composite
def options(draw: st.DrawFn, of: AttentionInputs) -> AttentionOptions:
    scores: list[Any] = [Dot(), ScaledDot(), Cosine(), NegativeHalfSquaredDistance()]
    if not isinstance(of, GivenScores):
        scores.append(draw_additive(of.d_k, draw(sizes), draw(st.integers(0, 9))))
    normalizers = [Softmax(draw(positive)), Sparsemax(), Entmax15(), Hardmax()]
    return AttentionOptions(
        draw(st.sampled_from(scores)),
        draw(st.none() | positive),
        draw(masks(of.m, of.n) | st.builds(WindowMask, st.integers(0, 3), st.integers(0, 3))),
        draw(st.sampled_from(normalizers)),
        draw(st.none() | positive),
        draw(st.none() | anything(of.m, of.n)),
        draw(st.none() | st.floats()),
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document."""
    of = draw(inputs())
    queries = tuple(draw(st.lists(labels, min_size=of.m, max_size=of.m)))
    keys = tuple(draw(st.lists(labels, min_size=of.n, max_size=of.n)))
    if not isinstance(of, GivenScores) and of.X_q is not None and of.X_q is of.X_k:
        keys = queries
    lesson = draw(st.none() | st.just("07-from-embedding-to-weight"))
    return Document(queries, keys, of, draw(options(of)), lesson, draw(st.none() | captured_heads()))


def planes(d: int) -> st.SearchStrategy[Plane]:
    """Draw a window on vectors of length ``d``, coordinate axes and others."""
    if d == 1:
        return st.just(Plane.of_dimensions(1))
    pairs = st.tuples(st.integers(0, d - 1), st.integers(0, d - 1)).filter(lambda pair: pair[0] != pair[1])
    seeds = st.integers(0, 99)
    return st.one_of(
        pairs.map(lambda pair: Plane.of_dimensions(d, *pair)),
        seeds.map(lambda seed: Plane.of_principal_directions(*drawn(seed, d))),
        pairs.map(lambda pair: Plane(Plane.of_dimensions(d, *pair).basis, ("{up}", "上"))),
    )


def drawn(seed: int, d: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    Q, K = torch.randn(2, 3, d, generator=generator, dtype=torch.float64)
    return Q, K


@st.composite
def focuses(draw: st.DrawFn, document: Document) -> Focus:
    """Draw where to look in ``document``; the pointer is over nothing."""
    of = document.inputs
    query = draw(st.none() | st.integers(0, of.m - 1))
    plane = None if isinstance(of, GivenScores) else draw(st.none() | planes(of.d_k))
    width = of.X_q.shape[1] if isinstance(of, ProjectedInputs) else None
    return Focus(
        step=draw(st.integers(0, 5)),
        query=query,
        key=None if query is None else draw(st.none() | st.integers(0, of.n - 1)),
        matrices=tuple(draw(st.lists(st.sampled_from(MatrixName), unique=True))),
        plane=plane,
        embedding_plane=None if width is None else draw(st.none() | planes(width)),
        drag=draw(st.sampled_from(DragMode)),
    )


def described(value: object) -> object:
    """Return a value that is equal for two documents or focuses exactly when every bit of them is."""
    match value:
        case Tensor():
            return (value.dtype, tuple(value.shape), array_of(value.contiguous()).tobytes())
        case Plane():
            return ("Plane", described(value.basis), value.axis_labels)
        case Phrase():
            return ("Phrase", value.template, described(value.values))
        case dict():
            return {name: described(one) for name, one in value.items()}
        case tuple():
            return tuple(described(one) for one in value)
        case PaddingMask() | float():
            return repr(value)
        case _ if is_dataclass(value):
            shared: object = None
            if isinstance(value, ProjectedInputs | DirectInputs):
                shared = value.X_q is value.X_k
            elif isinstance(value, CapturedHead):
                shared = shared_tensors(value)
            kept = {one.name: described(getattr(value, one.name)) for one in fields(value)}
            return (type(value).__name__, shared, kept)
        case _:
            return (type(value).__name__, value)
