"""``qkviz info``: what is in a file, without a window."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from qkviz.command_line import CommandLine
from qkviz.translate import Phrase, _


def info_lines(words: Sequence[str]) -> Iterator[str]:
    """Yield the lines that ``qkviz info`` prints.

    Raises
    ------
    Refusal
        If no file is named, or one cannot be read.
    """
    line = CommandLine(
        "qkviz info",
        _("FILE … [options]"),
        _("Say what is in a file: names, shapes, types and ranges of its arrays."),
        "",
    )
    line.add_argument("files", nargs="*", metavar="FILE", type=Path, help="")
    line.options.add_argument("--encoding", metavar="NAME", help=_("of a text table: utf-8 or gb18030"))
    options = line.read(words)
    if not options.files:
        raise line.refusal(Phrase("{option} is missing", option="FILE"))
    from qkviz.importers.table_file import ENCODINGS  # noqa: PLC0415  loads numpy

    if options.encoding not in (None, *ENCODINGS):
        raise line.refusal(Phrase("“{word}” is not understood", word=options.encoding))
    for at, path in enumerate(options.files):
        if at:
            yield ""
        yield from _file_lines(path, options.encoding or ENCODINGS[0])


def _file_lines(path: Path, encoding: str) -> Iterator[str]:
    from qkviz.importers.formats import read_file  # noqa: PLC0415  loads numpy
    from qkviz.importers.found import TableChoices  # noqa: PLC0415
    from qkviz.importers.guesses import guessed_choices  # noqa: PLC0415
    from qkviz.presenters.found_arrays import (  # noqa: PLC0415  loads torch
        file_sentence,
        look_at_ranges,
        present_array,
        role_text,
    )

    found = read_file(path, TableChoices(encoding=encoding))
    yield file_sentence(found)
    guessed = guessed_choices(found).arrays
    rows = []
    for array, numbers, choice in zip(found.arrays, look_at_ranges(found.arrays), guessed, strict=True):
        row = present_array(array, numbers)
        role = "" if choice.role is None else role_text(choice.role)
        rows.append((row.name.replace("\n", " "), row.shape, row.dtype, row.range, role))
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        padded = [cell + " " * (width - _columns(cell)) for cell, width in zip(cells, widths, strict=True)]
        yield ("  " + "  ".join(padded)).rstrip()


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes; Chinese takes two a character."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
