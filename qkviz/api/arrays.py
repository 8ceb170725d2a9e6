"""Your own matrices as a document: tensors, arrays or nested lists of any device and dtype."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from qkviz.attention.conversion import float64_copy
from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, Mask, NoMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document
from qkviz.importers.given_mask import mask_of
from qkviz.importers.given_weights import scores_of_weights
from qkviz.translate import Refusal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

STARTS = ("Q", "X", "scores", "weights")
"""Where a document can begin; what belongs to which start stands in `_BELONGS`."""

_BELONGS = {
    "Q": ("Q", "K", "V"),
    "X": ("X", "X_k", "W_Q", "W_K", "W_V"),
    "scores": ("scores", "V"),
    "weights": ("weights", "V"),
}


def make_document(
    *,
    Q: ArrayLike | None = None,
    K: ArrayLike | None = None,
    V: ArrayLike | None = None,
    X: ArrayLike | None = None,
    X_k: ArrayLike | None = None,
    W_Q: ArrayLike | None = None,
    W_K: ArrayLike | None = None,
    W_V: ArrayLike | None = None,
    scores: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    mask: Mask | str | ArrayLike | None = None,
    scale: float | None = None,
) -> Document:
    """Make a document of your own matrices.

    One of four starts: Q and K; X with W_Q and W_K; scores; weights. Every matrix may be a torch tensor on
    any device, of any real dtype (bfloat16, float16 and float8 included), with or without gradient; a numpy
    array of any byte order; or rows of numbers. It is copied into float64; yours is not touched.

    Parameters
    ----------
    Q, K
        Queries (m, d_k) and keys (n, d_k).
    V
        Values (n, d_v), beside Q and K, scores or weights.
    X
        Embeddings (m, d_model), one row for each token.
    X_k
        Embeddings of the keys (n, d_model) in cross-attention; left out, X is both.
    W_Q, W_K, W_V
        Projections (d_model, d_k), used as ``X @ W_Q``. Of a ``torch.nn.Linear`` give ``linear.weight.T``.
    scores
        (m, n), before scale and mask. −inf: not allowed.
    weights
        (m, n), rows sum to 1. They are held as scores log(weights) with scale 1, whose softmax gives exactly
        them back (to the last rounding of float64), whatever the scores were.
    tokens
        Labels of the m queries; of the n keys as well if m = n and there are no ``key_tokens``.
    key_tokens
        Labels of the n keys.
    mask
        ``"causal"``; booleans or 0 and 1, (m, n) or one row (n,) for all queries, True where the query may
        look at the key, as ``scaled_dot_product_attention`` has it; or floats to be added, 0 and −inf.
    scale
        What the scores are multiplied by; left out, 1/√d_k, and 1 for given scores and weights.

    Raises
    ------
    Refusal
        If something is missing, too much, of the wrong shape (both are named), or no number.
    """
    given = {
        "Q": Q, "K": K, "V": V, "X": X, "X_k": X_k, "W_Q": W_Q, "W_K": W_K, "W_V": W_V,
        "scores": scores, "weights": weights,
    }  # fmt: skip
    given = {name: values for name, values in given.items() if values is not None}
    start = _start(given)
    if start == "weights" and (mask is not None or scale is not None):
        raise Refusal("Weights have mask and scale behind them; give these with scores, or with Q and K.")
    inputs = _inputs(start, given)
    options = AttentionOptions(
        scale=1.0 if start in ("scores", "weights") and scale is None else _number(scale),
        mask=_mask(mask, inputs.m, inputs.n),
    )
    queries, keys = labels(tokens, key_tokens, inputs.m, inputs.n)
    if isinstance(inputs, ProjectedInputs) and inputs.is_self_attention and key_tokens is None:
        keys = queries
    trace_attention(inputs, options)  # what does not go together is refused here, not in a window
    return Document(queries, keys, inputs, options)


def labels(
    tokens: Sequence[str] | None, key_tokens: Sequence[str] | None, m: int, n: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of m queries and n keys; empty ones, shown as positions, where none were given.

    Raises
    ------
    Refusal
        If one text was given instead of a list of them.
    """
    queries = _texts(tokens, "tokens")
    keys = _texts(key_tokens, "key_tokens")
    if keys is None and m == n:
        keys = queries
    return ("",) * m if queries is None else queries, ("",) * n if keys is None else keys


def _texts(words: Sequence[str] | None, name: str) -> tuple[str, ...] | None:
    if isinstance(words, str):
        raise Refusal("{name} is one text, “{text}”; give a list of texts.", name=name, text=words)
    return None if words is None else tuple(words)


def _start(given: Mapping[str, object]) -> str:
    """Return which of `STARTS` it is; refuse what is missing or does not go together."""
    if not given:
        raise Refusal("Give Q and K, or X with W_Q and W_K, or scores, or weights.")
    fitting = [start for start in STARTS if set(given) <= set(_BELONGS[start])]
    needed = {"Q": ("Q", "K"), "X": ("X", "W_Q", "W_K"), "scores": ("scores",), "weights": ("weights",)}
    for start in fitting:
        if all(name in given for name in needed[start]):
            return start
    if not fitting:
        raise Refusal(
            "{names} do not go together; give Q and K, or X with W_Q and W_K, or scores, or weights.",
            names=", ".join(given),
        )
    start = fitting[0]
    raise Refusal(
        "With {names} give {missing} as well.",
        names=", ".join(given),
        missing=", ".join(name for name in needed[start] if name not in given),
    )


def _inputs(start: str, given: Mapping[str, object]) -> AttentionInputs:
    if start == "X":
        X = matrix(given["X"], "X")
        X_k = X if "X_k" not in given else matrix(given["X_k"], "X_k")  # one object: self-attention
        W_V = matrix(given["W_V"], "W_V") if "W_V" in given else None
        return ProjectedInputs(X, X_k, matrix(given["W_Q"], "W_Q"), matrix(given["W_K"], "W_K"), W_V)
    V = matrix(given["V"], "V") if "V" in given else None
    if start == "Q":
        return DirectInputs(matrix(given["Q"], "Q"), matrix(given["K"], "K"), V)
    if start == "scores":
        return GivenScores(matrix(given["scores"], "scores"), V)
    weights = matrix(given["weights"], "weights").numpy()
    return GivenScores(matrix(scores_of_weights(weights, "weights"), "weights"), V)


def _number(scale: float | None) -> float | None:
    try:
        return None if scale is None else float(scale)
    except (TypeError, ValueError, RuntimeError):  # RuntimeError: a tensor of more than one number
        raise Refusal("scale is {value}; it must be one number.", value=scale) from None


def _mask(values: object, m: int, n: int) -> Mask:
    if values is None:
        return NoMask()
    if isinstance(values, Mask):
        return values
    if isinstance(values, str):
        if values != "causal":
            raise Refusal("mask is “{word}”; the only word for a mask is causal.", word=values)
        return CausalMask()
    is_row = isinstance(values, list | tuple) and not any(hasattr(cell, "__len__") for cell in values)
    numbers = float64_copy([values] if is_row else values, "mask").numpy()
    if _is_of_floats(values) and not numbers.any():
        return NoMask()  # nothing is added; as truth values it would forbid everything
    return mask_of(numbers, "mask", m, n, one_allows=True)


def _is_of_floats(values: object) -> bool:
    dtype = getattr(values, "dtype", None)
    return "float" in str(np.asarray(values).dtype if dtype is None else dtype)
