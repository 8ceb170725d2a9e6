"""What stands in the JSON of a document file: options and focus as plain entries, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from qkviz.attention.inputs import matrix
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Entmax15, Hardmax, Normalizer, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane, dimension_name, direction_name
from qkviz.attention.score_functions import (
    Additive,
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    ScoreFunction,
)
from qkviz.document.container import Array, Tensors
from qkviz.document.drag_mode import DragMode
from qkviz.document.focus import Focus
from qkviz.document.json_table import JsonTable
from qkviz.document.phrase_entries import number_entry, read_number
from qkviz.translate import Phrase, Refusal

_SCORES: dict[str, type[Any]] = {
    "dot": Dot,
    "scaled-dot": ScaledDot,
    "additive": Additive,
    "cosine": Cosine,
    "negative-half-squared-distance": NegativeHalfSquaredDistance,
}
_NORMALIZERS = {"softmax": Softmax, "sparsemax": Sparsemax, "entmax15": Entmax15, "hardmax": Hardmax}
_MASKS = {
    "none": NoMask,
    "causal": CausalMask,
    "padding": PaddingMask,
    "window": WindowMask,
    "cells": CellMask,
}
_MASK_READERS: dict[str, Callable[[JsonTable], Mask]] = {
    "none": lambda _table: NoMask(),
    "causal": lambda _table: CausalMask(),
    "padding": lambda table: PaddingMask(frozenset(table.wholes("padded"))),
    "window": lambda table: WindowMask(table.whole("before"), table.whole("after")),
    "cells": lambda table: CellMask(frozenset(table.pairs("forbidden"))),
}
_AXES = {"dimension": dimension_name, "principal-direction": direction_name}


def options_entries(options: AttentionOptions) -> dict[str, object]:
    """Return options as JSON; the matrices of the additive score and the bias are tensors of their own."""
    normalizer: dict[str, object] = {"kind": _name_in(_NORMALIZERS, options.normalizer)}
    if isinstance(options.normalizer, Softmax):
        normalizer["temperature"] = float(options.normalizer.temperature)
    return {
        "score": _name_in(_SCORES, options.score),
        "scale": None if options.scale is None else float(options.scale),
        "mask": mask_entries(options.mask),
        "normalizer": normalizer,
        "soft_cap": None if options.soft_cap is None else float(options.soft_cap),
        "sink": None if options.sink is None else number_entry(options.sink),
    }


def options_tensors(options: AttentionOptions) -> dict[str, Array]:
    """Return the bias, and the matrices that the score function has of its own."""
    tensors = {} if options.bias is None else {"bias": options.bias.numpy()}
    match options.score:
        case Additive(W_1, W_2, v):
            return tensors | {"score.W_1": W_1.numpy(), "score.W_2": W_2.numpy(), "score.v": v.numpy()}
        case _:
            return tensors


def read_options(table: JsonTable, tensors: Tensors) -> AttentionOptions:
    """Return the options that `options_entries` and `options_tensors` have written.

    Raises
    ------
    Refusal
        If an entry or a tensor is missing or cannot be used.
    """
    return AttentionOptions(
        score=_read_score(table, tensors),
        scale=table.number("scale") if table.has("scale") else None,
        mask=read_mask(table),
        normalizer=_read_normalizer(table.table("normalizer")),
        soft_cap=table.number("soft_cap") if table.has("soft_cap") else None,
        bias=matrix(tensors.take("bias"), "bias") if tensors.has("bias") else None,
        sink=read_number(table, "sink") if table.has("sink") else None,
    )


def _read_score(table: JsonTable, tensors: Tensors) -> ScoreFunction:
    kind = table.choice("score", _SCORES)
    if kind is not Additive:
        plain: ScoreFunction = kind()
        return plain
    v = matrix(tensors.take("score.v", 1)[np.newaxis], "v")[0]  # (h,)
    return Additive(matrix(tensors.take("score.W_1"), "W_1"), matrix(tensors.take("score.W_2"), "W_2"), v)


def mask_entries(mask: Mask) -> dict[str, object]:
    """Return a mask as JSON."""
    entries: dict[str, object] = {"kind": _name_in(_MASKS, mask)}
    match mask:
        case PaddingMask(padded):
            entries["padded"] = sorted(padded)
        case WindowMask(before, after):
            entries |= {"before": before, "after": after}
        case CellMask(forbidden):
            entries["forbidden"] = [list(cell) for cell in sorted(forbidden)]
    return entries


def read_mask(owner: JsonTable) -> Mask:
    """Return the mask that `mask_entries` has written, in the entry ``mask`` of its owner.

    Raises
    ------
    Refusal
        If an entry is missing or cannot be used.
    """
    table = owner.table("mask")
    return table.choice("kind", _MASK_READERS)(table)


def _read_normalizer(table: JsonTable) -> Normalizer:
    kind = table.choice("kind", _NORMALIZERS)
    return Softmax(table.number("temperature")) if kind is Softmax else kind()


def focus_entries(focus: Focus) -> dict[str, object]:
    """Return a focus as JSON. What the pointer is over is of the moment and not written."""
    return {
        "step": focus.step,
        "query": focus.query,
        "key": focus.key,
        "matrices": [str(name) for name in focus.matrices],
        "plane": None if focus.plane is None else _axis_entries(focus.plane),
        "embedding_plane": None if focus.embedding_plane is None else _axis_entries(focus.embedding_plane),
        "drag": str(focus.drag),
    }


def focus_tensors(focus: Focus) -> dict[str, Array]:
    """Return the directions of the planes."""
    planes = {"plane": focus.plane, "embedding_plane": focus.embedding_plane}
    return {f"focus.{name}": plane.basis.numpy() for name, plane in planes.items() if plane is not None}


def read_focus(table: JsonTable, tensors: Tensors) -> Focus:
    """Return the focus that `focus_entries` and `focus_tensors` have written.

    A matrix that this program does not know is left out: another may have had it on the screen.

    Raises
    ------
    Refusal
        If an entry or a tensor is missing or cannot be used.
    """
    return Focus(
        step=table.whole("step"),
        query=table.whole("query") if table.has("query") else None,
        key=table.whole("key") if table.has("key") else None,
        matrices=tuple(MatrixName(name) for name in table.texts("matrices") if name in set(MatrixName)),
        plane=_read_plane(table, tensors, "plane"),
        embedding_plane=_read_plane(table, tensors, "embedding_plane"),
        drag=table.choice("drag", {str(mode): mode for mode in DragMode}),
    )


def _axis_entries(plane: Plane) -> list[object]:
    return [_axis_entry(name) for name in plane.axis_names]


def _axis_entry(name: Phrase | str) -> object:
    if isinstance(name, Phrase):
        for kind, named in _AXES.items():
            if name.template == named(0).template:
                return [kind, _number_in(named(0), name)]
    return str(name)


def _number_in(zero: Phrase, name: Phrase) -> int:
    """Return what the function that made both was given; it may count from 1."""
    return int(str(name.values["number"])) - int(str(zero.values["number"]))


def _read_plane(table: JsonTable, tensors: Tensors, name: str) -> Plane | None:
    if not table.has(name):
        return None
    axes = table.items(name)
    basis = tensors.take(f"focus.{name}")
    if len(axes) != 2:
        table.refuse(name, Phrase("must name two axes"))
    if basis.shape[0] != 2 or not np.isfinite(basis).all():
        raise Refusal("Its tensor “{tensor}” must hold two directions.", tensor=f"focus.{name}")
    return Plane(
        matrix(basis, f"focus.{name}"), (_read_axis(table, name, axes[0]), _read_axis(table, name, axes[1]))
    )


def _read_axis(table: JsonTable, name: str, axis: object) -> Phrase | str:
    match axis:
        case str():
            return axis
        case [str(kind), int(number)] if kind in _AXES and not isinstance(number, bool):
            return _AXES[kind](number)
    return table.refuse(name, Phrase("must name two axes"))


def _name_in(kinds: Mapping[str, type], value: object) -> str:
    return next(name for name, kind in kinds.items() if isinstance(value, kind))
