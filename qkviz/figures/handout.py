"""A handout as one PDF: A4 on its side, a page a step, words on the left and pictures on the right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from qkviz.atomic_file import atomic_path
from qkviz.figures.export import CREATOR, PDF_DPI
from qkviz.figures.figure import MatrixFigure, PlaneFigure, figure_texts
from qkviz.figures.fonts import (
    REGULAR,
    SEMIBOLD,
    Face,
    ascent,
    characters_without_font,
    draw_text,
    font_of,
    load_fonts,
    one_line,
    text_width,
)
from qkviz.figures.handout_pictures import paint_picture, paint_plane_and_matrices, picture_texts
from qkviz.figures.metadata import pdf_metadata
from qkviz.figures.pdf_text import with_written_characters
from qkviz.figures.picture_size import SCREEN_DPI
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.figures.text_block import Paragraph, TextBlock
from qkviz.presenters.handout import HandoutContent, HandoutPage, HandoutText, Kind
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance
from qkviz.presenters.runs import Run, line_text
from qkviz.translate import _

PAGE = QSizeF(1122.0, 793.0)
"""A4 on its side in pixels of 1/96 inch, rounded down."""

PREVIEWED = 2.0
"""Pixels of a preview for one of `PAGE`."""

MARGIN = 44.0
HEAD, FOOT = 86.0, 26.0
COLUMN, GUTTER = 385.0, 34.0

LARGEST_TEXT, SMALLEST_TEXT = 17, 4
TEXT_ABOVE_MATRICES, GAP_BELOW_TEXT = 14, 14.0
"""Largest text where matrices may stand below it, and the gap between."""


_LOOKS: dict[Kind, tuple[float, int]] = {
    "heading": (1.15, 14),
    "main": (1.3, 8),
    "line": (1.0, 6),
    "title": (1.0, 18),
    "text": (1.0, 8),
    "choice": (1.0, 4),
}
"""Size relative to the text of the page, and the gap above, of each kind of paragraph."""


def write_handout(
    content: HandoutContent,
    path: Path,
    style: FigureStyle = LIGHT,
    provenance: Provenance = NO_PROVENANCE,
) -> None:
    """Write a handout as a PDF: text stays text, pictures stay lines and areas, the file is whole or none.

    Its source is XMP.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    load_fonts()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageOrientation(QPageLayout.Orientation.Landscape)
    writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
    writer.setTitle(content.title)
    writer.setCreator(provenance.get("program", CREATOR))
    writer.setDocumentXmpMetadata(pdf_metadata(content.title, provenance))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(PDF_DPI / SCREEN_DPI, PDF_DPI / SCREEN_DPI)
    try:
        for number in range(len(content.pages)):
            if number:
                writer.newPage()
            paint_page(painter, content, number, style)
    finally:
        painter.end()  # an error must not leave it open: Qt would crash
    faces = [Face(16, weight, style.font_family) for weight in (REGULAR, SEMIBOLD)]
    data = with_written_characters(bytes(buffer.data().data()), _texts(content), faces)
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


def missing_in_handout(content: HandoutContent) -> str:
    """Return the characters of a handout that no installed font has, each once."""
    return characters_without_font(_texts(content))


def page_image(content: HandoutContent, number: int, style: FigureStyle = LIGHT) -> QImage:
    """Return the ``number``-th page, from 0, as an image of two pixels for one of the page's."""
    load_fonts()
    image = QImage((PAGE * PREVIEWED).toSize(), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:  # an error must not leave it open: Qt would crash
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(PREVIEWED, PREVIEWED)
        paint_page(painter, content, number, style)
    return image


def paint_page(painter: QPainter, content: HandoutContent, number: int, style: FigureStyle) -> None:
    """Paint the ``number``-th page, from 0, into the `PAGE` that begins at the painter's origin."""
    page = content.pages[number]
    if style.background is not None:
        painter.fillRect(QRectF(QPointF(), PAGE), QColor(style.background))
    room = QRectF(QPointF(), PAGE).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    _paint_head(painter, room, content, page, style)
    _paint_foot(painter, room, content, number, style)
    body = room.adjusted(0.0, HEAD, 0.0, -FOOT - 14.0)
    has_pictures = bool(page.plane or page.matrices or page.picture)
    width = COLUMN if has_pictures else body.width()
    column = QRectF(body.left(), body.top(), width, body.height())
    largest = TEXT_ABOVE_MATRICES if page.plane is not None and page.matrices else LARGEST_TEXT
    column.setTop(_paint_texts(painter, column, page.texts, style, largest) + GAP_BELOW_TEXT)
    pictures = body.adjusted(COLUMN + GUTTER, 0.0, 0.0, 0.0)
    if page.picture is not None:
        paint_picture(painter, pictures, page.picture, style)
    else:
        paint_plane_and_matrices(painter, (pictures, column), page.plane, page.matrices, style)


def _paint_head(
    painter: QPainter, room: QRectF, content: HandoutContent, page: HandoutPage, style: FigureStyle
) -> None:
    """Paint the title, and below it the steps with this one marked."""
    title = Paragraph((Run(one_line(content.title), "strong"),))
    _paint_fitted(painter, QRectF(room.left(), room.top(), room.width(), 36.0), [title], style, 22)
    runs: list[Run] = []
    for other in content.pages:
        if other.step is None:
            continue
        words = f"{other.step} {content.step_titles[other.step]}"
        runs += [Run(words, "query" if other is page else "muted"), Run("      ")]
    steps = Paragraph(tuple(runs[:-1]))
    _paint_fitted(painter, QRectF(room.left(), room.top() + 42.0, room.width(), 24.0), [steps], style, 12)
    painter.fillRect(QRectF(room.left(), room.top() + 70.0, room.width(), 1.0), QColor(style.line))


def _paint_foot(
    painter: QPainter, room: QRectF, content: HandoutContent, number: int, style: FigureStyle
) -> None:
    face = Face(11, REGULAR, style.font_family)
    baseline = room.bottom() - 14.0 + ascent(face)
    painter.setPen(QColor(style.muted))
    draw_text(painter, room.left(), baseline, CREATOR, face)
    words = _("page {number} of {count}", number=number + 1, count=len(content.pages))
    draw_text(painter, room.right() - text_width(words, face), baseline, words, face)


def _paint_texts(
    painter: QPainter, room: QRectF, texts: tuple[HandoutText, ...], style: FigureStyle, largest: int
) -> float:
    """Paint the words and return the y below them."""
    paragraphs = []
    for text in texts:
        size, gap = _LOOKS[text.kind]
        runs = text.line
        if text.kind == "heading":
            runs = tuple(Run(run.text, "strong") if run.tone == "plain" else run for run in runs)
        paragraphs.append(Paragraph(runs, size, gap))
    shown = [one for one in paragraphs if one.text()]
    return room.top() + _paint_fitted(painter, room, shown, style, largest)


def _paint_fitted(
    painter: QPainter, room: QRectF, paragraphs: list[Paragraph], style: FigureStyle, largest: int
) -> float:
    """Paint paragraphs in the largest size, up to ``largest``, at which they fit, and return their height.

    Nothing is cut.
    """
    blocks: list[tuple[float, TextBlock]] = []
    for size in range(largest, SMALLEST_TEXT - 1, -1):
        blocks = _blocks(paragraphs, room.width(), style, size)
        if not blocks or blocks[-1][0] + blocks[-1][1].height <= room.height():
            break
    needed = blocks[-1][0] + blocks[-1][1].height if blocks else 0.0
    painter.save()
    painter.translate(room.topLeft())
    if needed > room.height():  # labels of thousands of characters
        painter.scale(room.height() / needed, room.height() / needed)
    for top, block in blocks:
        block.paint(painter, 0.0, top)
    painter.restore()
    return min(needed, room.height())


def _blocks(
    paragraphs: list[Paragraph], width: float, style: FigureStyle, size: int
) -> list[tuple[float, TextBlock]]:
    """Return the paragraphs broken into lines in a size of text, each with its top."""
    colors = {field.name: str(getattr(style, field.name)) for field in fields(style)}
    colors |= {"plain": style.text, "strong": style.text}
    font = font_of(Face(size, REGULAR, style.font_family))
    placed: list[tuple[float, TextBlock]] = []
    bottom = 0.0
    for at, paragraph in enumerate(paragraphs):
        block = TextBlock(paragraph, font, colors, width)
        top = bottom + (paragraph.gap * size / LARGEST_TEXT if at else 0.0)
        placed.append((top, block))
        bottom = top + block.height
    return placed


def _texts(content: HandoutContent) -> Iterator[str]:
    """Yield every text, for fonts and for the characters that searching finds."""
    yield from (content.title, *content.step_titles, _("page {number} of {count}", number=1, count=1))
    for page in content.pages:
        yield from (line_text(text.line) for text in page.texts)
        if page.plane is not None:
            yield from figure_texts(PlaneFigure(page.plane))
        if page.matrices:
            yield from figure_texts(MatrixFigure(page.matrices))
        if page.picture is not None:
            yield from picture_texts(page.picture)
