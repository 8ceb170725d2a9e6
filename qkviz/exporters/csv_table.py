"""Matrices as CSV: text that reads back as exactly the same numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.exporters.axes import exact_number
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance


def write_csv(contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE) -> None:
    """Write matrices as UTF-8 text with commas and points, in every language of the interface.

    One matrix is a plain table: the first line holds the column labels, each further one a row label and
    its values. Several matrices are such tables one after another, each headed by a line with the matrix's
    name, with an empty line between them.

    Values are the shortest text that reads back as the same float64; a masked cell is ``-inf``, a cell
    without a value ``nan``. There is no place for the provenance in a plain table.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary:
        temporary.write_text(csv_text(contents), encoding="utf-8", newline="")


def write_tsv(contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE) -> None:
    """Write matrices as `write_csv` does, but with tabs between the cells.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary:
        temporary.write_text(csv_text(contents, "\t"), encoding="utf-8", newline="")


def csv_text(contents: Sequence[MatrixContent], delimiter: str = ",") -> str:
    """Return what `write_csv` writes, or the same with another character between the cells."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    for at, content in enumerate(contents):
        if at:
            writer.writerow([])
        if len(contents) > 1:
            writer.writerow([content.name.value])
        writer.writerows(_table(content))
    return text.getvalue()


def _table(content: MatrixContent) -> Iterator[list[str]]:
    yield ["", *content.column_labels]
    values, kinds = content.values.tolist(), content.kinds.tolist()
    for label, row, row_kinds in zip(content.row_labels, values, kinds, strict=True):
        yield [label, *map(exact_number, row, row_kinds)]  # inf and nan as Python, numpy and pandas read them
