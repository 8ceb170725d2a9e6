"""``qkviz export``: a lesson's matrices, its vector plane or its handout as a file, without a display.

The options are read and checked before Qt and torch are imported, so a slip of the pen is answered at once.
"""

from __future__ import annotations

import argparse
import logging
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.command_line import CommandLine, one_of, whole_number
from qkviz.qt_start import installation_problem
from qkviz.translate import Phrase, Refusal, _

if TYPE_CHECKING:
    from qkviz.document.session import Snapshot
    from qkviz.figures.figure import Figure
    from qkviz.figures.picture_size import PictureSize
    from qkviz.lessons.lesson import Lesson
    from qkviz.presenters.provenance import Provenance

_log = logging.getLogger(__name__)

MATRIX_NAMES = (
    "x", "x_k", "q", "k", "v", "xxt", "scores", "scaled", "masked", "weights", "output",
    "wqwkt", "symmetric", "antisymmetric",
)  # fmt: skip
"""The values of `MatrixName`, which is not imported here because it brings torch along."""

PICTURES, NUMBERS = (".png", ".svg", ".pdf"), (".csv", ".tsv", ".npz", ".json", ".tex", ".md")

PNG_DPI = 192
"""Twice the screen's, so that a picture on a slide is sharp."""

VECTOR_DPI = 600.0
"""Steps of an inch to which millimetres are rounded where there are no pixels."""

_SIZE = re.compile(r"(\d{1,5}(?:\.\d+)?)x(\d{1,5}(?:\.\d+)?)(mm)?")


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a picture, in pixels or in millimetres."""

    width: float
    height: float
    in_mm: bool


def run_export(words: Sequence[str]) -> None:
    """Read the options in ``words`` and write the file they ask for.

    Raises
    ------
    Refusal
        If an option, the lesson or a matrix cannot be had, or the file cannot be written; none is left then.
    """
    line = _command_line()
    options = line.read(words)
    _check(line, options)
    try:
        _write(options)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refusal("{path} cannot be written: {reason}.", path=options.out, reason=reason) from error


def _command_line() -> CommandLine:
    line = CommandLine(
        "qkviz export",
        _("--lesson N (--matrix NAME … | --plane | --handout) --out FILE [options]"),
        _("Save matrices of a lesson, its vector plane, or its handout. No display is needed."),
        _("Matrices: {names}", names=" ".join(MATRIX_NAMES))
        + "\n"
        + _("Pictures: {suffixes}", suffixes=" ".join(PICTURES))
        + "\n"
        + _("Numbers: {suffixes}", suffixes=" ".join(NUMBERS)),
    )
    add = line.options.add_argument
    add("--lesson", metavar="N", type=whole_number, help=_("the lesson whose document is drawn"))
    add("--matrix", metavar="NAME", nargs="+", type=one_of(MATRIX_NAMES), help=_("one or more matrices"))
    add("--plane", action="store_true", help=_("the vector plane instead of matrices"))
    add("--handout", action="store_true", help=_("the six steps with words and pictures, a PDF page each"))
    add("--out", metavar="FILE", type=Path, help=_("file to write; its suffix chooses the format"))
    add("--size", metavar="WxH", type=_size, help=_("size in pixels, 1200x900, or on paper, 160x120mm"))
    add("--dpi", metavar="N", type=whole_number, help=_("dots per inch written into a PNG (default 192)"))
    add("--title", metavar="TEXT", help=_("a title above the picture"))
    add("--transparent", action="store_true", help=_("no ground behind the picture"))
    add("--no-values", action="store_true", help=_("no numbers in the cells"))
    return line


def _size(word: str) -> Size:
    match = _SIZE.fullmatch(word)
    if match is None or not (float(match[1]) and float(match[2])):
        raise argparse.ArgumentTypeError(_("“{word}” is not a size like 1200x900 or 160x120mm", word=word))
    return Size(float(match[1]), float(match[2]), in_mm=match[3] is not None)


def _check(line: CommandLine, options: argparse.Namespace) -> None:
    """Refuse what is missing and what does not go together."""
    for option in ("lesson", "out"):
        if getattr(options, option) is None:
            raise line.refusal(Phrase("{option} is missing", option=f"--{option}"))
    if bool(options.matrix) + options.plane + options.handout != 1:
        raise line.refusal(Phrase("one of --matrix, --plane, --handout says what to draw"))
    suffix = options.out.suffix.lower()
    if suffix not in PICTURES + NUMBERS:
        raise Refusal(
            "“{path}” has none of the suffixes that choose a format: {suffixes}.",
            path=options.out,
            suffixes=", ".join(PICTURES + NUMBERS),
        )
    if options.handout:
        if suffix != ".pdf":
            raise _does_not_fit("handout", suffix)
        for option in ("size", "dpi", "title", "transparent", "no_values"):
            if getattr(options, option):
                raise _does_not_fit(option, "--handout")
    elif suffix in NUMBERS:
        for option in ("plane", "size", "dpi", "title", "transparent", "no_values"):
            if getattr(options, option):
                raise _does_not_fit(option, suffix)
    elif options.dpi is not None and suffix != ".png":
        raise _does_not_fit("dpi", suffix)
    if options.plane and options.no_values:
        raise line.refusal(Phrase("--no-values is for matrices"))
    if not options.out.parent.is_dir():
        raise Refusal("There is no folder “{folder}” to write to.", folder=options.out.parent)


def _does_not_fit(option: str, suffix: str) -> Refusal:
    return Refusal("--{option} does not fit {suffix}.", option=option.replace("_", "-"), suffix=suffix)


def _write(options: argparse.Namespace) -> None:
    """Make the contents of the lesson and write them.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    from qkviz.document.focus import Focus  # noqa: PLC0415  this and the following load torch
    from qkviz.document.session import Session  # noqa: PLC0415
    from qkviz.lessons.library import lesson_by_number  # noqa: PLC0415

    lesson = lesson_by_number(options.lesson)
    # matrices are drawn as they are, without a pinned cell; everything else shows the lesson's pair
    focus = Focus() if options.matrix else lesson.focus
    snapshot = Session(lesson.document(), focus).snapshot
    if options.handout:
        _write_handout(snapshot, lesson, options)
    elif options.plane:
        _write_plane(snapshot, options)
    else:
        _write_matrices(snapshot, options)


def _write_handout(snapshot: Snapshot, lesson: Lesson, options: argparse.Namespace) -> None:
    from qkviz.presenters.handout import present_handout  # noqa: PLC0415  loads torch

    content = present_handout(snapshot, lesson)
    with _qt_without_display():
        from qkviz.figures.fonts import load_fonts  # noqa: PLC0415  loads Qt
        from qkviz.figures.handout import missing_in_handout, write_handout  # noqa: PLC0415

        load_fonts()
        _warn_of_missing(missing_in_handout(content))
        write_handout(content, options.out)


def _write_plane(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from qkviz.presenters.plane import present_plane  # noqa: PLC0415  loads torch
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415

    content = present_plane(snapshot)
    provenance = present_provenance(snapshot, "plane")
    if not content.arrows:
        raise Refusal("{reason}", reason=content.note)
    with _qt_without_display():
        from qkviz.figures.figure import PlaneFigure  # noqa: PLC0415  loads Qt

        _write_picture(PlaneFigure(content, options.title), options, provenance)


def _write_matrices(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from qkviz.attention.matrices import MatrixName  # noqa: PLC0415  loads torch
    from qkviz.presenters.matrix import present_matrix  # noqa: PLC0415
    from qkviz.presenters.provenance import present_provenance  # noqa: PLC0415

    contents = tuple(present_matrix(snapshot, MatrixName(name)) for name in dict.fromkeys(options.matrix))
    provenance = present_provenance(snapshot, "matrices", contents)
    suffix = options.out.suffix.lower()
    if suffix in NUMBERS:
        from qkviz.exporters.formats import EXPORTERS  # noqa: PLC0415  loads numpy

        next(row for row in EXPORTERS if row.suffix == suffix).write(contents, options.out, provenance)
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
