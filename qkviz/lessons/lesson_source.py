"""Reads what a lesson file says of a document: its matrices and labels, and where to look at first."""

from __future__ import annotations

from pathlib import PurePath

from qkviz.lessons.lesson_parts import CapturedSource, Opening, Rows, Source
from qkviz.lessons.toml_table import TomlTable
from qkviz.translate import Phrase

PROJECTED = ("X", "W_Q", "W_K", "W_V")
CROSSED = ("X", "X_k", "W_Q", "W_K", "W_V")
DIRECT = ("Q", "K", "V")
GIVEN = ("scores", "V")

MATRICES = (
    "x",
    "x_k",
    "q",
    "k",
    "v",
    "xxt",
    "scores",
    "scaled",
    "capped",
    "bias",
    "masked",
    "weights",
    "output",
    "wqwkt",
    "symmetric",
    "antisymmetric",
)
"""The values of `MatrixName`, which cannot be asked here: it lives beside torch."""


def read_source(table: TomlTable) -> Source | CapturedSource:
    """Take a document: a head of a recorded capture, or matrices with labels."""
    return _captured_source(table) if table.has("capture") else _plain_source(table)


def read_head(table: TomlTable, file: str) -> CapturedSource:
    """Take which head of the capture ``file`` is meant; whether there is such a head shows when it opens."""
    text, layer, head = (read_index(table, name) for name in ("text", "layer", "head"))
    return CapturedSource(file, text, layer, head)


def read_opening(table: TomlTable, source: Source | CapturedSource) -> Opening:
    """Take where to look when ``source`` opens."""
    m, n = pair_counts(source)
    opening = Opening(
        step=table.count("step"),
        query=read_index(table, "query", m),
        key=read_index(table, "key", n),
        matrices=table.texts("matrices"),
    )
    if opening.step > 5:
        raise table.refusal("step", Phrase("must be from 0 to 5"))
    for name in opening.matrices:
        if name not in MATRICES:
            raise table.refusal("matrices", Phrase("names {name}, which is no matrix", name=name))
    table.end()
    return opening


def pair_counts(source: Source | CapturedSource) -> tuple[int | None, int | None]:
    """Return how many queries and keys there are; None where a capture would have to be read to know."""
    if isinstance(source, CapturedSource):
        return None, None
    return len(source.queries), len(source.keys)


def read_index(table: TomlTable, name: str, count: int | None = None) -> int:
    """Take a position, counted from 1 in the file, as on the screen; from 0 in the program.

    Parameters
    ----------
    count
        How many there are; None if only a look into a capture would tell.
    """
    position = table.count(name, default=1)
    if count is None and position < 1:
        raise table.refusal(name, Phrase("must be a whole number from 1"))
    if count is not None and not 1 <= position <= count:
        raise table.refusal(name, Phrase("must be from 1 to {count}", count=count))
    return position - 1


def _captured_source(table: TomlTable) -> CapturedSource:
    file = table.text("capture")
    if PurePath(file).name != file or not file:
        raise table.refusal("capture", Phrase("must be the name of a file, without a folder"))
    source = read_head(table, file)
    table.end()
    return source


def _plain_source(table: TomlTable) -> Source:
    """Take matrices: the last one may be missing, all others must be there and fit."""
    names = _names(table)
    *needed, value = names
    matrices: dict[str, Rows] = {name: table.rows(name) for name in needed}
    if table.has(value):
        matrices[value] = table.rows(value)
    queries = table.both_list("queries")
    keys = queries if names is PROJECTED else table.both_list("keys")
    source = Source(
        queries, keys, matrices, table.choice("score", ("dot", "scaled_dot"), default="scaled_dot")
    )
    table.end()
    _check_shapes(table, source)
    return source


def _names(table: TomlTable) -> tuple[str, ...]:
    if table.has("scores"):
        return GIVEN
    if table.has("X_k"):
        return CROSSED
    return PROJECTED if table.has("X") else DIRECT


def _check_shapes(table: TomlTable, source: Source) -> None:
    """Check that the matrices fit each other and the labels: (name, rows, columns) as they must be."""
    m, n = len(source.queries), len(source.keys)
    width = {name: len(rows[0]) for name, rows in source.matrices.items()}
    if "X" in source.matrices:
        d_model, d_k = width["X"], width["W_Q"]
        wanted = {
            "X": (m, d_model),
            "X_k": (n, d_model),
            "W_Q": (d_model, d_k),
            "W_K": (d_model, d_k),
            "W_V": (d_model, None),
        }
    elif "Q" in source.matrices:
        wanted = {"Q": (m, width["Q"]), "K": (n, width["Q"]), "V": (n, None)}
    else:
        wanted = {"scores": (m, n), "V": (n, None)}
    for name, rows in source.matrices.items():
        height, breadth = wanted[name]
        if len(rows) != height or breadth not in (None, width[name]):
            raise table.refusal(
                name,
                Phrase(
                    "is {rows} × {columns}; labels and other matrices ask for {height} × {breadth}",
                    rows=len(rows),
                    columns=width[name],
                    height=height,
                    breadth=breadth or width[name],
                ),
            )
