"""The options of ``qkviz export``: read and checked before Qt and torch are imported."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qkviz.command_line import CommandLine, one_of, whole_number
from qkviz.translate import Phrase, Refusal, _

MATRIX_NAMES = (
    "x", "x_k", "q", "k", "v", "xxt", "scores", "scaled", "capped", "bias", "masked", "weights", "output",
    "wqwkt", "symmetric", "antisymmetric",
)  # fmt: skip
"""The values of `MatrixName`, which is not imported here because it brings torch along."""

STAGES = ("scores", "scaled", "masked", "weights")
"""What the bars of a row can be."""

ROLES = (
    "x", "x_k", "w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "mask", "tokens", "key_tokens",
)  # fmt: skip
"""The values of `ArrayRole`, which is not imported here because it brings numpy along."""

DOCUMENTS = (".py", ".qkviz")
"""What the whole document can be written as."""

PICTURES, NUMBERS = (".png", ".svg", ".pdf"), (".csv", ".tsv", ".npz", ".json", ".tex", ".md")

COLOR_NAMES = (
    "red-blue", "vik", "purple-orange", "broc", "purples", "viridis", "cividis", "batlow", "greys",
)  # fmt: skip
"""The names of `COLOR_MAPS`, which is not imported here because it brings numpy along."""

_SIZE = re.compile(r"(\d{1,9}(?:\.\d+)?)x(\d{1,9}(?:\.\d+)?)(mm)?")
_LARGEST_SIDE = 30_000
"""The `LARGEST_SIDE` of `PictureSize`, which is not imported here because it brings Qt along."""
_MOST_DECIMALS = 8
_OF_PICTURES = ("size", "dpi", "title", "transparent", "no_values")
_OF_CELLS = ("colors", "range")


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a picture, in pixels or in millimetres."""

    width: float
    height: float
    in_mm: bool


def read_options(words: Sequence[str]) -> argparse.Namespace:
    """Return the options in ``words``.

    Raises
    ------
    Refusal
        If one cannot be read, is missing, or does not go with another.
    """
    line = _command_line()
    options = line.read(words)
    _check(line, options)
    return options


def _command_line() -> CommandLine:
    line = CommandLine(
        "qkviz export",
        _("(FILE … | --lesson N) (--matrix NAME … | --row N | --plane | --handout) --out FILE [options]"),
        _("Save what a file or a lesson shows: matrices, a row, the plane, a handout. No display is needed."),
        _("Matrices: {names}", names=" ".join(MATRIX_NAMES))
        + "\n"
        + _("Pictures: {suffixes}", suffixes=" ".join(PICTURES))
        + "\n"
        + _("Numbers: {suffixes}", suffixes=" ".join(NUMBERS))
        + "\n"
        + _("The whole document: {suffixes}", suffixes=" ".join(DOCUMENTS))
        + "\n"
        + _("Colours: {names}", names=" ".join(COLOR_NAMES)),
    )
    add = line.options.add_argument
    line.add_argument("files", nargs="*", metavar="FILE", type=Path, help=argparse.SUPPRESS)
    add("--lesson", metavar="N", type=whole_number, help=_("the lesson whose document is drawn"))
    add("--matrix", metavar="NAME", nargs="+", type=one_of(MATRIX_NAMES), help=_("one or more matrices"))
    add("--row", metavar="N", type=whole_number, help=_("the bars of the N-th query instead of matrices"))
    add("--stage", metavar="NAME", type=one_of(STAGES), help=_("what the bars are (default weights)"))
    add("--plane", action="store_true", help=_("the vector plane instead of matrices"))
    add("--handout", action="store_true", help=_("the six steps with words and pictures, a PDF page each"))
    add("--out", metavar="FILE", type=Path, help=_("file to write; its suffix chooses the format"))
    add("--size", metavar="WxH", type=_size, help=_("size in pixels, 1200x900, or on paper, 160x120mm"))
    add("--dpi", metavar="N", type=whole_number, help=_("dots per inch written into a PNG (default 192)"))
    add("--title", metavar="TEXT", help=_("a title above the picture"))
    add("--transparent", action="store_true", help=_("no background behind the picture"))
    add("--no-values", action="store_true", help=_("no numbers in the cells"))
    add("--decimals", metavar="N", type=_decimals, help=_("digits after the point in the cells (default 2)"))
    add(
        "--colors",
        metavar="NAME",
        nargs="+",
        type=one_of(COLOR_NAMES),
        help=_("colour map of scores, weights"),
    )
    add("--range", metavar=("LOW", "HIGH"), nargs="+", help=_("what the colours reach over; or: own, locked"))
    add("--role", metavar="ARRAY=ROLE", nargs="+", type=_role, help=_("what the arrays of the files are"))
    add("--encoding", metavar="NAME", help=_("of a text table: utf-8 or gb18030"))
    add("--colored", action="store_true", help=_("a LaTeX table with coloured cells"))
    return line


def _role(word: str) -> tuple[str, str]:
    name, equals, role = word.rpartition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(_("“{word}” is not like layer.q=q", word=word))
    return name, one_of(ROLES)(role)


def _decimals(word: str) -> int:
    if word.isascii() and word.isdigit() and int(word) <= _MOST_DECIMALS:
        return int(word)
    problem = _("“{word}” is not a whole number from 0 to {most}", word=word, most=_MOST_DECIMALS)
    raise argparse.ArgumentTypeError(problem)


def _size(word: str) -> Size:
    match = _SIZE.fullmatch(word)
    if match is None or not (float(match[1]) and float(match[2])):
        raise argparse.ArgumentTypeError(_("“{word}” is not a size like 1200x900 or 160x120mm", word=word))
    if match[3] is None and max(float(match[1]), float(match[2])) > _LARGEST_SIDE:
        problem = _("“{word}” is too large: a side has at most {most} pixels", word=word, most=_LARGEST_SIDE)
        raise argparse.ArgumentTypeError(problem)
    return Size(float(match[1]), float(match[2]), in_mm=match[3] is not None)


def _check(line: CommandLine, options: argparse.Namespace) -> None:
    """Refuse what is missing and what does not go together."""
    if bool(options.files) is (options.lesson is not None):
        raise line.refusal(Phrase("either --lesson or a FILE says where it comes from"))
    if options.out is None:
        raise line.refusal(Phrase("{option} is missing", option="--out"))
    _check_encoding(line, options)
    suffix = options.out.suffix.lower()
    subjects = sum(map(bool, (options.matrix, options.row, options.plane, options.handout)))
    if suffix in DOCUMENTS:
        others = ("matrix", "row", "plane", "handout", "stage", *_OF_PICTURES, *_OF_CELLS)
        _refuse(options, (*others, "decimals", "colored"), suffix)
    elif subjects != 1:
        raise line.refusal(Phrase("one of --matrix, --row, --plane, --handout says what to draw"))
    if suffix not in PICTURES + NUMBERS + DOCUMENTS:
        raise Refusal(
            "“{path}” has none of the suffixes that choose a format: {suffixes}.",
            path=options.out,
            suffixes=", ".join(PICTURES + NUMBERS + DOCUMENTS),
        )
    if suffix not in DOCUMENTS:
        _check_looks(line, options, suffix)
    if not options.out.parent.is_dir():
        raise Refusal("There is no folder “{folder}” to write to.", folder=options.out.parent)


def _check_encoding(line: CommandLine, options: argparse.Namespace) -> None:
    if options.lesson is not None:
        _refuse(options, ("role", "encoding"), "--lesson")
    elif options.encoding is not None:
        from qkviz.importers.table_file import ENCODINGS  # noqa: PLC0415  loads numpy

        if options.encoding not in ENCODINGS:
            raise line.refusal(Phrase("“{word}” is not understood", word=options.encoding))


def _check_looks(line: CommandLine, options: argparse.Namespace, suffix: str) -> None:
    """Refuse what says nothing about this picture or these numbers."""
    if options.handout:
        if suffix != ".pdf":
            raise Refusal("--handout does not fit {suffix}: use .pdf.", suffix=suffix)
        _refuse(options, (*_OF_PICTURES, *_OF_CELLS, "decimals", "colored", "stage"), "--handout")
    elif suffix in NUMBERS:
        _refuse(options, ("plane", "row", *_OF_PICTURES), suffix)
    elif options.dpi is not None and suffix != ".png":
        raise _does_not_fit("dpi", suffix)
    if suffix != ".tex":
        _refuse(options, ("colored",), suffix)
    if suffix in NUMBERS and suffix != ".tex":
        _refuse(options, (*_OF_CELLS, "decimals"), suffix)
    if options.plane:
        if options.no_values:
            raise line.refusal(Phrase("--no-values is for matrices"))
        _refuse(options, (*_OF_CELLS, "decimals"), "--plane")
    if options.row:
        _refuse(options, _OF_CELLS, "--row")
    else:
        _refuse(options, ("stage",), "--matrix" if options.matrix else "--plane")
    if options.range is not None and options.range not in (["own"], ["locked"]):
        options.range = _typed_range(line, options.range)


def _typed_range(line: CommandLine, words: Sequence[str]) -> tuple[float, float]:
    from qkviz.presenters.number_parse import parse_number  # noqa: PLC0415  not before it is needed

    if len(words) != 2:
        raise line.refusal(Phrase("--range takes two numbers, own, or locked"))
    low, high = map(parse_number, words)
    return low, high


def _refuse(options: argparse.Namespace, names: Sequence[str], other: str) -> None:
    """Refuse options that say nothing beside ``other``."""
    for name in names:
        if getattr(options, name) not in (None, False):
            raise _does_not_fit(name, other)


def _does_not_fit(option: str, suffix: str) -> Refusal:
    return Refusal("--{option} does not fit {suffix}.", option=option.replace("_", "-"), suffix=suffix)
