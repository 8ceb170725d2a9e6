"""The options of a document as lists to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.attention.inputs import GivenScores
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Normalizer, Softmax, Sparsemax
from qkviz.attention.score_functions import (
    Additive,
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
)
from qkviz.document.document import Document
from qkviz.translate import _


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a list to choose from: an unchanging id and its translated text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ChoiceContent:
    """A list to choose from.

    Attributes
    ----------
    title
        Translated name.
    choices
        In the order shown.
    chosen
        Id of the choice in force.
    off_reason
        Why nothing can be chosen here, a sentence; empty when it can.
    """

    title: str
    choices: tuple[Choice, ...]
    chosen: str
    off_reason: str


_SCORE_IDS = {
    ScaledDot: "scaled_dot",
    Dot: "dot",
    Additive: "additive",
    Cosine: "cosine",
    NegativeHalfSquaredDistance: "negative_half_squared_distance",
}
_MASK_IDS = {
    NoMask: "none",
    CausalMask: "causal",
    PaddingMask: "padding",
    WindowMask: "window",
    CellMask: "cells",
}
_NORMALIZER_IDS = {Softmax: "softmax", Sparsemax: "sparsemax", Entmax15: "entmax15", Hardmax: "hardmax"}


def score_choice(document: Document) -> ChoiceContent:
    """Return the score functions; off where scores are given."""
    is_given = isinstance(document.inputs, GivenScores)
    return ChoiceContent(
        title=_("score function"),
        choices=(
            Choice("scaled_dot", _("scaled dot product")),
            Choice("dot", _("dot product")),
            Choice("additive", _("additive")),
            Choice("cosine", _("cosine")),
            Choice("negative_half_squared_distance", "−½‖q − k‖²"),
        ),
        chosen=_SCORE_IDS[type(document.options.score)],
        off_reason=_("The scores are given, so no function computes them.") if is_given else "",
    )


def mask_choice(mask: Mask) -> ChoiceContent:
    """Return the masks; a window is among them while it is in force, since only a model brings its width."""
    window = (Choice("window", _("sliding window")),) if isinstance(mask, WindowMask) else ()
    return ChoiceContent(
        title=_("mask"),
        choices=(
            Choice("none", _("no mask")),
            Choice("causal", _("causal")),
            Choice("padding", _("padding")),
            *window,
            Choice("cells", _("by cell")),
        ),
        chosen=_MASK_IDS[type(mask)],
        off_reason="",
    )


def normalizer_choice(normalizer: Normalizer) -> ChoiceContent:
    """Return the normalisers; their names are the same in every language."""
    return ChoiceContent(
        title=_("normaliser"),
        choices=(
            Choice("softmax", "softmax"),
            Choice("sparsemax", "sparsemax"),
            Choice("entmax15", "entmax-1.5"),
            Choice("hardmax", "hardmax"),
        ),
        chosen=_NORMALIZER_IDS[type(normalizer)],
        off_reason="",
    )


def scale_note(document: Document) -> str:
    """Return what the scale in force is, ``"1 / √2"``; empty for a factor that needs no explanation."""
    options, inputs = document.options, document.inputs
    if options.scale is None and isinstance(options.score, ScaledDot) and not isinstance(inputs, GivenScores):
        return f"1 / √{inputs.d_k}"
    return ""
