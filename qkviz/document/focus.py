"""Where the user looks: step, pinned cell, hovered cell, chosen matrices, plane."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qkviz.attention.inputs import GivenScores, ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.translate import Refusal

LAST_STEP = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of one matrix; row and column are 0-based."""

    matrix: MatrixName
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Focus:
    """Where the user looks. It costs nothing to change and is not undone.

    Parameters
    ----------
    step
        0 (words) … 5 (softmax weights).
    query, key
        0-based. Both: the pinned cell. Only the query: a chosen row.
    hover
        The cell under the pointer, or None.
    matrices
        The matrices chosen to be seen, in their order.
    plane
        The window on vectors of more than two dimensions; None means dimensions 1 and 2.
    embedding_plane
        The same for embeddings.
    drag
        What a drag of a query or key moves.

    Raises
    ------
    Refusal
        If there is no such step.
    """

    step: int = 0
    query: int | None = None
    key: int | None = None
    hover: Cell | None = None
    matrices: tuple[MatrixName, ...] = (MatrixName.SCORES, MatrixName.WEIGHTS)
    plane: Plane | None = None
    embedding_plane: Plane | None = None
    drag: DragMode = DragMode.VECTOR

    def __post_init__(self) -> None:
        if not 0 <= self.step <= LAST_STEP:
            raise Refusal(
                "There is no step {step}; the steps go from 0 to {last}.", step=self.step, last=LAST_STEP
            )

    @property
    def pair(self) -> tuple[int, int] | None:
        """The pinned (query, key), or None."""
        return None if self.query is None or self.key is None else (self.query, self.key)

    def with_vector(self, role: Role, index: int) -> Focus:
        """Return this focus on the pair with a certain query or key; the other of the two stays."""
        query, key = self.pair or (0, 0)
        return (
            replace(self, query=index, key=key)
            if role is Role.QUERY
            else replace(self, query=query, key=index)
        )

    def stepped(self, rows: int, columns: int, document: Document) -> Focus:
        """Return this focus with the pinned cell moved within ``document``, else on its first cell."""
        if self.pair is None:
            return replace(self, query=0, key=0)
        query, key = self.pair[0] + rows, self.pair[1] + columns
        m, n = document.inputs.m, document.inputs.n
        return replace(self, query=min(max(query, 0), m - 1), key=min(max(key, 0), n - 1))

    def fitting(self, document: Document) -> Focus:
        """Return this focus without what ``document`` has not got (itself when nothing has to go).

        A vanished query takes its key along, since a column is not chosen alone; a vanished key leaves the
        chosen row. A matrix the document cannot show stays chosen: it comes back with a document that can. So
        does the mode of drag.
        """
        m, n = document.inputs.m, document.inputs.n
        query, key, hover, plane = self.query, self.key, self.hover, self.plane
        if query is not None and not 0 <= query < m:
            query = key = None
        if key is not None and not 0 <= key < n:
            key = None
        if hover is not None and not is_inside(hover, document):
            hover = None
        if plane is not None and not fits(plane, document):
            plane = None
        embedding_plane = self.embedding_plane
        if embedding_plane is not None and not fits_embeddings(embedding_plane, document):
            embedding_plane = None
        fitted = replace(
            self, query=query, key=key, hover=hover, plane=plane, embedding_plane=embedding_plane
        )
        return self if fitted == self else fitted


def fits(plane: Plane, document: Document) -> bool:
    """Whether ``plane`` is a window on vectors as long as the document's queries and keys."""
    inputs = document.inputs
    return not isinstance(inputs, GivenScores) and int(plane.basis.shape[1]) == inputs.d_k


def fits_embeddings(plane: Plane, document: Document) -> bool:
    """Whether ``plane`` is a window on vectors as long as the document's embeddings."""
    inputs = document.inputs
    X = None if isinstance(inputs, GivenScores) else inputs.X_q
    return X is not None and int(plane.basis.shape[1]) == int(X.shape[1])


def is_inside(cell: Cell, document: Document) -> bool:
    """Whether the document has the cell."""
    shape = matrix_shape(document, cell.matrix)
    return shape is not None and 0 <= cell.row < shape[0] and 0 <= cell.column < shape[1]


def matrix_shape(document: Document, name: MatrixName) -> tuple[int, int] | None:
    """Return (rows, columns) that a matrix of the document's trace has; None when it has no such matrix."""
    inputs, options = document.inputs, document.options
    m, n = inputs.m, inputs.n
    names = [MatrixName.SCORES, MatrixName.SCALED, MatrixName.MASKED, MatrixName.WEIGHTS]
    if options.soft_cap is not None:
        names.append(MatrixName.CAPPED)
    if options.bias is not None:
        names.append(MatrixName.BIAS)
    if m == n:
        names += [MatrixName.SYMMETRIC, MatrixName.ANTISYMMETRIC]
    shapes: dict[MatrixName, tuple[int, int]] = dict.fromkeys(names, (m, n))
    if not isinstance(inputs, GivenScores):
        shapes |= {MatrixName.Q: (m, inputs.d_k), MatrixName.K: (n, inputs.d_k)}
        if inputs.X_q is not None:
            shapes |= {MatrixName.X: (m, int(inputs.X_q.shape[1])), MatrixName.XXT: (m, n)}
        if inputs.X_k is not None and not inputs.is_self_attention:
            shapes[MatrixName.X_K] = (n, int(inputs.X_k.shape[1]))
    if isinstance(inputs, ProjectedInputs):
        d_model = int(inputs.W_Q.shape[0])
        shapes[MatrixName.BILINEAR] = (d_model, int(inputs.W_K.shape[0]))
        values = inputs.W_V
    else:
        values = inputs.V
    if values is not None:
        d_v = int(values.shape[1])
        shapes |= {MatrixName.V: (n, d_v), MatrixName.OUTPUT: (m, d_v)}
    return shapes.get(name)
