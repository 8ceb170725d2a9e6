"""The formats in which numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qkviz.exporters.csv_table import write_csv
from qkviz.exporters.npz_arrays import write_npz
from qkviz.presenters.matrix import MatrixContent
from qkviz.translate import N_


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
        Takes the matrices and the path.
    """

    label: str
    suffix: str
    write: Callable[[Sequence[MatrixContent], Path], None]


EXPORTERS = (
    Exporter(N_("CSV table"), ".csv", write_csv),
    Exporter(N_("NumPy arrays"), ".npz", write_npz),
)
