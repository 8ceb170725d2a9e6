"""The formats in which numbers and documents are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from qkviz.document.files import SavedDocument, write_document
from qkviz.document.session import Snapshot
from qkviz.exporters.csv_table import write_csv, write_tsv
from qkviz.exporters.json_text import write_json
from qkviz.exporters.latex import write_colored_latex, write_latex
from qkviz.exporters.markdown import write_markdown
from qkviz.exporters.npz_arrays import write_npz
from qkviz.exporters.python_script import write_script
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import Provenance
from qkviz.translate import N_


class MatrixWriter(Protocol):
    """Writes matrices with what is known of their source."""

    def __call__(
        self, contents: Sequence[MatrixContent], path: Path, provenance: Provenance = ..., /
    ) -> None:
        """Write the file whole or not at all."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A row of `EXPORTERS`.

    Attributes
    ----------
    label
        English; translated where it is shown.
    suffix
        With its dot, in lower case.
    write
        Takes the matrices, the path, and what is known of their source.
    write_colored
        The same with the colours of the cells, where the format has a way to say them.
    """

    label: str
    suffix: str
    write: MatrixWriter
    write_colored: MatrixWriter | None = None


@dataclass(frozen=True, slots=True)
class DocumentExporter:
    """A row of `DOCUMENT_EXPORTERS`; ``write`` takes what is shown and the path."""

    label: str
    suffix: str
    write: Callable[[Snapshot, Path], None]


def _write_document(snapshot: Snapshot, path: Path) -> None:
    write_document(SavedDocument(snapshot.document, snapshot.focus), path)


EXPORTERS = (
    Exporter(N_("CSV table"), ".csv", write_csv),
    Exporter(N_("TSV table"), ".tsv", write_tsv),
    Exporter(N_("NumPy arrays"), ".npz", write_npz),
    Exporter(N_("JSON"), ".json", write_json),
    Exporter(N_("LaTeX"), ".tex", write_latex, write_colored_latex),
    Exporter(N_("Markdown table"), ".md", write_markdown),
)
"""What matrices can be written as."""

DOCUMENT_EXPORTERS = (
    DocumentExporter(N_("PyTorch script"), ".py", write_script),
    DocumentExporter(N_("qkviz document"), ".qkviz", _write_document),
)
"""What the whole document can be written as."""
