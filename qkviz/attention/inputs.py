"""What attention starts from: embeddings with projections, ready q and k, or somebody else's scores."""

from dataclasses import dataclass

from torch import Tensor

from qkviz.attention.conversion import float64_copy
from qkviz.attention.shapes import checked, columns_match_rows, same_columns, same_rows, shape_text
from qkviz.translate import Refusal


def matrix(values: object, name: str) -> Tensor:
    """Copy ``values`` into a matrix of our own.

    Parameters
    ----------
    values
        Rows of numbers, a numpy array or a tensor, as `float64_copy` takes them; two-dimensional. NaN and
        infinities are kept.
    name
        What the user calls it (``"W_Q"``); for the sentence of a refusal.

    Returns
    -------
    Tensor
        (rows, columns), float64, contiguous, on the CPU, without gradient; shares nothing with ``values``.

    Raises
    ------
    Refusal
        If ``values`` is not two-dimensional, has no cells, is ragged, or holds no real numbers.
    """
    copy = float64_copy(values, name)
    if copy.ndim > 2:
        raise Refusal(
            "{name} is {shape}: it has {count} dimensions, but a matrix has two; "
            "choose one, as {name}{choice}.",
            name=name,
            shape=shape_text(copy),
            count=copy.ndim,
            choice=[0] * (copy.ndim - 2),
        )
    if copy.ndim != 2:
        raise Refusal("{name} has {count} dimensions; a matrix has two.", name=name, count=copy.ndim)
    if copy.numel() == 0:
        raise Refusal(
            "{name} is {shape}: it has no cells; give it at least one row and one column.",
            name=name,
            shape=shape_text(copy),
        )
    return copy


@dataclass(frozen=True, eq=False)
class ProjectedInputs:
    """Tokens as embeddings, and the projections that make them queries, keys and values.

    Self-attention has one X: ``X_q is X_k``. The offsets are what was moved by hand, kept beside the
    projection (q = x W_Q + δ), so that a reset is exact.

    Raises
    ------
    Refusal
        If two of the matrices do not fit; names both and both shapes.
    """

    X_q: Tensor  # (m, d_model)
    X_k: Tensor  # (n, d_model)
    W_Q: Tensor  # (d_model, d_k)
    W_K: Tensor  # (d_model, d_k)
    W_V: Tensor | None = None  # (d_model, d_v)
    query_offsets: Tensor | None = None  # (m, d_k); None: no query was moved
    key_offsets: Tensor | None = None  # (n, d_k); None: no key was moved

    def __post_init__(self) -> None:
        name_q, name_k = ("X", "X") if self.is_self_attention else ("X_q", "X_k")
        x_q, x_k = (name_q, checked(name_q, self.X_q)), (name_k, checked(name_k, self.X_k))
        w_q, w_k = ("W_Q", checked("W_Q", self.W_Q)), ("W_K", checked("W_K", self.W_K))
        columns_match_rows(x_q, w_q)
        columns_match_rows(x_k, w_k)
        same_columns(w_q, w_k)
        same_columns(x_q, x_k)
        if self.W_V is not None:
            columns_match_rows(x_k, ("W_V", checked("W_V", self.W_V)))
        if self.query_offsets is not None:
            offsets = ("δ_q", checked("δ_q", self.query_offsets))
            same_rows(x_q, offsets)
            same_columns(w_q, offsets)
        if self.key_offsets is not None:
            offsets = ("δ_k", checked("δ_k", self.key_offsets))
            same_rows(x_k, offsets)
            same_columns(w_k, offsets)

    @property
    def is_self_attention(self) -> bool:
        """Whether queries and keys come from the same tokens."""
        return self.X_q is self.X_k

    @property
    def m(self) -> int:
        """Number of queries."""
        return self.X_q.shape[0]

    @property
    def n(self) -> int:
        """Number of keys."""
        return self.X_k.shape[0]

    @property
    def d_k(self) -> int:
        """Length of a query and of a key."""
        return self.W_Q.shape[1]


@dataclass(frozen=True, eq=False)
class DirectInputs:
    """Queries, keys and values as they are: a worked example, or a head of a real model.

    A head of a model may bring what came into its layer, X; it is shown beside Q and K, which do not follow
    from it here. In self-attention ``X_q is X_k``.

    Raises
    ------
    Refusal
        If two of the matrices do not fit; names both and both shapes.
    """

    Q: Tensor  # (m, d_k)
    K: Tensor  # (n, d_k)
    V: Tensor | None = None  # (n, d_v)
    X_q: Tensor | None = None  # (m, d_model)
    X_k: Tensor | None = None  # (n, d_model); there if X_q is

    def __post_init__(self) -> None:
        queries, keys = ("Q", checked("Q", self.Q)), ("K", checked("K", self.K))
        same_columns(queries, keys)
        if self.V is not None:
            same_rows(keys, ("V", checked("V", self.V)))
        if self.X_q is not None and self.X_k is not None:
            name_q, name_k = ("X", "X") if self.X_q is self.X_k else ("X_q", "X_k")
            x_q, x_k = (name_q, checked(name_q, self.X_q)), (name_k, checked(name_k, self.X_k))
            same_rows(queries, x_q)
            same_rows(keys, x_k)
            same_columns(x_q, x_k)

    @property
    def is_self_attention(self) -> bool:
        """Whether queries and keys are known to come from the same tokens."""
        return self.X_q is not None and self.X_q is self.X_k

    @property
    def m(self) -> int:
        """Number of queries."""
        return self.Q.shape[0]

    @property
    def n(self) -> int:
        """Number of keys."""
        return self.K.shape[0]

    @property
    def d_k(self) -> int:
        """Length of a query and of a key."""
        return self.Q.shape[1]


@dataclass(frozen=True, eq=False)
class GivenScores:
    """Scores whose queries and keys nobody has.

    −inf is a forbidden cell; NaN spreads over its row as in torch.

    Raises
    ------
    Refusal
        If V does not have a row for every column of the scores; names both and both shapes.
    """

    scores: Tensor  # (m, n)
    V: Tensor | None = None  # (n, d_v)

    def __post_init__(self) -> None:
        scores = ("scores", checked("scores", self.scores))
        if self.V is not None:
            columns_match_rows(scores, ("V", checked("V", self.V)))

    @property
    def m(self) -> int:
        """Number of queries."""
        return self.scores.shape[0]

    @property
    def n(self) -> int:
        """Number of keys."""
        return self.scores.shape[1]


AttentionInputs = ProjectedInputs | DirectInputs | GivenScores
