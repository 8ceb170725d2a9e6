"""What the user wants to take away, as one frozen value, and the figure or the tables that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.document.document import Role
from qkviz.document.session import Snapshot
from qkviz.exporters.formats import DOCUMENT_EXPORTERS, EXPORTERS
from qkviz.figures.export import PICTURE_FORMATS, transparent
from qkviz.figures.figure import Figure, MatrixFigure, PlaneFigure, RowFigure, WindowFigure
from qkviz.figures.picture_size import SCREEN_DPI, PictureSize
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.lessons.library import lesson_of, load_lessons
from qkviz.presenters.handout import HandoutContent, present_handout
from qkviz.presenters.matrix import MatrixContent, present_matrices
from qkviz.presenters.matrix_looks import USUAL_LOOKS, MatrixLooks
from qkviz.presenters.plane import present_plane
from qkviz.presenters.provenance import Provenance, present_provenance
from qkviz.presenters.row_chart import ROW_STAGES, present_row_chart
from qkviz.translate import _, current_language, use_language
from qkviz.ui.dialogs.save_path import FileFormat

PIXELS_DPI = 2 * SCREEN_DPI
"""Resolution of a picture that is asked for in pixels: sharp on a projector, and of natural size on paper."""

PICTURE_SUFFIXES = tuple(one.suffix for one in PICTURE_FORMATS)
DOCUMENT_SUFFIXES = tuple(one.suffix for one in DOCUMENT_EXPORTERS)


class ExportSubject(StrEnum):
    """What is taken away."""

    MATRIX = "matrix"
    MATRICES = "matrices"
    ROW = "row"
    PLANE = "plane"
    WINDOW = "window"
    HANDOUT = "handout"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class SizeChoice:
    """A width that somebody gave, in pixels, or in millimetres at a resolution."""

    width: float
    in_mm: bool
    dpi: float


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Everything the dialog asks.

    Attributes
    ----------
    subject
        One matrix, the matrices in view, the bars of a row, the plane, the window, the handout, the document.
    matrix
        The one matrix, or what the bars are; kept while another subject is chosen.
    query
        Index of the row whose bars are drawn.
    suffix
        Of the file: its format.
    size
        Of a picture.
    size_choice
        What the user said about it; None for the natural size.
    language
        Of the words in a picture, "zh" or "en".
    with_values
        Numbers in the cells or at the bars.
    title
        Over the picture; None for no title.
    transparent
        No ground under a picture.
    range_is_locked
        One colour range for all scores, as in the panel of the matrices.
    looks
        Colours, range and decimals.
    colored
        A LaTeX table with coloured cells.
    window
        The picture of the window, for that subject.
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
    query: int = 0
    size_choice: SizeChoice | None = None
    looks: MatrixLooks = USUAL_LOOKS
    colored: bool = False
    window: WindowFigure | None = None

    @property
    def is_picture(self) -> bool:
        """Whether one picture is wanted, not pages or numbers."""
        return self.suffix in PICTURE_SUFFIXES and self.subject is not ExportSubject.HANDOUT

    @property
    def has_matrices(self) -> bool:
        """Whether matrices are wanted, as a picture or as numbers."""
        return self.subject in (ExportSubject.MATRIX, ExportSubject.MATRICES)


def formats_for(subject: ExportSubject) -> tuple[FileFormat, ...]:
    """Return the formats that a subject can be written in, named in the current language."""
    if subject is ExportSubject.DOCUMENT:
        return tuple(FileFormat(_(one.label), one.suffix) for one in DOCUMENT_EXPORTERS)
    if subject is ExportSubject.HANDOUT:
        return (FileFormat(_("PDF document"), ".pdf"),)
    pictures = tuple(FileFormat(_(one.label), one.suffix) for one in PICTURE_FORMATS)
    if subject not in (ExportSubject.MATRIX, ExportSubject.MATRICES):
        return pictures
    return pictures + tuple(FileFormat(_(one.label), one.suffix) for one in EXPORTERS)


def matrices_for(subject: ExportSubject, snapshot: Snapshot) -> tuple[MatrixName, ...]:
    """Return what can be chosen as the matrix: for a row, the stages that bars can show."""
    if subject is ExportSubject.ROW:
        return tuple(name for name, _word in ROW_STAGES)
    return available_matrices(snapshot.trace)


def row_labels(snapshot: Snapshot) -> list[str]:
    """Return the rows to choose from: position and token."""
    labels = snapshot.document.shown_labels(Role.QUERY)
    return [f"{position} · {label}" for position, label in enumerate(labels, start=1)]


def first_request(
    snapshot: Snapshot, subject: ExportSubject, matrix: MatrixName | None = None
) -> ExportRequest:
    """Return a request to begin with: a PNG of natural size, in the language of the window.

    The picture of the window has no size yet; handout and document have none.
    """
    chosen = matrix if matrix is not None else matrices_in_view(snapshot)[0]
    if chosen not in matrices_for(subject, snapshot):
        chosen = matrices_for(subject, snapshot)[-1]
    request = ExportRequest(
        subject,
        chosen,
        formats_for(subject)[0].suffix,
        PictureSize(1, 1),
        current_language(),
        query=snapshot.focus.query or 0,
    )
    if subject in (ExportSubject.WINDOW, ExportSubject.HANDOUT, ExportSubject.DOCUMENT):
        return request
    return replace(request, size=natural_size(request, snapshot))


def matrices_in_view(snapshot: Snapshot) -> tuple[MatrixName, ...]:
    """Return the chosen matrices that the document has; the scores when it has none of them."""
    available = available_matrices(snapshot.trace)
    return tuple(name for name in snapshot.focus.matrices if name in available) or (MatrixName.SCORES,)


def requested_contents(request: ExportRequest, snapshot: Snapshot) -> tuple[MatrixContent, ...]:
    """Return the matrices asked for, in the language asked for; none for another subject."""
    if not request.has_matrices:
        return ()
    names = matrices_in_view(snapshot) if request.subject is ExportSubject.MATRICES else (request.matrix,)
    focus = replace(snapshot.focus, hover=None, matrices=names)
    with in_language(request.language):
        return present_matrices(replace(snapshot, focus=focus), request.range_is_locked, request.looks)


def requested_figure(request: ExportRequest, snapshot: Snapshot) -> Figure:
    """Return the picture asked for."""
    if request.subject is ExportSubject.WINDOW and request.window is not None:
        return request.window
    with in_language(request.language):
        if request.subject is ExportSubject.ROW:
            row = present_row_chart(snapshot, request.matrix, request.query, request.looks.decimals)
            return RowFigure(row, request.title, request.with_values)
        if request.subject is ExportSubject.PLANE:
            content = present_plane(replace(snapshot, focus=replace(snapshot.focus, hover=None)))
            return PlaneFigure(content, request.title)
    return MatrixFigure(
        requested_contents(request, snapshot), title=request.title, with_values=request.with_values
    )


def requested_handout(request: ExportRequest, snapshot: Snapshot) -> HandoutContent:
    """Return the pages, of the lesson that the document is one of, in the language asked for."""
    with in_language(request.language):
        return present_handout(snapshot, lesson_of(snapshot.document, load_lessons()))


def requested_provenance(request: ExportRequest, snapshot: Snapshot) -> Provenance:
    """Return what the file is to say of its source."""
    subject = f"row of {request.matrix}" if request.subject is ExportSubject.ROW else request.subject.value
    if request.subject is ExportSubject.ROW and snapshot.focus.query != request.query:
        snapshot = replace(snapshot, focus=replace(snapshot.focus, query=request.query, key=None))
    return present_provenance(snapshot, subject, requested_contents(request, snapshot))


def natural_size(request: ExportRequest, snapshot: Snapshot) -> PictureSize:
    """Return the size at which a picture's text is as large as on the screen."""
    return PictureSize.natural(requested_figure(request, snapshot), PIXELS_DPI)


def picture_style(request: ExportRequest) -> FigureStyle:
    """Return the colours asked for: always the light ones, for paper and slides."""
    return transparent(LIGHT) if request.transparent else LIGHT


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Speak ``language`` for a moment: a picture may be for others than the window."""
    before = current_language()
    use_language(language)
    try:
        yield
    finally:
        use_language(before)
