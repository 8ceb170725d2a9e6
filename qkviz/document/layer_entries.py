"""Layers of a capture in a document file: their tensors, each stored once however many layers share it.

A tensor is called after the first layer that has it, ``capture.1.L01.Q``; every layer says which are its own.
What belongs to a layer has to fit together, so that every head of a capture that was opened can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, Layer, WeightsLayer
from qkviz.attention.masks import NoMask, check_mask
from qkviz.attention.tensor_arrays import BFLOAT16, NamedArrays, tensor_of
from qkviz.document.container import Tensors
from qkviz.document.file_entries import mask_entries, read_mask
from qkviz.document.json_table import JsonTable
from qkviz.document.phrase_entries import number_entry, read_number
from qkviz.translate import Phrase, Refusal

_DIMENSIONS = {
    CapturedLayer: {"Q": 3, "K": 3, "V": 3, "bias": 3, "sinks": 1, "X_q": 2, "X_k": 2},
    WeightsLayer: {"weights": 3},
}
"""The tensors of each type of layer, called as its fields are."""

_NEEDED = {"Q", "K", "weights"}

_FORMS: dict[str, type[Layer]] = {"vectors": CapturedLayer, "weights": WeightsLayer}

_KINDS = {str(kind): kind for kind in AttentionKind}

_FLOATS = (np.dtype("<f8"), np.dtype("<f4"), np.dtype("<f2"), BFLOAT16)


def layer_entries(layer: Layer, place: str, tensors: NamedArrays) -> dict[str, object]:
    """Return a layer as JSON and give its tensors names that begin with ``place``."""
    found = {name: getattr(layer, name) for name in _DIMENSIONS[type(layer)]}
    names = {
        name: tensors.name(tensor, f"{place}.{name}") for name, tensor in found.items() if tensor is not None
    }
    entries: dict[str, object] = {"kind": str(layer.kind), "tensors": names}
    if isinstance(layer, WeightsLayer):
        return entries | {"form": "weights"}
    soft_cap = None if layer.soft_cap is None else number_entry(layer.soft_cap)
    entries |= {"form": "vectors", "scale": number_entry(layer.scale), "soft_cap": soft_cap}
    return entries if isinstance(layer.mask, NoMask) else entries | {"mask": mask_entries(layer.mask)}


class LayerTensors:
    """The tensors of all layers while a file is read: one object for each name."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self._taken: dict[str, Any] = {}

    def take(self, name: str, dimensions: int) -> Any:
        """Return a tensor by its name.

        Raises
        ------
        Refusal
            If it is not there, or of the wrong type or number of dimensions.
        """
        array = self._tensors.take_any(name, dimensions)
        if array.dtype not in _FLOATS:
            raise Refusal(
                "Its tensor “{tensor}” holds {dtype}, not {right}.",
                tensor=name,
                dtype=array.dtype.name,
                right=Phrase("floating-point numbers"),
            )
        if name not in self._taken:
            self._taken[name] = tensor_of(array)
        return self._taken[name]


def read_layer(
    table: JsonTable, sizes: Mapping[AttentionKind, tuple[int, int]], tensors: LayerTensors
) -> Layer:
    """Return the layer that `layer_entries` has written.

    Parameters
    ----------
    table
        Its entries.
    sizes
        For each kind of attention how many queries and keys the text has.
    tensors
        Those of the file.

    Raises
    ------
    Refusal
        If an entry or a tensor is missing, cannot be used, or does not fit the others.
    """
    kind, form = table.choice("kind", _KINDS), table.choice("form", _FORMS)
    names = table.table("tensors")
    given = {
        field: tensors.take(names.text(field), dimensions)
        for field, dimensions in _DIMENSIONS[form].items()
        if field in _NEEDED or names.has(field)
    }
    for field, right in _right_shapes(given, sizes[kind]).items():
        _check_shape(names.text(field), tuple(given[field].shape), right)
    if form is WeightsLayer:
        return WeightsLayer(kind, given["weights"])
    scale = read_number(table, "scale")
    soft_cap = read_number(table, "soft_cap") if table.has("soft_cap") else None
    mask = read_mask(table) if table.has("mask") else NoMask()
    check_mask(mask, *sizes[kind])
    return CapturedLayer(kind, scale=scale, mask=mask, soft_cap=soft_cap, **{"V": None, **given})


Sizes = Sequence[int | None]
"""Lengths of the axes; None: any from 1 on."""


def _right_shapes(given: Mapping[str, Any], size: tuple[int, int]) -> dict[str, Sizes]:
    """Return what shape each of the tensors of a layer must have."""
    m, n = size
    if "weights" in given:
        return {"weights": (None, m, n)}
    heads, _m, d_k = given["Q"].shape
    key_heads, width = given["K"].shape[0], given["X_q"].shape[1] if "X_q" in given else None
    shapes: dict[str, Sizes] = {
        "Q": (None, m, None),
        "K": (key_heads if key_heads and heads % key_heads == 0 else heads, n, d_k),
        "V": (key_heads, n, None),
        "bias": (1 if "bias" in given and given["bias"].shape[0] == 1 else heads, m, n),
        "sinks": (heads,),
        "X_q": (m, None),
        "X_k": (n, width),
    }
    return {field: shape for field, shape in shapes.items() if field in given}


def _check_shape(name: str, shape: tuple[int, ...], right: Sizes) -> None:
    if not all(length > 0 and wanted in (None, length) for length, wanted in zip(shape, right, strict=True)):
        raise Refusal(
            "Its tensor “{tensor}” is {shape}, not {right}.",
            tensor=name,
            shape=" × ".join(map(str, shape)),
            right=" × ".join("?" if wanted is None else str(wanted) for wanted in right),
        )
