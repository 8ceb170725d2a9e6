"""Edits of numbers in matrices: a cell, a pasted block, a whole matrix."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from qkviz.attention.inputs import matrix
from qkviz.attention.matrix_changes import same_values, with_block
from qkviz.attention.shapes import shape_text
from qkviz.document.document import Document
from qkviz.document.editable import (
    TOKEN_ROWS,
    EditableMatrix,
    cell_phrase,
    check_block,
    check_number,
    editable_matrices,
    editable_matrix,
    has_free_width,
    with_matrix,
)
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False, slots=True)
class SetCell:
    """Put a number into a cell of a matrix; it is stored as given, not as shown.

    On projected inputs a number in Q or K moves the vector by hand, like a drag.

    Parameters
    ----------
    matrix
        Which matrix.
    row, column
        0-based.
    value
        Finite, within ±1e6.
    gesture
        All edits of one gesture are undone together.
    """

    matrix: EditableMatrix
    row: int
    column: int
    value: float
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Change {cell}", cell=cell_phrase(self.matrix, self.row, self.column))

    def apply(self, document: Document) -> Document:
        """Return the document with the number in its cell (itself if it stands there already).

        Raises
        ------
        Refusal
            If there is no such matrix or cell, or the number may not be stored.
        """
        check_number(self.value, cell_phrase(self.matrix, self.row, self.column))
        present = editable_matrix(document.inputs, self.matrix)
        if not (0 <= self.row < present.shape[0] and 0 <= self.column < present.shape[1]):
            raise Refusal(
                "{matrix} is {shape} and has no cell in row {row}, column {column}.",
                matrix=self.matrix.shown,
                shape=shape_text(present),
                row=self.row + 1,
                column=self.column + 1,
            )
        if present[self.row, self.column] == self.value:
            return document
        changed = with_block(present, self.row, self.column, ((self.value,),))
        return replace(document, inputs=with_matrix(document.inputs, self.matrix, changed))


@dataclass(frozen=True, eq=False, slots=True)
class PasteBlock:
    """Write a block of numbers over a matrix; the matrix does not grow.

    Parameters
    ----------
    matrix
        Which matrix.
    row, column
        Cell where the first number goes, 0-based.
    block
        Rows of equal length; finite numbers within ±1e6.
    gesture
        All edits of one gesture are undone together.
    """

    matrix: EditableMatrix
    row: int
    column: int
    block: tuple[tuple[float, ...], ...]
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Paste into {matrix}", matrix=self.matrix.shown)

    def apply(self, document: Document) -> Document:
        """Return the document with the block in place (itself if nothing differs).

        Raises
        ------
        Refusal
            If there is no such matrix, if the block is empty or ragged or does not fit (naming both shapes),
            or if one of its numbers may not be stored (naming the cell).
        """
        present = editable_matrix(document.inputs, self.matrix)
        check_block(self.matrix, self.block, self.row, self.column)
        rows, columns = len(self.block), len(self.block[0])
        if self.row < 0 or self.column < 0 or self.column + columns > present.shape[1]:
            raise self._too_large(shape_text(present))
        if self.row + rows > present.shape[0]:
            if self.matrix not in TOKEN_ROWS:
                raise self._too_large(shape_text(present))
            raise Refusal(
                "The block has {rows} rows from row {row} on, but {matrix} has a row for each of {count} "
                "tokens; add tokens first.",
                rows=rows,
                row=self.row + 1,
                matrix=self.matrix.shown,
                count=present.shape[0],
            )
        changed = with_block(present, self.row, self.column, self.block)
        if same_values(present, changed):
            return document
        return replace(document, inputs=with_matrix(document.inputs, self.matrix, changed))

    def _too_large(self, shape: str) -> Refusal:
        return Refusal(
            "The block is {block} and does not fit into {matrix}, which is {shape}, from row {row}, "
            "column {column} on; choose another cell or copy less.",
            block=f"{len(self.block)} × {len(self.block[0])}",
            matrix=self.matrix.shown,
            shape=shape,
            row=self.row + 1,
            column=self.column + 1,
        )


@dataclass(frozen=True, eq=False, slots=True)
class SetMatrix:
    """Replace one whole matrix. W_V and V may be new or change their width; all others keep their shape.

    Parameters
    ----------
    matrix
        Which matrix.
    values
        Whatever `qkviz.attention.inputs.matrix` takes; finite numbers within ±1e6.
    gesture
        All edits of one gesture are undone together.
    """

    matrix: EditableMatrix
    values: object
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What the edit does."""
        return Phrase("Replace {matrix}", matrix=self.matrix.shown)

    def apply(self, document: Document) -> Document:
        """Return the document with the matrix replaced (itself if nothing differs).

        Raises
        ------
        Refusal
            If there is no place for such a matrix, if it has the wrong shape (naming both shapes), or if one
            of its numbers may not be stored (naming the cell).
        """
        new = matrix(self.values, str(self.matrix.shown))
        check_block(self.matrix, new.tolist(), 0, 0)
        inputs = document.inputs
        if not has_free_width(inputs, self.matrix):
            present = editable_matrix(inputs, self.matrix)
            if new.shape != present.shape:
                raise Refusal(
                    "The new {matrix} is {new}, but {matrix} is {present} here; give a matrix of that shape.",
                    matrix=self.matrix.shown,
                    new=shape_text(new),
                    present=shape_text(present),
                )
        if self.matrix in editable_matrices(inputs) and same_values(
            editable_matrix(inputs, self.matrix), new
        ):
            return document
        return replace(document, inputs=with_matrix(inputs, self.matrix, new))
