"""The matrices of a document in its file, and which of them make which inputs."""

from __future__ import annotations

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.document.container import Array, Tensors
from qkviz.document.json_table import JsonTable
from qkviz.translate import Refusal

_KINDS: dict[str, type[AttentionInputs]] = {
    "projected": ProjectedInputs,
    "direct": DirectInputs,
    "scores": GivenScores,
}

_NEEDED: dict[type[AttentionInputs], tuple[str, ...]] = {
    ProjectedInputs: ("X", "W_Q", "W_K"),
    DirectInputs: ("Q", "K"),
    GivenScores: ("scores",),
}
"""Tensors that have to be there. They are called as the field of the inputs is, X_q apart."""

_POSSIBLE: dict[type[AttentionInputs], tuple[str, ...]] = {
    ProjectedInputs: ("X_k", "W_V", "query_offsets", "key_offsets"),
    DirectInputs: ("V", "X", "X_k"),
    GivenScores: ("V",),
}


def kind_of(inputs: AttentionInputs) -> str:
    """Return what a kind of inputs is called."""
    return next(name for name, kind in _KINDS.items() if isinstance(inputs, kind))


def input_tensors(inputs: AttentionInputs) -> dict[str, Array]:
    """Return the matrices that a document has; in self-attention there is one X, and no X_k."""
    kind = type(inputs)
    fields = {
        name: getattr(inputs, "X_q" if name == "X" else name) for name in _NEEDED[kind] + _POSSIBLE[kind]
    }
    if not isinstance(inputs, GivenScores) and inputs.X_q is inputs.X_k:
        del fields["X_k"]
    return {name: tensor.numpy() for name, tensor in fields.items() if tensor is not None}


def read_inputs(table: JsonTable, tensors: Tensors) -> AttentionInputs:
    """Return the inputs that `kind_of` and `input_tensors` have written.

    Raises
    ------
    Refusal
        If a tensor is missing or cannot be used.
    """
    kind = table.choice("inputs", _KINDS)
    names = [*_NEEDED[kind], *(name for name in _POSSIBLE[kind] if tensors.has(name))]
    given = {name: matrix(tensors.take(name), name) for name in names}
    if "X" in given:
        given["X_q"] = given.pop("X")
        given.setdefault("X_k", given["X_q"])  # one object for both: self-attention
    elif "X_k" in given:
        raise Refusal("Its tensor “{tensor}” is missing.", tensor="X")
    inputs: AttentionInputs = kind(**given)
    return inputs
