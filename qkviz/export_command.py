"""``qkviz export``: matrices, vector plane, handout or whole document as a file, without a display.

The options are read and checked before Qt and torch are imported, so a slip of the pen is answered at once.
"""

from __future__ import annotations

import argparse
import logging
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from qkviz.export_options import NUMBERS, Size, read_options
from qkviz.export_source import ExportSource, export_source
from qkviz.qt_start import installation_problem
from qkviz.translate import Refusal, _

if TYPE_CHECKING:
    from qkviz.figures.figure import Figure
    from qkviz.figures.picture_size import PictureSize
    from qkviz.presenters.matrix_looks import MatrixLooks
    from qkviz.presenters.provenance import Provenance

_log = logging.getLogger(__name__)

PNG_DPI = 192
"""Twice the screen's, so that a picture on a slide is sharp."""

VECTOR_DPI = 600.0
"""Steps of an inch to which millimetres are rounded where there are no pixels."""


def run_export(words: Sequence[str]) -> None:
    """Read the options in ``words`` and write the file they ask for.

    Raises
    ------
    Refusal
        If an option, the lesson, a file or a matrix cannot be had, or it cannot be written: none is left.
    """
    options = read_options(words)
    try:
        _write(options)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refusal("{path} cannot be written: {reason}.", path=options.out, reason=reason) from error


def _write(options: argparse.Namespace) -> None:
    """Make what is asked for of the lesson or the files, and write it.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    source = export_source(options)
    if options.handout:
        _write_handout(source, options)
    elif options.plane:
        _write_plane(source, options)
    elif options.row:
        _write_row(source, options)
    elif options.matrix:
        _write_matrices(source, options)
    else:
        _write_document(source, options)


def _write_document(source: ExportSource, options: argparse.Namespace) -> None:
    from qkviz.exporters.formats import DOCUMENT_EXPORTERS  # noqa: PLC0415  loads torch

    row = next(row for row in DOCUMENT_EXPORTERS if row.suffix == options.out.suffix.lower())
    row.write(source.snapshot, options.out)


def _write_handout(source: ExportSource, options: argparse.Namespace) -> None:
    from qkviz.presenters.handout import present_handout  # noqa: PLC0415  loads torch
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415

    content = present_handout(source.snapshot, source.lesson)
    provenance = present_provenance(source.snapshot, "handout", document=source.name)
    with _qt_without_display():
        from qkviz.figures.fonts import load_fonts  # noqa: PLC0415  loads Qt
        from qkviz.figures.handout import missing_in_handout, write_handout  # noqa: PLC0415

        load_fonts()
        _warn_of_missing(missing_in_handout(content))
        write_handout(content, options.out, provenance=provenance)


def _write_plane(source: ExportSource, options: argparse.Namespace) -> None:
    from qkviz.presenters.plane import present_plane  # noqa: PLC0415  loads torch
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415

    content = present_plane(source.snapshot)
    provenance = present_provenance(source.snapshot, "plane", document=source.name)
    if not content.arrows:
        raise Refusal("{reason}", reason=content.note)
    with _qt_without_display():
        from qkviz.figures.figure import PlaneFigure  # noqa: PLC0415  loads Qt

        _write_picture(PlaneFigure(content, options.title), options, provenance)


def _write_row(source: ExportSource, options: argparse.Namespace) -> None:
    from qkviz.attention.matrices import MatrixName  # noqa: PLC0415  loads torch
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415
    from qkviz.presenters.row_chart import present_row_chart  # noqa: PLC0415

    snapshot = source.snapshot
    stage, query = MatrixName(options.stage or "weights"), options.row - 1
    content = present_row_chart(snapshot, stage, query, _looks(options).decimals)
    focus = replace(snapshot.focus, query=query, key=content.chosen)
    shown = replace(snapshot, focus=focus)
    provenance = present_provenance(shown, f"row of {stage.value}", document=source.name)
    with _qt_without_display():
        from qkviz.figures.figure import RowFigure  # noqa: PLC0415  loads Qt

        _write_picture(RowFigure(content, options.title, not options.no_values), options, provenance)


def _looks(options: argparse.Namespace) -> MatrixLooks:
    """Return the colours, range and decimals asked for."""
    from qkviz.presenters.color_maps import DIVERGING  # noqa: PLC0415  loads numpy
    from qkviz.presenters.matrix_looks import MatrixLooks  # noqa: PLC0415

    looks = MatrixLooks()
    for name in options.colors or ():
        looks = replace(looks, diverging=name) if name in DIVERGING else replace(looks, sequential=name)
    if isinstance(options.range, tuple):
        looks = replace(looks, range=options.range)
    return looks if options.decimals is None else replace(looks, decimals=options.decimals)


def _write_matrices(source: ExportSource, options: argparse.Namespace) -> None:
    from qkviz.attention.matrices import MatrixName  # noqa: PLC0415  loads torch
    from qkviz.presenters.matrix import present_matrices, present_matrix  # noqa: PLC0415
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415

    snapshot = source.snapshot
    names, looks = tuple(map(MatrixName, dict.fromkeys(options.matrix))), _looks(options)
    contents = tuple(present_matrix(snapshot, name, looks=looks) for name in names)
    if options.range == ["locked"]:
        focus = replace(snapshot.focus, matrices=names)
        contents = present_matrices(replace(snapshot, focus=focus), locked=True, looks=looks)
    provenance = present_provenance(snapshot, "matrices", contents, source.name)
    suffix = options.out.suffix.lower()
    if suffix in NUMBERS:
        from qkviz.exporters.formats import EXPORTERS  # noqa: PLC0415  loads numpy

        row = next(row for row in EXPORTERS if row.suffix == suffix)
        write = row.write_colored if options.colored and row.write_colored else row.write
        write(contents, options.out, provenance)
        return
    columns = len(contents) if len(contents) <= 3 else math.ceil(math.sqrt(len(contents)))
    with _qt_without_display():
        from qkviz.figures.figure import MatrixFigure  # noqa: PLC0415  loads Qt

        figure = MatrixFigure(contents, columns, options.title, not options.no_values)
        _write_picture(figure, options, provenance)


def _write_picture(figure: Figure, options: argparse.Namespace, provenance: Provenance) -> None:
    from qkviz.figures.export import transparent, write_picture  # noqa: PLC0415  loads Qt
    from qkviz.figures.figure import missing_glyphs  # noqa: PLC0415
    from qkviz.figures.fonts import load_fonts  # noqa: PLC0415
    from qkviz.figures.style import LIGHT  # noqa: PLC0415

    load_fonts()
    _warn_of_missing(missing_glyphs(figure))
    style = transparent(LIGHT) if options.transparent else LIGHT
    write_picture(figure, options.out, _size_of(figure, options), style, provenance)


def _warn_of_missing(characters: str) -> None:
    if characters:
        _log.warning(
            "%s", _("No installed font has {characters}: boxes stand for them.", characters=characters)
        )


def _size_of(figure: Figure, options: argparse.Namespace) -> PictureSize:
    from qkviz.figures.picture_size import SCREEN_DPI, PictureSize  # noqa: PLC0415  loads Qt

    is_png = options.out.suffix.lower() == ".png"
    size: Size | None = options.size
    if size is None:
        return PictureSize.natural(figure, (options.dpi or PNG_DPI) if is_png else SCREEN_DPI)
    dpi = (options.dpi or PNG_DPI) if is_png else (VECTOR_DPI if size.in_mm else SCREEN_DPI)
    if size.in_mm:
        return PictureSize.millimetres(size.width, size.height, dpi)
    return PictureSize(round(size.width), round(size.height), dpi)


@contextmanager
def _qt_without_display() -> Iterator[None]:
    """Hold the application object that fonts and pictures need; the running one, if there is one."""
    if sys.platform.startswith("linux"):  # elsewhere this platform has no fonts
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    problem = installation_problem(os.environ)
    if problem is not None:
        raise Refusal("{problem}", problem=problem)
    from PySide6.QtGui import QGuiApplication  # noqa: PLC0415

    application = QGuiApplication.instance() or QGuiApplication(["qkviz"])
    yield
    del application  # until here it must not be collected
