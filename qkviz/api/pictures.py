"""Pictures and numbers from Python, without a window and without a display."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz import __version__
from qkviz.api.arrays import labels
from qkviz.api.picture import PNG_DPI, Picture, in_language, write_as
from qkviz.attention.inputs import matrix as own_matrix
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document
from qkviz.document.session import Session
from qkviz.exporters.formats import DOCUMENT_EXPORTERS
from qkviz.figures.export import transparent
from qkviz.figures.figure import MatrixFigure, PlaneFigure
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.color_maps import SEQUENTIAL
from qkviz.presenters.matrix import present_matrix
from qkviz.presenters.matrix_looks import MatrixLooks
from qkviz.presenters.plain_matrix import PlainLabels, plain_looks, present_plain_matrix
from qkviz.presenters.plane import present_plane
from qkviz.presenters.provenance import present_provenance
from qkviz.translate import Refusal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def heatmap(
    matrix: ArrayLike,
    *,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
    title: str = "",
    with_values: bool = True,
    decimals: int = 2,
    colors: str | None = None,
    limits: tuple[float, float] | None = None,
    dpi: float = PNG_DPI,
    size_mm: tuple[float, float] | None = None,
    transparent_ground: bool = False,
    language: str | None = None,
) -> Picture:
    """Draw any matrix with labels, a colour bar and its numbers.

    Parameters
    ----------
    matrix
        (m, n), rows are queries: a tensor of any device and dtype, an array, or rows of numbers. −inf is
        drawn as masked, NaN as not a number.
    tokens, key_tokens
        Labels of the m rows and n columns; of a square matrix ``tokens`` label both.
    path
        A ``.png``, ``.svg`` or ``.pdf`` to write at once; ``.csv``, ``.tsv``, ``.npz``, ``.json``, ``.tex``
        or ``.md`` for the numbers.
    title
        Stands above.
    with_values
        Whether numbers stand in the cells, where they fit.
    decimals
        Digits after the point of these numbers.
    colors
        A colour map: red-blue, vik, purple-orange, broc (white at 0) or purples, viridis, cividis, batlow,
        greys. Left out: purples if no number is negative, else red-blue.
    limits
        Numbers at the ends of the colours; left out, ± the largest, or 0 to the largest.
    dpi
        Pixels of an inch in a PNG.
    size_mm
        Width and height on paper; left out, as large as the labels need.
    transparent_ground
        Whether the ground is left open instead of white.
    language
        ``"en"`` or ``"zh"`` for axis names and notes; left out, that of the program.

    Returns
    -------
    Picture
        Shown by a notebook; ``.save(path)`` writes it.

    Raises
    ------
    Refusal
        If the matrix or an option cannot be, or the suffix of ``path`` is of no format.
    OSError
        If the file cannot be written; the old one stays as it was.
    """
    values = own_matrix(matrix, "matrix").numpy()  # (m, n)
    m, n = values.shape
    rows, columns = labels(tokens, key_tokens, m, n)
    name, looks = plain_looks(values, colors, limits, decimals)
    with in_language(language):
        content = present_plain_matrix(name, values, PlainLabels(rows, columns, title), looks)
        provenance = {"program": f"qkviz {__version__}", "subject": "matrix", "shape": f"{m} x {n}"}
        figure = MatrixFigure((content,), 1, None, with_values)
        picture = Picture(figure, _style(transparent_ground), dpi, size_mm, provenance)
        if path is not None:
            write_as(picture, (content,), Path(path))
    return picture


def export(
    document: Document,
    path: str | os.PathLike[str],
    what: str | Sequence[str] = ("scores", "weights"),
    *,
    title: str | None = None,
    with_values: bool = True,
    decimals: int = 2,
    colors: str | None = None,
    limits: tuple[float, float] | None = None,
    dpi: float = PNG_DPI,
    size_mm: tuple[float, float] | None = None,
    transparent_ground: bool = False,
    language: str | None = None,
) -> Path:
    """Write matrices of a document, or its vector plane, in the format that the suffix names.

    Parameters
    ----------
    document
        Of `make_document`, `open`, or the handle of a window.
    path
        ``.png``, ``.svg`` or ``.pdf`` for a picture; ``.csv``, ``.tsv``, ``.npz``, ``.json``, ``.tex`` or
        ``.md`` for the numbers; ``.py`` for the PyTorch script and ``.qkviz`` for the document, whatever
        ``what`` says.
    what
        ``"plane"``, or one or more of x, x_k, q, k, v, xxt, scores, scaled, capped, bias, masked, weights,
        output, wqwkt, symmetric, antisymmetric.
    title, with_values, decimals, colors, limits, dpi, size_mm, transparent_ground, language
        As for `heatmap`; a colour map is used for the matrices of its kind.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    Refusal
        If the document has no such matrix, or the suffix is of no format; says why.
    OSError
        If the file cannot be written; the old one stays as it was.
    """
    target, snapshot = Path(path), Session(document).snapshot
    for whole in DOCUMENT_EXPORTERS:
        if target.suffix.lower() == whole.suffix:
            whole.write(snapshot, target)
            return target
    style = _style(transparent_ground)
    with in_language(language):
        if what == "plane":
            plane = present_plane(snapshot)
            if not plane.arrows:
                raise Refusal("{reason}", reason=plane.note)
            provenance = present_provenance(snapshot, "plane")
            write_as(Picture(PlaneFigure(plane, title), style, dpi, size_mm, provenance), (), target)
            return target
        looks = _looks(colors, limits, decimals)
        contents = tuple(present_matrix(snapshot, name, looks=looks) for name in _names(what))
        columns = len(contents) if len(contents) <= 3 else 2
        figure = MatrixFigure(contents, columns, title, with_values)
        provenance = present_provenance(snapshot, "matrices", contents)
        write_as(Picture(figure, style, dpi, size_mm, provenance), contents, target)
    return target


def _style(transparent_ground: bool) -> FigureStyle:
    return transparent(LIGHT) if transparent_ground else LIGHT


def _looks(colors: str | None, limits: tuple[float, float] | None, decimals: int) -> MatrixLooks:
    if colors is None:
        return MatrixLooks(range=limits, decimals=decimals)
    if colors in SEQUENTIAL:
        return MatrixLooks(sequential=colors, range=limits, decimals=decimals)
    return MatrixLooks(diverging=colors, range=limits, decimals=decimals)


def _names(what: str | Sequence[str]) -> tuple[MatrixName, ...]:
    words = (what,) if isinstance(what, str) else tuple(dict.fromkeys(what))
    known = {name.value for name in MatrixName}
    for word in words:
        if word not in known:
            raise Refusal(
                "There is no matrix “{word}”; there are {names}, and plane.",
                word=word,
                names=", ".join(MatrixName),
            )
    if not words:
        raise Refusal("Say which matrices to export: {names}, or plane.", names=", ".join(MatrixName))
    return tuple(MatrixName(word) for word in words)
