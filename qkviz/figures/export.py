"""Pictures into files and onto the clipboard: PNG, SVG, PDF, each written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from qkviz.atomic_file import atomic_path
from qkviz.figures.figure import (
    Figure,
    MatrixFigure,
    PlaneFigure,
    RowFigure,
    WindowFigure,
    figure_texts,
    paint_figure,
)
from qkviz.figures.fonts import REGULAR, SEMIBOLD, Face, load_fonts
from qkviz.figures.metadata import pdf_metadata, png_texts, svg_metadata
from qkviz.figures.pdf_text import with_written_characters
from qkviz.figures.picture_size import MM_PER_INCH, SCREEN_DPI, PictureSize
from qkviz.figures.png_file import png_bytes
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.figures.svg_text import with_portable_texts
from qkviz.presenters.provenance import NO_PROVENANCE, PROGRAM, Provenance, provenance_line
from qkviz.translate import N_, Refusal, _

CREATOR = PROGRAM
POINTS_PER_INCH = 72
PDF_DPI = 1200
"""Steps of an inch in a PDF."""


@dataclass(frozen=True, slots=True)
class PictureFormat:
    """A row of `PICTURE_FORMATS`."""

    label: str
    suffix: str
    write: Callable[[Figure, Path, PictureSize, FigureStyle, Provenance], None]


def transparent(style: FigureStyle) -> FigureStyle:
    """Return a style whose ground is not painted."""
    return replace(style, background=None)


def figure_image(figure: Figure, size: PictureSize, style: FigureStyle = LIGHT) -> QImage:
    """Return a figure as an image of exactly this size, for PNG, clipboard and preview.

    The result does not depend on the screen. The caller owns it.
    """
    load_fonts()
    is_opaque = style.background is not None  # then the figure fills the whole image
    layout = QImage.Format.Format_RGB32 if is_opaque else QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(size.width, size.height, layout)
    if image.isNull():
        raise Refusal(
            "There is not enough memory for a picture of {size} pixels.", size=f"{size.width} × {size.height}"
        )
    if not is_opaque:
        image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_figure(painter, QRectF(0.0, 0.0, size.width, size.height), figure, style)
    painter.end()
    per_metre = round(size.dpi / MM_PER_INCH * 1000)
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    return image


def write_png(
    figure: Figure,
    path: Path,
    size: PictureSize,
    style: FigureStyle = LIGHT,
    provenance: Provenance = NO_PROVENANCE,
) -> None:
    """Write a figure as PNG with its resolution, its source in text chunks.

    Raises
    ------
    OSError
        If the file cannot be written.
    Refusal
        If there is not enough memory.
    """
    _write(path, png_bytes(figure_image(figure, size, style), png_texts(_title(figure), provenance)))


def write_svg(
    figure: Figure,
    path: Path,
    size: PictureSize,
    style: FigureStyle = LIGHT,
    provenance: Provenance = NO_PROVENANCE,
) -> None:
    """Write a figure as SVG: text stays text, one unit is 1/96 inch, its source is metadata.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    load_fonts()
    width, height = size.width / size.dpi * SCREEN_DPI, size.height / size.dpi * SCREEN_DPI
    buffer = _open_buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(round(SCREEN_DPI))  # with its own 72 the picture would be 4/3 as large as asked
    generator.setSize(QSize(max(1, round(width)), max(1, round(height))))
    generator.setViewBox(QRectF(0.0, 0.0, width, height))
    generator.setTitle(_title(figure))
    generator.setDescription(provenance_line(provenance) or PROGRAM)
    painter = QPainter(generator)
    paint_figure(painter, QRectF(0.0, 0.0, width, height), figure, style)
    painter.end()
    svg = with_portable_texts(bytes(buffer.data().data()), size.width_mm, size.height_mm, style.font_family)
    _write(path, svg.replace(b"<defs>", svg_metadata(provenance) + b"<defs>", 1))


def write_pdf(
    figure: Figure,
    path: Path,
    size: PictureSize,
    style: FigureStyle = LIGHT,
    provenance: Provenance = NO_PROVENANCE,
) -> None:
    """Write a figure as a PDF of one page: text stays text, pictures stay without loss, its source is XMP.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    load_fonts()
    buffer = _open_buffer()
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DPI)
    writer.setPageSize(
        QPageSize(
            QSizeF(size.width_mm, size.height_mm),
            QPageSize.Unit.Millimeter,
            "",
            QPageSize.SizeMatchPolicy.ExactMatch,
        )
    )
    writer.setPageOrientation(QPageLayout.Orientation.Portrait)
    writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
    writer.setTitle(_title(figure))
    writer.setCreator(provenance.get("program", PROGRAM))
    writer.setDocumentXmpMetadata(pdf_metadata(_title(figure), provenance))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    page = writer.pageLayout().fullRectPoints()  # Qt's page has whole points; beyond it all would be cut
    unit = PDF_DPI / POINTS_PER_INCH
    paint_figure(painter, QRectF(0.0, 0.0, page.width() * unit, page.height() * unit), figure, style)
    painter.end()
    faces = [Face(16, weight, style.font_family) for weight in (REGULAR, SEMIBOLD)]
    _write(path, with_written_characters(bytes(buffer.data().data()), figure_texts(figure), faces))


PICTURE_FORMATS = (
    PictureFormat(N_("PNG picture"), ".png", write_png),
    PictureFormat(N_("SVG drawing"), ".svg", write_svg),
    PictureFormat(N_("PDF document"), ".pdf", write_pdf),
)
"""What a figure can be written as; labels are translated where they are shown."""


def write_picture(
    figure: Figure,
    path: Path,
    size: PictureSize,
    style: FigureStyle = LIGHT,
    provenance: Provenance = NO_PROVENANCE,
) -> None:
    """Write a figure in the format that the suffix of ``path`` names, in upper or lower case.

    Raises
    ------
    Refusal
        If no format has this suffix.
    OSError
        If the file cannot be written.
    """
    for format_ in PICTURE_FORMATS:
        if path.suffix.lower() == format_.suffix:
            format_.write(figure, path, size, style, provenance)
            return
    raise Refusal(
        "“{name}” ends in no picture format; there are {suffixes}.",
        name=path.name,
        suffixes=_(", ").join(format_.suffix for format_ in PICTURE_FORMATS),
    )


def _title(figure: Figure) -> str:
    if figure.title:
        return figure.title
    match figure:
        case MatrixFigure(contents):
            return contents[0].title
        case PlaneFigure(content):
            return content.headline
        case RowFigure(content):
            return f"{content.title} · {content.subtitle}"
        case WindowFigure():
            return figure.headline


def _open_buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def _write(path: Path, data: bytes) -> None:
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)
