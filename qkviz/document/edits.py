"""Every edit there is, and what makes something an edit.

An edit is a frozen value: a document in, a document out. One that changes nothing gives the same document
back; one that cannot be done raises a `Refusal`.
"""

from collections.abc import Hashable
from typing import Protocol

from qkviz.document.captured_head import ChooseHead, ChooseText, GoBackToHead, ReplaceCapture
from qkviz.document.document import Document
from qkviz.document.edit_drags import DRAGS, Drag, MoveByEmbedding, MoveByProjection, MoveEmbedding
from qkviz.document.edit_lengths import SetLength
from qkviz.document.edit_matrices import PasteBlock, SetCell, SetMatrix
from qkviz.document.edit_options import (
    ReplaceDocument,
    SetMask,
    SetNormalizer,
    SetScale,
    SetScoreFunction,
    ToggleForbidden,
    TogglePadding,
)
from qkviz.document.edit_projections import BlendProjections, DrawProjections, TieProjections
from qkviz.document.edit_tokens import AddToken, RemoveToken, RenameToken
from qkviz.document.edit_vectors import MoveVector, ResetAllVectors, ResetVector
from qkviz.document.editable import EditableMatrix, editable_matrices, editable_matrix
from qkviz.translate import Phrase

__all__ = [
    "AddToken",
    "BlendProjections",
    "ChooseHead",
    "ChooseText",
    "DRAGS",
    "Drag",
    "DrawProjections",
    "Edit",
    "EditableMatrix",
    "GoBackToHead",
    "MoveByEmbedding",
    "MoveByProjection",
    "MoveEmbedding",
    "MoveVector",
    "PasteBlock",
    "RemoveToken",
    "RenameToken",
    "ReplaceCapture",
    "ReplaceDocument",
    "ResetAllVectors",
    "ResetVector",
    "SetCell",
    "SetLength",
    "SetMask",
    "SetMatrix",
    "SetNormalizer",
    "SetScale",
    "SetScoreFunction",
    "TieProjections",
    "ToggleForbidden",
    "TogglePadding",
    "editable_matrices",
    "editable_matrix",
]


class Edit(Protocol):
    """A change of the document, as a value."""

    @property
    def label(self) -> Phrase:
        """What the edit does, for the Undo menu."""

    @property
    def gesture(self) -> Hashable | None:
        """What it is part of, as a drag; consecutive edits of one gesture are undone together."""

    def apply(self, document: Document) -> Document:
        """Return the document after the edit; the same object if nothing changes.

        Raises
        ------
        Refusal
            If it cannot be done: one sentence for the user.
        """
