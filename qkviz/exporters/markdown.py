"""Matrices as Markdown tables, for notes and for issues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.exporters.axes import axes_of, exact_number
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance, provenance_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!+.()-])")
"""What Markdown, or the HTML in it, might read as something else."""


def write_markdown(
    contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE
) -> None:
    """Write matrices as tables with a heading each, in UTF-8.

    Values are the shortest text that reads back as the same float64; a masked cell is ``-inf``, a cell
    without a value ``nan``. The provenance stands in a comment, which is not shown.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary:
        temporary.write_text(markdown_text(contents, provenance), encoding="utf-8", newline="\n")


def markdown_text(contents: Sequence[MatrixContent], provenance: Provenance = NO_PROVENANCE) -> str:
    """Return what `write_markdown` writes."""
    blocks = ["\n".join(_table(content)) for content in contents]
    if provenance:
        # two hyphens would end a comment
        blocks.append(f"<!-- {provenance_line(provenance).replace('--', '- -')} -->")
    return "\n\n".join(blocks) + "\n"


def _table(content: MatrixContent) -> Iterator[str]:
    rows, columns = content.values.shape
    yield f"### {escaped(content.title)}"
    yield ""
    yield f"{rows} × {columns}, {' × '.join(axes_of(content))}"
    yield ""
    yield _line(["", *map(escaped, content.column_labels)])
    yield _line([":--", *["--:"] * columns])
    values, kinds = content.values.tolist(), content.kinds.tolist()
    for label, row, row_kinds in zip(content.row_labels, values, kinds, strict=True):
        yield _line([escaped(label), *map(exact_number, row, row_kinds)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return ``text`` so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text)
