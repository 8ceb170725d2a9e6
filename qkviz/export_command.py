"""``qkviz export``: a lesson's matrices or its vector plane as a file, without a display.

The options are read and checked before Qt and torch are imported, so a slip of the pen is answered at once.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qkviz.command_line import CommandLine, one_of, whole_number
from qkviz.translate import Phrase, Refusal, _

MATRIX_NAMES = (
    "x", "x_k", "q", "k", "v", "xxt", "scores", "scaled", "masked", "weights", "output",
    "wqwkt", "symmetric", "antisymmetric",
)  # fmt: skip
"""The values of `MatrixName`, which is not imported here because it brings torch along."""

PICTURES, NUMBERS = (".png", ".svg", ".pdf"), (".csv", ".npz")

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
        If an option, the lesson or a matrix cannot be had, or the file cannot be written. No file is left then.
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
        "--lesson N (--matrix NAME … | --plane) --out FILE " + _("[options]"),
        _("Save matrices of a lesson, or its vector plane. No display is needed."),
        _("Matrices: {names}", names=" ".join(MATRIX_NAMES))
        + "\n"
        + _("Formats: pictures {pictures}; numbers {numbers}", pictures=" ".join(PICTURES), numbers=" ".join(NUMBERS)),
    )
    add = line.options.add_argument
    add("--lesson", metavar="N", type=whole_number, help=_("the lesson whose document is drawn"))
    add("--matrix", metavar="NAME", nargs="+", type=one_of(MATRIX_NAMES), help=_("one or more matrices"))
    add("--plane", action="store_true", help=_("the vector plane instead of matrices"))
    add("--out", metavar="FILE", type=Path, help=_("file to write; its suffix chooses the format"))
    add("--size", metavar="WxH", type=_size, help=_("size in pixels, 1200x900, or on paper, 160x120mm"))
    add("--dpi", metavar="N", type=whole_number, help=_("dots per inch written into a PNG (default 144)"))
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
    if bool(options.matrix) == options.plane:
        raise line.refusal(Phrase("either --matrix or --plane says what to draw"))
    suffix = options.out.suffix.lower()
    if suffix not in PICTURES + NUMBERS:
        raise Refusal(
            "“{path}” has none of the suffixes that choose a format: {suffixes}.",
            path=options.out,
            suffixes=", ".join(PICTURES + NUMBERS),
        )
    if suffix in NUMBERS:
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
    from qkviz.attention.matrices import MatrixName  # noqa: PLC0415  torch
    from qkviz.document.session import Session  # noqa: PLC0415
    from qkviz.lessons.library import lesson_by_number  # noqa: PLC0415
    from qkviz.presenters.matrix import present_matrix  # noqa: PLC0415
