"""Matrices as JSON that every strict parser reads."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.exporters.axes import axes_of, exact_number
from qkviz.presenters.cells import CellKind
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance

FORMAT = "qkviz matrices"
VERSION = 1


def write_json(contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE) -> None:
    """Write matrices as one JSON object in UTF-8.

    ``matrices`` is a list of objects with ``name``, ``shape``, ``dtype``, ``axes``, ``row_labels``,
    ``column_labels`` and ``values``, a list of rows. Numbers read back as the same float64; JSON has no word
    for those that are not finite, so they are the strings ``"nan"``, ``"inf"`` and ``"-inf"``, which Python's
    ``float`` and numpy read. ``cells`` names what a cell is that is not simply a number; it is left out when
    there is none.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary:
        temporary.write_text(json_text(contents, provenance), encoding="utf-8", newline="\n")


def json_text(contents: Sequence[MatrixContent], provenance: Provenance = NO_PROVENANCE) -> str:
    """Return what `write_json` writes."""
    matrices = ",\n".join(_matrix_text(content) for content in contents)
    head = {"format": FORMAT, "version": VERSION, "provenance": dict(provenance)}
    opening = json.dumps(head, ensure_ascii=False, allow_nan=False).removesuffix("}")
    return f'{opening}, "matrices": [\n{matrices}\n]}}\n'


def _matrix_text(content: MatrixContent) -> str:
    """Return one matrix, a line for each of its rows, which people can compare."""
    kinds = content.kinds.tolist()
    head = {
        "name": content.name.value,
        "shape": list(content.values.shape),
        "dtype": str(content.values.dtype),
        "axes": list(axes_of(content)),
        "row_labels": list(content.row_labels),
        "column_labels": list(content.column_labels),
    }
    rows = [
        json.dumps(list(map(_entry, row, row_kinds)), allow_nan=False)
        for row, row_kinds in zip(content.values.tolist(), kinds, strict=True)
    ]
    opening = json.dumps(head, ensure_ascii=False, allow_nan=False).removesuffix("}")
    values = ",\n".join(rows)
    text = f'{opening}, "values": [\n{values}\n]'
    if content.kinds.any():
        names = [[CellKind(kind).name.lower().replace("_", " ") for kind in row] for row in kinds]
        text += f', "cells": {json.dumps(names)}'
    return text + "}"


def _entry(value: float, kind: int) -> float | str:
    text = exact_number(value, kind)
    return value if math.isfinite(value) and text != "nan" else text
