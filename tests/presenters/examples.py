"""Known documents, as snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CellMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Snapshot
from qkviz.presenters.runs import Line, line_text
from qkviz.presenters.steps import present_steps

WORDS = ("猫", "坐", "垫子")

X = [[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]]
"""The embeddings of source A."""

W_Q = [[1.3, 0.6], [0.4, -0.5], [0.6, 0.4], [-0.2, 0.2]]
W_K = [[0.9, 0.5], [-0.4, 0.9], [0.5, -0.6], [0.3, -0.2]]


def cat_mat() -> Document:
    """Return three words with d_model = 4 and d_k = 2; self-attention."""
    x = matrix(X, "X")
    return Document(WORDS, WORDS, ProjectedInputs(x, x, matrix(W_Q, "W_Q"), matrix(W_K, "W_K")))


def worked_example() -> Document:
    """Return source B's two queries and three keys."""
    return direct(
        [[0.8, 0.2], [0.1, 0.9]],
        [[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]],
        ("cat colour", "dog size"),
        ("black cat", "brown dog", "red car"),
    )


def direct(
    q: Sequence[Sequence[float]],
    k: Sequence[Sequence[float]],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    options: AttentionOptions | None = None,
) -> Document:
    """Return a document of given vectors; tokens are called a, b, c… and A, B, C… by default."""
    return Document(
        tuple(queries or (chr(ord("a") + index) for index in range(len(q)))),
        tuple(keys or (chr(ord("A") + index) for index in range(len(k)))),
        DirectInputs(matrix(q, "Q"), matrix(k, "K")),
        options or AttentionOptions(),
    )


def given(scores: Sequence[Sequence[float]], options: AttentionOptions | None = None) -> Document:
    """Return a document of given scores."""
    queries = tuple(f"q{index}" for index in range(len(scores)))
    keys = tuple(f"k{index}" for index in range(len(scores[0])))
    return Document(queries, keys, GivenScores(matrix(scores, "scores")), options or AttentionOptions())


def of_all_kinds() -> Document:
    """Return 3 × 3 cosines: query 0 masked from key 1, query 1 zero, query 2 without an allowed key."""
    masked = CellMask(frozenset({(0, 1), (2, 0), (2, 1), (2, 2)}))
    return direct(
        [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
        [[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]],
        options=AttentionOptions(Cosine(), mask=masked),
    )


def snapshot(document: Document, **focus: object) -> Snapshot:
    """Return the snapshot of a document; ``focus`` are the fields of Focus."""
    trace = trace_attention(document.inputs, document.options)
    return Snapshot(document, trace, Focus(**focus))  # type: ignore[arg-type]


def with_options(document: Document, *arguments: object, **named: object) -> Document:
    """Return the document under other options."""
    return replace(document, options=AttentionOptions(*arguments, **named))  # type: ignore[arg-type]


def step_lines(document: Document, step: int, query: int, key: int) -> list[str]:
    """Return the lines of a step without their colours."""
    content = present_steps(snapshot(document, step=step, query=query, key=key))
    return texts(content.lines)


def step_sentence(document: Document, step: int, query: int, key: int) -> str:
    """Return the sentence of a step."""
    return line_text(present_steps(snapshot(document, step=step, query=query, key=key)).sentence)


def texts(lines: Sequence[Line]) -> list[str]:
    """Return lines without their colours."""
    return [line_text(line) for line in lines]
