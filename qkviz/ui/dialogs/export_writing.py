"""A request written into a file; the preview of what is text is the beginning of that file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from qkviz.document.session import Snapshot
from qkviz.exporters.formats import DOCUMENT_EXPORTERS, EXPORTERS
from qkviz.figures.export import write_picture
from qkviz.figures.handout import write_handout
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    in_language,
    picture_style,
    requested_contents,
    requested_figure,
    requested_handout,
    requested_provenance,
)

TEXT_SUFFIXES = frozenset({".csv", ".tsv", ".json", ".tex", ".md", ".py"})
MOST_PREVIEWED_CELLS = 20_000
SHOWN_CHARACTERS, SHOWN_LINES = 20_000, 200


def write_request(request: ExportRequest, snapshot: Snapshot, path: Path) -> None:
    """Write what was asked for in the format of the suffix of ``path``.

    Raises
    ------
    OSError
        If the file cannot be written.
    Refusal
        If the format cannot hold it, or no format has this suffix.
    """
    suffix = path.suffix.lower()
    if request.subject is ExportSubject.HANDOUT:
        provenance = requested_provenance(request, snapshot)
        with in_language(request.language):
            write_handout(requested_handout(request, snapshot), path, provenance=provenance)
        return
    with in_language(request.language):
        for row in DOCUMENT_EXPORTERS:
            if row.suffix == suffix:
                row.write(snapshot, path)
                return
        provenance = requested_provenance(request, snapshot)
        for exporter in EXPORTERS:
            if exporter.suffix == suffix:
                colored = exporter.write_colored if request.colored else None
                (colored or exporter.write)(requested_contents(request, snapshot), path, provenance)
                return
    figure = requested_figure(request, snapshot)
    write_picture(figure, path, request.size, picture_style(request), provenance)


def preview_text(request: ExportRequest, snapshot: Snapshot) -> str | None:
    """Return the beginning of the file, or None where it is no text or too long to be written for a look.

    Raises
    ------
    OSError
        If there is no room for a temporary file.
    Refusal
        If the format cannot hold it.
    """
    contents = requested_contents(request, snapshot)
    is_long = sum(content.values.size for content in contents) > MOST_PREVIEWED_CELLS
    if request.suffix not in TEXT_SUFFIXES or (is_long and request.suffix != ".tex"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"preview{request.suffix}")
        write_request(request, snapshot, path)
        with path.open(encoding="utf-8") as file:
            text = file.read(SHOWN_CHARACTERS)
    lines = text.splitlines()
    return "\n".join([*lines[:SHOWN_LINES], "…"] if len(lines) > SHOWN_LINES else lines)
