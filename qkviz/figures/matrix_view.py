"""Which part of a matrix is in sight: zoom and pan as values."""

from __future__ import annotations

from dataclasses import dataclass, replace

SMALLEST_VIEW = 2.0
"""Cells in sight at the largest zoom."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A window on the cells of a matrix, in cells; cell (i, j) covers [j, j+1) × [i, i+1).

    A layout shows at least this window: cells are square, so it may have room for more.

    Attributes
    ----------
    first_row, first_column
        The upper left corner.
    rows, columns
        How many cells are in sight; more than 0.
    """

    first_row: float
    first_column: float
    rows: float
    columns: float

    @classmethod
    def whole(cls, rows: int, columns: int) -> CellView:
        """Return the view of a whole matrix."""
        return cls(0.0, 0.0, float(rows), float(columns))

    def zoomed(self, factor: float, row: float, column: float) -> CellView:
        """Return the view ``factor`` times as close, with the point (row, column) staying where it is."""
        factor = min(factor, max(self.rows, self.columns) / SMALLEST_VIEW) if factor > 1 else factor
        return CellView(
            row - (row - self.first_row) / factor,
            column - (column - self.first_column) / factor,
            self.rows / factor,
            self.columns / factor,
        )

    def panned(self, rows: float, columns: float) -> CellView:
        """Return the view moved by so many cells downwards and to the right."""
        return replace(self, first_row=self.first_row + rows, first_column=self.first_column + columns)

    def within(self, rows: int, columns: int) -> CellView:
        """Return the nearest view that shows nothing beyond a matrix of this size."""
        shown_rows, shown_columns = min(self.rows, float(rows)), min(self.columns, float(columns))
        return CellView(
            min(max(self.first_row, 0.0), rows - shown_rows),
            min(max(self.first_column, 0.0), columns - shown_columns),
            shown_rows,
            shown_columns,
        )
