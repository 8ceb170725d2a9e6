"""What the user wants to take away, as one frozen value, and the figure or the tables that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.document.session import Snapshot
from qkviz.exporters.formats import EXPORTERS
from qkviz.figures.export import PICTURE_FORMATS, transparent
from qkviz.figures.figure import Figure, MatrixFigure, PlaneFigure
from qkviz.figures.picture_size import SCREEN_DPI, PictureSize
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.matrix import MatrixContent, present_matrices
from qkviz.presenters.plane import present_plane
from qkviz.translate import _, current_language, use_language
from qkviz.ui.dialogs.save_path import FileFormat

PIXELS_DPI = 2 * SCREEN_DPI
"""Resolution of a picture that is asked for in pixels: sharp on a projector, and of natural size on paper."""

PICTURE_SUFFIXES = tuple(one.suffix for one in PICTURE_FORMATS)


class ExportSubject(StrEnum):
    """What is taken away."""

    MATRIX = "matrix"
    MATRICES = "matrices"
    PLANE = "plane"


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Everything the dialog asks.

    Attributes
    ----------
    subject
        One matrix, the matrices in view, or the plane.
    matrix
        The one matrix; kept while another subject is chosen.
    suffix
        Of the file: its format.
    size
        Of a picture.
    language
        Of the words in a picture, "zh" or "en".
    with_values
        Numbers in the cells.
    title
        Over the picture; None for no title.
    transparent
        No ground under a picture.
    range_is_locked
        One colour range for all scores, as in the panel of the matrices.
    """

    subject: ExportSubject
    matrix: MatrixName
    suffix: str
    size: PictureSize
    language: str
    with_values: bool = True
    title: str | None = None
    transparent: bool = False
    range_is_locked: bool = True

    @property
    def is_picture(self) -> bool:
        """Whether a picture is wanted, not numbers."""
        return self.suffix in PICTURE_SUFFIXES


def formats_for(subject: ExportSubject) -> tuple[FileFormat, ...]:
    """Return the formats that a subject can be written in, named in the current language."""
    pictures = tuple(FileFormat(_(one.label), one.suffix) for one in PICTURE_FORMATS)
    if subject is ExportSubject.PLANE:
        return pictures
    return pictures + tuple(FileFormat(_(one.label), one.suffix) for one in EXPORTERS)


def first_request(
    snapshot: Snapshot, subject: ExportSubject, matrix: MatrixName | None = None
) -> ExportRequest:
    """Return a request to begin with: a PNG of natural size, in the language of the window."""
    chosen = matrix if matrix is not None else matrices_in_view(snapshot)[0]
    request = ExportRequest(subject, chosen, PICTURE_SUFFIXES[0], PictureSize(1, 1), current_language())
    return replace(request, size=natural_size(request, snapshot))


def matrices_in_view(snapshot: Snapshot) -> tuple[MatrixName, ...]:
    """Return the chosen matrices that the document has; the scores when it has none of them."""
    available = available_matrices(snapshot.trace)
    return tuple(name for name in snapshot.focus.matrices if name in available) or (MatrixName.SCORES,)


def requested_contents(request: ExportRequest, snapshot: Snapshot) -> tuple[MatrixContent, ...]:
    """Return the matrices asked for, in the language asked for."""
    names = matrices_in_view(snapshot) if request.subject is ExportSubject.MATRICES else (request.matrix,)
    focus = replace(snapshot.focus, hover=None, matrices=names)
    with _in_language(request.language):
        return present_matrices(replace(snapshot, focus=focus), request.range_is_locked)


def requested_figure(request: ExportRequest, snapshot: Snapshot) -> Figure:
    """Return the picture asked for."""
    if request.subject is ExportSubject.PLANE:
        with _in_language(request.language):
            content = present_plane(replace(snapshot, focus=replace(snapshot.focus, hover=None)))
        return PlaneFigure(content, request.title)
    return MatrixFigure(
        requested_contents(request, snapshot), title=request.title, with_values=request.with_values
    )


def natural_size(request: ExportRequest, snapshot: Snapshot) -> PictureSize:
    """Return the size at which a picture's text is as large as on the screen."""
    return PictureSize.natural(requested_figure(request, snapshot), PIXELS_DPI)


def picture_style(request: ExportRequest) -> FigureStyle:
    """Return the colours asked for: always the light ones, for paper and slides."""
    return transparent(LIGHT) if request.transparent else LIGHT


@contextmanager
def _in_language(language: str) -> Iterator[None]:
    """Speak ``language`` for a moment: a picture may be for others than the window."""
    before = current_language()
    use_language(language)
    try:
        yield
    finally:
        use_language(before)
